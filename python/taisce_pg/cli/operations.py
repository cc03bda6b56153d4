"""Options, calls and errors that every command of an operation shares."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import click
import psycopg

from taisce_pg.client import calls
from taisce_pg.client.described import Argument, Kind, Operation
from taisce_pg.client.memory import Memory
from taisce_pg.connection import connection_problem, resolve_dsn
from taisce_pg.problem import Problem


class InstantType(click.ParamType[datetime]):
    """A time as ISO 8601 writes it, with its zone."""

    name = "instant"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime:
        """Read the time, or end with a usage error that says what is missing."""
        if isinstance(value, datetime):
            return value
        try:
            return calls.instant(value)
        except ValueError as exc:
            self.fail(f"{value!r} is {exc}. {calls.ZONE_HINT}", param, ctx)


class JsonType(click.ParamType[Any]):
    """A value as JSON writes it; with `names`, text that is no object is taken as it is."""

    name = "json"

    def __init__(self, names: bool = False) -> None:
        """Choose whether plain text may stand for itself."""
        self.names = names
        self.name = "name or json" if names else "json"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the value, or end with a usage error that says where it breaks."""
        if not isinstance(value, str) or (self.names and not value.lstrip().startswith("{")):
            return value
        try:
            return json.loads(read_text(value))
        except ValueError as exc:
            self.fail(f"not JSON: {exc}", param, ctx)


def command(
    name: str, optional: frozenset[str] = frozenset()
) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command with the arguments, the options and the help of an operation.

    What is `optional` may be left out, for an option of the command's own.
    """
    described = calls.OPERATIONS[name]

    def decorate(function: Callable[..., Any]) -> click.Command:
        for argument in reversed(described.arguments):
            if not argument.hidden:
                function = _parameter(argument, argument.name not in optional)(function)
        example = f"\b\nExample: {described.example}"
        shown = described.command or name
        return click.command(shown, help=_help(described), epilog=example)(function)

    return decorate


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the options that were given on the command line."""
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value != ()
    }


@contextmanager
def memory(ctx: click.Context) -> Iterator[Memory]:
    """Open the memory that the command line names; explain a database that holds none."""
    target = resolve_dsn((ctx.find_object(dict) or {}).get("dsn"))
    try:
        opened = Memory(target.dsn).open()
    except psycopg.OperationalError as exc:
        raise connection_problem(target, exc) from exc
    with opened:
        try:
            yield opened
        except (psycopg.errors.InvalidSchemaName, psycopg.errors.UndefinedFunction) as exc:
            raise Problem(
                f"{target} has no memory that this version can ask",
                "run: taisce-pg install, or taisce-pg demo for one with content",
            ) from exc


def read_text(text: str) -> str:
    """Return the text, or all of standard input for a single dash."""
    if text != "-":
        return text
    try:
        return sys.stdin.buffer.read().decode().removesuffix("\n")
    except UnicodeDecodeError:
        raise click.UsageError("standard input is not UTF-8 text") from None


def _help(described: Operation) -> str:
    asked = [argument for argument in described.arguments if argument.required]
    return "\n\n".join([described.help, *(f"{a.name.upper()}: {a.help}" for a in asked)])


def _parameter(
    argument: Argument, needed: bool = True
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    if argument.required:
        several = -1 if argument.kind in ("uuids", "references") else 1
        # What is said comes as it was said: its command makes messages of it.
        kind = "text" if argument.kind == "items" else argument.kind
        return click.argument(argument.name, type=_TYPES[kind], nargs=several, required=needed)
    option = argument.option or "--" + argument.name.replace("_", "-")
    if argument.kind == "flag":
        return click.option(option, argument.name, is_flag=True, help=argument.help)
    choices = click.Choice(argument.choices) if argument.choices else None
    return click.option(
        option,
        argument.name,
        type=choices or _TYPES[argument.kind],
        multiple=argument.kind in ("texts", "uuids", "items"),
        help=argument.help,
    )


_TYPES: dict[Kind, click.ParamType[Any]] = {
    "text": click.STRING,
    "texts": click.STRING,
    "integer": click.INT,
    "offset": click.INT,
    "number": click.FLOAT,
    "instant": InstantType(),
    "uuid": click.UUID,
    "uuids": click.UUID,
    "json": JsonType(),
    "items": JsonType(),
    "reference": JsonType(names=True),
    "references": JsonType(names=True),
}
