"""Options, calls and errors that every command of an operation shares."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any

import click
import psycopg

from taisce_pg.client import calls
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


def command(name: str) -> Callable[[Callable[..., Any]], click.Command]:
    """Make a command with the arguments, the options and the help of an operation."""
    described = calls.OPERATIONS[name]

    def decorate(function: Callable[..., Any]) -> click.Command:
        for argument in reversed(described.arguments):
            if not argument.hidden:
                function = _parameter(argument)(function)
        example = f"\b\nExample: {described.example}"
        shown = described.command or name
        return click.command(shown, help=_help(described), epilog=example)(function)

    return decorate


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """Keep the options that were given on the command line."""
    return {name: value for name, value in values.items() if value not in (None, (), False)}


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


def _help(described: calls.Operation) -> str:
    asked = [argument for argument in described.arguments if argument.required]
    return "\n\n".join([described.help, *(f"{a.name.upper()}: {a.help}" for a in asked)])


def _parameter(argument: calls.Argument) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    if argument.required:
        return click.argument(argument.name, type=_TYPES[argument.kind])
    option = argument.option or "--" + argument.name.replace("_", "-")
    if argument.kind == "flag":
        return click.option(option, argument.name, is_flag=True, help=argument.help)
    choices = click.Choice(argument.choices) if argument.choices else None
    return click.option(
        option,
        argument.name,
        type=choices or _TYPES[argument.kind],
        multiple=argument.kind == "texts",
        help=argument.help,
    )


_TYPES: dict[calls.Kind, click.ParamType[Any]] = {
    "text": click.STRING,
    "texts": click.STRING,
    "integer": click.INT,
    "instant": InstantType(),
    "uuid": click.UUID,
}
