"""The index of words follows what is told, released, erased and renamed; filters and languages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.buffers import use_project
from tests.support.databases import Database
from tests.support.words import SPACES, Connection, bags, check_index, store


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


MEMORY = [
    {
        "type": "entity",
        "key": "m",
        "name": "Marta Nowak",
        "profile": "Engineer of Gdansk trams.",
        "aliases": ["Martusia"],
        "source": "t1",
    },
    {
        "type": "observation",
        "key": "t1",
        "kind": "turn",
        "data_subject_id": "s1",
        "occurred_at": "2026-01-05T10:00:00Z",
        "messages": [
            {"role": "user", "content": "Marta: I adopted a greyhound called Quizzle."},
            {"role": "user", "content": "Ben: What a lovely dog! How old is it?"},
            {"role": "user", "content": "Marta: Four years, and quite calm."},
        ],
    },
    {
        "type": "observation",
        "key": "t2",
        "kind": "turn",
        "data_subject_id": "s2",
        "occurred_at": "2026-03-09T10:00:00Z",
        "messages": [
            {"role": "user", "content": "Ben: I will fly to Lisbon on 7 May 2026 and/or stay."},
            {"role": "tool", "content": "weather: rain"},
        ],
    },
    {
        "type": "fact",
        "key": "f1",
        "subject": {"key": "m"},
        "predicate": "owns_pet",
        "object": "Quizzle",
        "statement": "Marta owns a dog",
        "valid_from": "2026-01-05T10:00:00Z",
        "evidence": [
            {"observation": "t1", "ordinal": 0, "quote": "adopted a greyhound called Quizzle"}
        ],
    },
    {
        "type": "fact",
        "key": "f2",
        "subject": "Ben",
        "predicate": "travels_to",
        "object": "Lisbon",
        "statement": "travels to Portugal",
        "evidence": [{"observation": "t2", "ordinal": 0, "quote": "fly to Lisbon"}],
    },
]


@pytest.fixture
def told(conn: Connection, request: pytest.FixtureRequest) -> tuple[str, int]:
    """A small memory of its own for each test: name and number of its project."""
    name = request.node.name
    load_lines(conn, name, [json.dumps(line) for line in MEMORY])
    row = conn.execute("select project_id from taisce.project where name = %s", (name,)).fetchone()
    assert row is not None
    return name, int(row[0])


def marked(conn: Connection, project: int, word: str) -> int:
    """Count the places where the index holds a word, whatever its form."""
    row = conn.execute(
        """
        select
            (select count(*) from taisce.word_document
             where project_id = %(p)s and array_to_string(terms || speaker, ' ') like %(w)s)
            + (select count(*) from taisce.posting where project_id = %(p)s and term like %(w)s)
            + (select count(*) from taisce.word_statistics
               where project_id = %(p)s and term like %(w)s)
        """,
        {"p": project, "w": f"%{word}%"},
    ).fetchone()
    assert row is not None
    return int(row[0])


def passages(conn: Connection, project: str, query: str, **filters: Any) -> list[str]:
    return [
        row[0]
        for row in conn.execute(
            "select content from memory_v1.lexical_passages(%s, project => %s, "
            "source_roles => %s, data_subject_id => %s, entity_ids => %s)",
            (query, project, filters.get("roles"), filters.get("subject"), filters.get("entities")),
        )
    ]


def test_loading_leaves_the_index_in_step(conn: Connection, told: tuple[str, int]) -> None:
    check_index(conn, told[1])
    assert {space: len(bags(conn, told[1], space)) for space in SPACES} == {
        "message": 5,
        "claim": 2,
        "fact": 2,
        "entity": 4,
    }


def test_a_released_message_has_no_words(conn: Connection, told: tuple[str, int]) -> None:
    name, project = told
    assert passages(conn, name, "calm")
    conn.execute(
        "update taisce.message set content = null "
        "where project_id = %s and content like '%%calm%%'",
        (project,),
    )
    assert not passages(conn, name, "calm")
    assert marked(conn, project, "calm") == 0
    check_index(conn, project)


def test_erased_words_are_gone_in_the_same_commit(conn: Connection, told: tuple[str, int]) -> None:
    _, project = told
    assert marked(conn, project, "quizzl") > 0
    with conn.transaction():
        for table in (
            "fact_evidence",
            "fact_version",
            "fact",
            "entity_mention",
            "claim",
            "message",
        ):
            conn.execute(f"delete from taisce.{table} where project_id = %s".encode(), (project,))
        conn.execute(
            "delete from taisce.entity_name where project_id = %s and spelling = 'Quizzle'",
            (project,),
        )
        assert marked(conn, project, "quizzl") == 0
    check_index(conn, project)
    assert {space: len(bags(conn, project, space)) for space in SPACES[:3]} == dict.fromkeys(
        SPACES[:3], 0
    )


def test_a_name_that_changes_is_renewed_in_its_facts(
    conn: Connection, told: tuple[str, int]
) -> None:
    name, project = told
    conn.execute(
        "update taisce.entity set canonical_name = 'Iwona' where project_id = %s "
        "and canonical_name = 'Marta Nowak'",
        (project,),
    )
    check_index(conn, project)
    found = conn.execute(
        "select statement from memory_v1.lexical_facts('Iwona', project => %s)", (name,)
    ).fetchall()
    assert found == [("Marta owns a dog",)]


def test_a_profile_or_name_that_goes_is_not_found(conn: Connection, told: tuple[str, int]) -> None:
    _, project = told
    conn.execute("update taisce.entity set profile = null where project_id = %s", (project,))
    conn.execute(
        "delete from taisce.entity_name where project_id = %s and spelling = 'Martusia'", (project,)
    )
    assert marked(conn, project, "gdansk") == 0
    assert marked(conn, project, "martusia") == 0
    check_index(conn, project)


def test_updates_that_change_no_word_leave_the_index_alone(
    conn: Connection, told: tuple[str, int]
) -> None:
    _, project = told
    state = (
        "select array_agg(ctid::text order by ctid) from taisce.word_document where project_id = %s"
    )
    before = conn.execute(state, (project,)).fetchone()
    for table in ("message", "claim", "fact"):
        conn.execute(
            f"update taisce.{table} set retention_until = '2100-01-01Z' "
            f"where project_id = %s".encode(),
            (project,),
        )
    assert conn.execute(state, (project,)).fetchone() == before


def test_dates_names_and_slashed_words_are_found(conn: Connection, told: tuple[str, int]) -> None:
    name, _ = told
    lisbon = "Ben: I will fly to Lisbon on 7 May 2026 and/or stay."
    assert passages(conn, name, "what is on 2026-05-07?") == [lisbon]
    assert passages(conn, name, "anything in March 2026") == [lisbon]
    assert passages(conn, name, "stay") == [lisbon]
    assert passages(conn, name, "who has Quizzle") == [
        "Marta: I adopted a greyhound called Quizzle."
    ]


def test_filters_apply_before_the_limit(conn: Connection, told: tuple[str, int]) -> None:
    name, project = told
    assert passages(conn, name, "rain") == []
    assert passages(conn, name, "rain", roles=["tool"]) == ["weather: rain"]
    assert passages(conn, name, "Lisbon", subject="s1") == []
    row = conn.execute(
        "select array_agg(entity_id) from taisce.entity where project_id = %s "
        "and canonical_name = 'Quizzle'",
        (project,),
    ).fetchone()
    assert row is not None
    assert len(passages(conn, name, "marta ben", entities=row[0])) == 1
    conn.execute(
        "update taisce.message set retention_until = now() - interval '1 s' where project_id = %s",
        (project,),
    )
    assert passages(conn, name, "Lisbon greyhound") == []


def test_neighbours_and_facts_lead_to_passages(conn: Connection, told: tuple[str, int]) -> None:
    name, _ = told
    found = conn.execute(
        "select quote, why from memory_v1.passage_search('How old is the dog of Marta?', "
        "project => %s)",
        (name,),
    ).fetchall()
    said = [row[0] for row in found]
    assert "Marta: Four years, and quite calm." in said
    assert "Marta: I adopted a greyhound called Quizzle." in said
    by_fact = conn.execute(
        "select quote, why from memory_v1.passage_search('Portugal', project => %s)", (name,)
    ).fetchall()
    assert by_fact[0] == ("Ben: I will fly to Lisbon on 7 May 2026 and/or stay.", "fact")


def test_recalled_passages_keep_to_the_characters_left(
    conn: Connection, told: tuple[str, int]
) -> None:
    _, project = told
    statement = (
        "select (r).items, (r).characters, (r).truncated from taisce.recall_passages(%s, "
        "'dog called Quizzle', null, null, null, '{user}', "
        "taisce.time_scope(%s, null, %s, '5 min'), %s) as r"
    )
    items, used, truncated = (
        conn.execute(statement, (project, project, None, 1000)).fetchone() or ()
    )
    assert len(items) > 1
    assert not truncated
    assert used == sum(len(item["quote"]) + len(item["role"]) for item in items)
    first = len(items[0]["quote"]) + len(items[0]["role"])
    items, used, truncated = (
        conn.execute(statement, (project, project, None, first)).fetchone() or ()
    )
    assert (len(items), used, truncated) == (1, first, True)
    items, _, _ = conn.execute(statement, (project, project, "2001-01-01Z", 1000)).fetchone() or ()
    assert items == []


@pytest.mark.parametrize(
    ("configuration", "text", "query"),
    [
        ("english", "The cats were running.", "run cat"),
        ("german", "Die Häuser wurden verkauft.", "Haus verkauft"),
        ("french", "Les chevaux mangeaient des pommes.", "pomme manger"),
        ("spanish", "Los gatos corrían por las calles.", "gato calle"),
        ("simple", "The cats were running.", "the running"),
    ],
)
def test_a_project_has_its_language(
    conn: Connection, configuration: str, text: str, query: str
) -> None:
    name = f"in {configuration}"
    load_lines(
        conn,
        name,
        [
            json.dumps({"type": "project", "word_configuration": configuration}),
            json.dumps(
                {"type": "observation", "key": "a", "messages": [{"role": "user", "content": text}]}
            ),
        ],
    )
    for word in query.split():
        assert passages(conn, name, word) == [text], word


def test_another_language_reads_everything_anew(conn: Connection, told: tuple[str, int]) -> None:
    name, project = told
    assert passages(conn, name, "adopt")
    conn.execute(
        "update taisce.project set word_configuration = 'simple' where project_id = %s", (project,)
    )
    assert not passages(conn, name, "adopt")
    assert passages(conn, name, "adopted")
    check_index(conn, project)


def test_writers_do_not_wait_for_each_other(module_database: Database, conn: Connection) -> None:
    one, two = use_project(conn, "writer one"), use_project(conn, "writer two")
    with module_database.connect() as first, module_database.connect() as second:
        second.execute("set lock_timeout = '2s'")
        with first.transaction():
            store(first, one, [{"content": "the same word"}])
            # The same project and word, by another transaction that does not see the first.
            second.execute(
                "insert into taisce.observation (project_id, observation_id, log_offset, kind, "
                "source_role, ingested_at, lineage, message_count, characters) values "
                "(%s, gen_random_uuid(), 7, 'turn', 'user', now(), '', 1, 1)",
                (one,),
            )
            second.execute(
                "insert into taisce.message (project_id, observation_id, ordinal, passage_id, "
                "log_offset, role, content, characters, octets, content_digest) "
                "select project_id, observation_id, 0, gen_random_uuid(), log_offset, 'user', "
                "'the same word', 13, 13, sha256('x') from taisce.observation "
                "where project_id = %s and log_offset = 7",
                (one,),
            )
            store(second, two, [{"content": "the same word"}])
    check_index(conn, one)
    assert len(passages(conn, "writer one", "word")) == 2


def test_another_project_is_never_found(conn: Connection, told: tuple[str, int]) -> None:
    use_project(conn, "empty beside it")
    assert passages(conn, "empty beside it", "Quizzle Lisbon Marta") == []


@pytest.mark.parametrize("query", ["", "   ", "x" * 8193])
def test_a_query_out_of_range_is_refused(
    conn: Connection, told: tuple[str, int], query: str
) -> None:
    with pytest.raises(psycopg.Error) as caught:
        passages(conn, told[0], query)
    assert caught.value.sqlstate == "TS005"
