"""With a person goes what speaks for him, in every table that may name it."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from tests.support.memories import turn
from tests.support.vectors import fill, tell

Connection = psycopg.Connection[Any]


def segment(subject: str, level: int, first: int, last: int) -> dict[str, Any]:
    return {
        "type": "segment", "data_subject_id": subject, "level": level, "from_offset": first,
        "to_offset": last, "summary": f"{subject} {level}",
    }  # fmt: skip


def said(key: str, source: str, subject: Any, value: str) -> dict[str, Any]:
    return {
        "type": "fact", "key": key, "subject": subject, "predicate": "likes", "value": value,
        "statement": key, "evidence": [{"observation": source, "quote": "so it is"}],
    }  # fmt: skip


@pytest.fixture
def speakers(conn: Connection) -> dict[str, Any]:
    """Tell of two persons, each with a speaker, of whom the first will go."""
    group = [{"speaker": "ann"}, {"speaker": "bob"}, "Cork"]
    tell(
        conn,
        "p",
        [
            turn("t1", "so it is", data_subject_id="ann"),
            turn("t2", "so it is", data_subject_id="bob"),
            {"type": "entity", "key": "her", "speaker_of": "ann"},
            {"type": "entity", "key": "him", "speaker_of": "bob"},
            {"type": "entity", "key": "cork", "name": "Cork"},
            said("hers", "t1", {"speaker": "ann"}, "tea"),
            said("his", "t2", {"speaker": "bob"}, "milk"),
            {"type": "community", "key": "k", "members": group},
            # Neither covers a turn of hers any more.
            segment("ann", 1, 2, 2), segment("ann", 2, 2, 2), segment("bob", 1, 1, 2),
        ],
    )  # fmt: skip
    fill(conn, "p", "entity")
    rows = conn.execute(
        "select speaker_subject_id, entity_id from taisce.entity where identity_kind = 'speaker'"
    ).fetchall()
    made = dict(rows)
    # Speakers have no text to embed; a vector of one would be of an older version.
    conn.execute("update taisce.embedding set item_id = %s", [made["ann"]])
    return made


def first(conn: Connection, query: str) -> list[Any]:
    return [row[0] for row in conn.execute(query.encode()).fetchall()]


@pytest.mark.parametrize("told", [True, False])
def test_nothing_of_a_speaker_is_left(
    conn: Connection, speakers: dict[str, Any], told: bool
) -> None:
    """Also of a person all of whose turns were erased before."""
    if not told:
        conn.execute(
            "select memory_v1.erase_observations(array[observation_id], project => 'p')"
            " from taisce.observation where data_subject_id = 'ann'"
        )
    rows = conn.execute("select * from memory_v1.erase_subject('ann', project => 'p')")
    counts = dict(rows.fetchall())
    assert first(conn, "select summary from taisce.segment") == ["bob 1"]
    assert counts["segment"] == 2
    keys = first(conn, "select key from taisce.load_key where kind = 'entity' order by 1")
    assert keys == ["cork", "him"]
    assert first(conn, "select count(*) from taisce.embedding") == [0]
    assert counts["embedding"] == 1
    assert speakers["ann"] not in first(conn, "select entity_id from taisce.community_member")
    assert speakers["bob"] in first(conn, "select entity_id from taisce.community_member")
    assert counts["community_member"] == 1
    assert first(
        conn, "select speaker_subject_id from taisce.entity where identity_kind = 'speaker'"
    ) == ["bob"]
    assert first(conn, "select statement from taisce.fact") == ["his"]
