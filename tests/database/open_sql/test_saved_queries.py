"""Saved queries: the shipped ones on the demo memory, and the life of one's own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg import errors
from taisce_pg.cli.main import cli
from taisce_pg.cli.report import run
from taisce_pg.load.apply import load_lines
from taisce_pg.sandbox import check
from taisce_pg.sandbox.execute import Analyst
from taisce_pg.sandbox.saved import Saved, failed_fixtures, find_saved, read_saved
from taisce_pg.sandbox.session import Query
from tests.support.databases import Database, fresh
from tests.support.demo import demo_template
from tests.support.saved_cases import CASES, GONE, MORE
from tests.support.servers import ServerUnderTest

pytestmark = pytest.mark.slow
Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def demo(server: ServerUnderTest, run_dir: Path, template: str) -> Iterator[Database]:
    with fresh(server, run_dir, demo_template(server, run_dir, template)) as made:
        yield made


@pytest.fixture(scope="module")
def known(demo: Database) -> dict[str, str]:
    """Tell more, merge, report, and let something be forgotten; return ids by their word."""
    with demo.connect() as conn:
        lines = json.loads(json.dumps(MORE).replace("{soon}", "2020-01-01T00:00:00Z"))
        load_lines(conn, "demo", lines)
        found = conn.execute(
            """
            select
                (select passage_id from taisce.message where content like 'Question 2%%'),
                (select passage_id from taisce.message where content like '%%lanterns%%'),
                (select entity_id from taisce.entity where canonical_name = %(gone)s),
                (select fact_id from taisce.fact where statement like 'Amy Klobuchar%%' limit 1),
                (select fact_id from taisce.fact where predicate = 'collects'),
                (select entity_id from taisce.entity where canonical_name = 'Amy Klobuchar'),
                (select project_id from taisce.project where name = 'demo')
            """,
            {"gone": GONE},
        ).fetchone()
        assert found is not None
        passage, gone_passage, quill, fact, gone_fact, amy, number = found
        assert None not in found
        conn.execute(
            """
            with spare as (
                select entity_id, row_number() over (order by entity_id) as n
                from taisce.entity where project_id = %(p)s and canonical_name <> %(gone)s limit 2
            )
            insert into taisce.entity_merge (project_id, merge_id, absorbed, survivor, merged_at,
                merged_by, snapshot)
            select %(p)s, gen_random_uuid(), s.entity_id, %(amy)s, now(), 'test', '{}'
            from spare as s
            """,
            {"p": number, "amy": amy, "gone": GONE},
        )
        for title in ("One", "Two"):
            conn.execute(
                """
                with c as (
                    insert into taisce.community (project_id, community_id, level, created_at)
                    values (%(p)s, gen_random_uuid(), 0, now()) returning community_id
                ), r as (
                    insert into taisce.report (project_id, report_id, community_id, title,
                        summary, compiled_at, through_offset)
                    select %(p)s, gen_random_uuid(), c.community_id, %(title)s, 'Said.', now(), 1
                    from c returning report_id
                )
                insert into taisce.report_fact (project_id, report_id, fact_id)
                select %(p)s, r.report_id, f.fact_id
                from r, taisce.fact as f
                where f.project_id = %(p)s and f.subject_entity_id = %(amy)s
                """,
                {"p": number, "amy": amy, "title": title},
            )
        row = conn.execute(
            "select fact_id from taisce.fact_evidence group by 1 order by count(*) desc limit 1"
        ).fetchone()
        after = conn.execute("select clock_timestamp() + interval '1 second'").fetchone()
        assert row is not None
        assert after is not None
    return {
        key: str(value)
        for key, value in {
            "passage": passage, "gone_passage": gone_passage, "quill": quill, "fact": fact,
            "gone_fact": gone_fact, "survivor": amy, "well_known": row[0], "after": after[0],
        }.items()
    }  # fmt: skip


@pytest.fixture(scope="module")
def login(demo: Database) -> str:
    return demo.login("taisce_analyst")


@pytest.fixture(scope="module")
def analyst(login: str) -> Iterator[Analyst]:
    made = Analyst(login)
    yield made
    made.close()


@pytest.fixture(scope="module")
def shipped(login: str, known: dict[str, str]) -> dict[str, Saved]:
    with psycopg.connect(login, autocommit=True) as conn:
        return {one.name: one for one in read_saved(conn, "demo") if one.namespace == "examples"}


def values(case: dict[str, Any], known: dict[str, str]) -> dict[str, Any]:
    return {name: str(value).format(**known) for name, value in case.items()}


def test_every_shipped_query_has_its_cases(shipped: dict[str, Saved]) -> None:
    assert shipped.keys() == CASES.keys()
    assert len(shipped) >= 17
    for one in shipped.values():
        assert one.status == "active"
        assert one.description.endswith(".")
        assert all(parameter["description"] for parameter in one.parameters)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("kind", ["hit", "empty", "forgotten", "cap"])
def test_a_shipped_query_answers(
    analyst: Analyst, shipped: dict[str, Saved], known: dict[str, str], name: str, kind: str
) -> None:
    one = shipped[name]
    bound = one.bind(values(CASES[name][kind], known))
    check(one.query, parameters=bound)
    result = analyst.run(Query(one.query, bound, "demo", rows=1 if kind == "cap" else None))
    assert result.error is None, result.error
    if kind == "cap":
        assert (result.returned_rows, result.truncation_reason) == (1, "rows")
    else:
        assert bool(result.rows) is (kind == "hit")
    assert "lantern" not in json.dumps(result.to_dict())


MOST_READ = 3_000
READ_MORE = {
    "changed_since": 60_000,  # All of the demo was learnt at one instant, so all of it is sorted.
    "multi_hop_context": 6_000,
}


@pytest.mark.parametrize("name", CASES)
def test_a_shipped_query_reads_little(
    login: str, shipped: dict[str, Saved], known: dict[str, str], name: str
) -> None:
    one = shipped[name]
    bound = one.bind(values(CASES[name]["hit"], known))
    with psycopg.connect(login, autocommit=True, cursor_factory=psycopg.RawCursor) as conn:
        conn.execute("set search_path = memory_v1, pg_catalog")
        conn.execute("set taisce.project = 'demo'")
        for _ in range(2):  # The first fills caches.
            text = f"explain (analyze, buffers, format json) {one.query}"
            row = conn.execute(text.encode(), bound).fetchone()
    assert row is not None
    plan = row[0][0]["Plan"]
    read = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    assert read <= READ_MORE.get(name, MOST_READ)


# -- one's own ---------------------------------------------------------------------------------

PEOPLE = "select canonical_name from entities where entity_type = $1::text order by 1"
FIXTURES = [
    {"kind": "hit", "parameters": {"type": "person"}},
    {"kind": "empty", "parameters": {"type": "no such type"}},
    {"kind": "forgotten", "parameters": {"type": "forgotten"}},
    {"kind": "cap", "parameters": {"type": "person"}},
]
PARAMETERS = [{"name": "type", "type": "text", "description": "Type of entity."}]


@pytest.fixture
def writer(demo: Database, known: dict[str, str]) -> str:
    uri = demo.login("taisce_writer")
    grant(demo, demo.logins[-1], "write")
    return uri


@pytest.fixture
def boss(demo: Database, known: dict[str, str]) -> str:
    uri = demo.login("taisce_admin")
    grant(demo, demo.logins[-1], "admin")
    return uri


def grant(demo: Database, role: str, access: str) -> None:
    with demo.connect() as conn:
        conn.execute("select memory_v1.grant_project('demo', %s, %s)", [role, access])


def save(uri: str, name: str, **more: Any) -> int:
    given = {"query": PEOPLE, "description": "People.", "parameters": json.dumps(PARAMETERS),
             "fixtures": json.dumps(FIXTURES), **more}  # fmt: skip
    with psycopg.connect(uri, autocommit=True) as conn, errors.translated():
        row = conn.execute(
            "select memory_v1.save_query('ours', %s::text, %s::text, %s::text, %s::jsonb, "
            "%s::jsonb, 'test', 'demo')",
            [name, given["query"], given["description"], given["parameters"], given["fixtures"]],
        ).fetchone()
    assert row is not None
    return int(row[0])


def activate(
    uri: str, name: str, version: int, passed: Any = ("hit", "empty", "forgotten", "cap")
) -> Any:
    with psycopg.connect(uri, autocommit=True) as conn, errors.translated():
        row = conn.execute(
            "select memory_v1.activate_query('ours', %s::text, %s::integer, %s::text[], 'demo')",
            [name, version, list(passed)],
        ).fetchone()
    assert row is not None
    return row[0]


def of(uri: str, name: str) -> list[Saved]:
    with psycopg.connect(uri, autocommit=True) as conn:
        return [one for one in read_saved(conn, "demo") if one.full_name == f"ours.{name}"]


def test_a_query_goes_from_draft_to_service_to_retirement(
    login: str, writer: str, boss: str, analyst: Analyst
) -> None:
    assert save(writer, "people") == 1
    (draft,) = of(login, "people")
    assert draft.status == "draft"
    with pytest.raises(errors.NotFound):
        find_saved(of(login, "people"), "ours.people", None, "active")
    assert failed_fixtures(draft, analyst.run, "demo") == []
    assert activate(boss, "people", 1) is False
    assert save(writer, "people") == 2
    assert find_saved(of(login, "people"), "ours.people", None, "active").version == 1
    activate(boss, "people", 2)
    assert [one.status for one in of(login, "people")] == ["retired", "active"]
    with psycopg.connect(boss, autocommit=True) as conn:
        for expected in (True, False):
            row = conn.execute(
                "select memory_v1.retire_query('ours', 'people', 2, 'demo')"
            ).fetchone()
            assert row == (expected,)
    assert [one.status for one in of(login, "people")] == ["retired", "retired"]


def test_an_author_does_not_activate_his_own(boss: str, writer: str, login: str) -> None:
    save(boss, "mine")
    with pytest.raises(errors.InvalidArgument, match="author"):
        activate(boss, "mine", 1)
    assert of(login, "mine")[0].status == "draft"


def test_somebody_alone_may_and_it_is_recorded(database: Database) -> None:
    uri = database.login("taisce_admin")
    with psycopg.connect(uri, autocommit=True) as conn:
        conn.execute("select memory_v1.create_project('demo')")
    save(uri, "mine")
    assert activate(uri, "mine", 1) is True
    assert of(uri, "mine")[0].self_activated


@pytest.mark.parametrize(
    ("more", "named"),
    [
        ({"query": ""}, "query"),
        ({"description": " "}, "description"),
        ({"parameters": '{"a": 1}'}, "parameters"),
        ({"parameters": '[{"name": "a"}]'}, "parameters"),
        ({"parameters": '[{"name": "a", "type": "text"}, {"name": "a", "type": "text"}]'},
         "parameters"),
        ({"fixtures": '[{"kind": "other"}]'}, "fixtures"),
        ({"fixtures": '[{"kind": "hit", "parameters": []}]'}, "fixtures"),
    ],
)  # fmt: skip
def test_what_is_saved_is_checked(writer: str, more: dict[str, str], named: str) -> None:
    with pytest.raises(errors.InvalidArgument, match=f"{named}:"):
        save(writer, "wrong", **more)


def test_the_package_s_namespace_is_read_only(writer: str) -> None:
    with psycopg.connect(writer, autocommit=True) as conn, pytest.raises(psycopg.Error) as told:
        conn.execute("select memory_v1.save_query('examples', 'explain', 'select 1', 'x')")
    assert told.value.sqlstate == "TS005"


def test_fixtures_that_fail_keep_a_draft(
    demo: Database, writer: str, boss: str, login: str, analyst: Analyst, capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    save(writer, "lame", fixtures=json.dumps([*FIXTURES[:3], {"kind": "hit", "parameters": {
        "type": "nothing"}}]))  # fmt: skip
    (draft,) = of(login, "lame")
    assert failed_fixtures(draft, analyst.run, "demo") == [
        "there is no fixture of kind cap", "fixture 4 (hit) gave no row",
    ]  # fmt: skip
    with pytest.raises(errors.InvalidArgument, match="fixtures"):
        activate(boss, "lame", 1)
    monkeypatch.setenv("TAISCE_ANALYST_DSN", login)
    assert run(cli, ["--dsn", boss, "saved", "activate", "ours.lame", "--project", "demo"]) == 1
    assert "stays a draft" in capsys.readouterr().err


def test_the_commands(
    boss: str, writer: str, login: str, tmp_path: Path, capsys: Any,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("TAISCE_ANALYST_DSN", login)
    monkeypatch.setenv("COLUMNS", "200")
    project = ["--project", "demo"]
    file = tmp_path / "q.sql"
    file.write_text(PEOPLE)
    assert run(cli, ["saved", "list", *project]) == 0
    assert "examples.explain" in capsys.readouterr().out
    assert run(cli, [
        "--dsn", writer, "saved", "save", "ours.cli", str(file), "--description", "People.",
        "--parameters", json.dumps(PARAMETERS), "--fixtures", json.dumps(FIXTURES), *project,
    ]) == 0  # fmt: skip
    assert "version 1" in capsys.readouterr().err
    assert run(cli, ["--dsn", boss, "saved", "activate", "ours.cli", *project]) == 0
    assert run(cli, ["saved", "show", "ours.cli", *project]) == 0
    assert "entity_type" in capsys.readouterr().out
    assert run(cli, ["saved", "run", "ours.cli", "type=person", "--rows", "3", *project,
                     "--format", "csv"]) == 0  # fmt: skip
    assert len(capsys.readouterr().out.splitlines()) == 4
    assert run(cli, ["saved", "run", "ours.cli", *project]) == 1
    assert "needs the parameter type" in capsys.readouterr().err
    assert run(cli, ["saved", "run", "ours.cli", "typ=person", *project]) == 1
    assert run(cli, ["saved", "run", "ours.nothing", *project]) == 1
    assert run(cli, ["--dsn", boss, "saved", "retire", "ours.cli", "--version", "1", *project]) == 0
    file.write_text("delete from entities")
    assert run(cli, ["--dsn", writer, "saved", "save", "ours.bad", str(file), "--description", "x",
                     *project]) == 1  # fmt: skip
