"""Recall with vectors against the brute-force model: near anchors, reports, passages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from random import Random
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.database.reading.test_recall_model import TYPES as PLAIN_TYPES
from tests.database.reading.test_recall_model import Loaded, call, store
from tests.model.compare import compare
from tests.model.questions import make_controls, make_question
from tests.model.recall import recall
from tests.model.strategies import Case, make_case
from tests.model.surfaces import Nearness, Report
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.vectors import Generation, embed, fill, literal

CASES = size(8, 60)
QUESTIONS = size(12, 20)
PLAIN_TYPES.setdefault("query_embedding", "vector")
PLAIN_TYPES.setdefault("embedding_model", "text")

Connection = psycopg.Connection[Any]


@pytest.fixture
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


def with_reports(rng: Random, case: Case) -> Case:
    """Add communities in two levels, and reports on facts and observations of the case."""
    facts = [line["key"] for line in case.lines if line["type"] == "fact"]
    said = [line["key"] for line in case.lines if line["type"] == "observation"]
    lines: list[dict[str, Any]] = [{"type": "entity", "name": "Reported"}]
    for number in range(9):
        parent = None if number < 3 else f"c{number % 3}"
        lines.append(
            {
                "type": "community",
                "key": f"c{number}",
                "level": int(number > 2),
                "parent": parent,
                "members": ["Reported"],
            }
        )
        if rng.random() < 0.8:
            lines.append(
                {
                    "type": "report",
                    "community": f"c{number}",
                    "title": f"title {number}",
                    "summary": "summary " * rng.randint(1, 5),
                    "importance": float(rng.randint(0, 3)),
                    "facts": rng.sample(facts, min(len(facts), rng.choice((0, 0, 1)))),
                    "sources": rng.sample(said, min(len(said), rng.choice((0, 1)))),
                }
            )
    return replace(case, lines=[*case.lines, *lines])


def nearness(conn: Connection, loaded: Loaded, spaces: set[str]) -> Nearness:
    """Fill the generations asked for, and give the model the same vectors."""
    made: dict[str, Generation] = {
        space: fill(conn, loaded.project, space) for space in sorted(spaces)
    }
    near = Nearness()
    project = conn.execute(
        "select project_id from taisce.project where name = %s", (loaded.project,)
    ).fetchone()
    if "message" in made:
        places = conn.execute(
            "select passage_id, log_offset, ordinal from taisce.message where project_id = %s",
            project,
        ).fetchall()
        vectors = made["message"].items
        near.messages = {
            (offset, ordinal): vectors[passage].vector
            for passage, offset, ordinal in places
            if passage in vectors
        }
    if "entity" in made:
        vectors = made["entity"].items
        numbers = {
            loaded.ids.entity(entity): entity.number
            for entity in loaded.memory.entities
            if (entity.kind, entity.speaker_of or entity.first_name) in loaded.ids.entities
        }
        near.entities = {
            numbers[str(one)]: item.vector for one, item in vectors.items() if str(one) in numbers
        }
    if "report" in made:
        near.reports = reports_of(conn, loaded, made["report"], project)
    return near


def reports_of(conn: Connection, loaded: Loaded, made: Generation, project: Any) -> list[Report]:
    facts = {loaded.ids.fact(fact): fact.key for fact in loaded.memory.facts}
    said = {loaded.ids.observation(one): one.key for one in loaded.memory.observations}
    rows = conn.execute(
        "select r.report_id, c.community_id, c.parent_id, c.level, r.title, r.summary,"
        " r.importance, r.withdrawn_at is not null, array(select fact_id::text from"
        " taisce.report_fact f where f.report_id = r.report_id), array(select observation_id::text"
        " from taisce.report_source s where s.report_id = r.report_id)"
        " from taisce.report r join taisce.community c using (project_id, community_id)"
        " where project_id = %s",
        project,
    ).fetchall()
    return [
        Report(
            report_id=str(row[0]),
            community_id=str(row[1]),
            parent=str(row[2]) if row[2] else None,
            level=row[3],
            title=row[4],
            summary=row[5],
            importance=row[6],
            withdrawn=row[7],
            facts=[facts[one] for one in row[8]],
            sources=[said[one] for one in row[9]],
            vector=made.items[row[0]].vector if row[0] in made.items else None,
        )
        for row in rows
    ]


def worth(
    conn: Connection,
    loaded: Loaded,
    question: str,
    controls: dict[str, Any],
    real: dict[str, Any],
) -> dict[tuple[int, int], float]:
    """Ask what words find, with their scores, under the same bounds."""
    rows = conn.execute(
        "select r.number >> 16, r.number & 65535, r.score from taisce.project as p,"
        " lateral taisce.rank_passages(p.project_id, %s, %s, 200, 201, %s, null, (select"
        " taisce.message_number(coalesce(max(o.log_offset), 0), 65535) from taisce.observation as o"
        " where o.project_id = p.project_id"
        " and o.ingested_at <= coalesce(%s::timestamptz, 'infinity'))) as r where p.name = %s",
        (
            question,
            real["controls"]["source_roles"],
            controls.get("data_subject_id"),
            controls.get("as_known_at"),
            loaded.project,
        ),
    )
    return {(offset, ordinal): score for offset, ordinal, score in rows}


def ask(
    conn: Connection, loaded: Loaded, near: Nearness, question: str, controls: dict[str, Any]
) -> list[str]:
    [(real,)] = call(conn, "recall", question=question, project=loaded.project, **controls)
    told = loaded.told(real)
    told.worth = worth(conn, loaded, question, controls, real)
    plain = {
        name: value
        for name, value in controls.items()
        if name not in ("query_embedding", "embedding_model")
    }
    through = real["freshness"]["known_through"]
    model = recall(
        loaded.memory,
        question,
        now=datetime.fromisoformat(real["freshness"]["read_at"]),
        known_through=datetime.fromisoformat(through) if through else None,
        ids=loaded.ids,
        near=near,
        told=told,
        **plain,
    )
    return compare(real, model)


def test_recall_with_vectors_equals_the_model(conn: Connection) -> None:
    failures: list[str] = []
    reached: dict[str, int] = {}
    for seed in range(CASES):
        rng = Random(f"near {seed}")
        case = with_reports(rng, make_case(rng, datetime.now(UTC)))
        loaded = store(conn, f"near{seed}", case)
        spaces = {one for one in ("message", "entity", "report") if rng.random() < 0.8}
        near = nearness(conn, loaded, spaces)
        for number in range(QUESTIONS):
            question = make_question(rng, case) if rng.random() < 0.3 else f"qqq{number} whatever"
            controls = {
                name: value
                for name, value in make_controls(rng, case, loaded.known).items()
                if rng.random() < 0.5
            }
            brought = rng.random()
            near.query, near.given = None, False
            if brought < 0.8:
                vector = embed(f"{seed} {question}")
                right = brought < 0.7
                controls |= {
                    "query_embedding": literal(vector),
                    "embedding_model": "toy" if right else "other",
                }
                near.query, near.given = (vector if right else None), True
            try:
                found = ask(conn, loaded, near, question, controls)
            except psycopg.Error as error:
                if error.sqlstate in ("TS001", "TS002"):
                    continue
                raise
            if found:
                failures.append("\n  ".join([f"seed {seed}: {question!r} {controls}", *found[:9]]))
                break
            [(real,)] = call(conn, "recall", question=question, project=loaded.project, **controls)
            for name, there in (
                ("near anchors", any("semantic" in a["matched"] for a in real["anchors"])),
                ("facts of near anchors", bool(real["facts"]) and near.given),
                ("reports", bool(real["reports"])),
                ("children", any(one["child_of"] for one in real["reports"])),
                ("near passages", any(p["similarity"] is not None for p in real["passages"])),
                ("withheld", any("withheld" in one for one in real["degraded"])),
            ):
                reached[name] = reached.get(name, 0) + there
    assert not failures, "\n\n".join(failures)
    assert all(reached.values()), reached


def test_a_report_that_does_not_fit_ends_its_surface(conn: Connection) -> None:
    lines: list[dict[str, Any]] = [
        {"type": "entity", "name": "Reported"},
        {"type": "observation", "key": "o", "messages": [{"role": "user", "content": "x" * 40}]},
    ]
    for key, size_of in (("a", 50), ("b", 10), ("c", 10)):
        lines += [
            {"type": "community", "key": key, "members": ["Reported"]},
            {"type": "report", "community": key, "title": key, "summary": "y" * size_of},
        ]
    load_lines(conn, "fit", [json.dumps(line) for line in lines], name="fit")
    made = fill(conn, "fit", "report")
    fill(conn, "fit", "message")
    largest = next(item.vector for item in made.items.values() if item.text.startswith("a"))
    for characters, reports, passages in ((45, 0, 1), (51, 1, 0), (200, 3, 1)):
        row = conn.execute(
            "select memory_v1.recall('nothing known', 'fit', max_characters => %s,"
            " query_embedding => %s, embedding_model => 'toy')",
            (characters, literal(largest)),
        ).fetchone()
        assert row is not None
        bundle = row[0]
        assert (len(bundle["reports"]), len(bundle["passages"])) == (reports, passages), characters
        assert bundle["truncated"] == (characters < 200)
        assert bundle["cut"] == ("characters" if characters < 200 else None)


def test_a_vector_that_points_nowhere_is_refused(conn: Connection) -> None:
    load_lines(
        conn, "nowhere",
        [json.dumps({"type": "entity", "name": "Marta"})], name="nowhere",
    )  # fmt: skip
    with pytest.raises(psycopg.Error) as error:
        conn.execute(
            "select memory_v1.recall('a', 'nowhere', query_embedding => '[0,0]',"
            " embedding_model => 'toy')"
        )
    assert error.value.sqlstate == "TS002"
