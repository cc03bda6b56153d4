"""Collect db/tests/**/*.sql: each file runs through psql in a database of its own.

The files are plain pgTAP: `pg_prove` runs them unchanged in any database that has taisce and
pgTAP. A missing psql or pgTAP fails the run.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.support import pgtap_source, tap
from tests.support.databases import Database, create, freeze, fresh, once
from tests.support.servers import ServerUnderTest

SECONDS = 300
COUNT = "pgtap_assertions"


@dataclass(frozen=True)
class Outcome:
    """What became of one file; `problems` is empty if all is well."""

    problems: list[str]
    report: tap.Report


def run_file(psql: Path, uri: str, path: Path, directory: Path) -> Outcome:
    """Run a file through psql and judge what it printed."""
    command = [str(psql), "-XAtq", "-P", "pager=off", "-v", "ON_ERROR_STOP=1", "-d", uri]
    try:
        done = subprocess.run(
            [*command, "-f", str(path)],
            cwd=directory,
            capture_output=True,
            text=True,
            errors="replace",
            stdin=subprocess.DEVNULL,
            timeout=SECONDS,
        )
    except FileNotFoundError:
        return Outcome([f"{psql} is not there: install a psql"], tap.Report())
    except subprocess.TimeoutExpired:
        return Outcome([f"it did not end within {SECONDS} s"], tap.Report())
    report = tap.parse(done.stdout)
    return Outcome(list(judge(report, done.returncode, done.stderr, path)), report)


def judge(report: tap.Report, code: int, stderr: str, path: Path) -> Iterator[str]:
    """Yield each thing wrong with a run, with the line of the file where it can be told."""
    source = path.read_text().splitlines()
    for assertion in report.failures:
        where = _line_of(assertion.text, source)
        place = f"{path.name}:{where}: " if where else f"{path.name}: "
        yield "\n".join(
            [f"{place}not ok {assertion.number} - {assertion.text}", *assertion.remarks]
        )
    if code:
        said = stderr.strip() or f"psql ended with {code}"
        yield said.replace(f"psql:{path}:", f"{path.name}:")
    if report.bail_out is not None:
        yield f"{path.name}: bail out: {report.bail_out}"
    if code == 0:
        yield from (f"{path.name}: {fault}" for fault in report.faults)


def _line_of(text: str, source: list[str]) -> int | None:
    """Return the number of the first line that holds the description of an assertion."""
    wanted = text.replace("'", "''").strip()
    if not wanted:
        return None
    return next((n for n, line in enumerate(source, 1) if wanted in line or text in line), None)


class PgtapFailure(Exception):
    """A file that failed; its text is the whole report."""


class PgtapItem(pytest.Function):
    """Running one pgTAP file."""

    def reportinfo(self) -> tuple[Path, int, str]:
        """Point at the SQL file."""
        return self.path, 0, self.name

    def repr_failure(self, excinfo: Any) -> Any:
        """Show what pgTAP and psql said, without a Python traceback."""
        if isinstance(excinfo.value, PgtapFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)


class PgtapFile(pytest.File):
    """A pgTAP file."""

    def collect(self) -> Iterable[pytest.Item]:
        """Yield the one item of the file."""

        def run(
            server: ServerUnderTest,
            pgtap_database: Database,
            record_property: Callable[[str, object], None],
        ) -> None:
            outcome = run_file(server.psql, pgtap_database.uri(), self.path, self.config.rootpath)
            record_property(COUNT, len(outcome.report.assertions))
            for assertion in outcome.report.surprises:
                print(f"{self.path.name}: a TODO passed: {assertion.text}")
            if outcome.problems:
                raise PgtapFailure("\n".join(outcome.problems))
            if outcome.report.skipped:
                pytest.skip(outcome.report.skipped)

        yield PgtapItem.from_parent(self, name=self.path.stem, callobj=run)


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Collect SQL files below db/tests."""
    tests = parent.config.rootpath / "db" / "tests"
    if file_path.suffix == ".sql" and file_path.is_relative_to(tests):
        return PgtapFile.from_parent(parent, path=file_path)
    return None


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many assertions the files made."""
    counts = [
        value
        for reports in terminalreporter.stats.values()
        for report in reports
        if getattr(report, "when", "") == "call"
        for name, value in report.user_properties
        if name == COUNT
    ]
    if counts:
        terminalreporter.write_line(f"pgTAP: {sum(counts)} assertions in {len(counts)} files")


@pytest.fixture(scope="session")
def pgtap_template(server: ServerUnderTest, run_dir: Path, template: str) -> str:
    """Name a template with taisce and pgTAP."""

    def build(name: str) -> None:
        create(server, name, template)
        with server.connect(name) as conn:
            pgtap_source.load(conn)
        freeze(server, name)

    return once(run_dir, "pgtap", build)


@pytest.fixture
def pgtap_database(
    server: ServerUnderTest, run_dir: Path, pgtap_template: str
) -> Iterator[Database]:
    """Give a fresh database with taisce and pgTAP."""
    with fresh(server, run_dir, pgtap_template) as made:
        yield made
