"""Searching vectors against brute force: every space and filter, exactly and by an index."""

from __future__ import annotations

import json
from collections.abc import Iterator
from random import Random
from typing import Any

import psycopg
import pytest

from taisce_pg.bench import vectors as bench
from taisce_pg.bench.probe import count
from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.vectors import Generation, cosine, embed, fill, literal

Connection = psycopg.Connection[Any]
ROLES = ("user", "assistant", "tool")
PEOPLE = ("Marta", "Bob", "Zoe", "Acme", "Dublin")
MANY = size(21_000, 60_000)


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@pytest.fixture(scope="module")
def crowd(conn: Connection) -> dict[str, Generation]:
    """A project of random turns, facts and entities with vectors in every space."""
    draw = Random(5)
    lines: list[dict[str, Any]] = [
        {"type": "entity", "key": name, "name": name, "profile": f"{name} is known"}
        for name in PEOPLE
    ]
    for number in range(120):
        name, other = draw.sample(PEOPLE, 2)
        said = f"word{number} {name} knows {other}"
        subject = draw.choice(("s1", "s2", None))
        role = draw.choice(ROLES)
        lines.append(
            {
                "type": "observation",
                "key": f"o{number}",
                "data_subject_id": subject,
                "messages": [{"role": role, "content": said}],
            }
        )
        lines.append(
            {
                "type": "fact",
                "key": f"f{number}",
                "subject": {"key": name},
                "predicate": f"knows{number % 3}",
                "object": {"key": other},
                "statement": said,
                "valid_until": "2020-01-01T00:00:00Z" if number % 5 == 0 else None,
                "evidence": [
                    {"observation": f"o{number}", "ordinal": 0, "quote": f"{name} knows {other}"}
                ],
            }
        )
    for number, name in enumerate(PEOPLE[:4]):
        lines.append({"type": "community", "key": name, "members": [name], "level": 0})
        lines.append(
            {
                "type": "report",
                "community": name,
                "title": f"About {name}",
                "summary": "short",
                "facts": [f"f{number * 7 + 1}"],
                "sources": [],
            }
        )
    load_lines(conn, "crowd", [json.dumps(line) for line in lines], name="crowd")
    return {
        space: fill(conn, "crowd", space)
        for space in ("message", "claim", "fact", "entity", "report")
    }


def asked(conn: Connection, query: str, values: dict[str, Any]) -> list[Any]:
    return [row[0] for row in conn.execute(query.encode(), values)]


def truth(conn: Connection, query: str) -> dict[Any, tuple[Any, ...]]:
    """Read ids with what filters go by."""
    return {row[0]: row[1:] for row in conn.execute(query.encode())}


ATTRIBUTES = {
    "message": "select passage_id, role, data_subject_id, array(select entity_id from"
    " taisce.entity_mention n where n.observation_id = m.observation_id), true"
    " from taisce.message m",
    "claim": "select claim_id, role, data_subject_id, array(select entity_id from"
    " taisce.entity_mention n where n.claim_id = m.claim_id), true from taisce.claim m",
    "fact": "select fact_id, source_role, data_subject_id, array[subject_entity_id,"
    " object_entity_id], stated_until = 'infinity' from taisce.fact",
}
NAMES = {"message": "passages", "claim": "claims", "fact": "facts"}


@pytest.mark.parametrize("space", ATTRIBUTES)
def test_filtered_searches_equal_brute_force(
    conn: Connection, crowd: dict[str, Generation], space: str
) -> None:
    draw = Random(space)
    rows = truth(conn, ATTRIBUTES[space])
    people = asked(conn, "select entity_id from taisce.entity", {})
    id_column = {"message": "passage_id", "claim": "claim_id", "fact": "fact_id"}[space]
    for number in range(size(40, 300)):
        vector = embed(f"question {number}")
        roles = draw.choice((None, ["user"], ["tool"], ["user", "assistant"]))
        subject = draw.choice((None, None, "s1", "nobody"))
        entities = draw.choice((None, None, draw.sample(people, draw.choice((1, 2)))))
        k = draw.choice((1, 5, 20, 100))
        found = asked(
            conn,
            f"select {id_column} from memory_v1.semantic_{NAMES[space]}(k => %(k)s,"
            " project => 'crowd', query_embedding => %(v)s, embedding_model => 'toy',"
            " source_roles => %(r)s, data_subject_id => %(s)s, entity_ids => %(e)s,"
            " approximate => %(a)s)",
            {
                "k": k,
                "v": literal(vector),
                "r": roles,
                "s": subject,
                "e": entities,
                "a": draw.random() < 0.5,
            },
        )

        kept = [
            one
            for one, (role, of, about, current) in rows.items()
            if role in (roles or ["user"])
            and subject in (None, of)
            and (entities is None or set(entities) & set(about))
            and current
        ]
        assert found == crowd[space].nearest(vector, kept)[:k], number


