"""PostgreSQL's own programs, run against a test's database."""

from __future__ import annotations

import subprocess
from typing import Any

import psycopg

from tests.support.databases import Database
from tests.support.servers import ServerUnderTest


def psql(database: Database, *arguments: str) -> None:
    subprocess.run(
        [str(database.server.psql), "-qX", "-v", "ON_ERROR_STOP=1", *arguments, database.uri()],
        check=True,
        capture_output=True,
    )


def dump(database: Database) -> list[str]:
    return dump_uri(database.server, database.uri())


def dump_of(conn: psycopg.Connection[Any], server: ServerUnderTest) -> list[str]:
    return dump_uri(server, server.uri(conn.info.dbname))


def dump_uri(server: ServerUnderTest, uri: str) -> list[str]:
    """Return the schema as pg_dump prints it, but for the random words of \\restrict."""
    program = server.psql.with_name("pg_dump")
    if not program.exists():
        return []
    text = subprocess.run(
        [str(program), "--schema-only", uri], check=True, capture_output=True, text=True
    ).stdout
    return [line for line in text.splitlines() if "restrict " not in line]
