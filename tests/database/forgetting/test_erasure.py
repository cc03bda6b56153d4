"""What is erased is gone: from every table, read, index and statistic."""

from __future__ import annotations

import uuid
from typing import Any

import psycopg
import pytest

from tests.support import erasures
from tests.support.contract import arguments, call, functions
from tests.support.databases import Database
from tests.support.erasures import (
    MARK,
    PERSON,
    erase,
    erase_subject,
    home,
    lives,
    load,
    told,
    year,
)
from tests.support.memories import fact, turn
from tests.support.told import Ids

Connection = psycopg.Connection[Any]


def test_no_word_of_it_is_left_anywhere(conn: Connection) -> None:
    ids = erasures.tell(conn)
    conn.execute("analyze")
    assert sum(MARK in row for row in erasures.dump(conn)) > 40
    planned = [
        erase(conn, ids[f"key {MARK}"], dry_run=True),
        erase_subject(conn, PERSON, dry_run=True),
    ]
    before = erasures.counts(conn)
    done = [erase(conn, ids[f"key {MARK}"]), erase_subject(conn, PERSON)]
    after = erasures.counts(conn)
    assert done == planned
    left = [row for row in erasures.dump(conn) if MARK in row or "41732.5" in row]
    # The vocabulary is the operator's own.
    assert [row for row in left if not row.startswith("predicate:")] == []
    # Ids of rows, which tell nothing, stay in statistics until the next ANALYZE.
    for found in (row for row in erasures.dump(conn) if not row.startswith("pg_statistic")):
        assert str(ids[f"moved {MARK}"]) not in found
        assert str(ids[f"claim {MARK}"]) not in found

    emptied = {
        "observation": 2,
        "entity_merge": 1,
        # One is a speaker, and goes; the others are called something else.
        "entity": sum(counted["entity"] for counted in done) - 1,
    }
    for table in done[0]:
        wanted = before[table] - after[table] + emptied.get(table, 0)
        got = sum(counted[table] for counted in done)
        if table != "word_document":  # merged and retired entities lose theirs as well
            assert got == wanted, table


def test_no_read_shows_it(conn: Connection) -> None:
    ids = erasures.tell(conn)
    row = conn.execute(
        "select passage_id from taisce.message where content ~ %s", [MARK]
    ).fetchone()
    entity = conn.execute("select entity_id from taisce.entity where canonical_name = 'Acme'")
    assert row is not None
    about = Ids(
        "p",
        entity=entity.fetchall()[0][0],
        other_entity=ids[f"entity {MARK}"],
        fact=ids["seat"],
        other_fact=ids[f"moved {MARK}"],
        observation=ids[f"key {MARK}"],
        claim=ids[f"claim {MARK}"],
        passage=row[0],
        group=uuid.uuid4(),
    )
    erase(conn, ids[f"key {MARK}"])
    erase_subject(conn, PERSON)
    asked = {
        "question": f"{MARK} {MARK}corp Acme {MARK}ville",
        "query": MARK,
        "name": f"{MARK}corp",
    }
    shown = []
    for function in functions(conn):
        if function.volatility == "v":
            continue
        values = arguments(function, about, "p")
        values.update({name: text for name, text in asked.items() if name in values})
        for name in ("data_subject_id", "pattern"):
            if name in values:
                values[name] = "s1" if name == "data_subject_id" else "%"
        rows = call(conn, function, values).rows
        for name in ("question", "query", "name"):
            rows = rows.replace(str(values.get(name)), "")
        # Candidates of the question are the question's own words.
        if MARK in rows and function.name not in ("recall_terms", "explain_recall"):
            shown.append((str(function), rows))
    assert shown == []
    with conn.transaction():
        conn.execute("select set_config('taisce.project', 'p', true)")
        for (view,) in conn.execute(
            "select c.oid::regclass::text from pg_class c where c.relkind = 'v'"
            " and c.relnamespace = 'memory_v1'::regnamespace"
        ).fetchall():
            for (text,) in conn.execute(f"select v::text from {view} as v".encode()):
                assert MARK not in text, view


