"""Words of what passed its retention: searched by no read from that instant on, nor counted.

A plain computation over the model of a memory says what each word is worth at an instant. What
`expire` then takes away changes no answer and no score.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.model.keeping import known_as, passed
from tests.model.memory import Memory
from tests.model.memory import load as load_model
from tests.model.rows import counting_stamps
from tests.support.buffers import buffers
from tests.support.databases import Database
from tests.support.memories import fact, turn
from tests.support.retention import LATER, pass_by, wait_for_it
from tests.support.sizes import size
from tests.support.words import Plain, asked, check_index

CASES = size(8, 120)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
THEN = datetime(2091, 1, 1, tzinfo=UTC)
WORDS = [a + b + c for a in ("zor", "bli", "dak") for b in ("m", "t", "p", "n") for c in ("k", "b")]
NAMES = ["vork", "vimp", "vant", "vulk", "vosk", "vemp", "varn", "vilt", "vunk"]

Connection = psycopg.Connection[Any]
Bags = dict[Any, tuple[dict[str, float], float]]


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def drawn(rng: Random) -> list[dict[str, Any]]:
    """Draw a memory of made-up words: turns kept or passing, names of either, facts on both."""
    turns = [f"t{number}" for number in range(8)]
    said: dict[str, str] = {}
    lines: list[dict[str, Any]] = []
    for key in turns:
        said[key] = " ".join(rng.choices(WORDS, k=4) + rng.choices(NAMES, k=rng.randint(0, 3)))
        passing = {"retention_until": LATER} if rng.random() < 0.5 else {}
        lines.append(turn(key, said[key], **passing))
    owners = ["e0", "e1", "e2", "e3"]
    names = rng.sample(NAMES, len(NAMES))
    for owner in owners:
        lines.append({
            "type": "entity", "key": owner, "name": names.pop(),
            "source": rng.choice([*turns, None]), "entity_type": rng.choice([None, "thing"]),
        })  # fmt: skip
    for _ in range(3):
        lines.append({
            "type": "entity", "key": (key := rng.choice(owners)),
            "name": next(line["name"] for line in lines if line.get("key") == key),
            "aliases": [names.pop()], "source": rng.choice([*turns, None]),
        })  # fmt: skip
    for number in range(10):
        one, other = rng.sample(owners, 2)
        end = {"object": {"key": other}} if rng.random() < 0.7 else {"value": rng.choice(WORDS)}
        statement = " ".join(rng.choices(WORDS, k=3)) + f" s{number}q"
        for source in rng.sample(turns, rng.choice((1, 1, 2))):
            lines.append(
                fact(
                    f"f{number}",
                    {"key": one},
                    statement,
                    source,
                    said[source],
                    predicate=rng.choice(WORDS) if rng.random() < 0 else "bond",
                    **end,
                )
            )
    return lines  # fmt: skip


def bag(*parts: tuple[float, str]) -> tuple[dict[str, float], float]:
    """Weigh the words of texts; "(erased)" is a word like any other."""
    words: Counter[str] = Counter()
    for weight, text in parts:
        for word in text.replace("(erased)", "eras").split():
            words[word] += weight  # type: ignore[assignment]
    return dict(words), sum(words.values())


def facts_of(memory: Memory, ids: dict[str, Any], now: datetime) -> Bags:
    """What facts say at an instant, by the names that may be read then."""
    made: Bags = {}
    for one in memory.facts:
        if passed(one.retention_until, now):
            continue
        ends = [known_as(memory, memory.entity(one.subject), now)]
        if one.object is not None:
            ends.append(known_as(memory, memory.entity(one.object), now))
        value = one.value or ""
        made[ids[one.statement]] = bag(
            (1, " ".join([one.statement, *ends])),
            (0.5, f"{one.predicate or ''} {'' if value in one.statement else value}"),
        )
    return made


def messages_of(memory: Memory, ids: dict[str, Any], now: datetime) -> Bags:
    return {
        ids[said.content or ""]: bag((1, said.content or ""))
        for one in memory.observations
        if not passed(one.retention_until, now)
        for said in one.messages
    }


def found(conn: Connection, what: str, project: str, query: str) -> dict[Any, float]:
    key = {"facts": "fact_id", "passages": "passage_id", "claims": "claim_id"}[what]
    rows = conn.execute(
        f"select {key}, score, complete from memory_v1.lexical_{what}("
        f"query => %s, k => 100, project => %s)".encode(),
        [query, project],
    ).fetchall()
    assert all(complete for _, _, complete in rows)
    return {key: score for key, score, _ in rows}


READS = {
    "facts": "select f.fact_id::text, f.score, f.complete from memory_v1.lexical_facts("
    "query => %s, k => 100, project => %s) as f order by 1",
    "claims": "select c.claim_id::text, c.score from memory_v1.lexical_claims("
    "query => %s, k => 100, project => %s) as c order by 1",
    "passages": "select p.passage_id::text, p.score, p.why from memory_v1.passage_search("
    "query => %s, max_rows => 32, project => %s) as p order by 1",
    "fact_context": "select f.fact_id::text, f.score from memory_v1.fact_context("
    "query => %s, k => 30, project => %s) as f order by 1",
    "testimony": "select t.claim_id::text, t.passage_id::text, t.score"
    " from memory_v1.testimony_context(query => %s, k => 30, project => %s) as t order by 1, 2",
    "recalled": "select r -> 'passages' #>> '{}', 0 from memory_v1.recall("
    "question => %s, project => %s) as r",
    "suggested": "select r -> 'reach' ->> 'suggestions', 0 from memory_v1.recall("
    "question => initcap(%s), project => %s) as r",
}


def answers(conn: Connection, project: str, query: str) -> dict[str, list[Any]]:
    made: dict[str, list[Any]] = {}
    for name, read in READS.items():
        rows = conn.execute(read.encode(), [query, project]).fetchall()
        made[name] = [
            tuple(round(part, 9) if isinstance(part, float) else part for part in row)
            for row in rows
        ]
    return made


def ids_of(conn: Connection, project: int, table: str, key: str, text: str) -> dict[str, Any]:
    return dict(
        conn.execute(
            f"select {text}, {key} from taisce.{table} where project_id = %s".encode(), [project]
        ).fetchall()
    )


@pytest.mark.parametrize("block", range(4))
def test_words_at_the_instant_are_those_that_may_be_read(conn: Connection, block: int) -> None:
    seen = Counter[str]()
    for seed in range(block, CASES, 4):
        rng = Random(seed)
        lines = drawn(rng)
        name = f"w{seed}"
        load_lines(conn, name, [json.dumps(line) for line in lines])
        [(project,)] = conn.execute(
            "select project_id from taisce.project where name = %s", [name]
        ).fetchall()
        memory = load_model(lines, counting_stamps(NOW))
        facts = ids_of(conn, project, "fact", "fact_id", "statement")
        messages = ids_of(conn, project, "message", "passage_id", "content")
        queries = [*NAMES, "eras", *(" ".join(rng.choices(WORDS + NAMES, k=4)) for _ in range(4))]
        before = {}
        for now in (NOW, THEN):
            plain = {
                "facts": Plain(facts_of(memory, facts, now)),
                "passages": Plain(messages_of(memory, messages, now)),
            }
            for query in queries:
                for what, right in plain.items():
                    wanted = {k: s for k, s in right.scores(asked(conn, query)).items() if s > 0}
                    got = found(conn, what, name, query)
                    assert got == pytest.approx(wanted, rel=1e-9), (seed, what, query, now)
                    if now == NOW:
                        before[what, query] = got
                    elif got != before[what, query]:
                        seen["gone" if len(got) < len(before[what, query]) else "weighed"] += 1
            if now == NOW:
                check_index(conn, project)
                pass_by(conn)
        passing = {query: answers(conn, name, query) for query in queries}
        conn.execute("select * from memory_v1.expire(project => %s)", [name])
        for query in queries:
            assert answers(conn, name, query) == passing[query], (seed, query)
        check_index(conn, project)
        assert conn.execute(
            "select count(*) from taisce.word_due where project_id = %s", [project]
        ).fetchone() == (0,)
    assert min(seen["gone"], seen["weighed"]) > 0, "the cases would show a fault"


def test_no_job_has_to_run(conn: Connection) -> None:
    """Time alone takes the words away, in a session that looked before."""
    load_lines(conn, "alone", [json.dumps(line) for line in [
        turn("passing", "vork has a dog", retention_until=LATER),
        turn("kept", "he has a dog"),
        {"type": "entity", "key": "v", "name": "vork", "source": "passing"},
        fact("f", {"key": "v"}, "has a dog", "kept", "he has a dog", value="dog"),
    ]])  # fmt: skip
    read = "select memory_v1.fact_context_envelope('vork', project => 'alone') -> 'facts'"
    words = [found(conn, "facts", "alone", word) for word in ("vork", "dog")]
    assert all(len(one) == 1 for one in words)
    [(facts,)] = conn.execute(read).fetchall()
    assert len(facts) == 1
    wait_for_it(conn)
    assert found(conn, "facts", "alone", "vork") == {}
    assert list(found(conn, "facts", "alone", "dog")) == list(words[1])
    assert conn.execute(read).fetchall() == [([],)]


def test_a_name_that_is_declared_later_is_found_again(conn: Connection) -> None:
    lines: list[dict[str, Any]] = [
        turn("passing", "vork has a dog", retention_until=LATER),
        turn("kept", "he has a dog"),
        {"type": "entity", "key": "v", "name": "vork", "source": "passing"},
        fact("f", {"key": "v"}, "has a dog", "kept", "he has a dog", value="dog"),
    ]
    load_lines(conn, "again", [json.dumps(line) for line in lines])
    due = "select space, kept_until::text from taisce.word_due where project_id = (select"
    due += " project_id from taisce.project where name = 'again') order by 1"
    assert [space for space, _ in conn.execute(due.encode())] == ["entity", "fact", "message"]
    conn.execute("update taisce.entity set name_source = null where canonical_name = 'vork'")
    conn.execute(
        "update taisce.entity_name set source_observation_id = null where spelling = 'vork'"
    )
    assert [space for space, _ in conn.execute(due.encode())] == ["message"]
    pass_by(conn)
    assert len(found(conn, "facts", "again", "vork")) == 1


def test_what_is_due_costs_a_search_nothing_before_its_instant(conn: Connection) -> None:
    """One look into an index. What has passed is read until expire() has run, in few pages."""
    count = size(300, 2_000)
    for name, until in (("forever", None), ("due", LATER)):
        load_lines(conn, name, [
            json.dumps(turn(f"t{n}", f"dask {WORDS[n % len(WORDS)]}",
                            **({"retention_until": until} if until and n % 2 else {})))
            for n in range(count)
        ])  # fmt: skip
    conn.execute("vacuum analyze")
    read = "select * from memory_v1.lexical_passages('zormk', project => %s)"
    # In turn: an autovacuum in between would have one of them planned anew.
    seen = [{name: buffers(conn, read, [name]) for name in ("forever", "due")} for _ in range(3)]
    cost = {name: min(one[name] for one in seen) for name in ("forever", "due")}
    assert cost["due"] <= cost["forever"] + 4
    pass_by(conn)
    passed_by = buffers(conn, read, ["due"])
    conn.execute("select * from memory_v1.expire(max_observations => 100000, project => 'due')")
    conn.execute("vacuum analyze")
    assert passed_by <= cost["due"] + count / 8
    assert buffers(conn, read, ["due"]) <= cost["due"] + 4
