"""A small db/ folder that a test may change as a release would."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg.resources import db_root
from tests.support.databases import Database

GREET = """\
create or replace function memory_v1.greet({arguments})
returns text language sql stable set search_path = pg_catalog, pg_temp
as $func$ select {body} $func$;
comment on function memory_v1.greet({types}) is 'Says hello.';
revoke all on function memory_v1.greet({types}) from public;
grant execute on function memory_v1.greet({types}) to taisce_reader;
"""
GREETING = "create or replace view memory_v1.greeting as select {columns};\n"


class Package:
    """The installer's own files, one table, one function and one view."""

    def __init__(self, root: Path) -> None:
        self.root = root
        for folder in ("migrations", "functions/install", "functions/recall", "views"):
            (root / folder).mkdir(parents=True)
        shutil.copy(db_root() / "migrations/0001_ground.sql", root / "migrations")
        for file in (db_root() / "functions/install").iterdir():
            shutil.copy(file, root / "functions/install")
        self.write("migrations/0002_table.sql", "create table taisce.thing (n int);\n")
        self.greet("who text", "'hello ' || who", "text")
        self.write("views/greeting.sql", GREETING.format(columns="memory_v1.greet('x') as word"))

    def write(self, path: str, text: str) -> None:
        """Put a text in place of a file."""
        (self.root / path).write_text(text)

    def greet(self, arguments: str, body: str, types: str) -> None:
        """Change the function."""
        text = GREET.format(arguments=arguments, body=body, types=types)
        self.write("functions/recall/greet.sql", text)


@pytest.fixture
def package(tmp_path: Path) -> Package:
    """Give a small db/ folder of this test's own."""
    return Package(tmp_path / "db")


@pytest.fixture
def prefix(empty_database: Database) -> Iterator[str]:
    """Give a prefix of this test's own, whose roles go with it."""
    yield (name := f"p_{empty_database.name}")
    empty_database.drop()
    with empty_database.server.connect() as conn:
        for word in ("owner", "reader", "analyst", "writer", "admin", "other"):
            conn.execute(f"drop role if exists {name}_{word}")  # type: ignore[arg-type]


@pytest.fixture
def admin(empty_database: Database) -> Iterator[psycopg.Connection[Any]]:
    """Connect as superuser to a database with nothing in it."""
    with empty_database.connect() as conn:
        yield conn
