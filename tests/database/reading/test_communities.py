"""Which reports are due, stale and current, as facts and communities change."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from uuid import UUID

import psycopg
import pytest
from click.testing import CliRunner

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.cli.main import cli
from taisce_pg.communities.survey import Survey, register, survey
from tests.support.databases import Database
from tests.support.embedded_memory import relation, tell, turn

Connection = psycopg.Connection[Any]
TEAMS = {"Red": ("Ann", "Bob", "Cid"), "Blue": ("Dan", "Eve", "Fay")}


def teams(conn: Connection) -> None:
    """Load two teams whose people know each other."""
    facts = [
        (one, "knows", other)
        for team, people in TEAMS.items()
        for one in (team, *people)
        for other in people
        if one < other or one == team
    ]
    said = [f"{one} {verb} {other}" for one, verb, other in facts]
    tell(
        conn,
        [
            turn("t", ". ".join(said)),
            *(relation(f"f{n}", "t", *fact) for n, fact in enumerate(facts)),
        ],
    )


@pytest.fixture
def conn(database: Database) -> Iterator[Connection]:
    with database.connect() as made:
        teams(made)
        yield made


def shape(found: Survey) -> set[tuple[frozenset[str], str]]:
    return {(frozenset(one.names), one.state) for one in found.reports}


def write(conn: Connection, key: str, facts: list[UUID]) -> None:
    conn.execute(
        "select memory_v1.register_report(community => %s, title => 'About', summary => 'Said.',"
        " fact_ids => %s)",
        (key, facts),
    )


def test_reports_are_due_until_written_and_stale_when_facts_come(conn: Connection) -> None:
    found = survey(conn, "demo")
    whole = {frozenset((team, *people)) for team, people in TEAMS.items()}
    assert shape(found) == {(team, "due") for team in whole}
    assert not found.pairs_left_out
    for one in found.reports:
        assert one.uncovered == len(one.facts) == 6
        assert all(any(name in fact.statement for name in one.names) for fact in one.facts)
    assert register(conn, found) == 2
    assert register(conn, survey(conn)) == 0
    for one in found.reports:
        write(conn, one.key, [fact.fact_id for fact in one.facts])
    written = survey(conn)
    assert shape(written) == {(team, "current") for team in whole}
    assert all(one.title == "About" for one in written.reports)
    assert written.unmatched == ()

    tell(conn, [turn("t2", "Ann likes Bob"), relation("new", "t2", "Ann", "likes", "Bob")])
    changed = survey(conn)
    assert {one.state: one.uncovered for one in changed.reports} == {"stale": 1, "current": 0}
    [stale] = [one for one in changed.reports if one.state == "stale"]
    assert "Ann likes Bob." in [fact.statement for fact in stale.facts]


def test_a_report_whose_fact_is_retracted_is_due_again(conn: Connection) -> None:
    found = survey(conn)
    register(conn, found)
    for one in found.reports:
        write(conn, one.key, [fact.fact_id for fact in one.facts])
    gone = found.reports[0].facts[0].fact_id
    conn.execute("select memory_v1.retract_fact(%s, 'wrong')", (gone,))
    after = survey(conn)
    assert sorted(one.state for one in after.reports) == ["current", "due"]
    [due] = [one for one in after.reports if one.state == "due"]
    assert gone not in [fact.fact_id for fact in due.facts]
    assert due.report_id is None


def test_a_new_member_makes_a_report_stale(conn: Connection) -> None:
    found = survey(conn)
    register(conn, found)
    for one in found.reports:
        write(conn, one.key, [fact.fact_id for fact in one.facts])
    told = [("Gus", "knows", other) for other in ("Ann", "Bob", "Cid")]
    tell(
        conn,
        [
            turn("g", ". ".join(" ".join(one) for one in told)),
            *(relation(f"g{n}", "g", *one) for n, one in enumerate(told)),
        ],
    )
    after = survey(conn)
    [stale] = [one for one in after.reports if one.state == "stale"]
    assert "Gus" in stale.names
    assert stale.key in {one.key for one in found.reports}, "it is the same community"


def test_communities_that_nothing_resembles_are_named(conn: Connection) -> None:
    row = conn.execute(
        "select community_id from memory_v1.register_community('mine', '[\"Ann\", \"Dan\"]')"
    ).fetchone()
    assert row is not None
    assert survey(conn).unmatched == (row[0],)


def test_planted_words_of_a_tool_make_no_community(conn: Connection) -> None:
    words = [("Evil", "knows", other) for other in ("Mal", "Bad")] + [("Mal", "knows", "Bad")]
    said = ". ".join(" ".join(one) for one in words)
    tell(
        conn,
        [
            {
                "type": "observation",
                "key": "x",
                "messages": [{"role": "tool", "content": said}],
            },
            *(relation(f"x{n}", "x", *one) for n, one in enumerate(words)),
        ],
    )
    assert "Evil" not in {name for one in survey(conn).reports for name in one.names}
    both = survey(conn, roles=["user", "tool"])
    assert "Evil" in {name for one in both.reports for name in one.names}


def test_only_the_strongest_pairs_and_facts_are_taken(conn: Connection) -> None:
    tell(conn, [turn("s", "Ann helps Bob"), relation("s1", "s", "Ann", "helps", "Bob")])
    few = survey(conn, most_pairs=1, smallest=2, most_facts=1)
    assert few.pairs_left_out
    [one] = few.reports
    assert set(one.names) == {"Ann", "Bob"}
    assert len(one.facts) == 1


def test_an_unknown_project_is_refused(conn: Connection) -> None:
    with pytest.raises(errors.UnknownProject):
        survey(conn, "nowhere")


def test_an_empty_project_has_none(database: Database) -> None:
    with database.connect() as conn:
        tell(conn, [turn("t", "Nothing.")])
        assert survey(conn) == Survey((), False, ())


def test_it_needs_no_more_than_an_administrator(database: Database, conn: Connection) -> None:
    login = database.login("taisce_admin")
    conn.execute("select memory_v1.grant_project('demo', %s, 'admin')", (database.logins[-1],))
    with psycopg.connect(login, autocommit=True) as admin:
        found = survey(admin, "demo")
        assert register(admin, found, "demo") == 2


def test_the_command_shows_and_registers(database: Database, conn: Connection) -> None:
    def run(*arguments: str) -> str:
        done = CliRunner().invoke(cli, ["--dsn", database.uri(), "communities", *arguments])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert "due" in run("--project", "demo")
    told = json.loads(run("--json", "--register"))
    assert told["registered"] == 2
    assert {one["state"] for one in told["reports"]} == {"due"}
    [one, other] = told["reports"]
    assert one["facts"][0].keys() == {"fact_id", "statement"}
    for report in (one, other):
        write(conn, report["key"], [UUID(fact["fact_id"]) for fact in report["facts"]])
    assert "no report is due" in run()
    assert json.loads(run("--json"))["reports"] == []
    assert {one["state"] for one in json.loads(run("--json", "--all"))["reports"]} == {"current"}


def test_both_clients_give_the_same(database: Database, conn: Connection) -> None:
    import asyncio

    expected = survey(conn, "demo")
    with Memory(database.uri(), project="demo") as memory:
        assert memory.communities() == expected
        assert memory.communities(register=True) == expected

    async def ask() -> None:
        async with AsyncMemory(database.uri()) as memory:
            assert await memory.communities(project="demo") == expected

    asyncio.run(ask())
    row = conn.execute("select count(*) from taisce.community").fetchone()
    assert row == (2,)


def standing(conn: Connection) -> int:
    row = conn.execute("select count(*) from memory_v1.community_reports").fetchone()
    assert row is not None
    return int(row[0])


def test_a_group_keeps_its_key_when_another_becomes_the_best_linked(conn: Connection) -> None:
    found = survey(conn)
    register(conn, found)
    for one in found.reports:
        write(conn, one.key, [fact.fact_id for fact in one.facts])
    [before] = [one for one in found.reports if "Ann" in one.names]
    last = before.names[-1]
    told = [
        (one, verb, other)
        for verb in ("helps", "likes", "meets", "calls")
        for one, other in [(last, other) for other in before.names if other != last]
    ]
    tell(
        conn,
        [
            turn("c", ". ".join(" ".join(one) for one in told)),
            *(relation(f"c{n}", "c", *one) for n, one in enumerate(told)),
        ],
    )
    after = survey(conn)
    [now] = [one for one in after.reports if "Ann" in one.names]
    assert now.names[0] == last != before.names[0], "another entity is the best linked one"
    assert (now.key, now.state) == (before.key, "stale")
    assert register(conn, after) == 0, "its members are the same, and it is registered once"
    write(conn, now.key, [fact.fact_id for fact in now.facts])
    assert standing(conn) == 2, "the new report took the place of the old one"
    assert {one.state for one in survey(conn).reports} == {"current"}


def test_no_group_takes_the_key_of_one_it_does_not_resemble(conn: Connection) -> None:
    [red] = [one for one in survey(conn).reports if "Ann" in one.names]
    conn.execute(
        'select memory_v1.register_community(%s, \'["Dan", "Cid"]\')',
        (red.key,),
    )
    write(conn, red.key, [red.facts[0].fact_id])
    found = survey(conn)
    keys = [one.key for one in found.reports]
    assert red.key not in keys
    assert len(set(keys)) == 2
    register(conn, found)
    assert len(found.unmatched) == 1
    assert survey(conn).unmatched == found.unmatched
    assert standing(conn) == 1, "the other's report tells about the other still"


def test_a_report_goes_when_its_community_becomes_another(conn: Connection) -> None:
    def members(*names: str) -> None:
        conn.execute(
            "select memory_v1.register_community('team', %s::jsonb)", (json.dumps(list(names)),)
        )

    [red] = [one for one in survey(conn).reports if "Ann" in one.names]
    members("Ann", "Bob", "Cid", "Red")
    write(conn, "team", [red.facts[0].fact_id])
    members("Ann", "Bob", "Cid", "Red", "Dan")
    assert standing(conn) == 1, "most of them are the same"
    members("Ann", "Dan", "Eve", "Fay")
    assert standing(conn) == 0, "it tells about somebody else"
    write(conn, "team", [red.facts[0].fact_id])
    assert standing(conn) == 1, "told anew it stands"


def test_an_old_report_told_anew_takes_the_place_of_the_newer(conn: Connection) -> None:
    def tell_about(title: str) -> Any:
        return conn.execute(
            "select report_id, withdrawn_at, repeated from memory_v1.register_report("
            "community => 'team', title => %s, summary => 'Said.', fact_ids => %s)",
            (title, [fact]),
        ).fetchone()

    def titles() -> list[str]:
        return [row[0] for row in conn.execute("select title from memory_v1.community_reports")]

    [red] = [one for one in survey(conn).reports if "Ann" in one.names]
    fact = red.facts[0].fact_id
    conn.execute("select memory_v1.register_community('team', '[\"Ann\", \"Bob\"]')")
    first = tell_about("First")
    tell_about("Second")
    assert titles() == ["Second"]
    again = tell_about("First")
    assert (again[0], again[1], again[2]) == (first[0], None, False)
    assert titles() == ["First"]
    assert tell_about("First")[2]
    conn.execute("select memory_v1.retract_fact(%s, 'wrong')", (fact,))
    assert tell_about("First")[1] is not None, "what it covers is believed no more"
    assert titles() == []
