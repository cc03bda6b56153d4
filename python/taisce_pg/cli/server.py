"""`taisce-pg server`: the embedded server by hand."""

from __future__ import annotations

from dataclasses import asdict

import click

from taisce_pg.cli.report import console, print_json


@click.group()
def server() -> None:
    """Start, stop and look at the embedded server.

    Commands start it by themselves when no database is given, and stop it when they end.
    `start` makes it stay.

    Example: taisce-pg server status
    """


@server.command()
@click.pass_context
def start(ctx: click.Context) -> None:
    """Start the server and let it run until `stop`; make a login for analysts.

    Example: taisce-pg server start
    """
    from taisce_pg.embedded import Server
    from taisce_pg.sandbox.login import ensure_login

    embedded = Server()
    embedded.start(persistent=True)
    ensure_login(embedded)
    now = embedded.status()
    console(ctx, talk=True).print(
        f"PostgreSQL {now.version} runs in {now.home}, process {now.pid}", soft_wrap=True
    )


@server.command()
@click.pass_context
def stop(ctx: click.Context) -> None:
    """Stop the server, whoever uses it.

    Example: taisce-pg server stop
    """
    from taisce_pg.embedded import Server

    stopped = Server().stop()
    console(ctx, talk=True).print("stopped" if stopped else "it was not running")


@server.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Say whether the server runs, where its files are and who runs it.

    Example: taisce-pg server status --json
    """
    from taisce_pg.embedded import Server

    found = asdict(Server().status())
    if as_json:
        print_json(found)
        return
    out = console(ctx)
    for name, value in found.items():
        if value is not None:
            shown = "yes" if value is True else "no" if value is False else str(value)
            out.print(f"{name.replace('_', ' '):<11} {shown}", markup=False, soft_wrap=True)


@server.command()
@click.option("--database", default="taisce", show_default=True, help="Database to name.")
@click.option("--analyst", is_flag=True, help="The login of analysts, who may only read views.")
def uri(database: str, analyst: bool) -> None:
    """Print the connection string of the running server, password included.

    Example: psql "$(taisce-pg server uri)"
    """
    from taisce_pg.embedded import Server
    from taisce_pg.problem import Problem

    embedded = Server()
    if embedded.status().state == "stopped":
        raise Problem("the embedded server is not running", "run: taisce-pg server start")
    if analyst:
        from taisce_pg.sandbox.login import LOGIN, ensure_login

        ensure_login(embedded)
        click.echo(embedded.uri(database, LOGIN))
        return
    click.echo(embedded.uri(database))
