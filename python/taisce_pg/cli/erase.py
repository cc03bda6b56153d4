"""`taisce-pg erase`, `release`, `expire` and `maintain`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import click
from rich.table import Table

from taisce_pg.cli.operations import command, given
from taisce_pg.cli.operations import memory as open_memory
from taisce_pg.cli.report import console, print_json
from taisce_pg.client.erasures import ErasedRows, MaintainedTask
from taisce_pg.client.memory import Memory

_BATCH = 1000
_VERSIONS = 100_000
_SECONDS = 3600.0
"""How long an erasure may take: it is one transaction, however much there is."""
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_YES = click.option("--yes", is_flag=True, help="Do not ask.")
_PROJECT = click.option(
    "--project", help="Project; default the setting taisce.project, else the only one granted."
)
_DRY_RUN = click.option("--dry-run", is_flag=True, help="Count what would go, and change nothing.")

Counts = tuple[ErasedRows, ...]


@click.command(
    epilog="\b\nExample: taisce-pg erase --subject ann --project demo\n"
    "         taisce-pg erase 5f1b6c6e-6c53-8f6e-8d5e-0d2f8a8f4f10 --dry-run"
)
@click.argument("ids", nargs=-1, type=click.UUID)
@click.option("--subject", help="Everything about this person, in place of IDS.")
@_DRY_RUN
@_YES
@_JSON
@_PROJECT
@click.pass_context
def erase(
    ctx: click.Context,
    ids: tuple[UUID, ...],
    subject: str | None,
    dry_run: bool,
    yes: bool,
    as_json: bool,
    project: str | None,
) -> None:
    """Erase observations and all that rests on them alone: it cannot be undone.

    IDS: ids of observations. Facts with other evidence stay, and what an erased fact had ended
    holds again. Dead rows until the next vacuum, the write-ahead log and backups are out of reach.
    """
    if bool(ids) == (subject is not None):
        raise click.UsageError("give ids of observations or --subject, one of the two")
    with _memory(ctx) as opened:

        def run(dry: bool) -> Counts:
            if subject is not None:
                return opened.erase_subject(subject, dry_run=dry, project=project)
            return opened.erase_observations(ids, dry_run=dry, project=project)

        _confirmed(ctx, run, dry_run, yes, as_json)


@command("release_content")
@_YES
@_JSON
@click.pass_context
def release(ctx: click.Context, /, yes: bool, as_json: bool, **more: Any) -> None:
    """Drop the text of an observation."""
    dry_run = more.pop("dry_run")
    with _memory(ctx) as opened:

        def run(dry: bool) -> Counts:
            return opened.release_content(**given(more), dry_run=dry)

        _confirmed(ctx, run, dry_run, yes, as_json)


@command("expire")
@_YES
@_JSON
@click.pass_context
def expire(ctx: click.Context, /, yes: bool, as_json: bool, **more: Any) -> None:
    """Erase what may be kept no longer."""
    dry_run = more.pop("dry_run")
    with _memory(ctx) as opened:

        def run(dry: bool) -> Counts:
            if dry:
                return opened.expire(**given(more), max_observations=100_000, dry_run=True)
            total: dict[str, int] = {}
            while True:
                rows = opened.expire(**given(more), max_observations=_BATCH)
                for row in rows:
                    total[row.table] = total.get(row.table, 0) + row.rows
                if _of(rows, "observation") < _BATCH:
                    return tuple(ErasedRows(table=name, rows=n) for name, n in total.items())

        _confirmed(ctx, run, dry_run, yes, as_json)


@command("maintain")
@_JSON
@click.pass_context
def maintain(ctx: click.Context, /, as_json: bool, **more: Any) -> None:
    """Keep reads fast and the memory small."""
    total: dict[str, int] = {}
    with _memory(ctx) as opened:
        while True:
            tasks = opened.maintain(**given(more), max_versions=_VERSIONS)
            for task in tasks:
                before = total.get(task.task, 0) if task.task != "blocks made" else 0
                total[task.task] = before + task.rows
            if total and tasks[0].rows < _VERSIONS:
                break
    done = [MaintainedTask(task=name, rows=rows) for name, rows in total.items()]
    if as_json:
        print_json([one.to_dict() for one in done])
        return
    _print(ctx, ((one.task, one.rows) for one in done))


@contextmanager
def _memory(ctx: click.Context) -> Iterator[Memory]:
    with open_memory(ctx) as opened:
        opened.deadline = _SECONDS
        yield opened


def _confirmed(
    ctx: click.Context, run: Callable[[bool], Counts], dry_run: bool, yes: bool, as_json: bool
) -> None:
    """Show what would go and ask, unless told not to; then do it and say what went."""
    talk = console(ctx, talk=True)
    if not dry_run and not yes:
        planned = run(True)
        if not _any(planned):
            talk.print("nothing to erase")
        else:
            _print(ctx, ((row.table, row.rows) for row in planned if row.rows), talk=True)
            click.confirm("Erase these rows for good?", abort=True, err=True)
    counts = run(dry_run)
    if as_json:
        print_json([row.to_dict() for row in counts])
        return
    if not _any(counts):
        if dry_run or yes:
            talk.print("nothing to erase")
        return
    talk.print("would erase" if dry_run else "erased")
    _print(ctx, ((row.table, row.rows) for row in counts if row.rows))


def _print(ctx: click.Context, rows: Iterable[tuple[str, int]], talk: bool = False) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    for name, number in rows:
        table.add_row(name.replace("_", " "), f"{number:,}")
    console(ctx, talk=talk).print(table)


def _any(rows: Counts) -> bool:
    return any(row.rows for row in rows)


def _of(rows: Counts, table: str) -> int:
    return sum(row.rows for row in rows if row.table == table)
