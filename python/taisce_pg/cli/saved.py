"""`taisce-pg saved`: queries kept under a name."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.syntax import Syntax
from rich.table import Table
from rich.text import Text

from taisce_pg.cli.query import open_analyst, run_options, run_query
from taisce_pg.cli.report import console, print_json
from taisce_pg.problem import Problem

if TYPE_CHECKING:
    from taisce_pg.sandbox.saved import Saved

_PROJECT = click.option("--project", help="Project to look in; default the only one granted.")
_VERSION = click.option("--version", type=int, help="Version; default the one in service.")
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def saved() -> None:
    """Keep queries under a name: save a draft, activate it, run it, retire it.

    Those of the namespace examples come with the package.

    Example: taisce-pg saved list --project demo
    """


@saved.command("list")
@_PROJECT
@click.option("--all", "every", is_flag=True, help="Drafts and retired versions too.")
@_JSON
@click.pass_context
def list_saved(ctx: click.Context, project: str | None, every: bool, as_json: bool) -> None:
    """List the saved queries in service.

    Example: taisce-pg saved list --project demo
    """
    found = [one for one in _read(ctx, project) if every or one.status == "active"]
    if as_json:
        print_json([asdict(one) for one in found])
        return
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in ("query", "version", "parameters", "description"):
        table.add_column(heading, overflow="fold")
    for one in found:
        parameters = ", ".join(parameter["name"] for parameter in one.parameters)
        state = "" if one.status == "active" else f" {one.status}"
        table.add_row(
            Text(one.full_name), f"{one.version}{state}", Text(parameters), Text(one.description)
        )
    console(ctx).print(table)


@saved.command()
@click.argument("name")
@_VERSION
@_PROJECT
@_JSON
@click.pass_context
def show(
    ctx: click.Context, name: str, version: int | None, project: str | None, as_json: bool
) -> None:
    """Show what a saved query takes, and its SQL.

    Example: taisce-pg saved show examples.explain --project demo
    """
    one = _find(ctx, name, version, project)
    if as_json:
        print_json(asdict(one))
        return
    out = console(ctx)
    out.print(Text(f"{one.full_name} version {one.version}, {one.status}", style="bold"))
    out.print(Text(one.description))
    for parameter in one.parameters:
        default = f", default {parameter['default']!r}" if "default" in parameter else ""
        said = parameter.get("description", "")
        out.print(Text(f"  {parameter['name']} ({parameter['type']}{default}): {said}"))
    out.print(Syntax(one.query, "sql", background_color="default"))


@saved.command()
@click.argument("name")
@click.argument("values", nargs=-1)
@_VERSION
@run_options
@click.pass_context
def run(
    ctx: click.Context, /, name: str, values: tuple[str, ...], version: int | None, **options: Any
) -> None:
    """Run a saved query; parameters are given as name=value.

    Example: taisce-pg saved run examples.entity_timeline name="Amy Klobuchar" --project demo
    """
    one = _find(ctx, name, version, options["project"])
    pairs = dict(_pair(value) for value in values)
    run_query(ctx, one.query, one.bind(pairs), options)


@saved.command()
@click.argument("name")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--description", required=True, help="What it answers, in a sentence.")
@click.option(
    "--parameters", default="[]", help='JSON: [{"name": ..., "type": ..., "default": ...}].'
)
@click.option(
    "--fixtures",
    default="[]",
    help='JSON: [{"kind": "hit", "parameters": {...}}], also empty, forgotten and cap.',
)
@_PROJECT
@click.pass_context
def save(
    ctx: click.Context,
    name: str,
    file: Path,
    description: str,
    parameters: str,
    fixtures: str,
    project: str | None,
) -> None:
    """Save the SQL of a file as a new version, a draft, under NAMESPACE.NAME.

    Example: taisce-pg saved save ours.people people.sql --description "All people."
    """
    from taisce_pg.sandbox import check

    namespace, given = _names(name)
    text = file.read_text("utf-8")
    kept = _json(parameters, "--parameters")
    check(text, parameters=kept)
    call = (
        "select memory_v1.save_query(%s::text, %s::text, %s::text, %s::text, %s::jsonb, "
        "%s::jsonb, 'user', %s::text)"
    )
    cases = json.dumps(_json(fixtures, "--fixtures"))
    arguments = [namespace, given, text, description, json.dumps(kept), cases, project]
    version = _call(ctx, call, arguments)
    console(ctx, talk=True).print(Text(f"saved {name} version {version}, a draft"))


@saved.command()
@click.argument("name")
@_VERSION
@_PROJECT
@click.pass_context
def activate(ctx: click.Context, name: str, version: int | None, project: str | None) -> None:
    """Run the fixtures of a draft and put it into service; not by its author.

    Example: taisce-pg saved activate ours.people --project demo
    """
    from taisce_pg.sandbox.saved import KINDS, failed_fixtures

    one = _find(ctx, name, version, project, "draft")
    with open_analyst(ctx) as analyst:
        wrong = failed_fixtures(one, analyst.run, project)
    if wrong:
        raise Problem(f"{name} version {one.version} stays a draft: {'; '.join(wrong)}")
    call = "select memory_v1.activate_query(%s::text, %s::text, %s::integer, %s::text[], %s::text)"
    alone = _call(ctx, call, [one.namespace, one.name, one.version, list(KINDS), project])
    said = f"{name} version {one.version} is in service"
    talk = console(ctx, talk=True)
    talk.print(Text(said + (", activated by its author, who is alone here" if alone else "")))


@saved.command()
@click.argument("name")
@click.option("--version", type=int, required=True, help="Version.")
@_PROJECT
@click.pass_context
def retire(ctx: click.Context, name: str, version: int, project: str | None) -> None:
    """Take a version out of service.

    Example: taisce-pg saved retire ours.people --version 1 --project demo
    """
    namespace, given = _names(name)
    call = "select memory_v1.retire_query(%s::text, %s::text, %s::integer, %s::text)"
    changed = _call(ctx, call, [namespace, given, version, project])
    console(ctx, talk=True).print("retired" if changed else "it was retired before")


def _read(ctx: click.Context, project: str | None) -> list[Saved]:
    from taisce_pg.connection import Target, open_connection
    from taisce_pg.sandbox.login import analyst_dsn
    from taisce_pg.sandbox.saved import read_saved

    dsn = analyst_dsn((ctx.find_object(dict) or {}).get("dsn"))
    with open_connection(Target(dsn, "option")) as conn:
        return read_saved(conn, project)


def _find(
    ctx: click.Context, name: str, version: int | None, project: str | None, status: str = "active"
) -> Saved:
    from taisce_pg.sandbox.saved import find_saved

    return find_saved(_read(ctx, project), name, version, status)


def _call(ctx: click.Context, call: str, arguments: list[Any]) -> Any:
    from taisce_pg import errors
    from taisce_pg.connection import open_connection, resolve_dsn

    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    with open_connection(target) as conn, errors.translated():
        row = conn.execute(call.encode(), arguments).fetchone()
    return row[0] if row else None


def _names(name: str) -> tuple[str, str]:
    namespace, dot, given = name.partition(".")
    if not dot:
        raise click.BadParameter("write NAMESPACE.NAME", param_hint="NAME")
    return namespace, given


def _pair(text: str) -> tuple[str, str]:
    name, equals, value = text.partition("=")
    if not equals:
        raise click.BadParameter(f"write name=value, not {text!r}", param_hint="VALUES")
    return name, value


def _json(text: str, option: str) -> list[dict[str, Any]]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, list) or not all(isinstance(one, dict) for one in value):
        raise click.BadParameter("a JSON list of objects is needed", param_hint=option)
    return value
