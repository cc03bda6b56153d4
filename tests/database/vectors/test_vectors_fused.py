"""Words and vectors in one order: testimony_context and fact_context against plain sums."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.vectors import Generation, cosine, embed, fill, literal

Connection = psycopg.Connection[Any]
WORDS = [f"word{number}" for number in range(12)]
QUERY = "word1 word2 word3"


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@pytest.fixture(scope="module")
def told(conn: Connection) -> dict[str, Generation]:
    """A project of few words, so that words and vectors disagree."""
    draw = Random(3)
    lines: list[dict[str, Any]] = [{"type": "entity", "key": "m", "name": "Marta"}]
    for number in range(60):
        said = " ".join(draw.sample(WORDS, 3)) + f" t{number}"
        lines.append(
            {
                "type": "observation",
                "key": f"o{number}",
                "data_subject_id": f"s{number % 2}",
                "messages": [{"role": "tool" if number % 7 == 0 else "user", "content": said}],
            }
        )
        lines.append(
            {
                "type": "fact",
                "key": f"f{number}",
                "subject": {"key": "m"} if number % 3 else f"Other {number}",
                "predicate": "notes",
                "value": f"v{number}",
                "statement": said,
                "evidence": [{"observation": f"o{number}", "ordinal": 0, "quote": said}],
            }
        )
    load_lines(conn, "fused", [json.dumps(line) for line in lines], name="fused")
    return {space: fill(conn, "fused", space) for space in ("message", "claim", "fact")}


def ask(conn: Connection, what: str, **more: Any) -> dict[str, Any]:
    values = {"project": "fused", "query": QUERY, "k": 30, **more}
    names = ", ".join(f"{name} => %({name})s" for name in values)
    query = f"select memory_v1.{what}_envelope({names})"
    row = conn.execute(query.encode(), values).fetchone()
    assert row is not None
    answer: dict[str, Any] = row[0]
    return answer


def brought(text: str) -> dict[str, Any]:
    return {"query_embedding": literal(embed(text)), "embedding_model": "toy"}


def parts(near: dict[str, float], most: int = 200) -> dict[str, float]:
    """Bring nearness to a part of 1: 0 for the last of the first `most`, and for all after it."""
    first = sorted(near.values(), reverse=True)[:most]
    high, low = first[0], first[-1]
    return {one: max(0.0, value - low) / (high - low) for one, value in near.items()}


def fused(words: dict[str, float], part: dict[str, float], weight: float) -> dict[str, float]:
    """Add to each score by words what its nearness is worth."""
    most = max(words.values())
    return {
        one: words.get(one, 0.0) + weight * most * part.get(one, 0.0)
        for one in words.keys() | part.keys()
    }


def value_of(conn: Connection, name: str) -> float:
    row = conn.execute(
        "select value::float8 from taisce.setting where name = %s", (name,)
    ).fetchone()
    assert row is not None
    return float(row[0])


def rests(conn: Connection, space: str) -> list[tuple[str, str]]:
    """List facts with the claims or messages they rest on."""
    query = {
        "claim": "select fact_id::text, claim_id::text from taisce.fact_evidence",
        "message": "select e.fact_id::text, m.passage_id::text from taisce.fact_evidence as e"
        " join taisce.message as m using (project_id, observation_id, ordinal)",
    }[space]
    return conn.execute(query.encode()).fetchall()


def nearness(
    conn: Connection, told: dict[str, Generation], space: str, vector: list[float]
) -> dict[str, float]:
    """Hold all items of users against a vector."""
    roles = truth(conn, space)
    return {
        str(one): cosine(item.vector, vector)
        for one, item in told[space].items.items()
        if roles[str(one)] == "user"
    }


@pytest.mark.parametrize(
    ("what", "part", "key", "space"),
    [
        ("testimony_context", "evidence", "claim_id", "claim"),
        ("fact_context", "facts", "fact_id", "fact"),
    ],
)
def test_scores_are_the_sum(
    conn: Connection, told: dict[str, Generation], what: str, part: str, key: str, space: str
) -> None:
    plain = ask(conn, what, k=30)
    words = {one[key]: one["score"] for one in plain[part]}
    # Words alone give fewer than are asked for, so all that they found is known.
    assert plain["searched"] == "words"
    both = ask(conn, what, **brought("question"))
    vector = embed("question")
    near = nearness(conn, told, space, vector)
    if space == "fact":
        claims = nearness(conn, told, "claim", vector)
        weight = value_of(conn, "passage_weight_fact")
        for fact, claim in rests(conn, "claim"):
            if fact in near:
                near[fact] += weight * claims[claim]
    wanted = fused(
        words,
        parts(near, 30 if space == "fact" else 200),
        value_of(conn, f"{space}_weight_vectors"),
    )
    assert both["searched"] == "both"
    assert both["degraded"] == []
    found = {one[key]: one["score"] for one in both[part]}
    best = sorted(wanted, key=lambda one: -wanted[one])
    shown = [one for one in best if len(words) < 30 or one in found]
    assert [round(found[one], 2) for one in list(found)[:10]] == [
        round(wanted[one], 2) for one in shown[:10]
    ]
    assert set(found) - set(words), "something that words alone would not have found"


def test_passages_gain_by_the_facts_that_rest_on_them(
    conn: Connection, told: dict[str, Generation]
) -> None:
    vector = embed("question")
    rest = rests(conn, "message")
    near = parts(nearness(conn, told, "message", vector))
    facts = nearness(conn, told, "fact", vector)
    best = sorted(facts, key=lambda one: -facts[one])[:50]
    pointing = parts({one: facts[one] for one in best})
    weight = value_of(conn, "passage_weight_fact")
    for fact, passage in rest:
        if fact in pointing:
            near[passage] += weight * pointing[fact]
    most = max(near.values())
    part = {one: value / most for one, value in near.items()}
    words = {one["passage_id"]: one["score"] for one in ask(conn, "testimony_context")["passages"]}
    assert len(words) < 30
    wanted = fused(words, part, value_of(conn, "passage_weight_vectors"))
    answer = ask(conn, "testimony_context", **brought("question"))
    found = {one["passage_id"]: one["score"] for one in answer["passages"]}
    for one, score in found.items():
        assert score == pytest.approx(wanted[one], abs=0.01)
    assert min(found.values()) == pytest.approx(
        sorted(wanted.values(), reverse=True)[len(found) - 1], abs=0.01
    )

    searched = conn.execute(
        "select passage_id::text from memory_v1.passage_search(%(query)s, max_rows => 30,"
        " project => 'fused', query_embedding => %(query_embedding)s,"
        " embedding_model => %(embedding_model)s)",
        {"query": QUERY, **brought("question")},
    ).fetchall()
    assert [row[0] for row in searched] == list(found), "the search goes the same ways"

    # Whose facts, and about whom, the same bounds say.
    answer = ask(conn, "testimony_context", data_subject_id="s0", **brought("question"))
    subjects = dict(
        conn.execute("select passage_id::text, data_subject_id from taisce.message").fetchall()
    )
    assert {subjects[one["passage_id"]] for one in answer["passages"]} == {"s0"}


def truth(conn: Connection, space: str) -> dict[str, str]:
    query = {
        "claim": "select claim_id::text, role from taisce.claim",
        "fact": "select fact_id::text, source_role from taisce.fact",
        "message": "select passage_id::text, role from taisce.message",
    }[space]
    return {row[0]: row[1] for row in conn.execute(query.encode())}


def test_without_weight_a_vector_changes_nothing(
    conn: Connection, told: dict[str, Generation]
) -> None:
    settings = [f"{name}_weight_vectors" for name in ("passage", "claim", "fact")]
    plain = [ask(conn, what) for what in ("testimony_context", "fact_context")]
    before = dict(
        conn.execute("select name, value from taisce.setting where name = any (%s)", (settings,))
        .fetchall()
    )  # fmt: skip
    try:
        for name in settings:
            conn.execute("select * from memory_v1.set_setting(%s, '0')", (name,))
        both = [
            ask(conn, what, **brought("question")) for what in ("testimony_context", "fact_context")
        ]
    finally:
        for name, value in before.items():
            conn.execute("select * from memory_v1.set_setting(%s, %s)", (name, value))
    for one, other in zip(plain, both, strict=True):
        for part in ("facts", "evidence", "passages"):
            assert one[part] == other[part]


def test_a_vector_alone_finds_what_no_word_does(
    conn: Connection, told: dict[str, Generation]
) -> None:
    target, item = next(
        (one, item) for one, item in told["message"].items.items() if item.text.startswith("s1")
    )
    near = {"query_embedding": literal(item.vector), "embedding_model": "toy"}
    answer = ask(conn, "testimony_context", query="nothing alike", **near)
    assert [answer["passages"][0][name] for name in ("passage_id", "why")] == [
        str(target), "vectors"
    ]  # fmt: skip
    narrowed = ask(conn, "testimony_context", query="nothing alike", data_subject_id="s0", **near)
    assert narrowed["passages"]
    assert str(target) not in {one["passage_id"] for one in narrowed["passages"]}
    fact, told_fact = next(iter(told["fact"].items.items()))
    near = {"query_embedding": literal(told_fact.vector), "embedding_model": "toy"}
    roles = ["user", "tool"]
    answer = ask(conn, "fact_context", query="nothing alike", source_roles=roles, **near)
    assert answer["facts"][0]["fact_id"] == str(fact)


def test_scope_roles_and_pages_hold_with_vectors(
    conn: Connection, told: dict[str, Generation]
) -> None:
    [(marta,)] = conn.execute(
        "select entity_id from taisce.entity where canonical_name = 'Marta'"
    ).fetchall()
    mine = {
        str(row[0])
        for row in conn.execute(
            "select fact_id from taisce.fact where subject_entity_id = %s and source_role = 'user'",
            (marta,),
        )
    }
    more = brought("pages")
    seen: list[str] = []
    token = None
    while True:
        answer = ask(
            conn, "fact_context", entity_ids=[marta], k=10, continuation=token, hops=0, **more
        )
        seen += [one["fact_id"] for one in answer["facts"]]
        token = answer["truncation"]["continuation"]
        if token is None:
            break
    assert len(seen) == len(set(seen))
    assert set(seen) == mine
    roles = truth(conn, "message")
    answer = ask(conn, "testimony_context", source_roles=["tool"], **more)
    assert {roles[one["passage_id"]] for one in answer["passages"]} == {"tool"}


def test_another_model_is_refused_and_none_is_said(
    conn: Connection, told: dict[str, Generation]
) -> None:
    for what in ("testimony_context", "fact_context"):
        with pytest.raises(psycopg.Error) as error:
            ask(conn, what, query_embedding="[1,2]", embedding_model="other")
        assert error.value.sqlstate == "TS011"
        with pytest.raises(psycopg.Error) as error:
            ask(conn, what, query_embedding="[0,0]", embedding_model="toy")
        assert error.value.sqlstate == "TS005"
    line = {"type": "observation", "key": "o", "messages": [{"role": "user", "content": "a b"}]}
    load_lines(conn, "bare", [json.dumps(line)], name="bare")
    answer = ask(conn, "testimony_context", project="bare", query="a", **brought("a"))
    assert (answer["searched"], answer["degraded"]) == ("words", ["vectors"])
