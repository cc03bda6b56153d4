"""Decide what an install has to do: files and ledger in, steps out; nothing is touched."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources
from typing import Any, Literal

import jinja2

from taisce_pg.install import ledger as book
from taisce_pg.install.declared import Function
from taisce_pg.install.ledger import Installed, LedgerRow
from taisce_pg.install.render import Rendered
from taisce_pg.problem import Problem

LOCK_KEY = 0x7461_6973_6365  # the letters of taisce
LOCK_TIMEOUT = "10s"

StepKind = Literal["migration", "function", "view", "check", "owner", "lock", "room", "record"]


@dataclass(frozen=True)
class Step:
    """One piece of SQL and what it is for."""

    kind: StepKind
    title: str
    sql: str


@dataclass
class Plan:
    """What an install will do.

    `pending` are the paths to apply in order, `renamed` the functions that make way for a
    newer signature, `forgotten` paths the package no longer has, `rebase` whether hashes of
    objects must be taken again because the server is another major version.
    """

    steps: list[Step] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    rebase: bool = False

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing to do."""
        return not (self.pending or self.forgotten or self.rebase)


def opening() -> Step:
    """Return the first step: settings of the transaction and the lock against other installs."""
    return Step(
        "check",
        "settings, and one install at a time",
        _template("opening.sql.j2", lock_key=LOCK_KEY, lock_timeout=LOCK_TIMEOUT),
    )


def checks(facts: Mapping[str, Any], prefix: str, fresh: bool) -> Step:
    """Return the second step: what has to be true of server, database and user.

    A superuser gets pgvector created, everybody a line saying what a DBA has to do.
    """
    return Step(
        "check",
        "what has to be true of server, database and user",
        _template("checks.sql.j2", **facts, prefix=prefix, fresh=fresh),
    )


def become_owner(prefix: str) -> Step:
    """Return the step that steps down to the owner of the memory."""
    return Step("owner", "everything belongs to the owner", f"set local role {prefix}_owner;\n")


def pending_paths(files: Sequence[Rendered], ledger: Mapping[str, LedgerRow]) -> set[str]:
    """Return the paths whose text is not the one in the database."""
    return {file.path for file in files if _is_pending(file, ledger)}


def tool_steps(files: Sequence[Rendered], wanted: Collection[str]) -> list[Step]:
    """Return the steps that bring the installer's own functions among `wanted` up to date."""
    return [_apply(file) for file in files if _is_tool(file) and file.path in wanted]


def make_plan(
    files: Sequence[Rendered],
    ledger: Mapping[str, LedgerRow],
    *,
    version: str,
    prefix: str = "taisce",
    installed: Installed | None = None,
    spelled: Mapping[str, str] | None = None,
    again: Collection[str] = (),
    rebase: bool = False,
) -> Plan:
    """Compare the package with the ledger and return the steps after the checks.

    `again` are paths to apply even if unchanged, `installed` and `spelled` the functions there
    are and the server's spelling of types (needed only where the ledger has rows). Raises
    Problem when a released migration was edited, or when the database is newer.
    """
    _check_released(files, ledger)
    changed = [file for file in files if _is_pending(file, ledger) or file.path in again]
    ways = _make_way(changed, installed or {}, spelled or {})
    if ways:
        names = [re.escape(way.partition("(")[0].rpartition(".")[2]) for way in ways]
        mention = re.compile(r"\b(" + "|".join(names) + r")\b")
        wanted = {file.path for file in changed} | {
            file.path
            for file in files
            if file.kind == "view" or (file.kind == "function" and "begin atomic" in file.text)
            if mention.search(file.text)
        }
        changed = [file for file in files if file.path in wanted]
    paths = {file.path for file in files}
    plan = Plan(
        pending=[file.path for file in changed],
        renamed=ways,
        forgotten=sorted(path for path in ledger if path not in paths),
        rebase=rebase,
    )
    if not plan.empty:
        plan.steps = _steps(plan, files, changed, ledger, version, prefix)
    return plan