def test_the_score_is_the_cosine(conn: Connection, crowd: dict[str, Generation]) -> None:
    vector = embed("score")
    rows = conn.execute(
        "select passage_id, similarity, score, why, searched, generation, approximate"
        " from memory_v1.passage_search(null, %s, 'toy', project => 'crowd')",
        (literal(vector),),
    ).fetchall()
    assert len(rows) == 10
    for passage, similarity, score, why, searched, generation, approximate in rows:
        wanted = cosine(crowd["message"].items[passage].vector, vector)
        assert similarity == pytest.approx(wanted, abs=1e-6)
        assert (score, why, searched, approximate) == (similarity, "vectors", "vectors", False)
        assert generation == crowd["message"].number


def test_entities_of_a_subject_are_those_its_own_words_mention(
    conn: Connection, crowd: dict[str, Generation]
) -> None:
    mentioned = {
        row[0]: row[1:]
        for row in conn.execute(
            "select entity_id, array_agg(data_subject_id), array_agg(role) from"
            " taisce.entity_mention join taisce.message using (project_id, observation_id, ordinal,"
            " data_subject_id) group by 1"
        )
    }
    for subject in ("s1", "nobody", None):
        vector = embed(f"who {subject}")
        found = asked(
            conn,
            "select entity_id from memory_v1.entity_candidates(query_embedding => %(v)s,"
            " embedding_model => 'toy', data_subject_id => %(s)s, project => 'crowd')",
            {"v": literal(vector), "s": subject},
        )
        kept = [one for one, (subjects, _) in mentioned.items() if subject in subjects]
        assert found == crowd["entity"].nearest(vector, kept if subject else None)


def test_reports_that_rest_on_another_role_are_not_shown(
    conn: Connection, crowd: dict[str, Generation]
) -> None:
    rests = truth(
        conn,
        "select report_id, source_role from taisce.report join taisce.report_fact"
        " using (project_id, report_id) join taisce.fact using (project_id, fact_id)",
    )
    vector = embed("reports")
    query = (
        "select report_id from memory_v1.report_candidates(query_embedding => %(v)s,"
        " embedding_model => 'toy', source_roles => %(r)s, data_subject_id => %(s)s,"
        " project => 'crowd')"
    )
    shown = 0
    for roles in (["user"], ["tool"], list(ROLES)):
        found = asked(conn, query, {"v": literal(vector), "r": roles, "s": None})
        assert found == crowd["report"].nearest(
            vector, [one for one, (role,) in rests.items() if role in roles]
        )
        shown += len(found)
        assert asked(conn, query, {"v": literal(vector), "r": roles, "s": "s1"}) == []
    assert shown > 4


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ("entity_candidates(project => 'crowd')", "TS014"),
        ("report_candidates('words alone', project => 'crowd')", "TS014"),
        ("semantic_facts('words alone', project => 'crowd')", "TS014"),
        ("semantic_facts(query_embedding => '[1,2]', project => 'crowd')", "TS005"),
        ("semantic_facts(k => 0, query_embedding => '[1]', embedding_model => 'm')", "TS005"),
        ("semantic_facts(k => 101, query_embedding => '[1]', embedding_model => 'm')", "TS005"),
        ("entity_candidates(max_rows => 33, query_embedding => '[1]', embedding_model => 'm')",
         "TS005"),
        ("semantic_facts(query_embedding => '[0,0]', embedding_model => 'm', project => 'crowd')",
         "TS005"),
        ("semantic_facts(query_embedding => '[1]', embedding_model => 'm', project => 'none')",
         "TS003"),
        ("passage_search('a', '[1,2]', 'other', project => 'crowd')", "TS011"),
        ("entity_candidates('a', '[1,2]', 'other', project => 'crowd')", "TS011"),
        ("semantic_claims(query_embedding => '[1,2,3,4,5,6,7,8]', embedding_model => 'toy',"
         " entity_ids => array[gen_random_uuid()], project => 'crowd')", "TS004"),
    ],
)  # fmt: skip
def test_what_cannot_be_searched_is_refused(
    conn: Connection, crowd: dict[str, Generation], query: str, wanted: str
) -> None:
    with pytest.raises(psycopg.Error) as error:
        conn.execute(f"select * from memory_v1.{query}".encode())
    assert error.value.sqlstate == wanted


def test_open_sql_brings_its_vectors_in_a_setting(
    conn: Connection, crowd: dict[str, Generation]
) -> None:
    vector = embed("moved")
    told = {"model": "toy", "vectors": {"who moved": vector}}
    query = "select passage_id from memory_v1.semantic_passages('who moved', 5, 'crowd')"
    with conn.transaction():
        conn.execute("select set_config('taisce.embedded_queries', %s, true)", (json.dumps(told),))
        found = [row[0] for row in conn.execute(query.encode())]
    plain = asked(
        conn,
        "select passage_id from memory_v1.semantic_passages(query_embedding => %(v)s,"
        " embedding_model => 'toy', k => 5, project => 'crowd')",
        {"v": literal(vector)},
    )
    assert found == plain
    assert len(found) == 5
    with pytest.raises(psycopg.Error) as error:
        conn.execute(query.encode())
    assert error.value.sqlstate == "TS014"


