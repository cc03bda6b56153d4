"""`taisce-pg install`, `status`, `sql` and `uninstall`."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import click

from taisce_pg.cli.report import console, print_json
from taisce_pg.cli.show import counted, safe

if TYPE_CHECKING:
    import psycopg
    from rich.console import Console

    from taisce_pg.connection import Target
    from taisce_pg.install.drift import Drift
    from taisce_pg.install.remove import Removal
    from taisce_pg.install.run import Report, Status

_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
_PREFIX = click.option(
    "--prefix",
    metavar="WORD",
    help="First word of the five role names; default taisce, or that of the installation.",
)
_NAMED = ("TAISCE_DSN", "PGHOST", "PGSERVICE", "PGDATABASE")


@click.command()
@_PREFIX
@click.option("--repair", is_flag=True, help="Also apply again what was changed by hand.")
@_JSON
@click.pass_context
def install(ctx: click.Context, prefix: str | None, repair: bool, as_json: bool) -> None:
    """Install the memory, or bring it up to this version; twice does nothing.

    One transaction; readers may go on meanwhile. Needs a superuser, or CREATEROLE and CREATE on
    the database with pgvector already created. With --repair, exit code 4 tells that something
    changed by hand is left.

    Example: taisce-pg install
    """
    from taisce_pg.install import run

    conn, target = _open(ctx)
    with conn:
        report = run.install(conn, prefix, repair=repair)
    if as_json:
        print_json(report.to_dict())
    else:
        _show_report(ctx, report, target, repair)
    ctx.exit(report.exit_code)


@click.command()
@_JSON
@click.pass_context
def status(ctx: click.Context, as_json: bool) -> None:
    """Say what an install would apply, and what was changed by hand since the last one.

    Exit code 3: something is pending; 4: changed by hand; 0: neither.

    Example: taisce-pg status
    """
    from taisce_pg.install import run

    conn, target = _open(ctx)
    with conn:
        found = run.status(conn)
    if as_json:
        print_json(found.to_dict())
    else:
        _show_status(ctx, found, target)
    ctx.exit(found.exit_code)


@click.command()
@_PREFIX
@click.option("--offline", is_flag=True, help="Ask no server, even if one is given.")
@click.option(
    "--partitions",
    type=click.IntRange(2, 1024),
    metavar="N",
    help="Cut the tables into N partitions by project; only for a first install.",
)
@click.option(
    "--distribute",
    is_flag=True,
    help="Print instead what spreads a new memory over a Citus cluster, by project.",
)
@click.pass_context
def sql(
    ctx: click.Context,
    prefix: str | None,
    offline: bool,
    partitions: int | None,
    distribute: bool,
) -> None:
    """Print what an install does as one plain SQL file, to read and to run with psql.

    With a database given (--dsn, TAISCE_DSN or PG*) it is asked for the schema of pgvector, its
    lower() and what it already has. Without one the file is for PostgreSQL 18 with C.UTF-8 and
    pgvector in public.

    Example: taisce-pg sql > install.sql
    """
    from taisce_pg.install import run, script
    from taisce_pg.problem import Problem

    if distribute:
        if partitions is not None:
            raise click.UsageError("--partitions and --distribute exclude each other")
        click.echo(script.distribution(prefix or "taisce"), nl=False)
        return
    given = (ctx.find_object(dict) or {}).get("dsn") or any(map(os.environ.get, _NAMED))
    if offline or not given:
        click.echo(script.first_install(prefix or "taisce", partitions=partitions), nl=False)
        return
    conn, _ = _open(ctx)
    with conn:
        found = run.steps_for(conn, prefix)
    if partitions is not None:
        if not found.first:
            raise Problem("the database has a memory already", "partitions are for a first install")
        click.echo(script.first_install(found.prefix, found.facts, None, partitions), nl=False)
    elif found.steps:
        click.echo(script.script(found.steps, found.facts, found.prefix), nl=False)
    else:
        console(ctx, talk=True, markup=False).print("nothing is pending")


@click.command()
@click.option("--yes", is_flag=True, help="Do not ask.")
@_JSON
@click.pass_context
def uninstall(ctx: click.Context, yes: bool, as_json: bool) -> None:
    """Remove the memory: both schemas with all that is stored, and the roles nobody else needs.

    Lists what would go and asks first. The extension pgvector stays.

    Example: taisce-pg uninstall --yes
    """
    from taisce_pg.install import remove

    conn, target = _open(ctx)
    with conn:
        planned = remove.removal(conn)
        if not yes:
            _show_removal(ctx, planned, target)
            click.confirm("Remove it for good?", abort=True, err=True)
        gone = remove.remove(conn)
    if as_json:
        print_json(gone.to_dict())
        return
    talk = console(ctx, talk=True, markup=False)
    talk.print(f"removed from {target}", soft_wrap=True)
    for role, reason in gone.kept_roles.items():
        talk.print(f"kept role {role}: {reason}", soft_wrap=True)


def _open(ctx: click.Context) -> tuple[psycopg.Connection[Any], Target]:
    from taisce_pg.connection import open_connection, resolve_dsn

    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    return open_connection(target), target


def _show_report(ctx: click.Context, report: Report, target: Target, repair: bool) -> None:
    talk = console(ctx, talk=True, markup=False)
    if not report.applied:
        talk.print(f"up to date: taisce-pg {report.package_version} in {target}", soft_wrap=True)
    else:
        counts: dict[str, int] = {}
        for path in report.applied:
            kind = path.split("/", 1)[0]
            counts[kind] = counts.get(kind, 0) + 1
        what = ", ".join(counted(number, kind) for kind, number in counts.items())
        talk.print(
            f"{'installed' if report.first else 'upgraded to'} taisce-pg {report.package_version}"
            f" in {target}: {what} ({report.seconds:.1f} s)",
            soft_wrap=True,
        )
        for name in report.renamed:
            talk.print(f"  {name} made way for a newer signature", soft_wrap=True)
    if not report.drift:
        return
    out = console(ctx, markup=False)
    if not repair:
        talk.print("changed by hand; to take it back, run: taisce-pg install --repair")
        _print_drift(out, report.drift)
        return
    left = {(item.kind, item.identity, item.change): item for item in report.left}
    mended = [i for i in report.drift if (i.kind, i.identity, i.change) not in left]
    if mended:
        talk.print("taken back:")
        _print_drift(out, mended)
    if left:
        talk.print("cannot be taken back:")
        _print_drift(out, report.left, advise=True)


def _show_status(ctx: click.Context, found: Status, target: Target) -> None:
    out = console(ctx, markup=False)
    if found.state == "absent":
        out.print(f"no memory in {target}; run: taisce-pg install", soft_wrap=True)
        return
    out.print(
        f"taisce-pg {found.installed_version} in {target}, roles {found.prefix}_*;"
        f" this package is {found.package_version}",
        soft_wrap=True,
    )
    if found.pending or found.superseded:
        out.print("pending; run: taisce-pg install")
        for path in found.pending:
            out.print(f"  {path}", soft_wrap=True)
        for path in found.superseded:
            out.print(f"  {path} (no longer in the package)", soft_wrap=True)
    if found.rebase:
        out.print("the server is another major version than at the last install: definitions")
        out.print("could not be compared; run: taisce-pg install")
    if found.drift:
        out.print("changed by hand; to take it back, run: taisce-pg install --repair")
        _print_drift(out, found.drift)
    if found.state == "ok":
        out.print("nothing is pending, nothing was changed by hand")


def _print_drift(out: Console, drift: list[Drift], advise: bool = False) -> None:
    """Print one line a change, and what a person can do about it if `advise`."""
    for item in drift:
        out.print(f"  {safe(str(item))}", soft_wrap=True)
        if advise:
            out.print(f"    {safe(item.way_out)}", soft_wrap=True)


def _show_removal(ctx: click.Context, planned: Removal, target: Target) -> None:
    talk = console(ctx, talk=True, markup=False)
    gone = [
        "the schemas memory_v1 and taisce with all that is stored in them "
        f"({planned.tables} tables, {planned.size})",
        *(f"{name}, which was built on the memory" for name in planned.outside),
    ]
    if planned.roles:
        gone.append(f"the roles {', '.join(planned.roles)}")
    kept = [f"the role {role}: {reason}" for role, reason in planned.kept_roles.items()]
    talk.print(f"uninstall removes from {target}:", soft_wrap=True)
    for line in gone:
        talk.print(f"  {safe(line)}", soft_wrap=True)
    talk.print("and keeps:")
    for line in [*kept, "the extension pgvector", "the database and its logins"]:
        talk.print(f"  {safe(line)}", soft_wrap=True)
