"""`taisce-pg recall`: ask a question, or one for each line of a file."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING, Any

import click
from rich.text import Text

from taisce_pg.cli.operations import command, given, memory, read_text
from taisce_pg.cli.report import ERROR, console, explain, print_json

if TYPE_CHECKING:
    from taisce_pg.client.memory import Memory

QUESTION = frozenset({"question"})


@command("recall", optional=QUESTION)
@click.option(
    "--file",
    "questions",
    type=click.File("rb"),
    help="Ask each line of this file instead, all in one pipeline; - reads standard input.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print the contract, recall/v1; with --file a line for each question, of its index and"
    " its answer or error.",
)
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
    question: str | None,
    questions: IO[bytes] | None,
    as_json: bool,
    render: bool,
    render_characters: int | None,
    **controls: Any,
) -> None:
    """Print the answer, or the answers, as the options ask."""
    if as_json and render:
        raise click.UsageError("--json and --render exclude each other")
    if render_characters is not None and not render:
        raise click.UsageError("--render-characters needs --render")
    if (question is None) == (questions is None):
        raise click.UsageError("give a question, or --file with many")
    if questions is not None:
        lines = _lines(questions)
        with memory(ctx) as asked:
            failed = _many(ctx, asked, lines, as_json, render, render_characters, given(controls))
        ctx.exit(ERROR if failed else 0)
    assert question is not None
    question = read_text(question)
    with memory(ctx) as asked:
        bundle = asked.recall(question, **given(controls))
    _show(ctx, bundle, as_json, render, render_characters)


def _show(ctx: click.Context, bundle: Any, as_json: bool, render: bool, limit: int | None) -> None:
    if as_json:
        print_json(bundle.to_dict())
    elif render:
        click.echo(bundle.render(limit))
    else:
        from taisce_pg.cli.show import show_bundle

        show_bundle(console(ctx), bundle.to_dict())


def _lines(questions: IO[bytes]) -> list[str]:
    try:
        lines = [line.decode().strip() for line in questions.read().split(b"\n")]
    except UnicodeDecodeError:
        raise click.UsageError("the file of questions is not UTF-8 text") from None
    return [line for line in lines if line]


def _many(
    ctx: click.Context,
    asked: Memory,
    lines: list[str],
    as_json: bool,
    render: bool,
    limit: int | None,
    controls: dict[str, Any],
) -> bool:
    """Print what came of each question in order; return whether one was refused."""
    from taisce_pg.cli.show import safe

    answers = asked.recall_many(lines, **controls)
    out, talk = console(ctx), console(ctx, talk=True, markup=False)
    for index, (line, answer) in enumerate(zip(lines, answers, strict=True)):
        failure = answer if isinstance(answer, Exception) else None
        if as_json:
            if failure is not None:
                print_json({"index": index, "error": _told(failure)})
            else:
                print_json({"index": index, "answer": answer})
            continue
        if not render:
            out.print(Text(f"{index + 1}. {safe(line)}", style="bold"))
        if failure is not None:
            talk.print(f"question {index + 1}: {explain(failure)[0]}", soft_wrap=True)
        else:
            _show(ctx, answer, False, render, limit)
        if not render:
            out.print()
    return any(isinstance(answer, Exception) for answer in answers)


def _told(failure: Exception) -> dict[str, Any]:
    from taisce_pg.errors import TaisceError

    if isinstance(failure, TaisceError):
        return failure.to_dict()
    diag = getattr(failure, "diag", None)
    return {
        "code": getattr(failure, "sqlstate", None),
        "message": getattr(diag, "message_primary", None) or str(failure),
        "detail": getattr(diag, "message_detail", None),
        "hint": getattr(diag, "message_hint", None),
        "retryable": getattr(failure, "sqlstate", None) == "57014",
    }
