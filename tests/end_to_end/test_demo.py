"""`taisce-pg demo` on a machine that never saw it, and again on the same one."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from taisce_pg.demo.correction import NEWCOMER
from taisce_pg.demo.questions import QUESTIONS
from taisce_pg.embedded import Server


@pytest.fixture(scope="module")
def home() -> Iterator[Path]:
    """Give a home of its own to the embedded server, and stop it whatever happens."""
    place = Path(tempfile.mkdtemp(prefix="taisce-demo-"))
    place.chmod(0o711)
    yield place / "home"
    Server(place / "home").stop()
    shutil.rmtree(place)


def clean(home: Path) -> dict[str, str]:
    without = ("PG", "TAISCE")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(without)}
    return {**kept, "TAISCE_HOME": str(home), "COLUMNS": "80"}


def run(home: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(Path(sys.executable).with_name("taisce-pg")), *arguments],
        env=clean(home),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def first(home: Path) -> subprocess.CompletedProcess[str]:
    done = run(home, "demo")
    assert done.returncode == 0, done.stderr
    return done


@pytest.fixture(scope="module")
def second(home: Path, first: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    """Run it a second time, for JSON: the memory is there, so it has little to do."""
    assert first.returncode == 0
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = run(home, "demo", "--json")
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, done.stderr
    assert "loaded before" in done.stderr
    assert "lines loaded" not in done.stderr
    # Seconds at work, its server's too: a machine that is busy otherwise takes longer by the clock.
    assert ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime < 30
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.fixture(scope="module")
def answers(second: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    asked = [one for one in second if "question" in one]
    assert [one["question"] for one in asked] == [one.text for one in QUESTIONS]
    return {one["question"]: one["answers"] for one in asked}


@pytest.fixture(scope="module")
def steps(second: list[dict[str, Any]]) -> dict[str, Any]:
    return {one["step"]: one["answer"] for one in second if "step" in one}


def statements(bundle: dict[str, Any]) -> list[str]:
    return [fact["statement"] for fact in bundle["facts"]]


def test_it_prints_every_question_with_an_answer_that_fits_a_terminal(
    first: subprocess.CompletedProcess[str],
) -> None:
    flat = " ".join(first.stdout.split())
    for question in QUESTIONS:
        assert question.text in flat
    assert flat.count("of 16,000 characters") == len(QUESTIONS) + 1 + 4
    assert "lines loaded" in first.stderr
    assert max(map(len, first.stdout.splitlines())) <= 80


def test_one_of_each_operation_is_shown(
    first: subprocess.CompletedProcess[str], second: list[dict[str, Any]]
) -> None:
    answers = {one["operation"]: one["answer"] for one in second if "operation" in one}
    assert list(answers) == [
        *("resolve_entity", "testimony_context", "fact_context", "answer_context")
    ]
    flat = " ".join(first.stdout.split())
    for operation in answers:
        assert f"{operation}: " in flat
    named = answers["resolve_entity"]["entities"]
    assert {one["matched_as"] for one in named} <= {"canonical", "alias"}
    assert named
    said = answers["testimony_context"]
    assert said["passages"]
    assert said["facts"] == []
    held = answers["fact_context"]
    assert held["temporal_scope"]["mode"] == "at"
    assert {link["fact_id"] for link in held["fact_evidence"]} == {
        fact["fact_id"] for fact in held["facts"]
    }
    assert held["facts"]
    both = answers["answer_context"]
    assert 0 < both["characters"] <= both["max_characters"] == 2000
    assert both["facts"]["facts"]


def test_nothing_is_left_running(home: Path, first: subprocess.CompletedProcess[str]) -> None:
    assert first.returncode == 0
    assert Server(home).status().state == "stopped"


def test_what_it_says_to_type_next_can_be_typed(
    home: Path, first: subprocess.CompletedProcess[str], tmp_path: Path
) -> None:
    lines = [line.strip() for line in first.stderr.partition("Ask on:")[2].splitlines()]
    typed = [line for line in lines if line]
    assert len(typed) == 6
    try:
        for line in typed:
            # As typed, but that a file is written elsewhere and psql has one thing to do.
            line = line.replace("demo.ndjson", str(tmp_path / "demo.ndjson"))
            line += " -Atc 'select 1'" if "server uri" in line else ""
            done = subprocess.run(
                line, shell=True, env=clean(home), capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, (line, done.stderr)
            assert done.stdout or "write-load" in line or "server start" in line
    finally:
        run(home, "server", "stop")


def test_a_plain_question(answers: dict[str, list[dict[str, Any]]]) -> None:
    (bundle,) = answers["Who chairs the Senate Committee on the Judiciary?"]
    assert [one["name"] for one in bundle["anchors"]] == ["Senate Committee on the Judiciary"]
    best = bundle["facts"][0]
    assert (
        best["statement"] == "The Senate Committee on the Judiciary is chaired by Chuck Grassley."
    )
    assert "Chuck Grassley sits on" in best["evidence"][0]["quote"]


def test_a_question_of_two_steps(answers: dict[str, list[dict[str, Any]]]) -> None:
    (bundle,) = answers["Which party does the President of the United States belong to?"]
    (far,) = (one for one in bundle["facts"] if one["predicate"] == "member_of_party")
    assert far["hops"] == 2
    assert far["path"] == ["President of the United States", "Donald Trump", "Republican Party"]
    assert far["via"][0] in ("held_by", "held_office")
    assert far["via"][1] == "member_of_party"


def test_the_past_differs_from_today(answers: dict[str, list[dict[str, Any]]]) -> None:
    today, past = answers["Who is Speaker of the House?"]
    held = [
        [one["object"] for one in bundle["facts"] if one["predicate"] == "held_by"]
        for bundle in (today, past)
    ]
    assert held == [["Mike Johnson"], ["Nancy Pelosi"]]
    assert past["scope"]["as_of"].startswith("2020-06-01")


def test_an_ambiguous_name_returns_both(answers: dict[str, list[dict[str, Any]]]) -> None:
    (bundle,) = answers["When was John Kennedy born?"]
    assert {one["name"] for one in bundle["anchors"]} == {"John Kennedy", "John F. Kennedy"}
    born = {one["value"] for one in bundle["facts"] if one["predicate"] == "born_on"}
    assert born == {"May 29, 1917", "November 21, 1951"}


def test_an_unknown_name_gives_the_reason(answers: dict[str, list[dict[str, Any]]]) -> None:
    (bundle,) = answers["Which committees does Winston Churchill sit on?"]
    assert bundle["facts"] == []
    assert bundle["reach"]["silent_because"] == "unknown_name"
    assert bundle["reach"]["named_nothing_known"] is True


def test_a_hub_says_what_was_cut(answers: dict[str, list[dict[str, Any]]]) -> None:
    (bundle,) = answers["Who belongs to the Democratic Party?"]
    (cut,) = bundle["reach"]["fanout_cut"]
    assert (cut["entity"], cut["direction"]) == ("Democratic Party", "object")
    assert bundle["truncated"] is True
    assert all("Democratic Party" in one for one in statements(bundle))
    longest = bundle["facts"][0]
    assert longest["evidence_total"] > 20
    assert "January 14, 1975" in longest["evidence"][0]["context"]


def holders(bundle: dict[str, Any]) -> list[str]:
    return [one["object"] for one in bundle["facts"] if one["predicate"] == "held_by"]


def test_a_change_of_office_is_believed_and_the_past_is_kept(steps: dict[str, Any]) -> None:
    made = steps[f"{NEWCOMER} takes office"]
    assert made["superseded"]
    assert made["known_from"]
    assert holders(steps["Believed now"]) == [NEWCOMER]
    assert holders(steps["Believed before"]) == ["Mike Johnson"]
    assert steps["Believed before"]["scope"]["as_known_at"] < made["known_from"]
    why = steps["Why"]
    assert (why["fact_id"], why["status"]) == (made["fact_id"], "current")
    assert [one["verified"] for one in why["evidence"]] == [True]
    former, new = steps["On two clocks"]
    assert [row["cause"] for row in former] == ["superseded", "asserted"]
    assert former[0]["valid_until"] == new[0]["valid_from"]
    assert former[0]["known_from"] == former[1]["known_until"] == made["known_from"]
    assert former[1]["valid_until"] is None


def test_a_timeline_is_drawn_on_both_clocks(first: subprocess.CompletedProcess[str]) -> None:
    drawn = first.stdout.partition("On two clocks")[2].splitlines()[:7]
    assert drawn[4].startswith("believed from")
    assert "├" in drawn[5]
    assert "▶" in drawn[5]
    assert drawn[5].endswith("asserted")
    assert "┼" in drawn[6]
    assert drawn[6].endswith("superseded")


def test_a_planted_person_is_forgotten_and_the_memory_is_as_before(steps: dict[str, Any]) -> None:
    assert len(steps["A visitor says something"]["facts"]) == 1
    gone = {one["table"]: one["rows"] for one in steps["The visitor is erased"]}
    assert (gone["message"], gone["fact"], gone["fact_version"]) == (1, 1, 1)
    left = steps["Nothing is left"]
    assert left.pop("rows_before") >= 4
    assert left.pop("tables_searched") > 30
    assert set(left.values()) == {0}
    assert holders(steps["Believed after that"]) == ["Mike Johnson"]


def test_what_a_killed_run_left_goes_first(
    home: Path, answers: dict[str, list[dict[str, Any]]]
) -> None:
    code = (
        "import os, sys\n"
        "from taisce_pg.connection import open_connection, resolve_dsn\n"
        "from taisce_pg.client.memory import Memory\n"
        "from taisce_pg.demo.correction import correct\n"
        "target = resolve_dsn(None)\n"
        "with open_connection(target) as conn, Memory(target.dsn).open() as memory:\n"
        "    for step in correct(memory, conn, 'demo'):\n"
        "        if step.title == sys.argv[1]:\n"
        "            target.server and target.server.stop()\n"
        "            os._exit(0)\n"
    )
    assert answers
    for title in ("Why", "A visitor says something"):
        subprocess.run([sys.executable, "-c", code, title], env=clean(home), check=True)
        done = run(home, "demo", "--json")
        assert done.returncode == 0, done.stderr
        steps = [json.loads(line) for line in done.stdout.splitlines()]
        told = {one["step"]: one["answer"] for one in steps if "step" in one}
        assert holders(told["Believed before"]) == ["Mike Johnson"]
        assert told["Nothing is left"]["rows_after"] == 0


def test_a_project_of_somebody_else_is_left_alone(
    home: Path, first: subprocess.CompletedProcess[str]
) -> None:
    assert first.returncode == 0
    lines = home.parent / "own.ndjson"
    turn = {"type": "observation", "messages": [{"role": "user", "content": "I moved."}]}
    lines.write_text(json.dumps(turn) + "\n", encoding="utf-8")
    assert run(home, "load", "--project", "own", str(lines)).returncode == 0
    refused = run(home, "demo", "--project", "own")
    assert refused.returncode == 1
    assert "holds something else" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_the_memory_can_be_written_as_a_load_file(home: Path) -> None:
    file = home.parent / "demo.ndjson"
    assert run(home, "demo", "--write-load", str(file)).returncode == 0
    kinds = {json.loads(line)["type"] for line in file.read_text("utf-8").splitlines()}
    assert kinds == {"project", "predicate", "entity", "observation", "fact"}
