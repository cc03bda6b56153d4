"""`taisce-pg recall`: ask a question."""

from __future__ import annotations

from typing import Any

import click

from taisce_pg.cli.operations import command, given, memory, read_text
from taisce_pg.cli.report import console, print_json


@command("recall")
@click.option("--json", "as_json", is_flag=True, help="Print the contract, recall/v1.")
@click.option("--render", is_flag=True, help="Print the block of text for a prompt.")
@click.option(
    "--render-characters",
    type=click.IntRange(min=1),
    help="With --render: limit of the whole block in code points.",
)
@click.pass_context
def recall(
    ctx: click.Context,
    /,
    question: str,
    as_json: bool,
    render: bool,
    render_characters: int | None,
    **controls: Any,
) -> None:
    """Print the answer as the options ask."""
    if as_json and render:
        raise click.UsageError("--json and --render exclude each other")
    if render_characters is not None and not render:
        raise click.UsageError("--render-characters needs --render")
    question = read_text(question)
    with memory(ctx) as asked:
        bundle = asked.recall(question, **given(controls))
    if as_json:
        print_json(bundle.to_dict())
    elif render:
        click.echo(bundle.render(render_characters))
    else:
        from taisce_pg.cli.show import show_bundle

        show_bundle(console(ctx), bundle.to_dict())
