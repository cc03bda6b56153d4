"""`taisce-pg harden`: the second layer under open SQL, and its undo."""

from __future__ import annotations

import click

from taisce_pg.cli.report import console
from taisce_pg.cli.show import counted


@click.command()
@click.option("--undo", "undoing", is_flag=True, help="Give back everything that was taken.")
@click.option("--sql", "only_sql", is_flag=True, help="Print the SQL and change nothing.")
@click.option(
    "--keep", multiple=True, metavar="ROLE", help="A role that keeps what PUBLIC loses; repeatable."
)
@click.pass_context
def harden(ctx: click.Context, undoing: bool, only_sql: bool, keep: tuple[str, ...]) -> None:
    """Close to PUBLIC, in this database, what an analyst never needs. Needs a superuser.

    VOLATILE functions of PostgreSQL, those that look into server and catalogue, functions of
    other extensions, the catalogues themselves, temporary tables, languages; and temporary
    space of analysts' logins gets a limit. Readers, writers and administrators of the memory
    keep all of it; name other roles with --keep. Run it again after an upgrade.

    Example: taisce-pg harden --sql
    """
    from taisce_pg import harden as hardening
    from taisce_pg.connection import open_connection, resolve_dsn
    from taisce_pg.harden.run import script
    from taisce_pg.install.ledger import installed_prefix
    from taisce_pg.problem import Problem

    talk = console(ctx, talk=True)
    with open_connection(resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))) as conn:
        if undoing:
            if only_sql:
                click.echo(hardening.undo_script(conn), nl=False)
                return
            count = len(hardening.undo(conn))
            talk.print(
                f"undone: {counted(count, 'statements')}" if count else "there was nothing to undo"
            )
            return
        prefix = installed_prefix(conn)
        if prefix is None:
            raise Problem("no memory is installed in this database", "run: taisce-pg install")
        if only_sql:
            with conn.transaction(force_rollback=True):
                changes = hardening.plan_hardening(conn, prefix, keep)
            click.echo(script(changes), nl=False)
            return
        changes = hardening.harden(conn, prefix, keep)
    talk.print(
        f"hardened: {counted(len(changes), 'statements')}" if changes else "there is nothing to do"
    )
