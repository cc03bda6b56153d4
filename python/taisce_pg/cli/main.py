"""The `taisce-pg` command: one lazy group, so that starting costs little."""

from __future__ import annotations

import importlib
import sys

import click

from taisce_pg import __version__

COMMANDS: dict[str, str] = {
    "demo": "taisce_pg.cli.demo:demo",
    "server": "taisce_pg.cli.server:server",
    "install": "taisce_pg.cli.install:install",
    "status": "taisce_pg.cli.install:status",
    "sql": "taisce_pg.cli.install:sql",
    "uninstall": "taisce_pg.cli.install:uninstall",
    "harden": "taisce_pg.cli.harden:harden",
    "project": "taisce_pg.cli.project:project",
    "setting": "taisce_pg.cli.project:setting",
    "load": "taisce_pg.cli.load:load",
    "words": "taisce_pg.cli.words:words",
    "embed": "taisce_pg.cli.embed:embed",
    "communities": "taisce_pg.cli.communities:communities",
    "export": "taisce_pg.cli.load:export",
    "observe": "taisce_pg.cli.write:observe",
    "assert": "taisce_pg.cli.write:assert_fact",
    "correct": "taisce_pg.cli.write:correct",
    "retract": "taisce_pg.cli.write:retract",
    "contradict": "taisce_pg.cli.write:contradict",
    "withdraw": "taisce_pg.cli.write:withdraw",
    "formed": "taisce_pg.cli.write:formed",
    "park": "taisce_pg.cli.write:park",
    "register": "taisce_pg.cli.write:register",
    "rebuild": "taisce_pg.cli.write:rebuild",
    "alias": "taisce_pg.cli.write:alias",
    "merge": "taisce_pg.cli.write:merge",
    "unmerge": "taisce_pg.cli.write:unmerge",
    "feedback": "taisce_pg.cli.write:feedback",
    "erase": "taisce_pg.cli.erase:erase",
    "release": "taisce_pg.cli.erase:release",
    "expire": "taisce_pg.cli.erase:expire",
    "maintain": "taisce_pg.cli.erase:maintain",
    "recall": "taisce_pg.cli.recall:recall",
    "resolve": "taisce_pg.cli.assured:resolve",
    "testimony": "taisce_pg.cli.assured:testimony",
    "facts": "taisce_pg.cli.assured:facts",
    "answer": "taisce_pg.cli.assured:answer",
    "graph": "taisce_pg.cli.assured:graph",
    "passages": "taisce_pg.cli.passages:passages",
    "space": "taisce_pg.cli.space:space",
    "query": "taisce_pg.cli.query:query",
    "saved": "taisce_pg.cli.saved:saved",
    "context": "taisce_pg.cli.inspect:context",
    "segments-due": "taisce_pg.cli.inspect:segments_due",
    "cite": "taisce_pg.cli.inspect:cite",
    "message": "taisce_pg.cli.inspect:message",
    "records": "taisce_pg.cli.inspect:records",
    "entities": "taisce_pg.cli.inspect:entities",
    "freshness": "taisce_pg.cli.inspect:freshness",
    "explain": "taisce_pg.cli.inspect:explain",
    "why-not": "taisce_pg.cli.inspect:why_not",
    "plan": "taisce_pg.cli.inspect:plan",
    "bench": "taisce_pg.cli.bench.group:bench",
}


class LazyGroup(click.Group):
    """A group that imports a command's module only when that command is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the commands in the order of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return a command, or None if there is none of that name."""
        target = COMMANDS.get(cmd_name)
        if target is None:
            return None
        module, _, attribute = target.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--dsn", help="Connection string; default TAISCE_DSN, PG*, else the embedded server.")
@click.option("--debug", is_flag=True, help="Show the traceback of an error.")
@click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour of terminal output.",
)
@click.version_option(__version__, prog_name="taisce-pg")
@click.pass_context
def cli(ctx: click.Context, dsn: str | None, debug: bool, color: str) -> None:
    """Ask an agent's memory that lives in PostgreSQL."""
    if dsn is not None and not dsn.strip():
        raise click.UsageError("--dsn is empty: name a database, or leave it out")
    ctx.obj = {"dsn": dsn, "debug": debug, "color": color}


def main() -> None:
    """Run the command line and turn every error into one clear line and an exit code."""
    from taisce_pg.cli.report import run

    sys.exit(run(cli))
