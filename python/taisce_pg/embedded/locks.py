"""Three locks that the kernel drops when their holder dies, however it dies.

start.lock    held while a server is being started, joined, left or stopped
clients.lock  shared by every program that uses the server
server.lock   inherited by every process of the server: free means none of them lives
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager

from taisce_pg.embedded.home import Home
from taisce_pg.problem import Problem

try:
    import fcntl
except ImportError as error:  # pragma: no cover
    raise Problem(
        "the embedded server needs Linux or macOS", "give a server with --dsn or TAISCE_DSN"
    ) from error


class Lock:
    """One lock file of a home, held through one open file."""

    def __init__(self, home: Home, name: str) -> None:
        self.fd = home.open(name, os.O_RDWR | os.O_CREAT)

    def take(self, shared: bool = False) -> bool:
        """Take or change the lock without waiting; False if another holder forbids it."""
        try:
            fcntl.flock(self.fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def wait(self, seconds: float) -> bool:
        """Take the lock alone, waiting for at most so many seconds."""
        end = time.monotonic() + seconds
        while not self.take():
            if time.monotonic() > end:
                return False
            time.sleep(0.01)
        return True

    def close(self) -> None:
        """Let go of this open file; the lock stays with those who inherited it."""
        if self.fd >= 0:
            os.close(self.fd)
            self.fd = -1


@contextmanager
def starting(home: Home, seconds: float) -> Iterator[None]:
    """Hold start.lock: no other program starts, joins, leaves or stops meanwhile."""
    lock = Lock(home, "start.lock")
    try:
        if not lock.wait(seconds):
            raise Problem(
                f"another program has been starting or stopping the server in {home.path} "
                f"for {seconds:.0f} s",
                "try again, or look at server.log there",
            )
        yield
    finally:
        lock.close()


def is_held(home: Home, name: str) -> bool:
    """Tell whether anybody holds a lock."""
    lock = Lock(home, name)
    try:
        return not lock.take()
    finally:
        lock.close()
