"""Stops a blocking call that the server does not stop itself.

Some loops inside PostgreSQL never look whether they should end. First the statement is
cancelled; if that does not help the connection is cut, and the caller gets its thread back.
"""

from __future__ import annotations

import os
import socket
import threading
import time
from types import TracebackType
from typing import Any, Self

import psycopg

from taisce_pg.sandbox.session import GRACE, Clock

CUT = 2.0
"""Seconds between cancelling and cutting the connection."""

FIRST = 15.0
"""Seconds for the statements before the limits are known."""


class Watchdog:
    """Watch one connection while a clock runs."""

    def __init__(self, conn: psycopg.Connection[Any], clock: Clock) -> None:
        """Name what to watch; `with` starts watching."""
        self._conn = conn
        self._clock = clock
        self._done = threading.Event()
        self._lock = threading.Lock()

    def __enter__(self) -> Self:
        """Start the watching thread."""
        threading.Thread(target=self._watch, name="taisce-query-watchdog", daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop watching; from here on the connection is left alone."""
        with self._lock:
            self._done.set()

    def _watch(self) -> None:
        if self._wait(0.0):
            return
        with self._lock:
            if self._done.is_set():
                return
            self._cancel()
        if self._wait(CUT):
            return
        with self._lock:
            if not self._done.is_set():
                self._cut()

    def _wait(self, more: float) -> bool:
        """Wait until the end of the clock and `more`; True if the work was done before."""
        while True:
            end = self._clock.end or self._clock.started + FIRST
            left = end + GRACE + more - time.monotonic()
            if left <= 0:
                return self._done.is_set()
            if self._done.wait(min(left, 0.5)):
                return True

    def _cancel(self) -> None:
        try:
            self._conn.cancel()
        except psycopg.Error:
            self._cut()

    def _cut(self) -> None:
        """Shut the socket, which the waiting thread sees as the end of the connection."""
        try:
            copy = socket.socket(fileno=os.dup(self._conn.pgconn.socket))
        except (OSError, psycopg.Error):
            return
        try:
            copy.shutdown(socket.SHUT_RDWR)
        except OSError:
            return
        finally:
            copy.close()
