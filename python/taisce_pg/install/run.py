"""Install, upgrade and look after the memory of one database."""

from __future__ import annotations

import logging
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.rows import tuple_row

from taisce_pg import __version__
from taisce_pg.connection import check_server
from taisce_pg.install import ledger as book
from taisce_pg.install.drift import Drift, barriers, explained, find_drift, mend
from taisce_pg.install.facts import server_facts
from taisce_pg.install.plan import (
    Plan,
    Step,
    become_owner,
    checks,
    make_plan,
    opening,
    pending_paths,
    tool_steps,
)
from taisce_pg.install.render import DEFAULT_PREFIX, Rendered, check_prefix, render_all
from taisce_pg.problem import Problem

_log = logging.getLogger(__name__)


@dataclass
class Report:
    """What an install did.

    `applied` are the paths that ran, `renamed` the functions that made way, `drift` what had
    been changed by hand before, `left` what of it a repair could not take back, `seconds` the
    time.
    """

    prefix: str
    package_version: str = __version__
    first: bool = False
    applied: list[str] = field(default_factory=list)
    renamed: list[str] = field(default_factory=list)
    drift: list[Drift] = field(default_factory=list)
    left: list[Drift] = field(default_factory=list)
    seconds: float = 0.0

    @property
    def exit_code(self) -> int:
        """Return 4 if a repair could not take everything back, else 0."""
        return 4 if self.left else 0

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values."""
        return asdict(self)


@dataclass
class Status:
    """How the database compares with the package.

    `state` is absent, pending, drift or ok; `rebase` tells that the server is another major
    version than at the last install, so that definitions could not be compared.
    """

    state: str
    prefix: str | None = None
    package_version: str = __version__
    installed_version: str | None = None
    pending: list[str] = field(default_factory=list)
    superseded: list[str] = field(default_factory=list)
    drift: list[Drift] = field(default_factory=list)
    rebase: bool = False

    @property
    def exit_code(self) -> int:
        """Return 3 if something is pending, 4 for drift, else 0."""
        return {"absent": 3, "pending": 3, "drift": 4, "ok": 0}[self.state]

    def to_dict(self) -> dict[str, Any]:
        """Return the parts as plain values."""
        return asdict(self)


@dataclass(frozen=True)
class Steps:
    """What an install would run, none if nothing is pending, and what it was rendered for.

    `first` tells that the database has no memory yet.
    """

    prefix: str
    first: bool
    facts: dict[str, Any]
    steps: list[Step]


def install(
    conn: psycopg.Connection[Any],
    prefix: str | None = None,
    *,
    repair: bool = False,
    root: Path | None = None,
) -> Report:
    """Install the memory, or bring it up to this package, in one transaction.

    `prefix` begins the names of the five roles: default that of the installation, else
    "taisce". `repair` applies again what was changed by hand. `root` is another db/ folder.
    A second run does nothing. Raises Problem, with the statement for a DBA as the hint, when
    rights or pgvector are missing, when locks could not be had within a minute, or when a file
    fails; then nothing was changed.
    """
    started = time.monotonic()
    check_idle(conn)
    check_server(conn)
    with conn.transaction(), _plain_rows(conn):
        _run(conn, opening())
        there = book.installed_prefix(conn)
        prefix = _same_prefix(prefix, there)
        facts = server_facts(conn)
        _run(conn, checks(facts, prefix, fresh=there is None))
        files = render_all(facts, prefix, root)
        report = Report(prefix, first=there is None)
        failed: dict[tuple[str, str, str], str] = {}
        if there:
            failed = _prepare(conn, files, report, repair)
        plan = _plan(conn, files, prefix, there, _repairable(files, report.drift, repair))
        if not plan.empty:
            for step in plan.steps:
                _run(conn, step)
        report.applied, report.renamed = plan.pending, plan.renamed
        if repair and report.drift:
            report.left = explained(find_drift(conn, files), failed)
    report.seconds = round(time.monotonic() - started, 3)
    return report


def steps_for(
    conn: psycopg.Connection[Any], prefix: str | None = None, root: Path | None = None
) -> Steps:
    """Return what an install would run in this database now; changes nothing."""
    check_idle(conn)
    check_server(conn)
    with conn.transaction(force_rollback=True), _plain_rows(conn):
        there = book.installed_prefix(conn)
        prefix = _same_prefix(prefix, there)
        facts = server_facts(conn)
        if there:
            become_owner_of(conn, prefix)
        plan = _plan(conn, render_all(facts, prefix, root), prefix, there)
        steps = [] if plan.empty else [opening(), checks(facts, prefix, not there), *plan.steps]
        return Steps(prefix, not there, facts, steps)


def status(conn: psycopg.Connection[Any], root: Path | None = None) -> Status:
    """Compare the database with the package and with the last install; changes nothing."""
    check_idle(conn)
    with conn.transaction(force_rollback=True), _plain_rows(conn):
        prefix = book.installed_prefix(conn)
        if prefix is None:
            return Status("absent")
        shut = barriers(conn, prefix)
        if shut:
            return Status("drift", prefix, drift=shut)
        become_owner_of(conn, prefix)
        rows = book.read_ledger(conn)
        files = render_all(server_facts(conn), prefix, root)
        plan = make_plan(files, rows, version=__version__, prefix=prefix)
        drift = find_drift(conn, files)
        newest = max(rows.values(), key=lambda row: str(row.applied_at))
        return Status(
            "pending" if not plan.empty else "drift" if drift else "ok",
            prefix,
            installed_version=newest.package_version,
            pending=plan.pending,
            superseded=plan.forgotten,
            drift=drift,
            rebase=_other_major(conn),
        )


def _prepare(
    conn: psycopg.Connection[Any], files: list[Rendered], report: Report, repair: bool
) -> dict[tuple[str, str, str], str]:
    """Look for changes by hand and, if asked to, take back what a statement can take back.

    Returns why some could not be taken back. Raises Problem for a file that is to be applied to
    an object of somebody else.
    """
    shut = barriers(conn, report.prefix)
    failed = mend(conn, report.prefix, shut) if repair else {}
    for item in shut:
        if not repair or failed:
            raise Problem(
                f"{item.kind} {item.identity} {item.detail}: nothing can be looked at",
                f"{'' if repair else 'use --repair, or '}as a superuser: {item.mend};",
            )
    become_owner_of(conn, report.prefix)
    report.drift = shut + find_drift(conn, files)
    failed = mend(conn, report.prefix, report.drift[len(shut) :]) if repair else {}
    wanted = pending_paths(files, book.read_ledger(conn))
    wanted |= _repairable(files, report.drift, repair)
    for item in find_drift(conn, files) if report.drift else []:
        if item.change == "owner" and item.path in wanted:
            raise Problem(
                f"{item.path} cannot be applied: {item.kind} {item.identity} {item.detail}",
                f"{'' if repair else 'use --repair, or '}as a superuser: {item.mend};",
            )
    # The installer's own functions come first: what follows rests on them.
    tools = {item.path for item in report.drift if item.path} if wanted else set()
    for step in tool_steps(files, wanted | tools):
        _run(conn, step)
    return failed


def _plan(
    conn: psycopg.Connection[Any],
    files: list[Rendered],
    prefix: str,
    there: object,
    again: Collection[str] = (),
) -> Plan:
    """Plan against this database; as its owner if there is an installation."""
    if not there:
        return make_plan(files, {}, version=__version__, prefix=prefix)
    become_owner_of(conn, prefix)
    functions, spelled = book.installed_functions(conn, files)
    return make_plan(
        files,
        book.read_ledger(conn),
        version=__version__,
        prefix=prefix,
        installed=functions,
        spelled=spelled,
        again=again,
        rebase=_other_major(conn),
    )


def _repairable(files: list[Rendered], drift: list[Drift], repair: bool) -> set[str]:
    kinds = {file.path: file.kind for file in files}
    return {
        item.path
        for item in drift
        if repair and item.path and kinds.get(item.path) in ("function", "view")
    }


def _other_major(conn: psycopg.Connection[Any]) -> bool:
    recorded = book.recorded_major(conn)
    return recorded is not None and recorded != conn.info.server_version // 10000


def _run(conn: psycopg.Connection[Any], step: Step) -> None:
    _log.debug("%s: %s", step.kind, step.title)
    try:
        conn.execute(step.sql.encode())
    except psycopg.Error as exc:
        raise _explained(exc, step) from exc


def _explained(exc: psycopg.Error, step: Step) -> Problem:
    diag = exc.diag
    message = diag.message_primary or str(exc).strip() or type(exc).__name__
    if step.kind in ("migration", "function", "view"):
        place = ""
        if diag.statement_position:
            place = f" line {step.sql.count(chr(10), 0, int(diag.statement_position) - 1) + 1}"
        message = f"{step.title}{place}: {message}"
    if diag.message_detail:
        message += f" ({diag.message_detail})"
    return Problem(message, diag.message_hint or "")


def become_owner_of(conn: psycopg.Connection[Any], prefix: str) -> None:
    """Act as the owner until the transaction ends; raises Problem if that is not permitted."""
    try:
        conn.execute(become_owner(prefix).sql.encode())
    except psycopg.Error as exc:
        user = conn.info.user
        raise Problem(
            f"{user} may not look into the memory: {exc.diag.message_primary}",
            f"as a superuser: grant {prefix}_owner to {user};",
        ) from exc
    conn.execute("set local search_path = pg_catalog")


def _same_prefix(wanted: str | None, there: str | None) -> str:
    if wanted is not None:
        check_prefix(wanted)
    if there is not None and wanted not in (None, there):
        raise Problem(
            f"the memory in this database was installed with the prefix {there}",
            "leave --prefix out; another prefix needs another database",
        )
    return there or wanted or DEFAULT_PREFIX


def check_idle(conn: psycopg.Connection[Any]) -> None:
    """Raise Problem if the connection is in a transaction."""
    if conn.info.transaction_status != TransactionStatus.IDLE:
        raise Problem("the connection is in a transaction", "commit or roll back first")


@contextmanager
def _plain_rows(conn: psycopg.Connection[Any]) -> Iterator[None]:
    """Read rows as tuples and text in UTF-8, whatever the caller has set."""
    factory = conn.row_factory
    conn.row_factory = tuple_row
    try:
        conn.execute("set local client_encoding = 'UTF8'")
        yield
    finally:
        conn.row_factory = factory
