"""Commands of the assured operations: resolve, testimony, facts, answer, graph."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, TypeVar
from uuid import UUID

import click

from taisce_pg.cli import show_assured as show
from taisce_pg.cli.operations import InstantType, command, given, memory, read_text
from taisce_pg.cli.report import console, print_json
from taisce_pg.client.scopes import At, Current, History, Overlap, TimeScope

_Function = TypeVar("_Function", bound=Callable[..., Any])

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
render_option = click.option("--render", is_flag=True, help="Print the block of text for a prompt.")


def time_options(function: _Function) -> _Function:
    """Add the options that choose the time asked for."""
    for option in (
        click.option("--history", is_flag=True, help="What held at any time."),
        click.option("--until", type=InstantType(), help="End of --since, included."),
        click.option(
            "--since", type=InstantType(), help="What held at any time from then --until."
        ),
        click.option("--at", "at", type=InstantType(), help="What held at this instant."),
        click.option("--believed-at", type=InstantType(), help="By the knowledge of this instant."),
    ):
        function = option(function)
    return function


def time_scope(
    at: datetime | None,
    since: datetime | None,
    until: datetime | None,
    history: bool,
    believed_at: datetime | None,
) -> TimeScope | None:
    """Make the time scope of the options; at most one kind may be asked for."""
    if (since is None) != (until is None):
        raise click.UsageError("--since and --until belong together")
    if sum((at is not None, since is not None, history)) > 1:
        raise click.UsageError("--at, --since and --history exclude each other")
    if at is not None:
        return At(at, believed_at)
    if since is not None and until is not None:
        return Overlap(since, until, believed_at)
    if history:
        return History(believed_at)
    return Current(believed_at) if believed_at is not None else None


def _print(ctx: click.Context, answer: Any, as_json: bool, render: bool, shower: Any) -> None:
    if as_json and render:
        raise click.UsageError("--json and --render exclude each other")
    if as_json:
        print_json(answer.to_dict())
    elif render:
        click.echo(answer.render())
    else:
        shower(console(ctx), answer.to_dict())


@command("resolve_entity")
@as_json_option
@click.pass_context
def resolve(ctx: click.Context, /, name: str, as_json: bool, **controls: Any) -> None:
    """Print the entities that a name leads to."""
    with memory(ctx) as asked:
        answer = asked.resolve_entity(name, **given(controls))
    _print(ctx, answer, as_json, False, show.show_envelope)


@command("testimony_context")
@as_json_option
@render_option
@click.pass_context
def testimony(
    ctx: click.Context, /, query: str, as_json: bool, render: bool, **controls: Any
) -> None:
    """Print what was said."""
    with memory(ctx) as asked:
        answer = asked.testimony_context(read_text(query), **given(controls))
    _print(ctx, answer, as_json, render, show.show_envelope)


@command("fact_context")
@time_options
@as_json_option
@render_option
@click.pass_context
def facts(
    ctx: click.Context,
    /,
    query: str,
    as_json: bool,
    render: bool,
    at: datetime | None,
    since: datetime | None,
    until: datetime | None,
    history: bool,
    believed_at: datetime | None,
    **controls: Any,
) -> None:
    """Print what is held true."""
    scope = time_scope(at, since, until, history, believed_at)
    with memory(ctx) as asked:
        answer = asked.fact_context(read_text(query), time_scope=scope, **given(controls))
    _print(ctx, answer, as_json, render, show.show_envelope)


@command("answer_context")
@time_options
@as_json_option
@render_option
@click.pass_context
def answer(
    ctx: click.Context,
    /,
    query: str,
    as_json: bool,
    render: bool,
    at: datetime | None,
    since: datetime | None,
    until: datetime | None,
    history: bool,
    believed_at: datetime | None,
    **controls: Any,
) -> None:
    """Print what was said and what is held true."""
    scope = time_scope(at, since, until, history, believed_at)
    with memory(ctx) as asked:
        both = asked.answer_context(read_text(query), time_scope=scope, **given(controls))
    _print(ctx, both, as_json, render, show.show_both)


@command("graph_neighborhood")
@click.option("--to", "to_id", type=click.UUID, help="Show routes to this entity instead.")
@click.option("--max-paths", type=click.INT, help="With --to: most routes, 1 to 10; default 3.")
@as_json_option
@click.pass_context
def graph(
    ctx: click.Context,
    /,
    entity_id: UUID,
    to_id: UUID | None,
    max_paths: int | None,
    as_json: bool,
    **controls: Any,
) -> None:
    """Print relations around an entity, or routes between two."""
    if max_paths is not None and to_id is None:
        raise click.UsageError("--max-paths needs --to")
    options = given(controls)
    with memory(ctx) as asked:
        if to_id is None:
            found: tuple[Any, ...] = asked.graph_neighborhood(entity_id, **options)
            shower = show.show_edges
        else:
            found = asked.graph_path(entity_id, to_id, max_paths=max_paths, **options)
            shower = show.show_routes
    rows = [one.to_dict() for one in found]
    if as_json:
        print_json(rows)
    else:
        shower(console(ctx), rows)
