"""Homes for embedded servers."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from taisce_pg.embedded import Server
from tests.support.embedded_servers import SETTINGS


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder that other users can pass through, and stop every server below it."""
    made = Path(tempfile.mkdtemp(prefix="taisce-test-"))
    made.chmod(0o711)
    yield made
    for found in made.rglob("server.json"):
        Server(found.parent).stop()
    shutil.rmtree(made)


@pytest.fixture(scope="session")
def seed() -> Iterator[Path]:
    """Make the data directory of a home that was used before."""
    made = Path(tempfile.mkdtemp(prefix="taisce-test-"))
    made.chmod(0o711)
    with Server(made / "home", settings=SETTINGS):
        pass
    yield made / "home"
    shutil.rmtree(made)


@pytest.fixture
def make(place: Path, seed: Path) -> Callable[..., Server]:
    """Give servers of a home that was used before, or of a new one under another name."""

    def server(name: str = "home") -> Server:
        home = place / name
        if name == "home" and not home.exists():
            home.mkdir(mode=0o711)
            subprocess.run(["cp", "-a", seed / "password", seed / "pg18", home], check=True)
        return Server(home, settings=SETTINGS)

    return server
