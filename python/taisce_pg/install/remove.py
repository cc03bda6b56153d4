"""Take the memory out of a database."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import psycopg
from psycopg import sql

from taisce_pg.install.ledger import installed_prefix
from taisce_pg.install.run import become_owner_of, check_idle
from taisce_pg.problem import Problem

_ROLES = ("owner", "reader", "analyst", "writer", "admin")


@dataclass
class Removal:
    """What goes, or went.

    `projects` and `facts` count what is stored, `outside` are objects of other schemas built on
    the memory, `kept_roles` roles that something else still needs, with the reason.
    """

    prefix: str
    schemas: list[str] = field(default_factory=lambda: ["memory_v1", "taisce"])
    tables: int = 0
    size: str = ""
    outside: list[str] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    kept_roles: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values."""
        return asdict(self)


def removal(conn: psycopg.Connection[Any]) -> Removal:
    """List what `remove` would take away; changes nothing.

    Raises Problem when there is no memory or the user may not act as its owner.
    """
    check_idle(conn)
    with conn.transaction(force_rollback=True):
        prefix = installed_prefix(conn)
        if prefix is None:
            raise Problem("there is no memory in this database")
        become_owner_of(conn, prefix)
        found = Removal(prefix)
        row = conn.execute(
            "select count(*), pg_size_pretty(coalesce(sum(pg_total_relation_size(c.oid)), 0))"
            " from pg_class as c where c.relnamespace = 'taisce'::regnamespace"
            " and c.relkind in ('r', 'p')"
        ).fetchone()
        assert row is not None
        found.tables, found.size = row
        found.outside = [
            f"{kind} {name}"
            for kind, name in conn.execute("select * from taisce.outside_dependents()")
        ]
        for word in _ROLES:
            role = f"{prefix}_{word}"
            elsewhere = _used_elsewhere(conn, role)
            if elsewhere:
                found.kept_roles[role] = f"used in {elsewhere}"
            else:
                found.roles.append(role)
        return found


def remove(conn: psycopg.Connection[Any]) -> Removal:
    """Drop both schemas with everything in them and on them, then the roles nobody else needs.

    One transaction. The extension vector stays. Returns what went and what was kept.
    """
    found = removal(conn)
    with conn.transaction():
        become_owner_of(conn, found.prefix)
        conn.execute("drop schema memory_v1, taisce cascade")
        conn.execute("set local role none")
        for role in [*reversed(found.roles)]:
            reason = _drop_role(conn, role)
            if reason:
                found.roles.remove(role)
                found.kept_roles[role] = reason
    return found


def _drop_role(conn: psycopg.Connection[Any], role: str) -> str:
    try:
        with conn.transaction():
            conn.execute(sql.SQL("drop role if exists {}").format(sql.Identifier(role)))
    except (
        psycopg.errors.DependentObjectsStillExist,
        psycopg.errors.InsufficientPrivilege,
    ) as exc:
        detail = (exc.diag.message_detail or exc.diag.message_primary or "").splitlines()
        return detail[0] if detail else "not permitted"
    return ""


def _used_elsewhere(conn: psycopg.Connection[Any], role: str) -> str:
    row = conn.execute(
        "select string_agg(distinct coalesce(d.datname, 'the cluster'), ', ')"
        " from pg_shdepend as s left join pg_database as d on d.oid = s.dbid"
        " where s.refclassid = 'pg_authid'::regclass and s.refobjid = to_regrole(%s)"
        " and s.dbid <> (select oid from pg_database where datname = current_database())"
        " and s.classid <> 'pg_auth_members'::regclass",
        [role],
    ).fetchone()
    return str(row[0]) if row and row[0] else ""
