"""A server of its own and a hot standby of it, made from a base backup."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from taisce_pg.embedded import Server, find_binaries
from tests.support.databases import Database, install_memory
from tests.support.servers import PACKAGES, ServerUnderTest

NAME = "memory"
SETTINGS = {
    "fsync": "off",
    "shared_buffers": "32MB",
    "wal_level": "replica",
    "max_wal_senders": "4",
    "wal_keep_size": "256MB",
    "wal_receiver_status_interval": "1s",
}
SECONDS = 30.0


@dataclass
class Pair:
    """A primary and its standby; `primary` and `standby` are the same database on either."""

    primary: Database
    standby: Database
    servers: tuple[Server, Server]

    def catch_up(self) -> None:
        """Wait until the standby has replayed what the primary has written by now."""
        with self.primary.connect() as conn, self.standby.connect() as other:
            written = conn.execute("select pg_current_wal_lsn()").fetchone()
            end = time.monotonic() + SECONDS
            while other.execute(
                "select pg_last_wal_replay_lsn() >= %s::pg_lsn", written
            ).fetchone() != (True,):
                assert time.monotonic() < end, "the standby does not follow"
                time.sleep(0.02)


@contextmanager
def pair(config: pytest.Config) -> Iterator[Pair]:
    """Start a server with a memory installed, and a standby made of it by pg_basebackup."""
    choice = str(config.getoption("--pg"))
    binaries = find_binaries(*PACKAGES.get(choice, PACKAGES["18"]))
    # As root another user runs the servers and must reach his part of it.
    folder = Path(tempfile.mkdtemp(prefix="taisce-standby-"))
    folder.chmod(0o711)
    first, second = (Server(folder / name, binaries, SETTINGS) for name in ("first", "second"))
    try:
        first.start()
        primary = Database(ServerUnderTest(choice, first.uri("postgres")), NAME)
        with primary.server.connect() as conn:
            conn.execute(f"create database {NAME} template template0 encoding 'UTF8'".encode())
        with primary.connect() as conn:
            conn.execute("create extension vector")
            install_memory(conn, config.getoption("--partitions"))
        _copy(first, second)
        second.start()
        standby = Database(ServerUnderTest(choice, second.uri("postgres")), NAME)
        yield Pair(primary, standby, (first, second))
    finally:
        for server in (second, first):
            server.stop()
            server.release()
        shutil.rmtree(folder)


def _copy(first: Server, second: Server) -> None:
    """Back up a running server into the home of another, which will follow it."""
    second.home.make(shared=os.geteuid() == 0)
    shutil.copy2(first.home.path / "password", second.home.path / "password")
    subprocess.run(
        [
            str(first.binaries.path("pg_basebackup")),
            f"--dbname={first.uri('postgres')}",
            f"--pgdata={second.data}",
            "--write-recovery-conf",
            "--checkpoint=fast",
            "--no-sync",
        ],
        check=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    owner = first.data.stat()
    if os.geteuid() == 0:
        for found in (second.data, *second.data.rglob("*")):
            os.chown(found, owner.st_uid, owner.st_gid)


def recovering(conn: psycopg.Connection[object]) -> bool:
    """Tell whether the server of a connection is a standby."""
    return conn.execute("select pg_is_in_recovery()").fetchone() == (True,)
