"""The collector of pgTAP files: what fails is seen failing, and why."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import pgtap_source
from tests.support.pgtap import run_file
from tests.support.servers import RUN_DIR, ServerUnderTest

ROOT = Path(__file__).parents[2]
CONFTEST = """
import pytest
pytest_plugins = ["tests.support.servers", "tests.support.databases", "tests.support.pgtap"]

@pytest.fixture(scope="session")
def template(empty_template):
    return empty_template
"""
FILES = {
    "room/good.sql": """begin;
select plan(3);
select ok(true, 'truth holds');
select todo('not built', 1);
select ok(false, 'later');
select throws_ok('select 1 / 0', '22012', null, 'dividing by nothing is refused');
select * from finish();
rollback;
""",
    "wrong.sql": """begin;
select plan(1);
select is(1, 2, 'the sum isn''t right');
select * from finish();
rollback;
""",
    "error.sql": """begin;
select plan(1);
select nonsense();
select * from finish();
rollback;
""",
    "plan.sql": """begin;
select plan(2);
select ok(true, 'alone');
select * from finish();
rollback;
""",
    "unfinished.sql": "select 1;\n",
    "leaves_things.sql": """create table left_behind ();
select plan(1);
select pass('committed');
select * from finish();
""",
    "sees_nothing_left.sql": """begin;
select plan(1);
select hasnt_table('left_behind');
select * from finish();
rollback;
""",
}


def collect(
    directory: Path, dsn: str, names: list[str], *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run the collector over files in a checkout of its own."""
    (directory / "conftest.py").write_text(CONFTEST)
    (directory / "pytest.ini").write_text("[pytest]\naddopts = --import-mode=importlib\n")
    for name in names:
        path = directory / "db" / "tests" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(FILES[name])
    kept = {k: v for k, v in os.environ.items() if k != RUN_DIR and not k.startswith("PYTEST")}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-rA", "-p", "no:cacheprovider", f"--pg={dsn}", *options],
        cwd=directory,
        env={**kept, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True,
        text=True,
    )


def test_each_way_to_fail_is_reported_with_its_place(
    server: ServerUnderTest, tmp_path: Path
) -> None:
    done = collect(tmp_path, server.dsn, list(FILES))
    shown = done.stdout
    assert done.returncode == 1
    assert "4 failed, 3 passed" in shown
    assert "pgTAP: 7 assertions in 7 files" in shown
    assert "PASSED db/tests/room/good.sql::good" in shown
    assert "PASSED db/tests/sees_nothing_left.sql" in shown
    assert "wrong.sql:3: not ok 1 - the sum isn't right" in shown
    assert "have: 1" in shown
    assert "error.sql:3: ERROR:  function nonsense() does not exist" in shown
    assert "plan.sql: planned 2 assertions, ran 1" in shown
    assert "unfinished.sql: no plan" in shown
    assert "Traceback" not in shown


def test_without_pgtap_the_run_fails_and_says_what_to_install(
    server: ServerUnderTest, tmp_path: Path
) -> None:
    with server.connect() as conn:
        row = conn.execute("select 1 from pg_available_extensions where name = 'pgtap'").fetchone()
    if row:
        pytest.skip("this server has pgTAP itself")
    (tmp_path / "empty").mkdir()
    done = collect(
        tmp_path,
        server.dsn,
        ["room/good.sql"],
        PATH=str(tmp_path / "empty"),
        XDG_CACHE_HOME=str(tmp_path / "cache"),
    )
    assert done.returncode == 1
    assert "pgTAP is missing: install it" in done.stdout
    assert pgtap_source.DEBIAN_PACKAGE in done.stdout


def test_a_missing_psql_is_a_failure(tmp_path: Path) -> None:
    path = tmp_path / "x.sql"
    path.write_text("")
    outcome = run_file(tmp_path / "psql", "", path, tmp_path)
    assert outcome.problems == [f"{tmp_path / 'psql'} is not there: install a psql"]


def test_a_server_that_does_not_answer_is_a_failure(tmp_path: Path) -> None:
    done = collect(tmp_path, "host=/nonexistent user=nobody", ["room/good.sql"])
    assert done.returncode == 1
    assert "1 error" in done.stdout


def test_a_container_without_docker_is_skipped_with_a_word(tmp_path: Path) -> None:
    done = collect(tmp_path, "container", ["room/good.sql"], DOCKER_HOST="unix:///nonexistent")
    assert done.returncode == 0
    assert "no Docker answers" in done.stdout
