"""Databases to measure in: made beside the one connected to, filled once, dropped afterwards."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import psycopg
from psycopg import sql
from psycopg.conninfo import make_conninfo

from taisce_pg import __version__
from taisce_pg.bench import floor, generator, reference
from taisce_pg.bench.generator import Generated
from taisce_pg.bench.measures import Bench
from taisce_pg.bench.probe import plain
from taisce_pg.connection import Target, open_connection
from taisce_pg.install.facts import server_facts
from taisce_pg.install.run import install, status
from taisce_pg.install.script import first_install
from taisce_pg.problem import Problem

PREFIX = "taisce_bench_"
CHARACTERS = 1_000_000
Say = Callable[[str], None]


@dataclass
class Databases:
    """The databases of one run of the bench.

    `say` is told what takes long. With `keep` they stay, and a later run with the same facts,
    seed and package uses them again. Without `words`, generated memories cannot be searched by
    words, and take half the room and a quarter of the time.
    """

    target: Target
    seed: int
    keep: bool
    say: Say
    words: bool = True

    def __post_init__(self) -> None:
        self._made: list[str] = []
        self._open: list[psycopg.Connection[Any]] = []

    def memory(self, facts: int, rounds: int) -> Bench:
        """Return a bench on a generated memory of that size, made now or kept from before."""
        name = f"{PREFIX}{facts}"
        note = f"taisce-pg {__version__} bench, {facts} facts, seed {self.seed}"
        note += "" if self.words else ", no words"
        made = self._kept(name, facts, note)
        if made is None:
            self.say(f"making {facts:,} facts")
            made = self._make(name, facts, note)
            self.say(f"made {facts:,} facts in {made.seconds:.0f} s")
        self._made.append(name)
        return Bench(plain(self.connect(name)), floor.prepare(self.connect(name)), made, rounds)

    def empty(self, name: str = "load", partitions: int | None = None) -> psycopg.Connection[Any]:
        """Return a connection to a new database with nothing in it but the installation.

        `partitions`: its tables are cut into as many, by project.
        """
        name = PREFIX + name
        self._create(name)
        self._made.append(name)
        conn = self.connect(name)
        if partitions is not None:
            conn.execute(first_install(facts=server_facts(conn), partitions=partitions).encode())
        install(conn)
        return conn

    def dsn(self, name: str) -> str:
        """Return a connection string to a database that `empty` made."""
        return make_conninfo(self.target.dsn, dbname=PREFIX + name)

    def connect(self, name: str) -> psycopg.Connection[Any]:
        """Open a connection in autocommit that is closed with the run."""
        dsn = make_conninfo(self.target.dsn, dbname=name)
        conn = open_connection(Target(dsn, self.target.kind, self.target.server))
        self._open.append(conn)
        return conn

    def close(self) -> None:
        """Close all connections; drop the databases unless they are to be kept."""
        for conn in self._open:
            conn.close()
        if not self.keep:
            with open_connection(self.target) as conn:
                for name in self._made:
                    self._drop(conn, name)

    def _make(self, name: str, facts: int, note: str) -> Generated:
        self._create(name)
        conn = self.connect(name)
        install(conn)
        conn.execute("select memory_v1.set_setting('bundle_characters', %s)", (str(CHARACTERS),))
        made = generator.generate(conn, facts, self.seed, words=self.words)
        started = time.monotonic()
        reference.build(conn)
        self.say(f"copied them for the reference in {time.monotonic() - started:.0f} s")
        conn.execute(
            sql.SQL("comment on database {} is {}").format(sql.Identifier(name), sql.Literal(note))
        )
        return made

    def _kept(self, name: str, facts: int, note: str) -> Generated | None:
        with open_connection(self.target) as conn:
            row = conn.execute(
                "select shobj_description(oid, 'pg_database') from pg_database where datname = %s",
                (name,),
            ).fetchone()
        if row is None or row[0] != note:
            return None
        conn = self.connect(name)
        try:
            # Its indexes were built again, which reads as a change by hand.
            current = status(conn).state != "pending"
        except Problem:
            current = False
        if not current:
            conn.close()
            return None
        found = conn.execute(
            "select project_id from taisce.project where name = %s", (generator.PROJECT,)
        ).fetchone()
        return found and Generated(generator.PROJECT, int(found[0]), facts, 0.0)

    def _create(self, name: str) -> None:
        with open_connection(self.target) as conn:
            if conn.execute("show is_superuser").fetchone() != ("on",):
                raise Problem(
                    "the bench needs a superuser, to write rows past the loader",
                    "connect as one, or use the embedded server",
                )
            self._drop(conn, name)
            conn.execute(
                sql.SQL("create database {} template template0 encoding 'UTF8'").format(
                    sql.Identifier(name)
                )
            )
        with self.connect(name) as made:
            made.execute("create extension vector")

    def _drop(self, conn: psycopg.Connection[Any], name: str) -> None:
        conn.execute(
            sql.SQL("drop database if exists {} with (force)").format(sql.Identifier(name))
        )
