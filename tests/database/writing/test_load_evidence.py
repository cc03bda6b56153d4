"""All that a fact rests on is stored with it, and who is mentioned there."""

from __future__ import annotations

from typing import Any, LiteralString

import psycopg

from taisce_pg.load.apply import load_lines
from tests.support.memories import turn

Connection = psycopg.Connection[Any]


def said(source: str, quote: str, **more: Any) -> dict[str, Any]:
    return {"observation": source, "quote": quote, **more}


def fact(key: str, *evidence: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "type": "fact", "key": key, "subject": "Ann", "predicate": "knows", "object": "Bob",
        "statement": f"statement {key}", "evidence": list(evidence), **more,
    }  # fmt: skip


TURNS = [
    turn("t1", "Ann met Bob. They talked. Or did they?"),
    turn("t2", "Bob says hello. It was Ann."),
    turn("t3", "No, they never met."),
]
FACTS = [
    fact("f1", said("t1", "Ann met Bob"), said("t2", "It was Ann"), said("t1", "They talked"),
         said("t3", "they never met", stance="contradicts")),
    fact("f2", said("t2", "Bob says hello"), said("t3", "never", stance="contradicts"),
         said("t3", "No", stance="contradicts")),
]  # fmt: skip
RESTS = [
    ("statement f1", "contradicts", "they never met"),
    ("statement f1", "supports", "Ann met Bob"),
    ("statement f1", "supports", "They talked"),
    ("statement f1", "supports", "It was Ann"),
    ("statement f2", "contradicts", "No"),
    ("statement f2", "contradicts", "never"),
    ("statement f2", "supports", "Bob says hello"),
]


def pieces(conn: Connection) -> list[tuple[Any, ...]]:
    """Return what facts rest on, in the order it was told."""
    return conn.execute(
        "select f.statement, e.stance, c.quote from taisce.fact_evidence as e"
        " join taisce.claim as c using (project_id, claim_id)"
        " join taisce.fact as f using (project_id, fact_id)"
        " order by f.statement, e.stance, e.log_offset, e.byte_start"
    ).fetchall()


def younger(conn: Connection) -> list[tuple[Any, ...]]:
    """Return the statements and quotes of evidence that came after the fact was believed."""
    return conn.execute(
        "select f.statement, c.quote from taisce.fact_evidence as e"
        " join taisce.claim as c using (project_id, claim_id)"
        " join taisce.fact as f using (project_id, fact_id)"
        " join taisce.fact_version as v using (project_id, fact_id)"
        " where e.linked_at <> v.known_from order by 1, 2"
    ).fetchall()


def mentions(conn: Connection) -> list[tuple[Any, ...]]:
    return conn.execute(
        "select e.canonical_name, c.quote from taisce.entity_mention as m"
        " join taisce.entity as e using (project_id, entity_id)"
        " left join taisce.claim as c using (project_id, claim_id) order by 2, 1"
    ).fetchall()


def test_every_piece_of_evidence_of_a_line_is_stored(conn: Connection) -> None:
    counts = load_lines(conn, "p", [*TURNS, *FACTS]).counts
    assert pieces(conn) == RESTS
    assert younger(conn) == []
    assert (counts["evidence"], counts["claims"], counts["facts"]) == (7, 7, 2)
    supports = sorted(quote for _, stance, quote in RESTS if stance == "supports")
    assert mentions(conn) == [(name, quote) for quote in supports for name in ("Ann", "Bob")]
    assert counts["mentions"] == 8


def test_evidence_on_claims_that_are_known_is_stored_as_well(conn: Connection) -> None:
    claims = [
        {"type": "claim", "key": f"c{n}", "observation": source, "quote": quote}
        for n, (source, quote) in enumerate(
            [("t1", "Ann met Bob"), ("t2", "Bob says hello"), ("t3", "never")]
        )
    ]
    load_lines(conn, "p", [*TURNS, *claims])
    counts = load_lines(conn, "p", FACTS).counts
    assert pieces(conn) == RESTS
    assert younger(conn) == []
    assert (counts["evidence"], counts["claims"], counts["facts"]) == (7, 4, 2)
    assert counts["mentions"] == 8


def test_told_again_with_more_only_that_is_new(conn: Connection) -> None:
    load_lines(conn, "p", [*TURNS, *FACTS])
    versions: LiteralString = "select fact_id, known_from from taisce.fact_version order by 1"
    known = conn.execute(versions).fetchall()
    assert load_lines(conn, "p", FACTS).counts["evidence"] == 0
    more = [*FACTS[1]["evidence"][:1], said("t1", "Or did they"), said("t1", "They talked")]
    counts = load_lines(conn, "p", [fact("f2", *more)]).counts
    assert (counts["evidence"], counts["claims"], counts["facts"]) == (2, 1, 0)
    assert younger(conn) == [("statement f2", "Or did they"), ("statement f2", "They talked")]
    assert conn.execute(versions).fetchall() == known


def test_lines_of_one_fact_add_up(conn: Connection) -> None:
    """The same content in several lines, each with a piece of its own."""
    one, two, three, against = FACTS[0]["evidence"]
    lines = [fact("f1", one), fact("f1", two), fact("f1", three, against)]
    counts = load_lines(conn, "p", [*TURNS, *lines]).counts
    assert pieces(conn) == RESTS[:4]
    assert (counts["evidence"], counts["facts"]) == (4, 1)


def test_who_a_claim_mentions_is_kept_beside_the_ends_of_facts(conn: Connection) -> None:
    claim = {
        "type": "claim", "key": "c", "observation": "t2", "quote": "Bob says hello",
        "mentions": ["Ann", "Cid"],
    }  # fmt: skip
    load_lines(conn, "p", [*TURNS, claim, FACTS[1]])
    assert mentions(conn) == [(name, "Bob says hello") for name in ("Ann", "Bob", "Cid")]
