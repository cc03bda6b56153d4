"""The tables in README.md, docs/functions.md and docs/commands.md, made from comments and help.

`python -m tests.support.reference` installs into a throw-away server and writes both anew.
"""

from __future__ import annotations

import re
import tempfile
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import psycopg

from taisce_pg.cli.main import cli
from taisce_pg.resources import db_root

ROOT = Path(__file__).parents[2]
BEGIN = "<!-- functions: begin (python -m tests.support.reference) -->"
END = "<!-- functions: end -->"
ROOMS = {
    "recall": "recall",
    "time": "recall, its parts",
    "evidence": "recall, its parts",
    "names": "recall, its parts",
    "operations": "operations",
    "graph": "graph",
    "search": "words",
    "vectors": "vectors",
    "context": "history of a person",
    "inspect": "inspection",
    "write": "writing",
    "load": "loading",
    "sandbox": "open SQL",
    "admin": "administration",
}
_WIDTH = 92
_PARTS = ("recall_anchors", "fact_walk")
_FUNCTIONS = """
    select p.proname, pg_get_function_arguments(p.oid), pg_get_function_result(p.oid),
        obj_description(p.oid, 'pg_proc'), (
        select array_agg(distinct a.grantee::regrole::text order by a.grantee::regrole::text)
        from aclexplode(p.proacl) as a where a.grantee <> p.proowner), (
        select array_agg(a.attname || ' ' || format_type(a.atttypid, a.atttypmod) order by a.attnum)
        from pg_type as t join pg_attribute as a on a.attrelid = t.typrelid
        where t.oid = p.prorettype and a.attnum > 0 and not a.attisdropped)
    from pg_proc as p
    where p.pronamespace = 'memory_v1'::regnamespace
"""
_VIEWS = """
    select c.relname, obj_description(c.oid, 'pg_class')
    from pg_class as c
    where c.relnamespace = 'memory_v1'::regnamespace and c.relkind = 'v' and exists (
        select from aclexplode(c.relacl) as a where a.grantee <> c.relowner)
    order by c.relname
"""


class Catalogue:
    """The public functions, by topic, and the public views of an installation."""

    def __init__(self, conn: psycopg.Connection[Any]) -> None:
        with conn.transaction():
            conn.execute("set local search_path = pg_catalog")
            self.views = conn.execute(_VIEWS).fetchall()
            found = conn.execute(_FUNCTIONS).fetchall()
        rooms = {
            file.name.split(".")[0]: file.parent.name
            for file in (db_root() / "functions").glob("*/*.sql*")
        }
        topics = list(dict.fromkeys([*ROOMS.values(), "others"]))
        placed = []
        for row in found:
            topic = ROOMS.get(rooms.get(row[0], ""), "others")
            placed.append((topics.index("recall, its parts" if row[0] in _PARTS else topic), row))
        placed.sort(key=lambda one: (one[0], one[1][0]))
        self.functions = [(topics[number], row) for number, row in placed]

    def table(self) -> str:
        """Return the short table of the README."""
        return "\n".join(self._short()) + "\n"

    def page(self) -> str:
        """Return the page that holds everything the comments say."""
        return "\n".join(self._long()) + "\n"

    def renewed(self, readme: str) -> str:
        """Return the README with its table made anew."""
        before, _, rest = readme.partition(BEGIN)
        _, mark, after = rest.partition(END)
        if not mark:
            raise ValueError("the README has no marks for the table of functions")
        return f"{before}{BEGIN}\n\n{self.table()}\n{END}{after}"

    def _short(self) -> Iterator[str]:
        yield from ("| for | function | what it does |", "| --- | --- | --- |")
        last = ""
        for topic, row in self.functions:
            yield f"| {'' if topic == last else topic} | `{row[0]}` | {_cell(_sentence(row[3]))} |"
            last = topic
        yield from ("", "| view | what it shows |", "| --- | --- |")
        for name, comment in self.views:
            yield f"| `{name}` | {_cell(_sentence(comment.splitlines()[0]))} |"

    def _long(self) -> Iterator[str]:
        yield "# Functions of `memory_v1`"
        yield ""
        yield "<!-- made from the comments in the database: python -m tests.support.reference -->"
        yield ""
        yield (
            "Call with named arguments: `memory_v1.recall('...', hops => 2)`. In psql, `\\df+ "
            "memory_v1.*` prints the same. Role names are those of the default prefix. The views "
            "have a [page of their own](open-sql-views.md)."
        )
        last = ""
        for topic, (name, arguments, result, comment, roles, columns) in self.functions:
            if topic != last:
                yield from ("", f"## {topic[0].upper()}{topic[1:]}")
            last = topic
            yield from ("", f"### {name}", "", " ".join(comment.split()), "", "```text")
            yield from _signature(name, arguments)
            yield from _result(result, columns)
            yield from ("```", "", f"For {_spoken(roles)}.")


