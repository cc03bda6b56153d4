"""The examples in README.md and docs/ do what the pages say, and the tables are up to date."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg.embedded import Server
from tests.support.databases import Database
from tests.support.pages import Reader, blocks, commands, is_run
from tests.support.reference import ROOT, Catalogue

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
FROM_NOTHING = ["docs/installing.md"]
"""Pages read on a database without a memory; all others find one, with the project demo in it."""
AS_ANALYST = {"docs/open-sql-views.md": "-c taisce.project=demo -c search_path=memory_v1"}
"""Pages whose reader has made these settings."""


def name(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def has_examples(page: Path) -> bool:
    return any(map(is_run, blocks(page.read_text("utf-8"))))


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Give a folder that a server of another user can reach."""
    made = Path(tempfile.mkdtemp(prefix="taisce-docs-"))
    made.chmod(0o711)
    yield made
    Server(made / "home").stop()
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def environment(module_database: Database, folder: Path) -> dict[str, str]:
    """Give a database in which `taisce-pg demo` has been run."""
    analyst = module_database.login("taisce_analyst")
    with module_database.connect() as conn:
        conn.execute(
            f"alter role {module_database.logins[-1]} set temp_file_limit = '64MB'".encode()
        )
    made = {
        "TAISCE_DSN": module_database.uri(),
        "TAISCE_ANALYST_DSN": analyst,
        "TAISCE_HOME": str(folder / "home"),
    }
    done = Reader("demo", folder, made, module_database.server.psql).run("taisce-pg demo")
    assert done.returncode == 0, done.stdout
    return made


@pytest.mark.slow
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if name(page) not in FROM_NOTHING and has_examples(page)],
    ids=name,
)
def test_the_examples_of_a_page_print_what_it_says(
    page: Path, environment: dict[str, str], module_database: Database, tmp_path: Path
) -> None:
    made = {**environment, "PGOPTIONS": AS_ANALYST.get(name(page), "")}
    reader = Reader(name(page), tmp_path, made, module_database.server.psql)
    assert reader.follow(page.read_text("utf-8")) > 0


@pytest.mark.slow
def test_the_readme_says_how_large_the_demo_is_and_its_commands_answer(
    environment: dict[str, str], module_database: Database, tmp_path: Path
) -> None:
    readme = (ROOT / "README.md").read_text("utf-8")
    with module_database.connect() as conn:
        facts = conn.execute(
            "select count(*) from taisce.fact as f join taisce.project as p using (project_id)"
            " where p.name = 'demo'"
        ).fetchone()
    assert facts is not None
    assert f"as {facts[0]:,} facts" in readme
    typed = re.findall(r"^\| [^|]+ \| `(taisce-pg [^`]+ --project demo)` \|$", readme, re.M)
    assert len(typed) == 10
    reader = Reader("README.md", tmp_path, environment, module_database.server.psql)
    for command in typed:
        done = reader.run(command)
        assert done.returncode == 0, (command, done.stdout)
        # An answer, and not that there is none.
        assert len(done.stdout.splitlines()) > 2, (command, done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("page", FROM_NOTHING)
def test_the_examples_of_a_page_that_begins_with_nothing(
    page: str, empty_database: Database, folder: Path, tmp_path: Path
) -> None:
    environment = {
        "TAISCE_DSN": empty_database.uri(),
        "TAISCE_HOME": str(folder / "home"),
        "COLUMNS": "100",
    }
    reader = Reader(page, tmp_path, environment, empty_database.server.psql)
    try:
        assert reader.follow((ROOT / page).read_text("utf-8")) > 0
    finally:
        with empty_database.connect() as conn:
            conn.execute("reset role")
            for role in ("app", "installer"):
                if conn.execute("select to_regrole(%s)", [role]).fetchone() != (None,):
                    conn.execute(f"drop owned by {role} cascade".encode())
                    conn.execute(f"drop role {role}".encode())


def test_the_tables_of_functions_and_views_are_those_of_the_database(
    conn: psycopg.Connection[Any],
) -> None:
    catalogue = Catalogue(conn)
    readme = (ROOT / "README.md").read_text("utf-8")
    page = (ROOT / "docs" / "functions.md").read_text("utf-8")
    renew = "run: python -m tests.support.reference"
    assert catalogue.renewed(readme) == readme, renew
    assert catalogue.page() == page, renew


def test_every_page_is_in_the_index_and_no_link_leads_nowhere() -> None:
    index = (ROOT / "docs" / "index.md").read_text("utf-8")
    for page in PAGES[1:]:
        assert page.name == "index.md" or f"({page.name})" in index, page.name
    for page in [*PAGES, ROOT / "CHANGELOG.md"]:
        for target in re.findall(
            r"\]\((?!https?:)([^)#\s]*)(?:#[^)\s]*)?\)", page.read_text("utf-8")
        ):
            assert not target or (page.parent / target).exists(), f"{page.name}: {target}"


def test_examples_are_told_from_what_they_print() -> None:
    page = (
        "```sql\nselect 1;\n```\n\n```text\n1\n```\n\n<!-- file: a.txt -->\n```text\nx\n```\n"
        "```console\n$ a \\\n  b\nout\n$ c\n```\n"
    )
    first, _, third, last = blocks(page)
    assert (first.output, first.line, first.marks) == ("1\n", 1, {})
    assert (third.marks, third.output) == ({"file": "a.txt"}, None)
    assert list(commands(last.text)) == [("a \\\n  b", "out\n"), ("c", "")]
