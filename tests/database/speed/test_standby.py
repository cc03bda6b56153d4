"""A hot standby answers as its primary does, says how far it is, and takes over."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from psycopg import sql

from taisce_pg import Memory
from taisce_pg.load.apply import load_lines
from taisce_pg.sandbox.execute import Analyst
from taisce_pg.sandbox.session import Query
from tests.support.contract import Outcome, absent, arguments, call, functions
from tests.support.databases import Database
from tests.support.memories import EVERYTHING
from tests.support.standby import Pair, pair, recovering
from tests.support.told import Ids, tell

Connection = psycopg.Connection[Any]
READ_ONLY = "25006"
# The instant of reading is each reader's own.
_OWN = re.compile(r'"(read_at|evaluated_at)": "[^"]*"')


@pytest.fixture(scope="module")
def both(request: pytest.FixtureRequest) -> Iterator[Pair]:
    with pair(request.config) as made:
        yield made


@pytest.fixture(scope="module")
def told(both: Pair) -> Ids:
    """Tell two memories to the primary, and let the standby catch up."""
    with both.primary.connect() as conn:
        ids = tell(conn, "north")
        load_lines(conn, "everything", EVERYTHING)
    both.catch_up()
    return ids


@pytest.fixture(scope="module")
def analyst_login(both: Pair, told: Ids) -> str:
    both.primary.login("taisce_analyst")
    login = both.primary.logins[-1]
    with both.primary.connect() as conn:
        conn.execute("select memory_v1.grant_project('everything', %s, 'read')", [login])
    both.catch_up()
    return login


def plain(outcome: Outcome) -> tuple[str, tuple[str | None, ...]]:
    return _OWN.sub(r'"\1": 0', outcome.rows), outcome.error


def test_every_reading_function_answers_the_same(both: Pair, told: Ids) -> None:
    problems, answered = [], set()
    with both.primary.connect() as conn, both.standby.connect() as other:
        assert recovering(other)
        for function in functions(conn):
            if function.volatility == "v":
                continue
            for ids, project in ((told, "north"), (absent(), "everything"), (told, "nowhere")):
                values = arguments(function, ids, project)
                for one in (conn, other):
                    one.execute("select set_config('taisce.project', %s, false)", [project])
                here, there = (call(one, function, values) for one in (conn, other))
                if plain(here) != plain(there):
                    problems.append(f"{function} in {project}\n  {here}\n  {there}")
                if there.rows:
                    answered.add(function.name)
    assert not problems, "\n".join(problems)
    assert {"recall", "fact_context", "testimony_context", "fact_walk", "freshness"} <= answered


def test_every_writing_function_is_refused_and_the_session_goes_on(both: Pair, told: Ids) -> None:
    codes: dict[str, str | None] = {}
    with both.standby.connect() as conn:
        conn.execute("set taisce.project = 'north'")
        for function in functions(conn):
            if function.volatility == "v":
                codes[function.name] = call(conn, function, arguments(function, told, "north")).code
        assert conn.execute("select memory_v1.recall('Marta') ->> 'contract'").fetchone() == (
            "recall/v1",
        )
    written = {"observe", "assert_fact", "retract_fact", "erase_subject", "load", "create_project"}
    assert {codes[name] for name in written} == {READ_ONLY}
    wrong = {name: code for name, code in codes.items() if code and code[:2] not in ("25", "TS")}
    assert not wrong


def rows(conn: Connection, view: str, project: str) -> list[Any]:
    conn.execute("select set_config('taisce.project', %s, false)", [project])
    query = sql.SQL(
        "select to_jsonb(v) - '{{read_at, evaluated_at}}'::text[] from {} as v order by 1"
    ).format(sql.SQL(view))
    return conn.execute(query).fetchall()


def test_every_view_shows_the_same(both: Pair, told: Ids) -> None:
    empty = []
    with both.primary.connect() as conn, both.standby.connect() as other:
        views = conn.execute(
            "select oid::regclass::text from pg_class"
            " where relnamespace = 'memory_v1'::regnamespace and relkind = 'v'"
        ).fetchall()
        assert len(views) >= 20
        for (view,) in views:
            for project in ("north", "everything"):
                shown = rows(conn, view, project)
                assert rows(other, view, project) == shown, view
                if project == "north" and not shown:
                    empty.append(view)
    # The others are compared over rows, not over nothing.
    assert len(empty) <= 2, empty


QUERIES = [
    "select subject, predicate, statement from facts_current order by fact_id",
    "select count(*) as many, max(known_from) as last from facts_history",
    "with recursive r(id, n) as (select entity_id, 0 from entities"
    " union select g.object_id, r.n + 1 from r join graph_edges_current as g"
    " on g.subject_id = r.id where r.n < 2) select count(*) from r",
    "select fact_id, hops, path from fact_walk("
    "array(select entity_id from entities where canonical_name = 'Marta Nowak'), hops => 2)",
]


@pytest.mark.parametrize("text", QUERIES)
def test_open_sql_runs_on_the_standby(both: Pair, analyst_login: str, text: str) -> None:
    found = []
    for database in (both.primary, both.standby):
        made = Analyst(database.uri(user=analyst_login, password=analyst_login))
        try:
            result = made.run(Query(text))
        finally:
            made.close()
        assert result.error is None, result.error
        found.append([list(row) for row in result.rows])
    assert found[0] == found[1]
    assert found[0]


def test_the_client_reads_from_the_standby(both: Pair, told: Ids) -> None:
    with (
        Memory(both.primary.uri(), project="everything") as here,
        Memory(both.standby.uri(), project="everything") as there,
    ):
        bundles = [one.recall("Where does Marta live, and what is Acme?") for one in (here, there)]
        assert [fact.statement for fact in bundles[0].facts] == [
            fact.statement for fact in bundles[1].facts
        ]
        assert bundles[1].facts


def freshness(database: Database, project: str = "north") -> dict[str, Any]:
    with database.connect() as conn:
        row = conn.execute("select memory_v1.freshness(%s)::text", [project]).fetchone()
    assert row is not None
    found: dict[str, Any] = json.loads(row[0])
    del found["read_at"]
    return found


def observe(database: Database, content: str) -> str:
    with database.connect() as conn:
        row = conn.execute(
            "select observation_id"
            " from memory_v1.observe(messages => %s::jsonb, project => 'north')",
            [json.dumps([{"role": "user", "content": content}])],
        ).fetchone()
    assert row is not None
    return str(row[0])


def test_freshness_tells_how_far_the_standby_is(both: Pair, told: Ids) -> None:
    assert freshness(both.primary) == freshness(both.standby)
    with both.standby.connect() as conn:
        conn.execute("select pg_wal_replay_pause()")
        try:
            before = freshness(both.standby)
            observe(both.primary, "Told while nobody listened.")
            assert freshness(both.standby) == before
            assert freshness(both.primary)["stored"] == before["stored"] + 1
        finally:
            conn.execute("select pg_wal_replay_resume()")
    both.catch_up()
    assert freshness(both.standby) == freshness(both.primary)


def test_a_promoted_standby_takes_over(request: pytest.FixtureRequest) -> None:
    """On a pair of its own: it is not one any more afterwards."""
    with pair(request.config) as both:
        with both.primary.connect() as conn:
            tell(conn, "north")
        both.catch_up()
        last = freshness(both.primary)
        both.servers[0].stop()
        with both.standby.connect() as conn:
            assert conn.execute("select pg_promote(true, 60)").fetchone() == (True,)
            assert not recovering(conn)
        assert freshness(both.standby) == last
        said = observe(both.standby, "Told after the change.")
        with both.standby.connect() as conn:
            found = conn.execute(
                "select memory_v1.assert_fact(subject => '\"Marta\"', predicate => 'moved_to',"
                " object => '\"Cork\"', statement => 'Marta moved to Cork', evidence => %s::jsonb,"
                " project => 'north')",
                [json.dumps([{"observation": {"id": said}, "quote": "Told after the change"}])],
            ).fetchone()
            assert found is not None
            answer = conn.execute(
                "select f.statement from memory_v1.recall_facts('Marta', 'north') as f"
            ).fetchall()
        now = freshness(both.standby)
        assert ("Marta moved to Cork",) in answer
        assert now["stored"] == last["stored"] + 1
        assert now["known_through"] > last["known_through"]
