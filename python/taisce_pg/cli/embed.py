"""`taisce-pg embed`: vectors of a project, filled, followed and retired."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click
import psycopg
from rich.progress import BarColumn, Progress, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from taisce_pg.cli.operations import memory
from taisce_pg.cli.report import PENDING, console, print_json
from taisce_pg.client.embedding import SPACES
from taisce_pg.connection import Target, open_connection, resolve_dsn
from taisce_pg.embed.choose import Choice, open_embedder
from taisce_pg.embed.port import Embedder, EmbedderFailed
from taisce_pg.problem import Problem

if TYPE_CHECKING:
    from taisce_pg.embed.fill import Filled

_Function = TypeVar("_Function", bound=Callable[..., Any])

EVERY = 5.0
WHOLE_EVERY = 60
_LONGEST_PAUSE = 60.0
PROJECT = "Project; default the setting taisce.project, else the only one."


def embedder_options(function: _Function) -> _Function:
    """Add the options that choose an embedder."""
    for option in (
        click.option("--shorten", is_flag=True, help="Ask http for just --dimensions."),
        click.option("--dimensions", type=click.IntRange(1, 16_000), help="Length of vectors."),
        click.option("--revision", help="Revision of the model of http, for its name."),
        click.option("--model", help="The model that http is asked for."),
        click.option("--url", help="Where http asks; /embeddings is put behind it."),
        click.option(
            "--embedder",
            help="local, local:minilm, local:wordllama or http; default TAISCE_EMBEDDER.",
        ),
    ):
        function = option(function)
    return function


def chosen_embedder(options: dict[str, Any]) -> Embedder | None:
    """Open the embedder of the options and the environment, None if none was chosen."""
    given = {
        "kind": options.pop("embedder"),
        **{name: options.pop(name) for name in ("url", "model", "revision", "dimensions")},
        "shorten": options.pop("shorten"),
    }
    choice = Choice.of_environment().over(given)
    if not choice.wanted and any(value for value in given.values()):
        raise Problem("no embedder chosen", "give --embedder http", 2)
    return open_embedder(choice) if choice.wanted else None


@click.group(
    invoke_without_command=True,
    epilog="\b\nExample: taisce-pg embed --embedder local --project demo",
)
@click.option("--project", help=PROJECT)
@click.option(
    "--space",
    "spaces",
    multiple=True,
    type=click.Choice(SPACES),
    help="What to embed; repeat for several; default all.",
)
@embedder_options
@click.option(
    "--activate/--no-activate",
    default=True,
    help="Search with the vectors once they are complete; the default.",
)
@click.option("--follow", is_flag=True, help="Go on with what is told later, until interrupted.")
@click.option(
    "--every",
    type=click.FloatRange(min=0.1),
    default=EVERY,
    show_default=True,
    help="With --follow: seconds between two looks.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object for each space.")
@click.pass_context
def embed(
    ctx: click.Context,
    /,
    project: str | None,
    spaces: tuple[str, ...],
    activate: bool,
    follow: bool,
    every: float,
    as_json: bool,
    **options: Any,
) -> None:
    """Embed what has no vector yet, and search with it when it is complete.

    Stopped in the middle, the next run goes on. A model's older vectors answer until the new ones
    are complete. A space that another run is filling is left to it (exit 3). Needs an
    administrator; the key of http is in TAISCE_EMBEDDER_KEY.
    """
    if ctx.invoked_subcommand is not None:
        return
    embedder = chosen_embedder(options)
    if embedder is None:
        raise Problem(
            "no embedder chosen", "give --embedder local or http, or set TAISCE_EMBEDDER", 2
        )
    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    run = _Run(ctx, target, embedder, project, spaces or SPACES, activate, as_json)
    if follow:
        run.follow(every)
    elif any(done.state == "busy" for done in run.fill()):
        ctx.exit(PENDING)


class _Run:
    """One run over the spaces, or one look after another."""

    def __init__(
        self,
        ctx: click.Context,
        target: Target,
        embedder: Embedder,
        project: str | None,
        spaces: tuple[str, ...],
        activate: bool,
        as_json: bool,
    ) -> None:
        self._ctx = ctx
        self._target = target
        self._embedder = embedder
        self._project = project
        self._spaces = spaces
        self._activate = activate
        self._as_json = as_json
        self._talk = console(ctx, talk=True, markup=False)

    def fill(self) -> list[Filled]:
        """Fill every space once."""
        from taisce_pg.embed.fill import Filler

        done = []
        with open_connection(self._target) as conn, self._bar() as told:
            filler = Filler(conn, self._embedder, self._project, told)
            try:
                for space in self._spaces:
                    done.append(filler.fill(space, self._activate))
                    self._show(done[-1])
                if advice := getattr(self._embedder, "advice", ""):
                    self._talk.print(advice, soft_wrap=True)
            except EmbedderFailed as exc:
                raise Problem(str(exc), "what was stored stays: run it again") from None
        return done

    def follow(self, every: float) -> None:
        """Look for new texts until interrupted; what fails is tried again, ever more slowly."""
        look = failed = 0
        while True:
            try:
                self._look(look)
                look, failed = look + 1, 0
                time.sleep(every)
            except (EmbedderFailed, Problem, psycopg.OperationalError) as exc:
                if isinstance(exc, Problem) and (look == 0 or not _of_connection(exc)):
                    raise
                failed += 1
                pause = min(_LONGEST_PAUSE, every * 2.0 ** min(failed, 10))
                lost = isinstance(exc, psycopg.OperationalError)
                what = "the connection was lost" if lost else str(exc)
                self._talk.print(f"{what}; again in {pause:.0f} s")
                time.sleep(pause)

    def _look(self, look: int) -> None:
        from taisce_pg.embed.fill import Filler

        with open_connection(self._target) as conn, self._bar() as told:
            filler = Filler(conn, self._embedder, self._project, told)
            for space in self._spaces:
                done = filler.follow(space, self._activate, look % WHOLE_EVERY == 0)
                if done.embedded or look == 0:
                    self._show(done)

    def _show(self, done: Filled) -> None:
        if self._as_json:
            print_json(done.to_dict())
            return
        if done.state == "busy":
            text = "another run is filling it"
        else:
            text = f"{done.embedded:,} embedded, {done.vectors:,} vectors, {done.state}"
        console(self._ctx, markup=False).print(f"{done.space}: {text} ({done.embedding_model})")

    @contextmanager
    def _bar(self) -> Iterator[Callable[[str, int, float | None], None]]:
        if not self._talk.is_terminal:
            yield lambda *_: None
            return
        columns = (
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[done]}"),
            TimeElapsedColumn(),
        )
        with Progress(*columns, console=self._talk, transient=True) as progress:
            tasks: dict[str, TaskID] = {}

            def told(space: str, count: int, share: float | None) -> None:
                if space not in tasks:
                    tasks[space] = progress.add_task(space, total=None, done="")
                total = None if share is None else 1.0
                progress.update(
                    tasks[space], total=total, completed=share or 0, done=f"{count:,} texts"
                )

            yield told


def _of_connection(problem: Problem) -> bool:
    return isinstance(problem.__cause__, psycopg.OperationalError)


@embed.command(epilog="\b\nExample: taisce-pg embed status --project demo")
@click.option("--project", help=PROJECT)
@click.option("--space", type=click.Choice(SPACES), help="Only this space.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON list.")
@click.pass_context
def status(ctx: click.Context, project: str | None, space: str | None, as_json: bool) -> None:
    """List the generations of vectors, newest first."""
    with memory(ctx) as asked:
        found = asked.generations(space=space, project=project)
    if as_json:
        print_json([one.to_dict() for one in found])
        return
    table = Table(box=None, header_style="bold")
    for name in ("number", "space", "model", "dimensions", "state", "vectors", "covered"):
        right = name in ("number", "dimensions", "vectors", "covered")
        table.add_column(name, justify="right" if right else "left", overflow="fold")
    for one in found:
        table.add_row(
            str(one.generation_id),
            one.space,
            one.embedding_model,
            str(one.dimensions),
            one.state,
            f"{one.vectors:,}",
            f"{one.covered_through_offset:,}",
        )
    console(ctx, markup=False).print(table if found else "no vectors")


@embed.command(epilog="\b\nExample: taisce-pg embed retire 1 --project demo")
@click.argument("generation", type=int)
@click.option("--project", help=PROJECT)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def retire(ctx: click.Context, generation: int, project: str | None, as_json: bool) -> None:
    """Delete the vectors of a generation, by its number, and search with it no more."""
    with memory(ctx) as asked:
        gone = asked.retire_generation(generation, project=project)
    if as_json:
        print_json(gone.to_dict())
        return
    console(ctx, markup=False).print(
        f"retired {gone.generation_id}: {gone.space}, {gone.embedding_model}"
    )
