"""The SQL files of the package, in the order in which they are applied."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from taisce_pg.problem import Problem

Kind = Literal["migration", "function", "view"]

ROOMS = (
    "install", "names", "time", "evidence", "admin", "recall", "operations", "graph",
    "search", "vectors", "context", "inspect", "write", "load", "sandbox",
)  # fmt: skip

_FOLDERS: dict[Kind, str] = {
    "migration": "migrations",
    "function": "functions",
    "view": "views",
}
_REQUIRES = re.compile(r"^-- requires:\s*(.+?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class Source:
    """One file as it lies on disk.

    `path` is relative to db/ and without the ending .j2, so that a file may become a template
    without becoming another file.
    """

    path: str
    kind: Kind
    text: str
    template: bool = False

    @property
    def checksum(self) -> str:
        """Return the sha256 of the unrendered text, in hex."""
        return digest(self.text)

    @property
    def room(self) -> str:
        """Return the folder below functions/, or an empty string."""
        parts = self.path.split("/")
        return parts[1] if self.kind == "function" and len(parts) > 2 else ""


def digest(text: str) -> str:
    """Return the sha256 of a text, in hex."""
    return hashlib.sha256(text.encode()).hexdigest()


def discover(root: Path) -> list[Source]:
    """Read all files below `root` and return them in install order.

    Raises Problem when there are none, or when files require each other in a circle.
    """
    found: list[Source] = []
    for kind, folder in _FOLDERS.items():
        for file in sorted((root / folder).rglob("*.sql*")):
            name = file.relative_to(root).as_posix()
            if name.endswith((".sql", ".sql.j2")):
                text = file.read_text(encoding="utf-8")
                found.append(Source(name.removesuffix(".j2"), kind, text, name.endswith(".j2")))
    if not found:
        raise Problem(f"no SQL files in {root}", "the package is damaged: install it again")
    return order(found)


def order(sources: Iterable[Source]) -> list[Source]:
    """Sort files: migrations by number, functions by room and what they require, views last."""
    by_kind: dict[Kind, list[Source]] = {kind: [] for kind in _FOLDERS}
    for source in sources:
        by_kind[source.kind].append(source)
    functions = sorted(by_kind["function"], key=lambda s: (_rank(s.room), s.room, s.path))
    return [
        *sorted(by_kind["migration"], key=lambda s: s.path),
        *_after_required(functions, "functions/"),
        *_after_required(sorted(by_kind["view"], key=lambda s: s.path), "views/"),
    ]


def requirements(source: Source) -> list[str]:
    """Return the paths that `-- requires:` lines above the first statement name."""
    head = source.text.split("create ", 1)[0]
    return [
        word.removesuffix(".j2")
        for line in _REQUIRES.findall(head)
        for word in re.split(r"[,\s]+", line)
        if word
    ]


def _rank(room: str) -> int:
    return ROOMS.index(room) if room in ROOMS else len(ROOMS)


def _after_required(sources: list[Source], folder: str) -> list[Source]:
    by_path = {source.path: source for source in sources}
    done: dict[str, Source] = {}

    def place(source: Source, chain: tuple[str, ...]) -> None:
        if source.path in done:
            return
        if source.path in chain:
            raise Problem("files require each other: " + " > ".join((*chain, source.path)))
        for name in requirements(source):
            needed = by_path.get(folder + name.removeprefix(folder))
            if needed is None:
                raise Problem(f"{source.path} requires {name}, which does not exist")
            place(needed, (*chain, source.path))
        done[source.path] = source

    for source in sources:
        place(source, ())
    return list(done.values())
