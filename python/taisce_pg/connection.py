"""Which database is meant, and whether it will do."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg import conninfo
from psycopg.abc import Buffer
from psycopg.adapt import AdaptersMap, Loader
from psycopg.types.datetime import DateLoader, TimestampLoader, TimestamptzLoader

from taisce_pg.problem import Problem

if TYPE_CHECKING:
    from taisce_pg.embedded import Server

OLDEST_SERVER = 15
OLDEST_PGVECTOR = (0, 5, 1)
_LIBPQ = ("PGHOST", "PGSERVICE", "PGDATABASE")


@dataclass(frozen=True)
class Target:
    """A database to connect to.

    `kind`: `option` (--dsn or an argument), `environment` (TAISCE_DSN), `libpq` (PG* variables)
    or `embedded`. `server` is the embedded server now held by this program, else None.
    """

    dsn: str
    kind: str
    server: Server | None = None

    def __str__(self) -> str:
        """Name the place without its password."""
        if self.server is not None:
            return f"the embedded server in {self.server.home.path}"
        try:
            parts = conninfo.conninfo_to_dict(self.dsn)
        except psycopg.ProgrammingError:
            return "the database given"
        host = parts.get("host") or os.environ.get("PGHOST") or "the local socket"
        port = parts.get("port") or os.environ.get("PGPORT")
        name = parts.get("dbname") or os.environ.get("PGDATABASE")
        service = parts.get("service") or os.environ.get("PGSERVICE")
        place = f"service {service}" if service and not parts.get("host") else str(host)
        return place + (f" port {port}" if port else "") + (f" database {name}" if name else "")


def resolve_dsn(dsn: str | None = None) -> Target:
    """Choose the database: the argument, TAISCE_DSN, libpq's PG* variables, else embedded.

    Choosing the embedded server starts it, or joins it, and keeps it running while this
    program lives. Raises `Problem` for a connection string that cannot be read.
    """
    for text, kind in ((dsn, "option"), (os.environ.get("TAISCE_DSN"), "environment")):
        if text:
            return Target(_readable(text, kind), kind)
    if any(os.environ.get(name) for name in _LIBPQ):
        return Target("", "libpq")
    from taisce_pg.embedded import ensure_running

    server = ensure_running()
    return Target(server.uri(), "embedded", server)


def open_connection(target: Target, **options: Any) -> psycopg.Connection[Any]:
    """Connect, or raise a `Problem` of one line that says which server does not answer.

    Options are those of `psycopg.connect`; autocommit unless said otherwise.
    """
    options = {"autocommit": True, "application_name": "taisce-pg", **options}
    try:
        conn = psycopg.connect(target.dsn, **options)
    except psycopg.OperationalError as error:
        raise connection_problem(target, error) from error
    accept_odd_times(conn.adapters)
    return conn


def accept_odd_times(adapters: AdaptersMap) -> None:
    """Load times that Python does not have (before year 1, after 9999, infinity) as text."""
    for name, loader in _TIMES.items():
        adapters.register_loader(name, loader)


def _or_text(usual: type[Loader]) -> type[Loader]:
    """Return a loader that gives the server's own text where `usual` cannot load a value."""

    class Odd(usual):  # type: ignore[misc,valid-type]
        def load(self, data: Buffer) -> Any:
            try:
                return super().load(data)
            except psycopg.DataError:
                return bytes(data).decode()

    return Odd


_TIMES = {
    "date": _or_text(DateLoader),
    "timestamp": _or_text(TimestampLoader),
    "timestamptz": _or_text(TimestamptzLoader),
}


def connection_problem(target: Target, error: psycopg.Error) -> Problem:
    """Turn a failed connection into one line without any password."""
    said = str(error).strip().splitlines()
    reason = said[0] if said else "no answer"
    reason = re.sub(r"^.*?connection to server .*? failed: ", "", reason)
    reason = re.sub(r"^(FATAL|ERROR):\s*", "", reason)
    if re.search(r"password|role|authentication|pg_hba|database .* does not exist", reason):
        hint = "check user, password and database name"
    elif target.kind == "embedded":
        hint = "run: taisce-pg server status"
    else:
        hint = "is the server running and the address right? Without any the embedded one is used"
    return Problem(f"no connection to {target}: {reason}", hint)


def check_server(conn: psycopg.Connection[Any]) -> None:
    """Raise `Problem` unless the server is PostgreSQL 15 or newer with a UTF-8 database."""
    version = conn.info.server_version
    if version < OLDEST_SERVER * 10000:
        raise Problem(
            f"the server is PostgreSQL {version // 10000}; {OLDEST_SERVER} or newer is needed",
            "connect to a newer server",
        )
    encoding = conn.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise Problem(
            f"the database is encoded in {encoding}; UTF8 is needed",
            "create one: create database memory encoding 'UTF8' template template0",
        )


def check_pgvector(conn: psycopg.Connection[Any]) -> str:
    """Return the version of pgvector in this database, or raise `Problem` saying how to get it."""
    needed = ".".join(map(str, OLDEST_PGVECTOR))
    row = conn.execute(
        "select installed_version, default_version"
        " from pg_catalog.pg_available_extensions where name = 'vector'"
    ).fetchone()
    if row is None:
        raise Problem(
            "the server does not have pgvector",
            f"install pgvector {needed} or newer on the server",
        )
    installed, offered = row
    if installed is None:
        raise Problem(
            "pgvector is not in this database",
            f"as a superuser: create extension vector (the server offers {offered})",
        )
    if tuple(int(part) for part in re.findall(r"\d+", installed)[:3]) < OLDEST_PGVECTOR:
        raise Problem(
            f"pgvector {installed} is too old; {needed} or newer is needed",
            "as a superuser: alter extension vector update",
        )
    return str(installed)


def _readable(text: str, kind: str) -> str:
    try:
        conninfo.conninfo_to_dict(text)
    except psycopg.ProgrammingError as error:
        name = "TAISCE_DSN" if kind == "environment" else "the connection string"
        raise Problem(
            f"{name} cannot be read as a connection string",
            "write postgresql://user@host/database or 'host=... dbname=...'",
            exit_code=2,
        ) from error
    return text
