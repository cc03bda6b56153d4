"""`taisce-pg project` and `taisce-pg setting`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from taisce_pg.cli.report import console, print_json
from taisce_pg.cli.show import safe

if TYPE_CHECKING:
    import psycopg

_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


@click.group()
def project() -> None:
    """Make projects and say who may use them. A project is a tenant: nothing is shared.

    Example: taisce-pg project list
    """


@project.command()
@click.argument("name")
@click.option(
    "--source-role",
    "source_roles",
    multiple=True,
    type=click.Choice(["user", "assistant", "system", "tool", "document"]),
    help="Message roles that reads look at by default; repeatable; default user.",
)
@_JSON
@click.pass_context
def create(ctx: click.Context, name: str, source_roles: tuple[str, ...], as_json: bool) -> None:
    """Make a project and grant it to yourself with admin access.

    Example: taisce-pg project create demo --source-role user --source-role document
    """
    with _connection(ctx) as conn:
        number = _one(
            conn, "select memory_v1.create_project(%s, %s)", name, list(source_roles) or None
        )
    if as_json:
        print_json({"project": name, "number": number})
    else:
        console(ctx, talk=True).print(Text(f"created project {name}"), soft_wrap=True)


@project.command("list")
@_JSON
@click.pass_context
def list_projects(ctx: click.Context, as_json: bool) -> None:
    """List the projects you may use, and with admin access who else may.

    Example: taisce-pg project list --json
    """
    with _connection(ctx) as conn:
        rows = _rows(conn, "select * from memory_v1.list_projects()")
    if as_json:
        print_json(rows)
        return
    if not rows:
        console(ctx, talk=True).print("no project is granted to you")
        return
    table = _table("project", "status", "access", "reads", "observations", "grants")
    for row in rows:
        grants = row["grants"] or {}
        table.add_row(
            Text(safe(row["name"])),
            row["status"],
            row["access"],
            ", ".join(row["default_source_roles"]),
            f"{row['observations'] or 0:,}",
            Text(safe(", ".join(f"{role} {access}" for role, access in sorted(grants.items())))),
        )
    console(ctx).print(table)


@project.command()
@click.argument("name")
@click.argument("role")
@click.argument("access", type=click.Choice(["read", "write", "admin", "none"]))
@click.pass_context
def grant(ctx: click.Context, name: str, role: str, access: str) -> None:
    """Let a database role, and its members, use a project; none takes that away.

    Example: taisce-pg project grant demo taisce_reader read
    """
    talk = console(ctx, talk=True)
    with _connection(ctx) as conn:
        if access != "none":
            _one(conn, "select memory_v1.grant_project(%s, %s, %s)", name, role, access)
            talk.print(Text(f"{role} has {access} access to {name}"), soft_wrap=True)
        elif _one(conn, "select memory_v1.revoke_project(%s, %s)", name, role):
            talk.print(Text(f"{role} has no access to {name} any more"), soft_wrap=True)
        else:
            talk.print(Text(f"{role} had no access to {name}"), soft_wrap=True)


@project.command()
@click.argument("name")
@click.option("--resume", is_flag=True, help="Bring it back into service.")
@click.pass_context
def suspend(ctx: click.Context, name: str, resume: bool) -> None:
    """Take a project out of service; reads and writes no longer find it, nothing is lost.

    Example: taisce-pg project suspend demo
    """
    with _connection(ctx) as conn:
        changed = _one(conn, "select memory_v1.suspend_project(%s, %s)", name, not resume)
    state = "in service" if resume else "suspended"
    console(ctx, talk=True).print(
        Text(f"{name} is {state}" if changed else f"{name} was {state} already"), soft_wrap=True
    )


@click.group()
def setting() -> None:
    """Look at and change the limits of this installation.

    Example: taisce-pg setting list
    """


@setting.command("list")
@_JSON
@click.pass_context
def list_settings(ctx: click.Context, as_json: bool) -> None:
    """List all settings with their ranges.

    Example: taisce-pg setting list
    """
    with _connection(ctx) as conn:
        rows = _rows(conn, "select * from memory_v1.list_settings()")
    if as_json:
        print_json(rows)
        return
    table = _table("setting", "value", "range", "meaning")
    for row in rows:
        limits = f"{row['lowest']} to {row['highest']}" if row["lowest"] else row["kind"]
        table.add_row(row["name"], Text(row["value"]), limits, Text(row["description"]))
    console(ctx).print(table)


@setting.command()
@click.argument("name")
@click.pass_context
def get(ctx: click.Context, name: str) -> None:
    """Print the value of one setting.

    Example: taisce-pg setting get bundle_characters
    """
    from taisce_pg.problem import Problem

    with _connection(ctx) as conn:
        rows = _rows(conn, "select * from memory_v1.list_settings()")
    for row in rows:
        if row["name"] == name:
            click.echo(row["value"])
            return
    raise Problem(f"there is no setting {name}", "list them with: taisce-pg setting list")


@setting.command("set")
@click.argument("name")
@click.argument("value")
@click.pass_context
def change(ctx: click.Context, name: str, value: str) -> None:
    """Change one setting, for every project.

    Example: taisce-pg setting set bundle_characters 16000
    """
    with _connection(ctx) as conn:
        kept = _one(conn, "select memory_v1.set_setting(%s, %s)", name, value)
    console(ctx, talk=True).print(Text(f"{name} is {kept}"), soft_wrap=True)


@contextmanager
def _connection(ctx: click.Context) -> Iterator[psycopg.Connection[Any]]:
    from taisce_pg.connection import open_connection, resolve_dsn

    with open_connection(resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))) as conn:
        yield conn


def _one(conn: psycopg.Connection[Any], call: str, *arguments: Any) -> Any:
    row = conn.execute(call.encode(), arguments).fetchone()
    return row[0] if row else None


def _rows(conn: psycopg.Connection[Any], call: str) -> list[dict[str, Any]]:
    from psycopg.rows import dict_row

    return conn.cursor(row_factory=dict_row).execute(call.encode()).fetchall()


def _table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading == "setting")
    return table
