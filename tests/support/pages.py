"""Examples of the documentation: found in the pages, run in order, compared with what follows.

```sql       run by psql; if a ```text block follows directly, it is what psql must print
```python    run, all of a page in one namespace; a ```text block is what it must print
```console   lines after "$ " are run by bash; the lines below each are what it must print
```text      checked if a comment right above names a command: <!-- printed by: taisce-pg demo -->
ndjson       saved and loaded as the paragraph above says: `taisce-pg load FILE --project NAME`
any          written to a file if a comment right above names one: <!-- file: team.ndjson -->
Before a block, <!-- run: COMMAND --> does what the reader need not see.
Other languages (sh, json, text by itself) are not run. A line "..." in an expected text stands
for any lines, and "..." within a line for any words; white space counts once.
"""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from taisce_pg.cli.main import cli

RUN = ("sql", "python", "console")
_FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.M | re.S)
_MARK = re.compile(r"<!-- (file|printed by|run): ([^\n]+?) -->")
_LOAD = re.compile(r"`(taisce-pg load (\S+) --project \S+)`")
_RULES = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


@dataclass(frozen=True)
class Block:
    """A fenced block, the text block after it, and what comments right above it say."""

    language: str
    text: str
    line: int
    output: str | None
    marks: dict[str, str]
    above: str


def blocks(page: str) -> list[Block]:
    """Find the fenced blocks of a page."""
    found = list(_FENCE.finditer(page))
    made = []
    for here, after in zip_longest(found, found[1:]):
        output = None
        if after and after[1] == "text" and not page[here.end() : after.start()].strip():
            output = after[2]
        before = page[: here.start()]
        above = before.rstrip().rpartition("\n\n")[2].rpartition("```")[2]
        marks = {mark[1]: mark[2] for mark in _MARK.finditer(above)}
        made.append(Block(here[1], here[2], before.count("\n") + 1, output, marks, above))
    return made


def fenced(page: Path, language: str) -> list[str]:
    """List the texts of a page's blocks of one language."""
    return [block.text for block in blocks(page.read_text("utf-8")) if block.language == language]


def run_python(page: Path, dsn: str) -> None:
    """Run the Python examples of a page in one namespace; each prints what the page says."""
    examples, expected = fenced(page, "python"), fenced(page, "text")
    assert len(examples) == len(expected)
    scope: dict[str, Any] = {"__name__": "page"}
    for example, text in zip(examples, expected, strict=True):
        out = io.StringIO()
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
            patch.setenv("TAISCE_DSN", dsn)
            exec(compile(example, page.name, "exec"), scope)
        assert out.getvalue() == text


def run_command(dsn: str, line: str) -> str:
    """Run a command line of a page against a database, in this process; return its stdout."""
    program, *arguments = shlex.split(line)
    assert program == "taisce-pg"
    done = CliRunner().invoke(cli, ["--dsn", dsn, *arguments])
    assert done.exit_code == 0, (line, done.output, done.exception)
    return done.stdout


class Reader:
    """Somebody who types the examples of one page into a terminal, in a folder of his own."""

    def __init__(self, page: str, folder: Path, environment: dict[str, str], psql: Path) -> None:
        self.page = page
        self.folder = folder
        programs = [str(Path(sys.executable).parent), str(psql.parent)]
        inherited = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PG", "TAISCE_"))
        }
        self.environment = {
            **inherited,
            "PATH": os.pathsep.join([*programs, os.environ.get("PATH", "")]),
            "COLUMNS": "80",
            "PSQLRC": os.devnull,
            "PAGER": "cat",
            **environment,
        }
        self.scope: dict[str, Any] = {"__name__": "page"}

    def follow(self, text: str) -> int:
        """Run every example of a page, and return how many there were."""
        found = blocks(text)
        for block in found:
            self._prepare(block)
            if "printed by" in block.marks:
                self._check(block, self.run(block.marks["printed by"]).stdout, block.text)
            elif block.language == "sql":
                self._check(block, self._sql(block.text), block.output)
            elif block.language == "python":
                self._check(block, self._python(block), block.output)
            elif block.language == "console":
                self._console(block)
        return sum(map(is_run, found))

    def _prepare(self, block: Block) -> None:
        name, command = block.marks.get("file"), block.marks.get("run")
        if block.language == "ndjson":
            told = _LOAD.search(block.above)
            assert told is not None, f"{self.page}:{block.line}: how is it loaded?"
            command, name = told[1], told[2]
        if name is not None:
            (self.folder / name).write_text(block.text, "utf-8")
        if command is not None:
            done = self.run(command)
            assert done.returncode == 0, f"{self.page}:{block.line}: {done.stdout}"

    def run(self, command: str, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
        """Run a command line by bash; stdout and stderr come together."""
        return subprocess.run(
            ["bash", "-c", command],
            cwd=self.folder,
            env=self.environment,
            input=stdin or "",
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )

    def _sql(self, text: str) -> str:
        return self.run('psql -X -q "$TAISCE_DSN"', text).stdout

    def _python(self, block: Block) -> str:
        out = io.StringIO()
        code = "\n" * block.line + block.text
        with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(out):
            for name in ("TAISCE_DSN", "TAISCE_ANALYST_DSN"):
                if name in self.environment:
                    patch.setenv(name, self.environment[name])
            patch.chdir(self.folder)
            exec(compile(code, self.page, "exec"), self.scope)
        return out.getvalue()

    def _console(self, block: Block) -> None:
        for command, expected in commands(block.text):
            done = self.run(command)
            if done.returncode and "error" not in expected:
                pytest.fail(f"{self.page}:{block.line}: {command}\n{done.stdout}", pytrace=False)
            self._check(block, done.stdout, expected or None)

    def _check(self, block: Block, got: str, want: str | None) -> None:
        if want is None and block.language == "sql":
            assert "ERROR" not in got, f"{self.page}:{block.line}: {got}"
        if want is None:
            return
        want = re.sub(r"^ *\.\.\.$", "...", want, flags=re.M)
        if not doctest.OutputChecker().check_output(want, got, _RULES):
            pytest.fail(
                f"{self.page}, example in line {block.line}\n--- the page says\n{want}"
                f"\n--- it prints\n{got}",
                pytrace=False,
            )


def is_run(block: Block) -> bool:
    """Tell whether a block is an example that runs."""
    return block.language in RUN or "printed by" in block.marks


def commands(text: str) -> Iterator[tuple[str, str]]:
    """Split a console block into commands and what each prints; a backslash joins lines."""
    for part in re.split(r"^\$ ", text, flags=re.M)[1:]:
        lines = part.splitlines(keepends=True)
        last = 0
        while lines[last].rstrip("\n").endswith("\\"):
            last += 1
        yield "".join(lines[: last + 1]).strip(), "".join(lines[last + 1 :])
