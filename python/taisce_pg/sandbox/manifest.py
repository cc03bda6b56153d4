"""Write `manifest.json` from an installed memory: `python -m taisce_pg.sandbox.manifest`.

Views and helper functions are taken from memory_v1.query_space(), so from the catalogue and the
comments on it: nothing is typed twice.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import psycopg
from psycopg.rows import tuple_row

PATH = Path(__file__).with_name("manifest.json")
CONTRACT = "sandbox-manifest/v1"


def read_space(conn: psycopg.Connection[Any], pattern: str | None = None) -> dict[str, Any]:
    """Return the query space of the memory; `pattern` keeps the parts that contain it."""
    with conn.cursor(row_factory=tuple_row) as cursor:
        row = cursor.execute("select memory_v1.query_space(%s)", (pattern,)).fetchone()
    assert row is not None
    space: dict[str, Any] = row[0]
    return space


def make_manifest(space: dict[str, Any]) -> dict[str, Any]:
    """Build the manifest of views and helpers from the query space.

    `key` are the columns of a view's key that hold identifiers, `few` those of few distinct values.
    Functions of one name are one entry, with the arguments of all.
    """
    helpers: dict[str, dict[str, Any]] = {}
    for function in space["functions"]:
        columns = function["columns"]
        entry = helpers.setdefault(
            function["name"],
            {"arguments": [], "columns": None if columns is None else _types(columns)},
        )
        entry["arguments"] += [
            name for name in function["arguments"] if name not in entry["arguments"]
        ]
    return {
        "contract": CONTRACT,
        "schema": space["schema"],
        "views": {view["name"]: _view(view) for view in space["views"]},
        "helpers": helpers,
    }


def render(manifest: dict[str, Any]) -> str:
    """Return the text of the file: one line a list of columns, so that a change is a short diff."""
    parts = []
    for kind in ("views", "helpers"):
        entries = []
        for name, entry in manifest[kind].items():
            lines = ",\n".join(
                f"      {json.dumps(part)}: {json.dumps(value)}" for part, value in entry.items()
            )
            entries.append(f"    {json.dumps(name)}: {{\n{lines}\n    }}")
        parts.append(f"  {json.dumps(kind)}: {{\n" + ",\n".join(entries) + "\n  }")
    head = ",\n".join(
        f"  {json.dumps(part)}: {json.dumps(manifest[part])}" for part in ("contract", "schema")
    )
    return "{\n" + ",\n".join([head, *parts]) + "\n}\n"


def _view(view: dict[str, Any]) -> dict[str, Any]:
    columns = _types(view["columns"])
    key = [name for name in _words(view["key"]) if columns.get(name) == "uuid"]
    return {
        "key": key or [name for name in _words(view["key"]) if name == "project"],
        "few": [name for name in _words(view["few"]) if name in columns],
        "columns": columns,
    }


def _types(columns: list[dict[str, str]]) -> dict[str, str]:
    return {
        column["name"]: column["type"].replace("timestamp with time zone", "timestamptz")
        for column in columns
    }


def _words(text: str | None) -> list[str]:
    return re.findall(r"\w+", text or "")


def main() -> None:
    """Write the file from the memory that TAISCE_DSN, PG* or the embedded server names."""
    from taisce_pg.connection import open_connection, resolve_dsn

    with open_connection(resolve_dsn(None)) as conn:
        PATH.write_text(render(make_manifest(read_space(conn))), encoding="utf-8")


if __name__ == "__main__":
    main()