def _template(name: str, **context: Any) -> str:
    text = resources.files("taisce_pg.install").joinpath(name).read_text("utf-8")
    environment = jinja2.Environment(
        undefined=jinja2.StrictUndefined,
        autoescape=False,
        trim_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.from_string(text).render(context)


def _check_released(files: Sequence[Rendered], ledger: Mapping[str, LedgerRow]) -> None:
    here = {file.path: file for file in files}
    for row in ledger.values():
        if row.kind != "migration":
            continue
        file = here.get(row.path)
        if file is None:
            raise Problem(
                f"the database has {row.path}, which this package does not know",
                f"it was installed by taisce-pg {row.package_version}: use that or a newer one",
            )
        if file.checksum != row.checksum:
            raise Problem(
                f"{row.path} was edited after it had been applied",
                "restore the released text and put the change into a new migration",
            )


def _is_pending(file: Rendered, ledger: Mapping[str, LedgerRow]) -> bool:
    row = ledger.get(file.path)
    return row is None or row.checksum != file.checksum


def _is_tool(file: Rendered) -> bool:
    return file.path.startswith("functions/install/")


def _make_way(
    changed: Sequence[Rendered], installed: Installed, spelled: Mapping[str, str]
) -> list[str]:
    """Return signatures that a call could mean as well as one that a changed file brings.

    Such a call gives the arguments that both begin with, and leaves out the others.
    """
    ways: list[str] = []
    for file in changed:
        if file.kind != "function":
            continue
        own = {_types(function, spelled) for function in file.declared.functions}
        for function in file.declared.functions:
            new = _types(function, spelled)
            there = installed.get(function.name, {})
            if new in there:
                continue
            for old, defaults in there.items():
                given = max(len(new) - function.defaults, len(old) - defaults)
                if (
                    old not in own
                    and given <= min(len(new), len(old))
                    and new[:given] == old[:given]
                ):
                    ways.append(f"{function.name}({', '.join(old)})")
    return ways


def _types(function: Function, spelled: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(spelled.get(word, word) for word in function.arguments)


def _steps(
    plan: Plan,
    files: Sequence[Rendered],
    changed: Sequence[Rendered],
    ledger: Mapping[str, LedgerRow],
    version: str,
    prefix: str,
) -> list[Step]:
    steps: list[Step] = []
    fresh = not ledger
    migrations = [file for file in changed if file.kind == "migration"]
    functions = [file for file in changed if file.kind == "function"]
    views = [file for file in changed if file.kind == "view"]
    tools = [file for file in functions if _is_tool(file)]
    tables = [] if fresh else _unique(name for file in migrations for name in file.declared.altered)
    # Views wait with the tables when both change, so that no reader can stand between them.
    together = list(tables)
    together += [name for file in views for name in file.declared.views] if tables else []

    if fresh:
        # The first migration makes the roles and steps down to the owner itself.
        steps += [_apply(file) for file in migrations[:1]]
        migrations = migrations[1:]
    steps.append(become_owner(prefix))
    steps += [_apply(file) for file in tools]
    if not fresh:
        steps.append(
            Step("room", "what was changed by hand stays known", "select taisce.note_drift();\n")
        )
        steps.append(
            Step("room", "drop what was superseded before", "select taisce.drop_retired();\n")
        )
    if together:
        steps.append(_lock(together))
    steps += [_apply(file) for file in migrations]
    steps += [
        Step("room", f"{way} makes way", f"select taisce.make_way({book.literal(way)});\n")
        for way in plan.renamed
    ]
    steps += [_apply(file) for file in functions if file not in tools]
    if views and not together and not fresh:
        steps.append(_lock([name for file in views for name in file.declared.views]))
    steps += [_apply(file) for file in views]
    record = book.record(files, plan.pending)
    if plan.forgotten:
        record = book.removal(plan.forgotten) + record
    entries = book.entries(list(changed), version, prefix)
    steps.append(Step("record", "the ledger: the texts above, once more", entries + record))
    return steps


def _apply(file: Rendered) -> Step:
    return Step(file.kind, file.path, file.text)


def _lock(names: Sequence[str]) -> Step:
    listed = ", ".join(book.literal(name) for name in names)
    return Step(
        "lock", "make room without making readers wait",
        f"select taisce.lock_relations(array[{listed}]);\n",
    )  # fmt: skip


def _unique(names: Any) -> list[str]:
    return list(dict.fromkeys(names))
