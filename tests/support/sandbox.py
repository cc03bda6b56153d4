"""What the tests of the open SQL checker share: its tables of queries and a full catalogue."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from taisce_pg.sandbox.catalogue import Catalogue, load_catalogue

DATA = Path(__file__).parents[1] / "data" / "sandbox"


def read_table(name: str) -> list[dict[str, Any]]:
    """Return the lines of a table; a `repeat` stands for a long text and becomes its `sql`."""
    lines = (DATA / name).read_text("utf-8").splitlines()
    table: list[dict[str, Any]] = [json.loads(line) for line in lines]
    for line in table:
        if "repeat" in line:
            before, opening, depth, middle, closing, times = line["repeat"]
            line["sql"] = before + opening * depth + middle + closing * times
    return table


def label(line: dict[str, Any]) -> str:
    """Return the name a test of a line carries."""
    return f"{line['kind']}: {line['name']}"


def full_catalogue() -> Catalogue:
    """Return the package's catalogue, which knows every helper of the query space."""
    return load_catalogue()
