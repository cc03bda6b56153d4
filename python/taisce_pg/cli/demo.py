"""`taisce-pg demo`: a real memory, six questions, a correction, and what to type next."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.rule import Rule
from rich.text import Text

from taisce_pg.cli.report import console, print_json
from taisce_pg.cli.show import counted, day, show_bundle

if TYPE_CHECKING:
    import psycopg

    from taisce_pg.client.memory import Memory
    from taisce_pg.client.models import Bundle
    from taisce_pg.connection import Target
    from taisce_pg.demo.questions import Question
    from taisce_pg.embed.port import Embedder


@click.command()
@click.option("--project", default="demo", show_default=True, help="Project to keep the demo in.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print each answer as one JSON object a line."
)
@click.option(
    "--write-load",
    type=click.Path(dir_okay=False, allow_dash=True),
    metavar="FILE",
    help='Only write the demo memory as a load file ("-" for standard output).',
)
@click.option("--embedder", help="Embed the messages, too, and ask by meaning; for example local.")
@click.pass_context
def demo(
    ctx: click.Context,
    /,
    project: str,
    as_json: bool,
    write_load: str | None,
    embedder: str | None,
) -> None:
    """Show a memory at work: the United States Congress, 617 people since 1789.

    Without a database it starts the embedded server, and stops it at the end; the data stays,
    so that a second run takes seconds. What the correction at the end writes is invented, and
    erased again.

    Example: taisce-pg demo
    """
    if write_load is not None:
        _write_load(write_load)
        return
    from taisce_pg.client.memory import Memory
    from taisce_pg.connection import open_connection, resolve_dsn
    from taisce_pg.demo.run import ask, open_to_analysts
    from taisce_pg.embed.choose import open_embedder

    model = open_embedder(embedder) if embedder else None
    talk = console(ctx, talk=True)
    with _busy(talk, "Finding a server"):
        target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
        conn = open_connection(target)
    talk.print(f"Database: {target}", markup=False, soft_wrap=True)
    with conn:
        _install(talk, conn)
        with Memory(target.dsn, embedder="none").open() as memory:
            _load(talk, conn, memory, project)
            open_to_analysts(conn, project)
            out = console(ctx)
            for number, (question, answers) in enumerate(ask(memory, project), 1):
                if as_json:
                    print_json(_as_json(question, answers))
                else:
                    _show(out, number, question, answers)
            _show_operations(out, memory, project, as_json)
            if model is not None:
                _ask_by_meaning(ctx, memory, conn, project, model, as_json)
            _correct(out, memory, conn, project, as_json)
    _say_next(talk, project, target)


def _write_load(path: str) -> None:
    from taisce_pg.demo.build import build_lines

    with click.open_file(path, "w", encoding="utf-8", atomic=path != "-") as file:
        for line in build_lines():
            file.write(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")


def _install(talk: Console, conn: psycopg.Connection[Any]) -> None:
    from taisce_pg.install.run import install

    with _busy(talk, "Installing schemas taisce and memory_v1"):
        report = install(conn)
    done = f"{counted(len(report.applied), 'files')} applied" if report.applied else "up to date"
    talk.print(f"Schemas taisce and memory_v1: {done}", highlight=False)


def _load(talk: Console, conn: psycopg.Connection[Any], memory: Memory, project: str) -> None:
    from taisce_pg.demo import run
    from taisce_pg.demo.build import build_lines

    edition = run.loaded_edition(memory, project)
    if edition is None:
        with _busy(talk, "Reading the records"):
            lines = list(build_lines())
        with _bar(talk) as progress:
            task = progress.add_task("Loading the demo memory", total=len(lines))
            run.load_demo(conn, project, lines, lambda done: progress.update(task, completed=done))
        talk.print(f"Project {project}: {len(lines):,} lines loaded", markup=False)
        return
    talk.print(f"Project {project}: loaded before", markup=False)
    if not run.is_current(edition):
        talk.print(
            "It is another edition than this package's; --project NAME loads the new one beside it",
            style="yellow",
        )


@contextmanager
def _busy(talk: Console, text: str) -> Iterator[None]:
    """Turn a wheel on a terminal; print nothing elsewhere."""
    if talk.is_terminal:
        with talk.status(text):
            yield
    else:
        yield


def _bar(talk: Console) -> Progress:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    return Progress(*columns, console=talk, transient=True, disable=not talk.is_terminal)


def _show(out: Console, number: int, question: Question, answers: list[Bundle]) -> None:
    out.print()
    out.print(Rule(Text(f"{number}. {question.text}", style="bold"), align="left"))
    out.print(Text(question.shows, style="dim"))
    for answer in answers:
        bundle = answer.to_dict()
        if len(answers) > 1:
            when = bundle["scope"].get("as_of")
            out.print()
            out.print(Text(f"As of {day(when)}" if when else "Today", style="bold underline"))
        show_bundle(out, bundle, max_facts=question.show, max_passages=2)


def _show_operations(out: Console, memory: Memory, project: str, as_json: bool) -> None:
    from taisce_pg.cli.show_assured import show_both, show_envelope
    from taisce_pg.client.assuredmodels import ContextBundle
    from taisce_pg.demo.assured import CALLS, call

    for shown in CALLS:
        answer = call(memory, project, shown)
        if as_json:
            head = {"operation": shown.operation, "shows": shown.shows}
            print_json({**head, "answer": answer.to_dict()})
            continue
        out.print()
        title = f"{shown.operation}: {shown.subject}"
        out.print(Rule(Text(title, style="bold"), align="left"))
        out.print(Text(shown.shows, style="dim"))
        both = isinstance(answer, ContextBundle)
        (show_both if both else show_envelope)(out, answer.to_dict())


def _ask_by_meaning(
    ctx: click.Context,
    memory: Memory,
    conn: psycopg.Connection[Any],
    project: str,
    model: Embedder,
    as_json: bool,
) -> None:
    from taisce_pg.cli.passages import show_passages
    from taisce_pg.demo import meaning

    talk, out = console(ctx, talk=True), console(ctx)
    with _bar(talk) as progress:
        task = progress.add_task("Embedding the messages", total=1.0)
        vectors = meaning.embed(
            conn, project, model, lambda _, __, share: progress.update(task, completed=share or 0)
        )
    talk.print(f"Project {project}: {vectors:,} messages embedded", markup=False)
    found = dict(zip(("words", "vectors"), meaning.ask(memory, project, model), strict=True))
    if as_json:
        answers = {way: [one.to_dict() for one in rows] for way, rows in found.items()}
        print_json({"question": meaning.QUESTION, "shows": meaning.SHOWS, **answers})
        return
    out.print()
    out.print(Rule(Text(f"passages: {meaning.QUESTION}", style="bold"), align="left"))
    out.print(Text(meaning.SHOWS, style="dim"))
    for way, rows in found.items():
        out.print(Text(f"By {way}", style="bold underline"))
        show_passages(out, rows)


def _correct(
    out: Console, memory: Memory, conn: psycopg.Connection[Any], project: str, as_json: bool
) -> None:
    from taisce_pg.cli.show_correction import show_step, step_json
    from taisce_pg.demo.correction import correct

    for number, step in enumerate(correct(memory, conn, project), 1):
        if as_json:
            print_json(step_json(step))
        else:
            show_step(out, number, step)


def _as_json(question: Question, answers: list[Bundle]) -> dict[str, Any]:
    return {
        "question": question.text,
        "shows": question.shows,
        "answers": [answer.to_dict() for answer in answers],
    }


def _say_next(talk: Console, project: str, target: Target) -> None:
    name = f" --project {project}"
    # What was given may hold a password and is not repeated.
    program = _program() + (" --dsn DSN" if target.kind == "option" else "")
    lines = [
        f'{program} recall "What does Senator Scott do?"{name}',
        f'{program} recall "Who represents CA-11?" --as-of 2020-01-01T00:00:00Z{name}',
        f'{program} recall "President Roosevelt" --as-of 1905-06-01T00:00:00Z --json{name}',
        f"{program} demo --write-load demo.ndjson     # the memory as a file to read",
    ]
    if target.server is not None:
        lines += [
            f"{program} server start                      # keep the server running, then:",
            f'{_psql()} "$({program} server uri)"',
        ]
    talk.print()
    talk.print("The data stays; a second run takes seconds.")
    meant = ", DSN being the one you gave" if target.kind == "option" else ""
    talk.print(Text(f"Ask on{meant}:", style="bold"))
    for line in lines:
        talk.print(Text(f"  {line}"), soft_wrap=True)


def _program() -> str:
    """Return what to type for this program: its path if the shell would not find it."""
    given = sys.argv[0]
    if shutil.which("taisce-pg") or Path(given).name != "taisce-pg":
        return "taisce-pg"
    return os.path.relpath(given)


def _psql() -> str:
    """Return what to type for psql: the one that came with the server if there is no other."""
    from taisce_pg.embedded import find_binaries

    return "psql" if shutil.which("psql") else os.path.relpath(find_binaries().path("psql"))