def test_a_person_is_erased_with_what_speaks_for_him(conn: Connection) -> None:
    load(
        conn,
        [
            turn("mine", "I like tea."),
            turn("theirs", "I know him.", data_subject_id="s2"),
            fact("f1", {"speaker": "s1"}, "likes tea", "mine", "I like tea", value="tea"),
            fact("f2", {"speaker": "s2"}, "knows him", "theirs", "I know him",
                 predicate="knows", object={"speaker": "s1"}),
        ],
    )  # fmt: skip
    erase_subject(conn, "s1")
    assert not any("s1" in row.split(",") for row in erasures.dump(conn))
    assert conn.execute("select statement from taisce.fact").fetchall() == [("knows him",)]
    with pytest.raises(psycopg.Error) as caught:
        erase_subject(conn, "s1")
    assert caught.value.sqlstate == "TS004"
    load(
        conn,
        [
            turn("anew", "I like coffee."),
            fact("f3", {"speaker": "s1"}, "likes coffee", "anew", "I like coffee", value="coffee"),
        ],
    )
    assert conn.execute(
        "select count(*) from taisce.entity where speaker_subject_id = 's1'"
    ).fetchone() == (1,)


def test_what_was_erased_is_not_loaded_again(conn: Connection) -> None:
    ids = erasures.tell(conn)
    erase(conn, ids[f"key {MARK}"])
    with pytest.raises(psycopg.Error) as caught:
        load(conn, erasures.LINES)
    assert caught.value.sqlstate == "TS007"
    assert MARK not in str(caught.value)
    offsets = conn.execute("select log_offset from taisce.observation order by 1").fetchall()
    assert offsets == [(1,), (2,), (3,)]


def test_parked_and_unformed_counts_follow(conn: Connection) -> None:
    load(
        conn,
        [
            turn("a", "One."),
            turn("b", "Two.", formed=False),
            turn("c", "Three.", parked="no"),
        ],
    )
    erase(conn, told(conn, "b"), told(conn, "c"))
    assert conn.execute("select stored, formed, parked from taisce.project_clock").fetchall() == [
        (3, 3, 0)
    ]


def test_retention_is_that_of_what_is_left(conn: Connection) -> None:
    load(
        conn,
        [
            turn("a", "I live in A.", retention_until=year(2090)),
            turn("b", "I live in A."),
            lives("a", "A", "a", 2000),
            lives("a2", "A", "b", 2000),
        ],
    )
    kept = "select extract(year from retention_until)::int from taisce."
    assert conn.execute(f"{kept}fact where isfinite(retention_until)".encode()).fetchall() == []
    erase(conn, told(conn, "b"))
    assert conn.execute(f"{kept}fact".encode()).fetchall() == [(2090,)]
    assert conn.execute(f"{kept}fact_version".encode()).fetchall() == [(2090,)]


def test_release_keeps_claims_and_quotes(conn: Connection) -> None:
    ids = erasures.tell(conn)
    call = "select * from memory_v1.release_content(%s, %s)"
    planned = conn.execute(call.encode(), [ids["kept"], True]).fetchall()
    done = conn.execute(call.encode(), [ids["kept"], False]).fetchall()
    assert planned == done
    assert {name: rows for name, rows in done if rows} == {
        "message": 1,
        "observation": 1,
        "word_document": 1,
    }
    assert not any("We like tea" in row for row in erasures.dump(conn))
    row = conn.execute("select memory_v1.recall('Acme', project => 'p')").fetchone()
    assert row is not None
    [said] = row[0]["facts"][0]["evidence"]
    assert (said["quote"], said["context"]) == ("Acme is in Dublin", "")
    again = conn.execute(call.encode(), [ids["kept"], False]).fetchall()
    assert not any(rows for _, rows in again)


@pytest.mark.parametrize("what", ["unknown", "erased", "foreign", "mixed"])
def test_an_unknown_id_erases_nothing(conn: Connection, what: str) -> None:
    ids = erasures.tell(conn)
    erasures.tell(conn, "other")
    foreign = conn.execute(
        "select observation_id from taisce.observation join taisce.project using (project_id)"
        " where name = 'other' limit 1"
    ).fetchone()
    assert foreign is not None
    given = {
        "unknown": [uuid.uuid4()],
        "erased": [ids[f"key {MARK}"]],
        "foreign": [foreign[0]],
        "mixed": [ids["kept"], uuid.uuid4()],
    }[what]
    if what == "erased":
        erase(conn, *given)
    before = erasures.dump(conn)
    for query in ("erase_observations(%s, project => 'p')", "release_content(%s, project => 'p')"):
        values = given if "observations" in query else given[-1]
        with pytest.raises(psycopg.Error) as caught:
            conn.execute(f"select * from memory_v1.{query}".encode(), [values])
        assert caught.value.sqlstate == "TS004"
    strip = [row for row in before if not row.startswith("pg_statistic")]
    assert [row for row in erasures.dump(conn) if not row.startswith("pg_statistic")] == strip


