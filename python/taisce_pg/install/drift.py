"""What was changed by hand since the last install, and taking it back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import psycopg

from taisce_pg.install.plan import become_owner
from taisce_pg.install.render import Rendered

_FOLDER = "functions/install/"
_PARTS = ("installed_roles", "installed_parts", "installed_relations", "installed_objects")

# In this order one may need what another brings.
_RANKS = (
    "role", "membership", "default privileges", "schema", "type", "sequence", "table", "column",
    "constraint", "index", "statistics", "rule", "trigger", "policy", "function", "view",
)  # fmt: skip
# Somebody's own work, perhaps with data in it: told, with the statement, and left.
_LEFT = {"schema", "table", "column", "type", "sequence", "function", "view", "other"}

_BARRIERS = """
select 'schema', n.nspname::text, pg_get_userbyid(n.nspowner)::text
from pg_namespace as n
where n.nspname = 'taisce' and not has_schema_privilege(%(owner)s, n.oid, 'usage')
union all
select 'table', c.oid::regclass::text, pg_get_userbyid(c.relowner)::text
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = 'taisce' and c.relname in ('ledger', 'ledger_object')
  and not (has_table_privilege(%(owner)s, c.oid, 'select')
    and has_table_privilege(%(owner)s, c.oid, 'insert')
    and has_table_privilege(%(owner)s, c.oid, 'update')
    and has_table_privilege(%(owner)s, c.oid, 'delete'))
order by 1, 2
"""


@dataclass(frozen=True)
class Drift:
    """One change by hand.

    `change` is missing, added, owner, definition, privileges or comment. `path` is the file that
    made the object, None for parts of tables and for what was added. `detail` says what differs
    where that is short. `mend` is SQL that takes the change back, None where applying the file
    does it or nothing can; `failed` says why mending did not succeed.
    """

    kind: str
    identity: str
    path: str | None
    change: str
    detail: str | None = None
    mend: str | None = None
    failed: str | None = None

    def __str__(self) -> str:
        """Say it in one line."""
        what = {"definition": "definition changed", "owner": "", "comment": "comment changed"}
        words = [f"{self.kind} {self.identity}:", what.get(self.change, self.change)]
        text = " ".join(" ".join(word for word in [*words, self.detail or ""] if word).split())
        return text + (f" ({self.failed})" if self.failed else "")

    @property
    def way_out(self) -> str:
        """Return what a person can do about it."""
        if self.mend and self.failed:
            return f"by hand, or as a superuser: {self.mend};"
        if self.mend and self.change == "added":
            return f"if it is not wanted: {self.mend};"
        return "restore it from a dump, or install into a new database and load an export"

    def to_dict(self) -> dict[str, str | None]:
        """Return the parts as plain values."""
        return asdict(self)


def find_drift(conn: psycopg.Connection[Any], files: Iterable[Rendered]) -> list[Drift]:
    """Compare the catalogue with what the last install recorded; needs the owner's role.

    The comparing functions are taken from the package and not from the database, where they may
    be what was changed.
    """
    return [Drift(*row) for row in conn.execute(_question(files).encode())]


def barriers(conn: psycopg.Connection[Any], prefix: str) -> list[Drift]:
    """Return what keeps the owner from looking at all: the schema or the ledger taken away."""
    owner = f"{prefix}_owner"
    rows = conn.execute(_BARRIERS, {"owner": owner}).fetchall()
    return [
        Drift(kind, name, None, "owner", f"belongs to {holder}, not to {owner}",
              f"alter {kind} {name} owner to {owner}")
        if holder != owner
        else Drift(kind, name, None, "privileges", f"{owner} may not use its own",
                   f"grant all on {kind} {name} to {owner}")
        for kind, name, holder in rows
    ]  # fmt: skip


def mend(
    conn: psycopg.Connection[Any], prefix: str, drift: Sequence[Drift]
) -> dict[tuple[str, str, str], str]:
    """Take back, one by one, what can be taken back by a statement; return why others failed.

    Each runs as the owner of the memory, and once more as the user himself if the owner may not.
    Objects that somebody added are left, save those that change what a table of the memory does.
    """
    failed: dict[tuple[str, str, str], str] = {}
    for item in sorted(drift, key=_rank):
        if not item.mend or (item.change == "added" and item.kind in _LEFT):
            continue
        reason = _try(conn, prefix, item.mend)
        if reason:
            failed[item.kind, item.identity, item.change] = reason
    # A view is replaced by its file only if the columns are the same.
    for view in {
        item.identity.rpartition(" on ")[2]
        for item in drift
        if item.kind == "column" and item.path and item.change in ("added", "missing", "definition")
    }:
        reason = _try(conn, prefix, f"drop view {view}")
        if reason:
            failed["view", view, "definition"] = reason
    return failed


def explained(drift: Sequence[Drift], failed: dict[tuple[str, str, str], str]) -> list[Drift]:
    """Write down with each change why it could not be taken back."""
    return [
        replace(item, failed=failed.get((item.kind, item.identity, item.change))) for item in drift
    ]


def _rank(item: Drift) -> tuple[bool, int, int, str]:
    rank = _RANKS.index(item.kind) if item.kind in _RANKS else len(_RANKS)
    foreign = item.kind == "constraint" and " foreign key " in f" {item.mend} ".lower()
    return (item.change == "privileges", item.change != "owner", rank, foreign, item.identity)  # type: ignore[return-value]


def _try(conn: psycopg.Connection[Any], prefix: str, statement: str) -> str:
    """Run as the owner, else as the user; return an empty text or the reason."""
    reason = ""
    for opening in (become_owner(prefix).sql, "set local role none"):
        try:
            with conn.transaction():
                conn.execute(opening.encode())
                conn.execute(statement.encode())
            reason = ""
        except psycopg.Error as exc:
            reason = exc.diag.message_primary or type(exc).__name__
            if not isinstance(exc, psycopg.errors.InsufficientPrivilege):
                break
        else:
            break
    conn.execute(become_owner(prefix).sql.encode())
    return reason


def _question(files: Iterable[Rendered]) -> str:
    bodies = {
        name: next(
            file.text.split("$func$")[1] for file in files if file.path == f"{_FOLDER}{name}.sql"
        )
        for name in (*_PARTS, "drift")
    }
    shape = "class, identity, owner, definition, {}, remark, target, mend, undo"
    text = bodies["drift"]
    for name in reversed(_PARTS):
        rights = "privileges" if name == _PARTS[-1] else "acl, usual"
        there = f"({bodies[name]}) as o ({shape.format(rights)})"
        text = text.replace(f"taisce.{name}() as o", there)
    return text
