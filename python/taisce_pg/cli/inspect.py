"""Commands that look into a memory: contexts, citations, records, entities, explanations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

import click

from taisce_pg.cli import show_inspected as show
from taisce_pg.cli.operations import command, given, memory, read_text
from taisce_pg.cli.report import ERROR, console, print_json
from taisce_pg.cli.show_timeline import every_interval, show_timeline
from taisce_pg.client.models import Model

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _answer(
    ctx: click.Context,
    as_json: bool,
    answer: Model | tuple[Any, ...],
    shower: Callable[..., None],
) -> None:
    plain: Any = (
        [one.to_dict() for one in answer] if isinstance(answer, tuple) else answer.to_dict()
    )
    if as_json:
        print_json(plain)
    else:
        shower(console(ctx), plain)


@command("context")
@as_json_option
@click.option("--render", is_flag=True, help="Print the block of text for a prompt.")
@click.pass_context
def context(
    ctx: click.Context, /, data_subject_id: str, as_json: bool, render: bool, **controls: Any
) -> None:
    """Print a person's history."""
    if as_json and render:
        raise click.UsageError("--json and --render exclude each other")
    with memory(ctx) as asked:
        answer = asked.context(data_subject_id, **given(controls))
    if render:
        click.echo(answer.render())
    else:
        _answer(ctx, as_json, answer, show.show_context)


@command("segments_due")
@as_json_option
@click.pass_context
def segments_due(
    ctx: click.Context, /, data_subject_id: str, as_json: bool, **controls: Any
) -> None:
    """Print what to condense next."""
    with memory(ctx) as asked:
        rows = asked.segments_due(data_subject_id, **given(controls))
    _answer(ctx, as_json, rows, show.show_segments_due)


@command("resolve_citation")
@as_json_option
@click.pass_context
def cite(ctx: click.Context, /, fact_id: UUID, as_json: bool, **controls: Any) -> None:
    """Print a fact as it is kept."""
    with memory(ctx) as asked:
        answer = asked.resolve_citation(fact_id, **given(controls))
    _answer(ctx, as_json, answer, show.show_citation)


@command("message_window")
@as_json_option
@click.pass_context
def message(ctx: click.Context, /, passage_id: UUID, as_json: bool, **controls: Any) -> None:
    """Print a part of a message."""
    with memory(ctx) as asked:
        answer = asked.message_window(passage_id, **given(controls))
    _answer(ctx, as_json, answer, show.show_message)


@command("list_records")
@click.option("--history", type=click.UUID, help="Show every interval of this fact instead.")
@click.option("--timeline", is_flag=True, help="With --history: draw all of it on both clocks.")
@as_json_option
@click.pass_context
def records(
    ctx: click.Context, /, history: UUID | None, timeline: bool, as_json: bool, **controls: Any
) -> None:
    """Print the inventory of facts, or the history of one."""
    options = given(controls)
    if timeline:
        if history is None or options.keys() - {"project"}:
            raise click.UsageError("--timeline is of one fact and whole: give --history ID")
        with memory(ctx) as asked:
            whole = tuple(every_interval(asked, history, **options))
        _answer(ctx, as_json, whole, lambda out, rows: show_timeline(out, [rows]))
        return
    if history is None:
        with memory(ctx) as asked:
            _answer(ctx, as_json, asked.list_records(**options), show.show_records)
        return
    if "data_subject_id" in options:
        raise click.UsageError("--history is of one fact and takes no --subject")
    if "after" in options:
        options["before"] = options.pop("after")
    with memory(ctx) as asked:
        _answer(ctx, as_json, asked.record_history(history, **options), show.show_history)


@command("list_entities")
@click.argument("entity_id", type=click.UUID, required=False)
@as_json_option
@click.pass_context
def entities(ctx: click.Context, /, entity_id: UUID | None, as_json: bool, **controls: Any) -> None:
    """Print the inventory of entities, or one of them."""
    options = given(controls)
    if entity_id is None:
        with memory(ctx) as asked:
            _answer(ctx, as_json, asked.list_entities(**options), show.show_entities)
        return
    if options.keys() - {"project"}:
        raise click.UsageError("one entity has no pages")
    with memory(ctx) as asked:
        _answer(ctx, as_json, asked.get_entity(entity_id, **options), show.show_entity)


@command("freshness")
@click.option("--ready", is_flag=True, help="Only say whether it answers; exit code 1 if not.")
@as_json_option
@click.pass_context
def freshness(ctx: click.Context, /, ready: bool, as_json: bool, **controls: Any) -> None:
    """Print how far a project has come."""
    with memory(ctx) as asked:
        if ready:
            answers = asked.ready()
            print_json(answers) if as_json else click.echo("ready" if answers else "not ready")
            ctx.exit(0 if answers else ERROR)
        _answer(ctx, as_json, asked.freshness(**given(controls)), show.show_freshness)


@command("explain_recall")
@as_json_option
@click.pass_context
def explain(ctx: click.Context, /, question: str, as_json: bool, **controls: Any) -> None:
    """Print the stages of a recall."""
    with memory(ctx) as asked:
        rows = asked.explain_recall(read_text(question), **given(controls))
    _answer(ctx, as_json, rows, show.show_stages)


@command("why_not")
@as_json_option
@click.pass_context
def why_not(
    ctx: click.Context, /, fact_id: UUID, question: str, as_json: bool, **controls: Any
) -> None:
    """Print where a fact left."""
    with memory(ctx) as asked:
        answer = asked.why_not(fact_id, read_text(question), **given(controls))
    _answer(ctx, as_json, answer, show.show_absence)


@command("recall_plan")
@as_json_option
@click.pass_context
def plan(ctx: click.Context, /, question: str, as_json: bool, **controls: Any) -> None:
    """Print the plan of the walk."""
    with memory(ctx) as asked:
        lines = asked.recall_plan(read_text(question), **given(controls))
    if as_json:
        print_json(list(lines))
    else:
        click.echo("\n".join(lines) or "The question names nothing: there is nothing to walk.")
