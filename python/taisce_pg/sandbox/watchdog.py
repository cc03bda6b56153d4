"""Stops what the server does not stop itself.

Some loops inside PostgreSQL never look whether they should end. First the statement is
cancelled; if that does not help the connection is cut, and the caller goes on.
"""

from __future__ import annotations

import asyncio
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

_AGAIN = 0.2
"""Seconds after which a cancel is sent again: one that comes between statements is lost."""


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
            end = self._clock.end or self._clock.begun + FIRST
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
        cut(self._conn)


class AsyncWatchdog:
    """Watch one connection of an event loop while a clock runs, or until `stop` is set."""

    def __init__(
        self, conn: psycopg.AsyncConnection[Any], clock: Clock, stop: asyncio.Event
    ) -> None:
        """Name what to watch; `async with` starts watching."""
        self._conn = conn
        self._clock = clock
        self._stop = stop
        self._done = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        """Start the watching task."""
        self._task = asyncio.create_task(self._watch(), name="taisce-query-watchdog")
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        value: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop watching; no cancel is on its way to the connection from here on."""
        self._done.set()
        if self._task is not None:
            await self._task

    async def _watch(self) -> None:
        while not self._stop.is_set():
            end = self._clock.end or self._clock.begun + FIRST
            left = end + GRACE - time.monotonic()
            if left <= 0:
                break
            if await _either(self._done, self._stop, min(left, 0.5)) and self._done.is_set():
                return
        cutting = time.monotonic() + CUT
        while not self._done.is_set():
            if time.monotonic() >= cutting:
                cut(self._conn)
                return
            try:
                await self._conn.cancel_safe(timeout=CUT)
            except psycopg.Error:
                cut(self._conn)
                return
            await _either(self._done, self._done, _AGAIN)


async def _either(one: asyncio.Event, other: asyncio.Event, seconds: float) -> bool:
    """Wait until one of two events is set, or not longer than some seconds."""
    waits = [asyncio.ensure_future(event.wait()) for event in {one, other}]
    try:
        done, _ = await asyncio.wait(waits, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for wait in waits:
            wait.cancel()
    return bool(done)


def cut(conn: psycopg.Connection[Any] | psycopg.AsyncConnection[Any]) -> None:
    """Shut the socket, which whoever waits for it sees as the end of the connection."""
    try:
        copy = socket.socket(fileno=os.dup(conn.pgconn.socket))
    except (OSError, psycopg.Error):
        return
    try:
        copy.shutdown(socket.SHUT_RDWR)
    except OSError:
        return
    finally:
        copy.close()