def test_only_an_administrator_erases(database: Database) -> None:
    with database.connect() as conn:
        ids = erasures.tell(conn)
        database.login("taisce_admin")
        conn.execute("select memory_v1.grant_project('p', %s, 'write')", [database.logins[-1]])
    with psycopg.connect(
        database.uri(user=database.logins[-1], password=database.logins[-1]), autocommit=True
    ) as mine:
        for query in (
            "erase_observations(array[%s::uuid])",
            "erase_subject(%s::text)",
            "release_content(%s)",
            "expire(least(1, length(%s::text)))",
            "maintain(least(1, length(%s::text)))",
        ):
            with pytest.raises(psycopg.Error) as caught:
                mine.execute(f"select * from memory_v1.{query}".encode(), [ids["kept"]])
            assert caught.value.sqlstate == "TS003", query


def test_maintenance_retires_what_has_ended(conn: Connection) -> None:
    load(conn, [*home("A", "B"), lives("a", "A", "in A", 2000), lives("b", "B", "in B", 2010)])
    conn.execute("update taisce.fact_version set live = true where known_to = 'infinity'")
    done = dict(conn.execute("select * from memory_v1.maintain()").fetchall())
    assert done == {"versions retired": 1, "blocks made": 0, "staged lines dropped": 0}
    assert conn.execute("select count(*) from taisce.fact_version where live").fetchone() == (1,)


def test_the_registry_names_every_table_and_every_id(conn: Connection) -> None:
    tables = conn.execute(
        "select c.relname from pg_class c join pg_attribute a on a.attrelid = c.oid"
        " where c.relnamespace = 'taisce'::regnamespace and c.relkind in ('r', 'p')"
        " and not c.relispartition and a.attname = 'project_id' and not a.attisdropped"
    ).fetchall()
    known = conn.execute("select table_name from taisce.erasure_registry").fetchall()
    assert set(tables) == set(known)
    # Columns of ids that are neither listed nor of the kinds an erasure leaves behind.
    loose = conn.execute(
        """
        select c.relname || '.' || a.attname
        from taisce.erasure_registry as r
        join pg_class as c on c.oid = ('taisce.' || r.table_name)::regclass
        join pg_attribute as a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        where a.atttypid = 'uuid'::regtype
          and a.attname <> all (r.id_columns)
          and a.attname <> all (array['entity_id', 'subject_entity_id', 'object_entity_id',
            'community_id', 'parent_id', 'report_id', 'segment_id', 'feedback_id', 'merge_id',
            'rebuild_id', 'absorbed', 'survivor', 'merged_into', 'contradiction_group',
            'content_key'])
          and (c.relname, a.attname) not in (values ('observation', 'observation_id'),
            ('entity_mention', 'claim_id'), ('fact_evidence', 'observation_id'),
            ('word_document', 'item_id'))
        """
    ).fetchall()
    assert loose == []


def test_no_column_of_words_keeps_statistics(conn: Connection) -> None:
    erasures.tell(conn)
    conn.execute("analyze")
    kept = conn.execute(
        "select tablename, attname from pg_stats where schemaname in ('taisce', 'memory_v1')"
        " and (most_common_vals::text like %(m)s or histogram_bounds::text like %(m)s)",
        {"m": f"%{MARK}%"},
    ).fetchall()
    assert kept == []
    enumerated = conn.execute(
        "select distinct attname from pg_stats s join pg_class c on c.relname = s.tablename"
        " join pg_attribute a using (attname) where s.schemaname in ('taisce', 'memory_v1')"
        " and s.tablename !~ '^(ledger|erasure_registry|setting|shipped)'"
        " and a.attrelid = c.oid"
        " and a.atttypid in ('text'::regtype, 'text[]'::regtype, 'jsonb'::regtype,"
        " 'bytea'::regtype)"
    ).fetchall()
    assert {name for (name,) in enumerated} <= {
        "role", "source_role", "kind", "identity_kind", "status", "support", "cardinality",
        "cause", "closed_cause", "stance", "space", "direction", "claim_valid_precision",
        "state", "metric", "access",
    }  # fmt: skip