def test_words_find_what_has_no_vector_yet(conn: Connection, crowd: dict[str, Generation]) -> None:
    lines = [
        {"type": "observation", "key": f"w{n}", "messages": [{"role": "user", "content": text}]}
        for n, text in enumerate(("amber lamp", "amber stone", "amber glass"))
    ]
    load_lines(conn, "partly", [json.dumps(line) for line in lines[:2]], name="partly")
    made = fill(conn, "partly", "message")
    load_lines(conn, "partly", [json.dumps(line) for line in lines], name="partly")
    rows = conn.execute(
        "select quote, why, searched, similarity is null from memory_v1.passage_search("
        "'amber', %s, 'toy', project => 'partly')",
        (literal(embed("amber")),),
    ).fetchall()
    assert {row[0]: row[1:] for row in rows} == {
        "amber lamp": ("words", "both", False),
        "amber stone": ("words", "both", False),
        "amber glass": ("words", "both", True),
    }
    assert len(made.items) == 2


@pytest.fixture(scope="module")
def large(module_database: Database) -> Iterator[tuple[Connection, dict[str, Any]]]:
    """A generation that is large enough for an index of its own."""
    with module_database.connect() as conn:
        conn.execute("set maintenance_work_mem = '256MB'")
        entities = bench.fill(conn, MANY, 16)
        number = conn.execute(
            "select max(generation_id) from taisce.embedding_generation"
        ).fetchone()
        assert number is not None
        made = conn.execute(
            "select own_index, vectors from memory_v1.index_generation(%s, 'near')", number
        ).fetchone()
        assert made == (True, MANY)
        conn.execute("vacuum analyze taisce.embedding")
        yield conn, entities


def test_a_large_generation_is_read_by_its_index(large: tuple[Connection, dict[str, Any]]) -> None:
    conn, entities = large
    rows = {row.measure + row.unit: row for row in bench.ask(conn, entities, size(8, 20))}
    assert rows["nearest 10 of allrecall@10"].ours >= 0.9
    row = conn.execute(
        "select embedding::text from taisce.embedding where log_offset = 9 and part > 0"
    ).fetchone()
    assert row is not None
    values = bench.Asked().values(row[0])
    near, exact = (
        count(conn, bench._SEARCH.format(k=10, near=word), values).rows
        for word in ("true", "false")
    )
    assert near < exact / 3, "what is counted of the roles, and the candidates"
    narrow = [row for name, row in rows.items() if not name.startswith("nearest")]
    assert len(narrow) == 10
    assert {note for row in narrow for note in row.notes} == {"recall@10 1.000"}
    nothing = next(row for row in narrow if row.measure.endswith("nothing"))
    assert nothing.buffers is not None
    assert nothing.buffers < 60


def test_an_index_does_not_return_what_was_erased(
    large: tuple[Connection, dict[str, Any]],
) -> None:
    conn, _ = large
    row = conn.execute(
        "select e.embedding::text, e.item_id, m.observation_id from taisce.embedding as e"
        " join taisce.message as m on m.passage_id = e.item_id where e.log_offset = 77"
        " and e.part > 0"
    ).fetchone()
    assert row is not None
    vector, passage, observation = row
    query = bench._SEARCH.format(k=10, near="true")
    values = bench.Asked().values(vector)
    assert asked(conn, query, values)[0] == passage
    conn.execute(
        "select * from memory_v1.erase_observations(array[%s]::uuid[], project => 'near')",
        (observation,),
    )
    found = asked(conn, query, values)
    assert passage not in found
    assert len(found) == 10


def test_a_partition_of_its_own_goes_with_its_generation(
    large: tuple[Connection, dict[str, Any]],
) -> None:
    conn, _ = large
    number = conn.execute(
        "select generation_id from taisce.embedding_generation where own_partition"
    ).fetchone()
    assert number is not None
    guarded = conn.execute(
        "select relrowsecurity, relforcerowsecurity, reltoastrelid <> 0, relacl is null"
        " from pg_class where oid = format('taisce.embedding_%%s', %s::bigint)::regclass",
        number,
    ).fetchone()
    assert guarded == (True, True, True, True)
    with conn.transaction():
        conn.execute("set local role taisce_owner")
        named = conn.execute(f"select * from taisce.embedding_{number[0]}".encode()).fetchall()
    assert named == [], "who names the partition sees nothing, be it its owner"
    retire = "select state, vectors from memory_v1.retire_generation(%s, 'near')"
    assert conn.execute(retire, number).fetchone() == ("retired", MANY - 1)
    assert conn.execute(retire, number).fetchone() == ("retired", 0)
    assert conn.execute(
        "select to_regclass(format('taisce.embedding_%%s', %s::bigint))", number
    ).fetchone() == (None,)
