"""What a query may name: views, helper functions, and the built-ins of PostgreSQL.

`manifest.json` is made from the installed views and helpers, `builtins.json` is chosen by hand:
functions that read nothing but their arguments and the clock, and change nothing.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any


@dataclass(frozen=True, slots=True)
class View:
    """A view of the query space: its columns with their types, in order.

    `key` columns tell one row apart, `few` columns hold few distinct values.
    """

    name: str
    columns: dict[str, str]
    key: frozenset[str]
    few: frozenset[str]


@dataclass(frozen=True, slots=True)
class Helper:
    """A function of the query space; `columns` is None when it gives one plain value."""

    name: str
    arguments: tuple[str, ...]
    columns: dict[str, str] | None


@dataclass(frozen=True, slots=True)
class Catalogue:
    """All that a query may name."""

    schema: str
    views: dict[str, View]
    helpers: dict[str, Helper]
    functions: frozenset[str]
    aggregates: frozenset[str]
    sets: dict[str, tuple[str, ...]]
    vector_functions: frozenset[str]
    types: frozenset[str]
    vector_types: frozenset[str]
    operators: frozenset[str]
    value_keywords: frozenset[str]


def read_manifest() -> dict[str, Any]:
    """Return the manifest of views and helpers as it is stored."""
    return _read("manifest.json")


def read_builtins() -> dict[str, Any]:
    """Return the lists of built-ins as they are stored."""
    return _read("builtins.json")


@cache
def load_catalogue() -> Catalogue:
    """Return the catalogue that the package carries; read once."""
    return make_catalogue(read_manifest(), read_builtins())


def make_catalogue(manifest: dict[str, Any], builtins: dict[str, Any]) -> Catalogue:
    """Build a catalogue from the two documents."""
    views = {
        name: View(name, entry["columns"], frozenset(entry["key"]), frozenset(entry["few"]))
        for name, entry in manifest["views"].items()
    }
    helpers = {
        name: Helper(name, tuple(entry["arguments"]), entry["columns"])
        for name, entry in manifest["helpers"].items()
    }
    sets = {name: tuple(columns) for name, columns in builtins["sets"].items()}
    plain = {*builtins["scalar"], *builtins["aggregate"], *builtins["window"], *sets}
    return Catalogue(
        schema=manifest["schema"],
        views=views,
        helpers=helpers,
        functions=frozenset(plain),
        aggregates=frozenset(builtins["aggregate"]),
        sets=sets,
        vector_functions=frozenset(builtins["vector"]),
        types=frozenset(builtins["types"]),
        vector_types=frozenset(builtins["vector_types"]),
        operators=frozenset(builtins["operators"]),
        value_keywords=frozenset(builtins["value_keywords"]),
    )


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the most similar of some names, or None if none is close."""
    found = difflib.get_close_matches(word[:64].lower(), sorted(set(names)), n=1, cutoff=0.6)
    return found[0] if found else None


def suggest(word: str, names: Iterable[str], otherwise: str) -> str:
    """Return a hint naming the nearest allowed name, or the given sentence."""
    name = nearest(word, names)
    return f"Did you mean {name}?" if name else otherwise


def _read(name: str) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(name).read_text("utf-8")
    document: dict[str, Any] = json.loads(text)
    return document
