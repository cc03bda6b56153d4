"""No vector is left that was made of a text with erased words in it, whoever told the rest."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.support.vectors import SPACES, Generation, fill, follow, one, tell, turn

Connection = psycopg.Connection[Any]


def said(key: str, source: str, quote: str, subject: Any, **more: Any) -> dict[str, Any]:
    return {
        "type": "fact", "key": key, "subject": subject, "statement": f"statement {key}",
        "evidence": [{"observation": source, "ordinal": 0, "quote": quote}], **more,
    }  # fmt: skip


def told() -> list[dict[str, Any]]:
    """Tell of Zwolf, whom only the turn to be erased calls so, in a turn that stays."""
    of_zwolf = {"key": "z"}
    both = said("both", "kept", "She likes tea", {"key": "ann"}, predicate="drinks", value="tea")
    both["evidence"].append({"observation": "gone", "ordinal": 0, "quote": "likes tea"})
    return [
        turn("kept", "She likes tea. He knows her. So it is said."),
        turn("gone", "Zwolf is one who likes tea."),
        {"type": "entity", "key": "ann", "name": "Ann", "profile": "A friend."},
        {"type": "entity", "key": "bob", "name": "Bob"},
        {"type": "entity", "key": "z", "name": "Zwolf", "source": "gone"},
        {"type": "entity", "key": "y", "name": "Zwolfina", "source": "gone", "aliases": ["Zwy"]},
        said("subject", "kept", "He knows her", of_zwolf, predicate="knows", object={"key": "ann"}),
        said("object", "kept", "He knows her", {"key": "ann"}, predicate="knows", object=of_zwolf),
        said("alias", "kept", "So it is said", {"key": "y"}, predicate="is", value="said"),
        said("free", "kept", "She likes tea", {"key": "ann"}, predicate="likes", value="tea"),
        said("lost", "gone", "likes tea", {"key": "bob"}, predicate="likes", value="tea"),
        both,
        *(
            line
            for key in ("lost", "free")
            for line in (
                {"type": "community", "key": key, "members": [{"key": "ann"}]},
                {"type": "report", "community": key, "title": key, "summary": "s", "facts": [key]},
            )
        ),
    ]  # fmt: skip


@pytest.fixture
def made(conn: Connection) -> dict[str, Generation]:
    tell(conn, "p", told())
    return {space: fill(conn, "p", space) for space in SPACES}


def left(conn: Connection) -> set[Any]:
    return {row[0] for row in conn.execute("select item_id from taisce.embedding")}


def named(made: dict[str, Generation], word: str) -> set[Any]:
    return {
        item
        for generation in made.values()
        for item, entry in generation.items.items()
        if word in entry.text.lower()
    }


def erase(conn: Connection) -> dict[str, int]:
    gone = one(conn, "select observation_id from taisce.observation where log_offset = 2")
    rows = conn.execute("select * from memory_v1.erase_observations(array[%s::uuid])", [gone])
    return dict(rows.fetchall())


def test_names_are_gone_from_the_vectors_of_facts_that_stay(
    conn: Connection, made: dict[str, Generation]
) -> None:
    facts = dict(conn.execute("select statement, fact_id from taisce.fact order by 1").fetchall())
    zwolf = named(made, "zwolf")
    for key in ("subject", "object", "alias"):
        assert facts[f"statement {key}"] in zwolf
    before = left(conn)
    counts = erase(conn)
    after = left(conn)
    assert not after & zwolf
    assert facts["statement free"] in after
    assert facts["statement lost"] not in after
    reports = {entry.text: item for item, entry in made["report"].items.items()}
    assert {text for text, item in reports.items() if item in after} == {"free. s"}
    assert set(reports) == {"free. s", "lost. s"}
    assert counts["embedding"] == len(before - after)
    # What is left of them is embedded anew, by the texts of now.
    stays = {name for name in facts if name != "statement lost"}
    rows = conn.execute("select statement from taisce.fact").fetchall()
    assert {statement for (statement,) in rows} == stays
    assert follow(conn, "p", made["fact"]) == 4
    assert left(conn) >= {facts[name] for name in stays}
    assert "zwolf" not in " ".join(
        entry.text.lower() for item, entry in made["fact"].items.items() if item in left(conn)
    )
