"""`taisce-pg query`: one SELECT over the views, within limits."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from taisce_pg.cli.report import ERROR, console
from taisce_pg.cli.show_query import show_plan, show_result

if TYPE_CHECKING:
    from taisce_pg.sandbox.execute import Analyst
    from taisce_pg.sandbox.session import Query

_Command = TypeVar("_Command", bound=Callable[..., Any])

FORMS = ("table", "json", "csv")


def run_options(command: _Command) -> _Command:
    """Add the options that say how a query runs and how its result is printed."""
    for option in reversed((
        click.option("--project", help="Project to ask; default the only one granted."),
        click.option(
            "--tier", type=click.Choice(["interactive", "analytical"]), default="interactive",
            show_default=True, help="Limits to run under; analytical is for some roles only.",
        ),
        click.option("--rows", type=click.IntRange(min=1), help="Most rows; 200 interactively."),
        click.option("--seconds", type=float, help="Time limit; 5 interactively."),
        click.option("--bytes", type=click.IntRange(min=1), help="Most bytes of values; 1 MiB."),
        click.option("--explain", is_flag=True, help="Show the plan's shape; run nothing."),
        click.option(
            "--format", "form", type=click.Choice(FORMS), default="table", show_default=True,
            help="How to print the result.",
        ),
        click.option("--json", "as_json", is_flag=True, help="The same as --format json."),
    )):  # fmt: skip
        command = option(command)
    return command


@click.command()
@click.argument("sql", required=False)
@click.option(
    "-f", "--file", "file", type=click.File(encoding="utf-8"), help="Read the SQL from a file."
)
@click.option("-v", "--value", "values", multiple=True, help="Value of $1, of $2 and so on.")
@run_options
@click.pass_context
def query(
    ctx: click.Context, /, sql: str | None, file: Any, values: tuple[str, ...], **options: Any
) -> None:
    """Run one SELECT over the views of memory_v1, and nothing else.

    The SQL is an argument, a file, or standard input ("-" or no argument). It runs as the
    login that TAISCE_ANALYST_DSN names, or that of the embedded server. The texts of semantic_*
    calls go to the embedder that TAISCE_EMBEDDER names.

    Example: taisce-pg query "select count(*) from facts_current" --project demo
    """
    if file is not None and sql is not None:
        raise click.UsageError("give the SQL as an argument or as a file, not both")
    if file is not None:
        text = file.read()
    elif sql is None or sql == "-":
        if sql is None and sys.stdin.isatty():
            raise click.UsageError("no SQL is given")
        text = sys.stdin.read()
    else:
        text = sql
    run_query(ctx, text, list(values), options)


def run_query(ctx: click.Context, sql: str, values: list[Any], options: dict[str, Any]) -> None:
    """Run a query, print its result, and end with 1 if it failed."""
    form = "json" if options["as_json"] else options["form"]
    out, talk = console(ctx), console(ctx, talk=True)
    asked = make_query(sql, values, options)
    with open_analyst(ctx) as analyst:
        if options["explain"]:
            plan = analyst.explain(asked)
            show_plan(out, talk, plan, form)
            failed = plan.error
        else:
            result = analyst.run(asked)
            show_result(out, talk, result, form)
            failed = result.error
    if failed is not None:
        ctx.exit(ERROR)


def make_query(sql: str, values: list[Any], options: dict[str, Any]) -> Query:
    """Make what the executor runs of SQL, values and options."""
    from taisce_pg.sandbox.session import Query

    limits = {name: options[name] for name in ("project", "tier", "seconds", "rows", "bytes")}
    return Query(sql, values, **limits)


@contextmanager
def open_analyst(ctx: click.Context) -> Iterator[Analyst]:
    """Open the analysts' login, or say in one line why that failed."""
    import psycopg

    from taisce_pg.client.questions import Questions
    from taisce_pg.client.session import EMBEDDER_SECONDS
    from taisce_pg.connection import Target, connection_problem
    from taisce_pg.sandbox.execute import Analyst
    from taisce_pg.sandbox.login import analyst_dsn

    dsn = analyst_dsn((ctx.find_object(dict) or {}).get("dsn"))
    try:
        psycopg.connect(dsn, connect_timeout=10).close()
    except psycopg.OperationalError as error:
        raise connection_problem(Target(dsn, "option"), error) from error
    analyst = Analyst(dsn, Questions(None, EMBEDDER_SECONDS))
    try:
        yield analyst
    finally:
        analyst.close()
