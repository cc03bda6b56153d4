"""`taisce-pg load` and `taisce-pg export`: memories from and to files."""

from __future__ import annotations

import gzip
import io
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click
from rich.padding import Padding
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from taisce_pg.cli.report import console, print_json
from taisce_pg.cli.show import counted, safe
from taisce_pg.problem import Problem

if TYPE_CHECKING:
    from rich.console import Console

    from taisce_pg.load.apply import LoadReport

_GZIP = b"\x1f\x8b"


@click.command(epilog="\b\nExample: taisce-pg load --project demo memories.ndjson")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--project", required=True, help="Project to load into; made if it is missing.")
@click.option(
    "--batch",
    type=click.IntRange(min=1),
    metavar="N",
    help="Lines in one transaction; default a whole file.",
)
@click.option("--no-create", is_flag=True, help="Refuse a project that does not exist.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each file.")
@click.pass_context
def load(
    ctx: click.Context,
    files: tuple[str, ...],
    project: str,
    batch: int | None,
    no_create: bool,
    as_json: bool,
) -> None:
    """Load files of the load format (NDJSON, also gzip; "-" is standard input).

    Each file is one transaction: an error names file, line and field, and nothing of the
    transaction stays. Loading a file twice changes nothing.
    """
    from taisce_pg.connection import open_connection, resolve_dsn
    from taisce_pg.load.apply import load_lines

    if files.count("-") > 1:
        raise click.UsageError("standard input can be read once")
    for name in files:
        if name != "-" and (not Path(name).exists() or Path(name).is_dir()):
            why = "is a directory" if Path(name).is_dir() else "no such file"
            raise Problem(f"{name}: {why}", "give a file, or - for standard input", 2)
    reports = []
    with open_connection(resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))) as conn:
        for name in files:
            with _bar(ctx) as progress, _opened(name) as source:
                lines = _read(source, name, progress.size(name))
                report = load_lines(
                    conn,
                    project,
                    lines,
                    name,
                    batch=batch,
                    create_project=not no_create,
                    on_progress=progress.lines,
                )
            reports.append(report)
            if as_json:
                print_json(report.to_dict())
    if not as_json:
        _show(console(ctx, markup=False), reports)


@click.command(epilog="\b\nExample: taisce-pg export --project demo demo.ndjson.gz")
@click.argument("file", default="-")
@click.option("--project", required=True, help="Project to write out.")
@click.pass_context
def export(ctx: click.Context, file: str, project: str) -> None:
    """Write a whole project to FILE in the load format ("-", the default: standard output).

    A name that ends in .gz is compressed. Loading the file into an empty project gives equal
    answers to every read. Needs admin access; keep the file as safe as the memory.
    """
    from taisce_pg.connection import open_connection, resolve_dsn
    from taisce_pg.load.export import export_lines

    with open_connection(resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))) as conn:
        with _bar(ctx) as progress, _created(file) as target:
            count = 0
            for line in export_lines(conn, project, on_progress=progress.part):
                target.write(line.encode() + b"\n")
                count += 1
        console(ctx, talk=True).print(counted(count, "lines"), highlight=False)


class _Bar:
    """A progress bar on stderr, or nothing where stderr is no terminal."""

    def __init__(self, progress: Progress | None) -> None:
        self._progress = progress
        self._task = progress.add_task("", total=None, done="") if progress else None

    def size(self, name: str) -> Callable[[int], None]:
        """Take the size of the file to read; return what is told of bytes read so far."""
        total = None if name == "-" else os.path.getsize(name)
        self._show(description="stdin" if name == "-" else Path(name).name, total=total)
        return lambda read: self._show(completed=read)

    def lines(self, count: int) -> None:
        """Tell how many lines have been applied."""
        self._show(done=f"{count:,} lines")

    def part(self, part: str, count: int) -> None:
        """Tell which part is being written, and how many lines there are so far."""
        self._show(description=part, done=f"{count:,} lines")

    def _show(self, **values: Any) -> None:
        if self._progress is not None and self._task is not None:
            self._progress.update(self._task, **values)


@contextmanager
def _bar(ctx: click.Context) -> Iterator[_Bar]:
    talk = console(ctx, talk=True)
    if not talk.is_terminal:
        yield _Bar(None)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TextColumn("{task.fields[done]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=talk, transient=True) as progress:
        yield _Bar(progress)


@contextmanager
def _opened(name: str) -> Iterator[IO[bytes]]:
    if name == "-":
        if sys.stdin is None:
            raise Problem("standard input is closed", "give a file, or a pipe", 2)
        yield sys.stdin.buffer
        return
    with open(name, "rb") as source:
        yield source


def _read(source: IO[bytes], name: str, on_bytes: Callable[[int], None]) -> Iterator[bytes]:
    """Yield the lines of a plain or gzip stream, none longer than is allowed by much."""
    from taisce_pg.load.parts import MAX_LINE_BYTES

    buffered = source if hasattr(source, "peek") else io.BufferedReader(source)  # type: ignore[type-var]
    packed = buffered.peek(2)[:2] == _GZIP
    lines: IO[bytes] = gzip.GzipFile(fileobj=buffered) if packed else buffered  # type: ignore[assignment]
    count = read = 0
    try:
        while line := lines.readline(MAX_LINE_BYTES + 1):
            yield line
            count += 1
            read += len(line)
            if count % 1000 == 0:
                on_bytes(source.tell() if packed and source.seekable() else read)
    except EOFError as exc:
        what = f"{name}: ends before its gzip data is complete"
        raise Problem(what, "fetch or pack it again") from exc
    except (gzip.BadGzipFile, zlib.error) as exc:
        what = f"{name}: is damaged, its gzip data cannot be unpacked"
        raise Problem(what, "fetch or pack it again") from exc


@contextmanager
def _created(name: str) -> Iterator[IO[bytes]]:
    """Open the file to write; a failed export leaves no half of a file behind."""
    if name == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if Path(name).is_dir():
        raise Problem(f"{name}: is a directory", "give the name of a file in it", 2)
    if Path(name).exists() and not Path(name).is_file():  # a device or a pipe stays one
        with open(name, "wb") as stream:
            yield stream
        return
    target = Path(os.path.realpath(name))
    if not target.parent.is_dir():
        raise Problem(f"{name}: its folder does not exist", "make the folder first", 2)
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as plain:
            if Path(name).suffix == ".gz":
                with gzip.GzipFile(target.stem, "wb", 6, plain, 0) as packed:
                    yield packed  # type: ignore[misc]
            else:
                yield plain
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)


def _show(out: Console, reports: list[LoadReport]) -> None:
    """Print a line for each file, and below it what was new."""
    for report in reports:
        name = "standard input" if report.file == "-" else Path(report.file).name
        out.print(
            f"{safe(name)}: {counted(report.lines, 'lines')} in {report.seconds:.1f} s",
            soft_wrap=True,
        )
        new = [counted(n, kind) for kind, n in report.counts.items() if n and kind != "repeated"]
        old = report.counts.get("repeated", 0)
        if old:
            new.append(f"{old:,} known before")
        out.print(Padding(Text(", ".join(new) or "nothing new"), (0, 0, 0, 2)))
