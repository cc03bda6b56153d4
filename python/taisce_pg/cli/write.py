"""Commands that write to a memory: what was said, what is believed, what is condensed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

import click
from rich.table import Table

from taisce_pg.cli.operations import JsonType, command, given, memory, read_text
from taisce_pg.cli.report import console, print_json
from taisce_pg.cli.show import FAINT, safe
from taisce_pg.client.models import Model, Role

as_json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
_ROLES: Sequence[Role] = ("user", "assistant", "system", "tool", "document")


def _done(ctx: click.Context, as_json: bool, result: Model) -> None:
    """Print what a write came to: one line a field, those without a value left out."""
    plain = result.to_dict()
    if as_json:
        print_json(plain)
        return
    table = Table.grid(padding=(0, 2))
    table.add_column(style=FAINT)
    table.add_column(overflow="fold")
    for name, value in plain.items():
        if value is not None:
            shown = ("no", "yes")[value] if isinstance(value, bool) else value
            table.add_row(name.replace("_", " "), safe(shown))
    console(ctx).print(table)


@command("observe")
@click.option("--role", type=click.Choice(_ROLES), help="Who says it; default user.")
@click.option(
    "--as-messages",
    is_flag=True,
    help="MESSAGES is a JSON list of messages, each with role, content and occurred_at.",
)
@as_json_option
@click.pass_context
def observe(
    ctx: click.Context,
    /,
    messages: str,
    role: Role | None,
    as_messages: bool,
    as_json: bool,
    **more: Any,
) -> None:
    """Append what was said."""
    if as_messages and role:
        raise click.UsageError("--as-messages and --role exclude each other: messages have roles")
    said = read_text(messages)
    if as_messages:
        items = JsonType().convert(said, None, ctx)
    else:
        usual = "document" if more.get("kind") in ("document", "curated") else "user"
        items = [{"role": role or usual, "content": said}]
    with memory(ctx) as written:
        _done(ctx, as_json, written.observe(items, **given(more)))


@command("assert_fact")
@as_json_option
@click.pass_context
def assert_fact(ctx: click.Context, /, subject: Any, as_json: bool, **more: Any) -> None:
    """Believe a fact."""
    with memory(ctx) as written:
        asserted = written.assert_fact(subject, **given(more))
    _done(ctx, as_json, asserted)
    if asserted.known_from is None:
        click.echo("not believed: it was retracted, and this evidence was given before", err=True)


@command("correct_fact")
@as_json_option
@click.pass_context
def correct(ctx: click.Context, /, fact_id: UUID, subject: Any, as_json: bool, **more: Any) -> None:
    """Put another fact in the place of one."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.correct_fact(fact_id, subject, **given(more)))


@command("retract_fact")
@as_json_option
@click.pass_context
def retract(ctx: click.Context, /, fact_id: UUID, as_json: bool, **more: Any) -> None:
    """End the belief in a fact."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.retract_fact(fact_id, **given(more)))


@command("mark_contradiction")
@as_json_option
@click.pass_context
def contradict(ctx: click.Context, /, fact_ids: Sequence[UUID], as_json: bool, **more: Any) -> None:
    """Mark a contradiction."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.mark_contradiction(fact_ids, **given(more)))


@command("withdraw_support")
@as_json_option
@click.pass_context
def withdraw(ctx: click.Context, /, fact_id: UUID, as_json: bool, **more: Any) -> None:
    """Withdraw the support of a fact."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.withdraw_support(fact_id, **given(more)))


@command("mark_formed")
@as_json_option
@click.pass_context
def formed(ctx: click.Context, /, observation_id: UUID, as_json: bool, **more: Any) -> None:
    """Mark an observation as formed."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.mark_formed(observation_id, **given(more)))


@command("park")
@as_json_option
@click.pass_context
def park(
    ctx: click.Context, /, observation_id: UUID, reason: str, as_json: bool, **more: Any
) -> None:
    """Put an observation aside."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.park(observation_id, reason, **given(more)))


@click.group(epilog='\b\nExample: taisce-pg register segment ann 1 1 1 "Ann moved." --project demo')
def register() -> None:
    """Keep what somebody condensed: segments, communities, reports."""


@command("register_segment")
@as_json_option
@click.pass_context
def _segment(ctx: click.Context, /, as_json: bool, **values: Any) -> None:
    """Keep a segment."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.register_segment(**given(values)))


@command("register_community")
@as_json_option
@click.pass_context
def _community(ctx: click.Context, /, as_json: bool, **values: Any) -> None:
    """Keep a community."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.register_community(**given(values)))


@command("register_report")
@as_json_option
@click.pass_context
def _report(ctx: click.Context, /, as_json: bool, **values: Any) -> None:
    """Keep a report."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.register_report(**given(values)))


@click.group(epilog="\b\nExample: taisce-pg rebuild begin 1 1 --project demo")
def rebuild() -> None:
    """Tell readers which offsets are being formed again."""


@command("begin_rebuild")
@as_json_option
@click.pass_context
def _begin(ctx: click.Context, /, as_json: bool, **values: Any) -> None:
    """Begin a rebuild."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.begin_rebuild(**given(values)))


@command("advance_rebuild")
@as_json_option
@click.pass_context
def _advance(ctx: click.Context, /, at_offset: int, as_json: bool, **values: Any) -> None:
    """Advance a rebuild."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.advance_rebuild(at_offset, **given(values)))


@command("end_rebuild")
@as_json_option
@click.pass_context
def _end(ctx: click.Context, /, as_json: bool, **values: Any) -> None:
    """End a rebuild."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.end_rebuild(**given(values)))


for _command in (_segment, _community, _report):
    register.add_command(_command)
for _command in (_begin, _advance, _end):
    rebuild.add_command(_command)


@command("add_alias")
@as_json_option
@click.pass_context
def alias(ctx: click.Context, /, entity_id: UUID, alias: str, as_json: bool, **more: Any) -> None:
    """Declare a name."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.add_alias(entity_id, alias, **given(more)))


@command("merge_entities")
@as_json_option
@click.pass_context
def merge(ctx: click.Context, /, absorbed: Any, survivor: Any, as_json: bool, **more: Any) -> None:
    """Make one entity of two."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.merge_entities(absorbed, survivor, **given(more)))


@command("unmerge")
@as_json_option
@click.pass_context
def unmerge(ctx: click.Context, /, merge_id: UUID, as_json: bool, **more: Any) -> None:
    """Take a merge back."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.unmerge(merge_id, **given(more)))


@command("report_feedback")
@as_json_option
@click.pass_context
def feedback(ctx: click.Context, /, as_json: bool, **values: Any) -> None:
    """Keep feedback."""
    with memory(ctx) as written:
        _done(ctx, as_json, written.report_feedback(**given(values)))
