"""What the package says about memory_v1 is what an installation holds.

`TAISCE_WRITE_MANIFEST=1 pytest tests/database/open_sql/test_manifest.py` writes them anew.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg.sandbox import manifest
from taisce_pg.sandbox.reference import render_reference
from tests.support.databases import Database
from tests.support.memory_manifest import broken, read_promises

ROOT = Path(__file__).parents[3]
PROMISES = ROOT / "tests" / "data" / "memory_v1_manifest.json"
PAGE = ROOT / "docs" / "open-sql-views.md"
WRITE = bool(os.environ.get("TAISCE_WRITE_MANIFEST"))
ANEW = "run: TAISCE_WRITE_MANIFEST=1 pytest tests/database/open_sql/test_manifest.py"

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def space(module_database: Database) -> dict[str, Any]:
    with psycopg.connect(module_database.login("taisce_analyst"), autocommit=True) as conn:
        return manifest.read_space(conn)


def compare(path: Path, text: str) -> None:
    if WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text, f"{path.name} is not up to date; {ANEW}"


def test_nothing_that_memory_v1_promised_is_gone_or_other_than_it_was(
    module_database: Database,
) -> None:
    with module_database.connect() as conn:
        now = read_promises(conn)
    text = json.dumps(now, indent=1, sort_keys=True, ensure_ascii=False) + "\n"
    if not WRITE:
        assert broken(json.loads(PROMISES.read_text("utf-8")), now) == []
    compare(PROMISES, text)


def test_the_checker_knows_the_views_and_helpers_that_are_there(space: dict[str, Any]) -> None:
    compare(manifest.PATH, manifest.render(manifest.make_manifest(space)))


def test_the_page_about_the_views_says_what_their_comments_say(space: dict[str, Any]) -> None:
    compare(PAGE, render_reference(space))


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda now: now["functions"].pop("query_space(pattern text)"), "is gone"),
        (lambda now: now["views"]["entities"]["columns"].pop(1), "view entities lost"),
        (lambda now: now["views"].pop("changes"), "view changes lost"),
        (
            lambda now: now["functions"]["query_space(pattern text)"].update(
                arguments="pattern text"
            ),
            "other arguments",
        ),
    ],
)
def test_a_breaking_change_is_named(conn: Connection, change: Any, said: str) -> None:
    before, now = read_promises(conn), read_promises(conn)
    assert broken(before, now) == []
    change(now)
    (found,) = broken(before, now)
    assert said in found


def test_an_added_column_breaks_nothing(conn: Connection) -> None:
    before, now = read_promises(conn), read_promises(conn)
    now["views"]["entities"]["columns"].append(["later", "text", "Later."])
    assert broken(before, now) == []


def test_each_view_says_grain_key_and_need(space: dict[str, Any]) -> None:
    assert len(space["views"]) == 20
    for view in space["views"]:
        columns = {column["name"] for column in view["columns"]}
        assert view["description"].endswith("."), view["name"]
        for part in ("grain", "key", "for", "few"):
            assert view[part], f"{view['name']} says nothing of its {part}"
        assert set(view["few"].split(", ")) <= columns, view["name"]
        if not view["key"].startswith("none"):
            assert set(view["key"].split(", ")) <= columns, view["name"]
        for column in view["columns"]:
            assert column["comment"].endswith("."), (view["name"], column["name"])
            assert ". " not in column["comment"], (view["name"], column["name"])


def test_a_pattern_keeps_what_contains_it(module_database: Database) -> None:
    with psycopg.connect(module_database.login("taisce_reader"), autocommit=True) as conn:
        found = manifest.read_space(conn, "LINEAGE")
    names = {view["name"] for view in found["views"]}
    assert "evidence_lineage" in names
    assert "segments" not in names
    assert {example["title"] for example in found["examples"]} == {"how widely a fact is supported"}
