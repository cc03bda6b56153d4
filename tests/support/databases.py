"""A fresh database with taisce installed for every test that asks for one.

database           of one test; connections by database.connect(role=...)
module_database    the same, shared by the tests of one module
empty_database     of one test, with pgvector and nothing else
conn               the superuser's connection to `database`, autocommit
"""

from __future__ import annotations

import fcntl
import itertools
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from tests.support.servers import ServerUnderTest, token

_numbers = itertools.count(1)


class Database:
    """One database of a test, and the login roles made for it."""

    def __init__(self, server: ServerUnderTest, name: str) -> None:
        self.server = server
        self.name = name
        self.logins: list[str] = []

    def uri(self, **changes: str) -> str:
        """Return a connection string, the superuser's unless `user` and `password` say more."""
        return self.server.uri(self.name, **changes)

    def connect(self, role: str | None = None, **options: Any) -> psycopg.Connection[Any]:
        """Connect in autocommit as the superuser, who then takes `role` if one is given."""
        conn = self.server.connect(self.name, **options)
        if role is not None:
            conn.execute(sql.SQL("set role {}").format(sql.Identifier(role)))
        return conn

    def login(self, *groups: str, inherit: bool = True) -> str:
        """Make a login role, member of `groups`, and return its connection string.

        The role goes with the database. Its name is unique over the whole run.
        """
        name = f"{self.name}_login{len(self.logins) + 1}"
        with self.server.connect(self.name) as conn:
            conn.execute(
                sql.SQL("create role {} login {} password {}").format(
                    sql.Identifier(name),
                    sql.SQL("inherit" if inherit else "noinherit"),
                    sql.Literal(name),
                )
            )
            self.logins.append(name)
            for group in groups:
                conn.execute(
                    sql.SQL("grant {} to {}").format(sql.Identifier(group), sql.Identifier(name))
                )
        return self.uri(user=name, password=name)

    def drop(self) -> None:
        """Drop the database and its logins, whoever is connected."""
        with self.server.connect() as conn:
            conn.execute(
                sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(self.name))
            )
            for name in self.logins:
                conn.execute(sql.SQL("drop role if exists {}").format(sql.Identifier(name)))


@contextmanager
def as_role(conn: psycopg.Connection[Any], role: str) -> Iterator[None]:
    """Take a role for a while."""
    conn.execute(sql.SQL("set role {}").format(sql.Identifier(role)))
    try:
        yield
    finally:
        if conn.info.transaction_status != psycopg.pq.TransactionStatus.INERROR:
            conn.execute("reset role")


@contextmanager
def fresh(server: ServerUnderTest, run_dir: Path, template: str) -> Iterator[Database]:
    """Copy a template into a database that is dropped afterwards."""
    name = f"{token(run_dir)}_{os.getpid()}_{next(_numbers)}"
    database = Database(server, name)
    with server.connect() as conn:
        conn.execute(
            sql.SQL("create database {} template {}").format(
                sql.Identifier(name), sql.Identifier(template)
            )
        )
    try:
        yield database
    finally:
        database.drop()


def once(run_dir: Path, name: str, build: Any) -> str:
    """Build a template database once in a run, in whichever process comes first.

    `build` gets its name, and a failure of it is the same failure for every process.
    """
    template = f"{token(run_dir)}_{name}"
    failed = run_dir / f"{name}.failed"
    with open(run_dir / f"{name}.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if failed.exists():
            pytest.fail(failed.read_text(), pytrace=False)
        done = run_dir / f"{name}.done"
        if not done.exists():
            try:
                build(template)
            except Exception as error:
                said = f"the database {name} could not be made: {error}"
                failed.write_text(said)
                pytest.fail(said, pytrace=False)
            done.touch()
    return template


@pytest.fixture(scope="session")
def empty_template(server: ServerUnderTest, run_dir: Path) -> str:
    """Name a template with pgvector and nothing of ours."""

    def build(name: str) -> None:
        create(server, name, "template0")
        with server.connect(name) as conn:
            conn.execute("create extension vector")
        freeze(server, name)

    return once(run_dir, "empty", build)


@pytest.fixture(scope="session")
def template(
    request: pytest.FixtureRequest, server: ServerUnderTest, run_dir: Path, empty_template: str
) -> str:
    """Name a template with taisce installed under the default prefix."""

    def build(name: str) -> None:
        create(server, name, empty_template)
        with server.connect(name) as conn:
            install_memory(conn, request.config.getoption("--partitions"))
        freeze(server, name)

    return once(run_dir, "taisce", build)


@pytest.fixture
def database(server: ServerUnderTest, run_dir: Path, template: str) -> Iterator[Database]:
    """Give a fresh database with taisce installed."""
    with fresh(server, run_dir, template) as made:
        yield made


@pytest.fixture(scope="module")
def module_database(server: ServerUnderTest, run_dir: Path, template: str) -> Iterator[Database]:
    """Give a database with taisce installed to all tests of a module."""
    with fresh(server, run_dir, template) as made:
        yield made


@pytest.fixture
def empty_database(
    server: ServerUnderTest, run_dir: Path, empty_template: str
) -> Iterator[Database]:
    """Give a fresh database with pgvector and nothing else."""
    with fresh(server, run_dir, empty_template) as made:
        yield made


@pytest.fixture
def conn(database: Database) -> Iterator[psycopg.Connection[Any]]:
    """Give the superuser's connection to `database`."""
    with database.connect() as made:
        yield made


def install_memory(conn: psycopg.Connection[Any], partitions: int | None) -> None:
    """Install taisce under the default prefix, in the form that the run asked for."""
    from taisce_pg.install.facts import server_facts
    from taisce_pg.install.run import install
    from taisce_pg.install.script import first_install

    if partitions:
        conn.execute(first_install(facts=server_facts(conn), partitions=partitions).encode())
    install(conn, prefix="taisce")


def create(server: ServerUnderTest, name: str, source: str) -> None:
    """Copy a database under a new name."""
    with server.connect() as conn:
        conn.execute(
            sql.SQL("create database {} template {} encoding 'UTF8'").format(
                sql.Identifier(name), sql.Identifier(source)
            )
        )


def freeze(server: ServerUnderTest, name: str) -> None:
    """Let nobody connect, so that it can be copied at any time."""
    with server.connect() as conn:
        conn.execute(
            sql.SQL("alter database {} with allow_connections false").format(sql.Identifier(name))
        )
