"""Embedded servers of tests, the programs that use them, and what is left of both."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg.embedded import Server

SETTINGS = {"fsync": "off", "shared_buffers": "32MB"}
CLIENT = """
import sys
from pathlib import Path
from taisce_pg.embedded import Server
server = Server(Path(sys.argv[1]), settings={"fsync": "off", "shared_buffers": "32MB"})
server.start()
print(server.status().pid, server.uri(), flush=True)
sys.stdin.read()
"""
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root meets this")


class Program:
    """Another program that uses the server of a home until it is told to end."""

    def __init__(self, home: Path, prefix: Sequence[str] = (), **options: Any) -> None:
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-c", CLIENT, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            **options,
        )

    def answer(self) -> tuple[int, str]:
        """Wait for the server; return its process number and its connection string."""
        assert self.process.stdout
        pid, _, uri = self.process.stdout.readline().strip().partition(" ")
        return int(pid), uri

    def end(self) -> None:
        self.process.communicate("")
        assert self.process.returncode == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def gone(server: Server) -> bool:
    return server.status().state == "stopped"


def ask(uri: str, statement: str) -> Any:
    with psycopg.connect(uri, autocommit=True) as conn:
        cursor = conn.execute(statement.encode())
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def modes(path: Path) -> dict[Path, int]:
    return {place: place.stat().st_mode for place in [path, *path.parents]}


def tree(path: Path) -> dict[Path, tuple[int, bytes]]:
    return {
        found: (found.stat().st_mode, found.read_bytes() if found.is_file() else b"")
        for found in path.rglob("*")
    }


# -- crashes ------------------------------------------------------------------------------------


def crash(server: Server) -> None:
    """Kill the server as a power failure would."""
    os.kill(int(server.status().pid or 0), signal.SIGKILL)
