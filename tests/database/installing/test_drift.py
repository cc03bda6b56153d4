"""Whatever the installer made and somebody changed by hand is seen, told in a line, and mended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.install.drift import Drift, barriers, explained, find_drift, mend
from taisce_pg.install.facts import server_facts
from taisce_pg.install.render import Rendered, render_all
from taisce_pg.install.run import become_owner_of, install
from tests.support.changes_by_hand import LEFT, MENDED, TABLES
from tests.support.databases import Database
from tests.support.package import Package

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def shared(
    module_database: Database, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Connection, str, list[Rendered]]]:
    """Give one installation to all tests that leave it as it was, and its rendered files."""
    package = Package(tmp_path_factory.mktemp("package") / "db")
    package.write("migrations/0002_table.sql", TABLES)
    prefix = f"p_{module_database.name}"
    with module_database.connect() as conn:
        conn.execute("drop schema memory_v1, taisce cascade")
        install(conn, prefix, root=package.root)
        conn.execute(f"create role {prefix}_other".encode())
        yield conn, prefix, render_all(server_facts(conn), prefix, package.root)
    module_database.drop()
    with module_database.server.connect() as conn:
        for word in ("owner", "reader", "analyst", "writer", "admin", "other"):
            conn.execute(f"drop role if exists {prefix}_{word}".encode())


def look(conn: Connection, prefix: str, files: list[Rendered]) -> list[Drift]:
    conn.execute("set local role none")
    shut = barriers(conn, prefix)
    if shut:
        return shut
    become_owner_of(conn, prefix)
    return find_drift(conn, files)


def repair(conn: Connection, prefix: str, files: list[Rendered], drift: list[Drift]) -> list[Drift]:
    """Take back what can be, as an install with --repair does, and return what is left."""
    failed = mend(conn, prefix, drift)
    for file in files:
        if file.kind != "migration" and file.path in {item.path for item in drift}:
            conn.execute(file.text.encode())
    return explained(look(conn, prefix, files), failed)


@pytest.mark.parametrize(("change", "line"), MENDED, ids=[change[:60] for change, _ in MENDED])
def test_a_change_by_hand_is_told_in_a_line_and_taken_back(
    shared: tuple[Connection, str, list[Rendered]], change: str, line: str
) -> None:
    conn, prefix, files = shared
    with conn.transaction(force_rollback=True):
        conn.execute("set local check_function_bodies = off")
        conn.execute(change.replace("PREFIX", prefix).encode())
        drift = look(conn, prefix, files)
        told = [str(item) for item in drift]
        assert any(text.startswith(line.replace("PREFIX", prefix)) for text in told), told
        assert not any("\n" in text for text in told)
        assert repair(conn, prefix, files, drift) == []


@pytest.mark.parametrize(("change", "line", "way"), LEFT, ids=[change[:60] for change, *_ in LEFT])
def test_what_cannot_be_taken_back_is_told_with_the_way_out(
    shared: tuple[Connection, str, list[Rendered]], change: str, line: str, way: str
) -> None:
    conn, prefix, files = shared
    with conn.transaction(force_rollback=True):
        conn.execute(change.encode())
        drift = look(conn, prefix, files)
        told = [str(item) for item in drift]
        assert any(text.startswith(line) for text in told), told
        left = [i for i in repair(conn, prefix, files, drift) if str(i).startswith(line)]
        assert left
        assert way in left[0].way_out
