"""Asking work in another thread to stop: it looks between two steps, and its statement is ended."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import psycopg


class Halted(Exception):
    """Work ended early because nobody waits for it any more."""


class Halt:
    """What work is given so that it can be asked to stop. One nobody asks never does."""

    def __init__(self) -> None:
        """Ask nothing yet."""
        self._asked = threading.Event()
        self._lock = threading.Lock()
        self._conn: psycopg.Connection[Any] | None = None

    def ask(self) -> None:
        """Ask the work to stop and end the statement that it waits for, without waiting."""
        self._asked.set()
        threading.Thread(target=self._end_statement, daemon=True).start()

    def check(self) -> None:
        """Raise `Halted` if the work was asked to stop."""
        if self._asked.is_set():
            raise Halted

    @contextmanager
    def connected(self, conn: psycopg.Connection[Any]) -> Iterator[None]:
        """Say which connection the work uses; a statement of it that was ended raises `Halted`."""
        with self._lock:
            self._conn = conn
        try:
            self.check()
            yield
        except psycopg.errors.QueryCanceled:
            self.check()
            raise
        finally:
            with self._lock:
                self._conn = None

    def _end_statement(self) -> None:
        with self._lock:
            if self._conn is not None:
                with suppress(psycopg.Error):
                    self._conn.cancel()
