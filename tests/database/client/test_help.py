"""Every command ends its help with an example that works, and the documentation knows it."""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from taisce_pg.cli.main import cli
from taisce_pg.embedded import Server
from taisce_pg.load.apply import load_lines
from tests.support.databases import fresh, once
from tests.support.pages import Reader
from tests.support.reference import ROOT, commands, example, walk
from tests.support.servers import ServerUnderTest

MEMORY = ROOT / "docs" / "inspecting.md"
ELSEWHERE = {
    "demo": "tests/end_to_end/test_demo.py runs it",
    "bench": "it takes minutes",
}
"""Commands whose example is not run here, and why."""
ON_NO_PROJECT = {"project create"}
SAY = "taisce-pg observe Hello --key ann-17 --project demo"
REBUILD = "taisce-pg rebuild begin 1 1 --project demo"
SAVE = (
    "taisce-pg saved save ours.people people.sql --description People. --project demo "
    """--parameters '[{"name": "which", "type": "text"}]' """
    """--fixtures '[{"kind": "hit", "parameters": {"which": "all"}}, """
    """{"kind": "empty", "parameters": {"which": "none"}}, """
    """{"kind": "forgotten", "parameters": {"which": "gone"}}, """
    """{"kind": "cap", "parameters": {"which": "all"}}]'"""
)
SETS_OUT_WITH = {
    "saved activate": SAVE,
    "saved retire": SAVE,
    "server uri": "taisce-pg server start",
    "formed": 'taisce-pg observe "News." --project demo',
    "park": 'taisce-pg observe "News." --project demo',
    "embed retire": "taisce-pg embed --embedder local:wordllama --space entity --project demo",
    "rebuild advance": "taisce-pg rebuild begin 1 1 --project demo",
    "rebuild end": "taisce-pg rebuild begin 1 1 --project demo",
    "register report": "taisce-pg register community prague Acme Prague --project demo",
    "unmerge": "taisce-pg merge Babel Acme --project demo",
}
"""What has to be done before an example makes sense."""
FACT = "select fact_id from memory_v1.list_records() order by fact_id limit 1"
OTHER_FACT = f"{FACT} offset 2"
OBSERVATION = "select observation_id from taisce.observation order by log_offset desc limit 1"
NEEDS_IDS = {
    "cite": [FACT],
    "graph": ["select entity_id from memory_v1.list_entities() where name = 'Acme'"],
    "why-not": [FACT],
    "message": [f"select memory_v1.resolve_citation(({FACT})) #>> '{{evidence,0,passage_id}}'"],
    "correct": [FACT],
    "retract": [FACT],
    "withdraw": [FACT],
    "contradict": [FACT, OTHER_FACT],
    "formed": [OBSERVATION],
    "park": [OBSERVATION],
    "release": [OBSERVATION],
    "alias": ["select entity_id from memory_v1.list_entities() where name = 'Acme'"],
    "unmerge": ["select merge_id from taisce.entity_merge"],
    "feedback": [FACT],
}
"""Where to find the ids that stand in an example, in their order."""
UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


ALL = dict(walk(cli))


@pytest.mark.parametrize("name", ALL)
def test_the_help_ends_with_an_example_of_the_command(name: str) -> None:
    assert f"taisce-pg {name}" in example(ALL[name])


def test_the_page_of_commands_says_what_their_help_says() -> None:
    page = (ROOT / "docs" / "commands.md").read_text("utf-8")
    assert commands() == page, "run: python -m tests.support.reference"


@pytest.fixture(scope="module")
def folder(server: ServerUnderTest, run_dir: Path) -> Iterator[Path]:
    """Give a folder with a home of its own for the embedded server."""
    made = Path(tempfile.mkdtemp(prefix="taisce-help-"))
    made.chmod(0o711)
    yield made
    Server(made / "home").stop()
    shutil.rmtree(made)


@pytest.fixture(scope="module")
def small(server: ServerUnderTest, run_dir: Path, template: str) -> str:
    """Name a template with the memory of docs/inspecting.md in project demo."""
    lines = re.findall(r"^```ndjson\n(.*?)^```$", MEMORY.read_text("utf-8"), re.M | re.S)[0]

    def build(name: str) -> None:
        with fresh(server, run_dir, template) as made:
            with made.connect() as conn:
                load_lines(conn, "demo", lines.splitlines(), "demo")
            with server.connect() as conn:
                conn.execute(f'create database "{name}" template "{made.name}"'.encode())

    return once(run_dir, "help", build)


RUN = [
    name
    for name, command in ALL.items()
    if name.split()[0] not in ELSEWHERE and not isinstance(command, click.Group)
]


@pytest.mark.slow
@pytest.mark.parametrize("name", RUN)
def test_the_example_works(
    name: str,
    server: ServerUnderTest,
    run_dir: Path,
    template: str,
    small: str,
    folder: Path,
    tmp_path: Path,
) -> None:
    (tmp_path / "memories.ndjson").write_text(
        json.dumps({"type": "entity", "name": "Marta Nowak", "entity_type": "person"}) + "\n"
    )
    (tmp_path / "people.sql").write_text(
        "select canonical_name from entities"
        + ("" if name == "saved save" else " where $1::text = 'all'")
    )
    command = example(ALL[name])
    with fresh(server, run_dir, template if name in ON_NO_PROJECT else small) as database:
        environment = {
            "TAISCE_DSN": database.uri(),
            "TAISCE_ANALYST_DSN": database.login("taisce_analyst"),
            "TAISCE_HOME": str(folder / "home"),
        }
        if name not in ON_NO_PROJECT:
            with database.connect() as conn:
                conn.execute("select memory_v1.grant_project('demo', 'taisce_analyst', 'read')")
        reader = Reader("--help", tmp_path, environment, server.psql)
        if name in SETS_OUT_WITH:
            begun = reader.run(SETS_OUT_WITH[name])
            assert begun.returncode == 0, begun.stdout
        with database.connect() as conn:
            found = [conn.execute(query.encode()).fetchone() for query in NEEDS_IDS.get(name, [])]
        ids = iter([str(row[0]) for row in found if row])
        # Some ask before they do it.
        done = reader.run(UUID.sub(lambda one: next(ids, one[0]), command), "y\n")
        assert done.returncode == 0, done.stdout
