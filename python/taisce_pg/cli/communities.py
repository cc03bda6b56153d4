"""`taisce-pg communities`: groups of entities, and which reports about them are due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from rich.table import Table
from rich.text import Text

from taisce_pg.cli.report import console, print_json
from taisce_pg.cli.show import safe

if TYPE_CHECKING:
    from taisce_pg.communities.survey import Survey

_SHOWN = 5


@click.command(epilog="\b\nExample: taisce-pg communities --project demo")
@click.option("--project", help="Project; default the setting taisce.project, else the only one.")
@click.option(
    "--role",
    "roles",
    multiple=True,
    type=click.Choice(["user", "assistant", "system", "tool", "document"]),
    help="Whose facts count; repeat for several. Default the project's, usually user.",
)
@click.option("--levels", type=click.IntRange(1, 10), help="Levels of the hierarchy; default 3.")
@click.option("--smallest", type=click.IntRange(min=2), help="Fewest members; default 3.")
@click.option("--facts", type=click.IntRange(1, 1000), help="Facts of a report; default 40.")
@click.option("--all", "everything", is_flag=True, help="Show reports that are current, too.")
@click.option("--register", is_flag=True, help="Write the communities into the memory.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, facts included.")
@click.pass_context
def communities(
    ctx: click.Context,
    /,
    project: str | None,
    roles: tuple[str, ...],
    levels: int | None,
    smallest: int | None,
    facts: int | None,
    everything: bool,
    register: bool,
    as_json: bool,
) -> None:
    """Group the entities by their current facts, and tell which reports to write.

    A report is due where none stands, and stale where facts came that it does not cover. Write it
    from the facts listed, and hand it in by `taisce-pg register report`. Needs the extra
    `communities` and an administrator.
    """
    from taisce_pg.communities import survey as surveying
    from taisce_pg.connection import open_connection, resolve_dsn

    given = {"levels": levels, "smallest": smallest, "most_facts": facts}
    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    with open_connection(target) as conn:
        found = surveying.survey(
            conn,
            project,
            roles=roles,
            **{name: value for name, value in given.items() if value is not None},
        )
        changed = surveying.register(conn, found, project) if register else None
    if as_json:
        shown = found.to_dict()
        if not everything:
            shown["reports"] = [one for one in shown["reports"] if one["state"] != "current"]
        print_json({**shown, "registered": changed})
        return
    out = console(ctx, markup=False)
    out.print(_table(found, everything))
    if found.pairs_left_out:
        out.print(
            "There are more linked pairs of entities: those with the fewest facts are left out."
        )
    if changed is not None:
        out.print(f"{changed:,} communities registered or changed")


def _table(found: Survey, everything: bool) -> Table | str:
    shown = [one for one in found.reports if everything or one.state != "current"]
    if not shown:
        return "no report is due" if found.reports else "no communities"
    table = Table(box=None, header_style="bold")
    for name in ("report", "level", "entities", "facts"):
        table.add_column(name, justify="right" if name in ("level", "facts") else "left")
    for one in shown:
        names = ", ".join(one.names[:_SHOWN])
        more = len(one.names) - _SHOWN
        table.add_row(
            one.state,
            str(one.level),
            Text(safe(names) + (f" and {more:,} more" if more > 0 else "")),
            f"{one.uncovered:,} of {len(one.facts):,}" if one.report_id else f"{len(one.facts):,}",
        )
    return table