def commands() -> str:
    """Return the page of all commands, with the example that closes the help of each."""
    lines = [
        "# Commands",
        "",
        "<!-- made from the help of each command: python -m tests.support.reference -->",
        "",
        "`taisce-pg COMMAND --help` tells all options. Answers go to standard output, all else to",
        "standard error; `--json` prints an answer as JSON. Which database is meant: see",
        "[Installing](installing.md).",
        "",
        "| command | what it does | example |",
        "| --- | --- | --- |",
    ]
    for name, command in walk(cli):
        what = _sentence(re.split(r"\n\s*\n", (command.help or "").strip())[0])
        lines.append(f"| `{name}` | {_cell(what)} | `{_cell(example(command))}` |")
    return "\n".join(lines) + "\n"


def walk(command: click.Command, path: tuple[str, ...] = ()) -> Iterator[tuple[str, click.Command]]:
    """Give every command with its words, groups too."""
    if path:
        yield " ".join(path), command
    if isinstance(command, click.Group):
        context = click.Context(command, info_name=" ".join(path))
        for name in command.list_commands(context):
            found = command.get_command(context, name)
            assert found is not None, name
            yield from walk(found, (*path, name))


def example(command: click.Command) -> str:
    """Return the first example at the end of the help, on one line."""
    said = (command.epilog or command.help or "").replace("\b", "").strip()
    last = re.split(r"\n\s*\n", said)[-1].strip()
    assert last.startswith("Example: "), f"the help of {command.name} ends with: {last!r}"
    # A further example begins on a line of its own.
    first = re.split(r"\n\s*(?=taisce-pg )", last.removeprefix("Example: "))[0]
    return " ".join(first.split())


def _signature(name: str, arguments: str) -> Iterator[str]:
    parts = [_plain(part) for part in arguments.split(", ") if part]
    one = f"{name}({', '.join(parts)})"
    if len(one) <= _WIDTH:
        yield one
    else:
        yield f"{name}("
        yield from (f"    {part}," for part in parts[:-1])
        yield from (f"    {parts[-1]}", ")")


def _result(result: str, columns: list[str] | None) -> Iterator[str]:
    if columns is None:
        yield f"returns {_plain(result)}"
        return
    text = ", ".join(map(_plain, columns))
    yield "returns rows of" if result.startswith("SETOF") else "returns one row of"
    yield from textwrap.wrap(text, _WIDTH, initial_indent="    ", subsequent_indent="    ")


def _plain(text: str) -> str:
    text = (
        text.replace("timestamp with time zone", "timestamptz")
        .replace("SETOF", "setof")
        .replace("public.", "")
    )
    return re.sub(r"DEFAULT (.+?)(::[\w. ]+(\[\])?)?$", r"default \1", text).replace("NULL", "null")


def _sentence(text: str) -> str:
    """Return the first sentence, without what stands behind a colon or semicolon in a long one."""
    first = re.split(r"(?<=[.])\s", " ".join(text.split()), maxsplit=1)[0]
    if len(first) > _WIDTH:
        first = re.split(r"[;:] ", first, maxsplit=1)[0]
    return first.rstrip(".") + "."


def _spoken(roles: list[str] | None) -> str:
    return ", ".join(roles) if roles else "nobody but the owner"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def main() -> None:
    """Write the three pages anew."""
    from taisce_pg.embedded import Server
    from taisce_pg.install.run import install

    with tempfile.TemporaryDirectory(prefix="taisce-reference-") as folder:
        Path(folder).chmod(0o711)
        with (
            Server(Path(folder) / "home") as server,
            psycopg.connect(server.uri(), autocommit=True) as conn,
        ):
            install(conn)
            catalogue = Catalogue(conn)
    readme = ROOT / "README.md"
    readme.write_text(catalogue.renewed(readme.read_text("utf-8")), "utf-8")
    (ROOT / "docs" / "functions.md").write_text(catalogue.page(), "utf-8")
    (ROOT / "docs" / "commands.md").write_text(commands(), "utf-8")


if __name__ == "__main__":
    main()
