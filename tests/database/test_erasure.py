"""What is erased is gone: from every table, read, index and statistic, and with it what it did."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.support import erasures
from tests.support.contract import arguments, call, functions
from tests.support.databases import Database
from tests.support.erasures import MARK, PERSON
from tests.support.memories import fact, turn
from tests.support.told import Ids

Connection = psycopg.Connection[Any]


def erase(conn: Connection, *ids: Any, dry_run: bool = False, project: str = "p") -> dict[str, int]:
    return dict(
        conn.execute(
            "select * from memory_v1.erase_observations(%s, %s, %s)", [list(ids), dry_run, project]
        ).fetchall()
    )


def erase_subject(conn: Connection, subject: str, dry_run: bool = False) -> dict[str, int]:
    return dict(
        conn.execute("select * from memory_v1.erase_subject(%s, %s)", [subject, dry_run]).fetchall()
    )


def load(conn: Connection, lines: Iterable[Any]) -> None:
    with conn.transaction():
        for number, line in enumerate(lines, 1):
            conn.execute(
                "insert into memory_v1.load_stage (line, body) values (%s, %s)",
                [number, Jsonb(line)],
            )
        conn.execute("select * from memory_v1.load('p')")


def told(conn: Connection, key: str) -> uuid.UUID:
    row = conn.execute(
        "select observation_id from taisce.observation where idempotency_key = %s", [key]
    ).fetchone()
    assert row is not None
    return uuid.UUID(str(row[0]))


def versions(conn: Connection, key: str) -> list[tuple[Any, ...]]:
    """List (from, to, believed now, replaced) of a fact in years, in the order of being known."""
    return conn.execute(
        """
        select case when isfinite(v.valid_from) then extract(year from v.valid_from)::int end,
            case when isfinite(v.valid_to) then extract(year from v.valid_to)::int end,
            v.known_to = 'infinity', v.replaced
        from taisce.fact_version as v
        join taisce.load_key as k on k.id = v.fact_id and k.kind = 'fact'
        where k.key = %s
        order by v.known_from
        """,
        [key],
    ).fetchall()


def year(number: int) -> str:
    return f"{number}-01-01T00:00:00Z"


def lives(key: str, place: str, source: str, since: int | None, **more: Any) -> Any:
    return fact(
        key,
        {"speaker": "s1"},
        f"lives in {place}",
        source,
        f"I live in {place}",
        predicate="lives_in",
        value=place,
        cardinality="one",
        **({"valid_from": year(since)} if since else {}),
        **more,
    )


def home(*places: str) -> list[Any]:
    return [turn(f"in {place}", f"I live in {place}.") for place in places]


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


def test_what_it_ended_holds_again(conn: Connection) -> None:
    ids = erasures.tell(conn)
    assert versions(conn, "home") == [(2026, None, False, False), (2026, 2026, True, True)]
    erase(conn, ids[f"key {MARK}"])
    assert versions(conn, "home") == [(2026, None, True, False)]
    row = conn.execute(
        "select superseded_by, supersession_source from taisce.fact where fact_id = %s",
        [ids["home"]],
    ).fetchone()
    assert row == (None, None)


def test_a_fact_with_other_evidence_stays(conn: Connection) -> None:
    ids = erasures.tell(conn)
    erase(conn, ids[f"key {MARK}"])
    row = conn.execute("select memory_v1.recall('Acme', project => 'p')").fetchone()
    assert row is not None
    [found] = row[0]["facts"]
    assert (found["statement"], len(found["evidence"])) == ("is in Dublin", 1)
    # What was left alone in its group contradicts nothing.
    assert found["contradicts"] == []


@pytest.mark.parametrize(
    ("erased", "wanted"),
    [
        ("B", [(2000, None, False, False), (2000, 2020, True, True)]),
        ("C", [(2000, None, False, False), (2000, 2010, True, True)]),
        ("BC", [(2000, None, True, False)]),
    ],
)
def test_what_was_cut_twice_ends_at_the_next_start(
    conn: Connection, erased: str, wanted: list[Any]
) -> None:
    load(
        conn,
        [
            *home("A", "B", "C"),
            lives("a", "A", "in A", 2000),
            lives("b", "B", "in B", 2010),
            lives("c", "C", "in C", 2020),
        ],
    )
    erase(conn, *(told(conn, f"in {place}") for place in erased))
    assert versions(conn, "a") == wanted
    row = conn.execute(
        "select n.statement from taisce.fact f left join taisce.fact n on n.fact_id ="
        " f.superseded_by where f.statement = 'lives in A'"
    ).fetchone()
    assert row == ({"B": "lives in C", "C": "lives in B", "BC": None}[erased],)


def test_a_middle_cut_is_taken_out_of_history(conn: Connection) -> None:
    load(
        conn,
        [
            *home("A", "B", "C"),
            lives("a", "A", "in A", 2000),
            lives("b", "B", "in B", 2010),
            lives("c", "C", "in C", 2005, valid_until=year(2006)),
        ],
    )
    assert len(versions(conn, "a")) == 3
    erase(conn, told(conn, "in B"))
    assert versions(conn, "a") == [(2000, None, False, False), (2000, 2005, True, True)]
    assert conn.execute(
        "select count(*) from taisce.fact_version v join taisce.fact_version w"
        " using (project_id, fact_id) where v.known_from < w.known_from"
        " and v.known_to > w.known_from"
    ).fetchone() == (0,)


def test_an_end_that_gave_way_is_as_stated(conn: Connection) -> None:
    load(
        conn,
        [
            *home("A", "B"),
            lives("b", "B", "in B", 2010),
            lives("a", "A", "in A", 2000, on_conflict="truncate"),
        ],
    )
    assert versions(conn, "a") == [(2000, 2010, True, True)]
    erase(conn, told(conn, "in B"))
    assert versions(conn, "a") == [(2000, None, True, False)]


def test_a_cut_by_a_fact_that_stays_stays(conn: Connection) -> None:
    load(
        conn,
        [
            *home("A", "B"),
            turn("again", "As I said, I live in B."),
            lives("a", "A", "in A", 2000),
            lives("b", "B", "in B", 2010),
            lives("b2", "B", "again", 2010),
        ],
    )
    before = versions(conn, "a")
    erase(conn, told(conn, "in B"))
    assert versions(conn, "a") == before
    assert versions(conn, "b") == [(2010, None, True, False)]
    again = told(conn, "again")
    assert conn.execute(
        "select count(*) from taisce.fact_version where %s in (caused_by, closed_by)", [again]
    ).fetchone() == (3,)
    assert conn.execute(
        "select supersession_source from taisce.fact where statement = 'lives in A'"
    ).fetchone() == (again,)
    erase(conn, again)
    assert versions(conn, "a") == [(2000, None, True, False)]


def test_a_correction_is_taken_back(conn: Connection) -> None:
    load(conn, [*home("A", "B"), lives("a", "A", "in A", 2000)])
    conn.execute(
        "select * from memory_v1.correct_fact(fact_id => (select fact_id from taisce.fact),"
        " subject => '{\"speaker\": \"s1\"}', predicate => 'lives_in', value => 'B',"
        " statement => 'lives in B', cardinality => 'one', valid_from => '2000-01-01Z',"
        " evidence => %s)",
        [Jsonb([{"observation": {"id": str(told(conn, "in B"))}, "quote": "I live in B"}])],
    )
    assert versions(conn, "a") == [(2000, None, False, False)]
    erase(conn, told(conn, "in B"))
    assert versions(conn, "a") == [(2000, None, True, False)]
    assert conn.execute(
        "select retracted_at, retraction_reason, superseded_by from taisce.fact"
    ).fetchall() == [(None, None, None)]


def test_what_it_told_again_is_retracted_again(conn: Connection) -> None:
    load(
        conn,
        [
            *home("A"),
            turn("again", "I live in A, again."),
            lives("a", "A", "in A", 2000),
            {"type": "retract", "fact": "a"},
            lives("a2", "A", "again", 2000),
        ],
    )
    assert [row[2] for row in versions(conn, "a")] == [False, True]
    erase(conn, told(conn, "again"))
    assert [row[2] for row in versions(conn, "a")] == [False]
    [(at,)] = conn.execute("select retracted_at from taisce.fact").fetchall()
    assert isinstance(at, datetime)


def test_names_go_with_their_only_source(conn: Connection) -> None:
    load(
        conn,
        [
            turn("one", "Ann Smith, whom they call Annie, likes Mary-Jane."),
            turn("two", "ANN SMITH is here, she likes tea."),
            turn("three", "Annie's friend Robert Jones is a Robertson."),
            fact("f1", "Ann Smith", "likes Mary-Jane", "one", "likes Mary-Jane",
                 predicate="likes", object="Mary-Jane"),
            {"type": "entity", "name": "Ann Smith", "aliases": ["Annie"], "source": "one",
             "entity_type": "person"},
            fact("f2", "Ann Smith", "likes tea", "two", "she likes tea", value="tea"),
            fact("f3", "Robert Jones", "exists", "three", "Robert Jones", value="here"),
            {"type": "claim", "observation": "three", "quote": "Robertson",
             "mentions": ["Robert Jones"]},
        ],
    )  # fmt: skip
    counted = erase(conn, told(conn, "one"))
    names = "select canonical_name, status from taisce.entity where identity_kind = 'named'"
    assert set(conn.execute(names.encode()).fetchall()) == {
        ("Ann Smith", "active"),
        ("(erased)", "retired"),
        ("Robert Jones", "active"),
    }
    assert counted["entity_name"] == 2
    row = conn.execute("select memory_v1.recall('annie and ann smith', project => 'p')").fetchone()
    assert row is not None
    assert [one["name"] for one in row[0]["anchors"]] == ["Ann Smith"]
    load(
        conn,
        [
            turn("four", "Ann Smith likes Mary-Jane."),
            fact("f4", "Ann Smith", "likes her", "four", "likes Mary-Jane",
                 predicate="likes", object="Mary-Jane"),
        ],
    )  # fmt: skip
    assert ("Mary-Jane", "active") in conn.execute(names.encode()).fetchall()


def test_another_name_takes_the_place_of_the_canonical_one(conn: Connection) -> None:
    load(
        conn,
        [
            turn("one", "Zed is here."),
            fact("f1", "Zed", "is here", "one", "Zed is here", value="here"),
            {"type": "entity", "name": "Other", "aliases": ["Aaa"]},
            {"type": "entity", "name": "Aaa"},
        ],
    )
    [(entity,)] = conn.execute("select entity_id from taisce.entity where canonical_name = 'Zed'")
    for alias in ("Aaa", "The Doctor", "Who"):
        conn.execute("select * from memory_v1.add_alias(%s, %s)", [entity, alias])
    erase(conn, told(conn, "one"))
    assert conn.execute(
        "select e.canonical_name, e.status, n.spelling from taisce.entity e"
        " left join taisce.entity_name n on n.entity_id = e.entity_id and n.kind = 'canonical'"
        " where e.entity_id = %s",
        [entity],
    ).fetchall() == [("The Doctor", "active", "The Doctor")]


def test_a_merge_can_still_be_taken_back(conn: Connection) -> None:
    load(
        conn,
        [
            turn("one", "Bob is tall."),
            turn("two", "Bobby is old."),
            fact("f1", "Bob", "is tall", "one", "Bob is tall", value="tall"),
            {"type": "entity", "name": "Bob", "aliases": ["Bobby"]},
            fact("f2", "Bobby", "is old", "two", "Bobby is old", value="old"),
            {"type": "entity", "name": "Robert", "source": "one"},
            {"type": "merge", "absorbed": "Bob", "survivor": "Robert"},
        ],
    )
    erase(conn, told(conn, "one"))
    [(merge,)] = conn.execute("select merge_id from taisce.entity_merge")
    conn.execute("select * from memory_v1.unmerge(%s)", [merge])
    found = conn.execute("select canonical_name, status from taisce.entity").fetchall()
    assert set(found) == {("Bob", "active"), ("(erased)", "retired")}


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


def test_readers_and_writers_go_on(database: Database) -> None:
    """No reader sees a word after the commit, none fails, and what is told meanwhile stays."""
    with database.connect() as conn:
        load(conn, [turn(f"t{n}", f"I live in {MARK}{n}.") for n in range(20)])
        load(conn, [lives(f"f{n}", f"{MARK}{n}", f"t{n}", 2000 + n) for n in range(20)])
        gone = [told(conn, f"t{n}") for n in range(0, 20, 2)]
        stop = threading.Event()
        erased: set[int] = set()
        problems: list[str] = []

        def read(own: Connection) -> None:
            before = set(erased)
            row = own.execute(
                "select memory_v1.recall('me', project => 'p', data_subject_id => 's1',"
                " as_of => '2019-06-01Z')::text || (select coalesce(string_agg(f::text, ''), '')"
                " from memory_v1.list_records(project => 'p') as f)"
            ).fetchone()
            assert row is not None
            for number in before:
                if f'{MARK}{number}"' in row[0] or f"{MARK}{number}." in row[0]:
                    problems.append(f"{number} read after its erasure")

        def write(own: Connection) -> None:
            key = uuid.uuid4().hex
            own.execute(
                "select * from memory_v1.observe(messages => %s, data_subject_id => 's1',"
                " idempotency_key => %s, project => 'p')",
                [Jsonb([{"role": "user", "content": f"said {key}"}]), key],
            )

        def go_on(work: Callable[[Connection], None]) -> None:
            try:
                with database.connect() as own:
                    while not stop.is_set():
                        work(own)
            except (psycopg.Error, AssertionError) as error:
                problems.append(repr(error))

        threads = [threading.Thread(target=go_on, args=[work]) for work in (read, read, write)]
        for thread in threads:
            thread.start()
        for number, one in zip(range(0, 20, 2), gone, strict=True):
            erase(conn, one)
            erased.add(number)
        stop.set()
        for thread in threads:
            thread.join()
        assert problems == []
        assert conn.execute("select count(*) from taisce.fact").fetchone() == (10,)
        assert conn.execute(
            "select count(*) = (select stored - 10 from taisce.project_clock)"
            " from taisce.observation where not erased"
        ).fetchone() == (True,)


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
