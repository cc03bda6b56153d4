"""What the command line says: data on stdout, talk on stderr, one clear line for an error."""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import re
import signal
import sys
import threading
import traceback
from datetime import date, datetime
from typing import Any

import click
import psycopg
from rich.console import Console

from taisce_pg.cli.hints import missing_role, translated
from taisce_pg.problem import Problem

OK, ERROR, USAGE, PENDING, DRIFT = 0, 1, 2, 3, 4
INTERRUPTED = 130


def run(cli: click.Command, args: list[str] | None = None) -> int:
    """Run a command and return its exit code: 0 ok, 1 error, 2 usage, 3 pending, 4 drift.

    An error becomes one line on stderr; --debug adds the traceback. A command ends with another
    code by `ctx.exit(code)`; a reader that closes the pipe early is no error.
    """
    given = sys.argv[1:] if args is None else args
    debug = "--debug" in given
    logging.basicConfig(
        stream=sys.stderr,
        format="taisce-pg: %(message)s",
        level=logging.DEBUG if debug else logging.WARNING,
    )
    _end_in_order()
    _ready_streams()
    if any(map(_no_text, given)):
        print("error: an argument holds bytes that are not text in UTF-8", file=sys.stderr)
        return USAGE
    try:
        code = _invoke(cli, given)
        sys.stdout.flush()
        return code
    except SystemExit as error:
        return error.code if isinstance(error.code, int) else ERROR if error.code else OK
    except OSError as error:
        if isinstance(error, BrokenPipeError) or error.errno == errno.EPIPE:
            return _leave_quietly()
        return _tell(error, debug)
    except BaseException as error:
        return _tell(error, debug)


def _no_text(argument: str) -> bool:
    """Say whether an argument holds bytes that Python could not read as text."""
    return any("\ud800" <= character <= "\udfff" for character in argument)


def _end_in_order() -> None:
    """Let a polite request to end run what is due at exit, such as leaving the server."""
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGTERM, signal.SIGHUP):
            if signal.getsignal(number) is signal.SIG_DFL:
                signal.signal(number, lambda got, _: sys.exit(128 + got))


def _ready_streams() -> None:
    """Write to what is open, whatever its encoding.

    A stream that was closed for us is /dev/null: no file opened later may take its place. What
    the encoding of a terminal cannot say is written as an escape.
    """
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _invoke(cli: click.Command, args: list[str]) -> int:
    """Call click; turn its private way of ending on a closed pipe back into the error.

    It puts another object in place of stdout and leaves by `SystemExit`.
    """
    stdout = sys.stdout
    try:
        result = cli.main(args, prog_name="taisce-pg", standalone_mode=False)
    except SystemExit as ended:
        if sys.stdout is not stdout:
            raise BrokenPipeError(errno.EPIPE, "closed") from ended
        raise
    return result if isinstance(result, int) and not isinstance(result, bool) else OK


def _leave_quietly() -> int:
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    return OK


def _tell(error: BaseException, debug: bool) -> int:
    if debug:
        traceback.print_exception(error)
    text, code = explain(error)
    if text:
        print(text, file=sys.stderr)
    return code


def explain(error: BaseException) -> tuple[str, int]:
    """Return the line (or two) that tells a user of an error, and the exit code."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted", INTERRUPTED
    if isinstance(error, click.Abort):
        asked = isinstance(error.__cause__, EOFError) or error.__cause__ is None
        return ("aborted", ERROR) if asked else ("interrupted", INTERRUPTED)
    if type(error).__name__ == "NoArgsIsHelpError":  # click 8.2 and newer
        return error.format_message(), USAGE  # type: ignore[attr-defined]
    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "taisce-pg"
        return f"error: {_line(error.format_message())} (see: {path} --help)", USAGE
    if isinstance(error, click.ClickException):
        return f"error: {_line(error.format_message())}", error.exit_code
    if isinstance(error, Problem):
        return f"error: {_line(str(error))}", error.exit_code
    if isinstance(error, psycopg.Error):
        return _explain_database(error)
    cause = error.__cause__
    if _is_taisce(error):
        if isinstance(cause, psycopg.Error) and cause.diag.sqlstate:
            return _explain_database(cause)
        return f"error: {_line(translated(str(error)))}", ERROR
    if isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed":
        return "error: an argument or a variable holds bytes that are not text in UTF-8", USAGE
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return f"error: {place}{error.strerror or _line(str(error))}", ERROR
    what = _line(str(error))
    return (
        f"error: {type(error).__name__}{': ' + what if what else ''} "
        "(unexpected; --debug shows where)",
        ERROR,
    )


def _is_taisce(error: BaseException) -> bool:
    try:
        from taisce_pg.errors import TaisceError
    except ImportError:
        return False
    return isinstance(error, TaisceError)


def _explain_database(error: psycopg.Error) -> tuple[str, int]:
    """One line of code, message and detail; a second with the hint."""
    diag = error.diag
    if not diag.sqlstate:
        return f"error: {_line(str(error)) or type(error).__name__}", ERROR
    text = f"error {diag.sqlstate}: {_line(diag.message_primary or '')}"
    if diag.message_detail:
        text += f": {_line(diag.message_detail)}"
    hint = diag.message_hint
    if diag.sqlstate == "42501":
        hint = hint or missing_role(diag.message_primary or "")
    if hint:
        text += f"\nhint: {_line(translated(hint))}"
    return text, ERROR


def _line(text: str) -> str:
    return " ".join(text.split())


class _Console(Console):
    """A console that leaves a pipe closed by its reader to `run`."""

    def on_broken_pipe(self) -> None:
        """Raise the error again; the library would end the program as if it had failed."""
        raise BrokenPipeError(errno.EPIPE, "closed")


def console(ctx: click.Context, talk: bool = False, markup: bool = True) -> Console:
    """Return the console for data (stdout), or for talk (stderr), as --color asks.

    `markup`: whether [words] in brackets may mean a style; never where a name is printed.
    """
    color = (ctx.find_object(dict) or {}).get("color", "auto")
    return _Console(
        stderr=talk,
        force_terminal=True if color == "always" else None,
        no_color=True if color == "never" else None,
        highlight=False,
        markup=markup,
    )


def print_json(value: Any) -> None:
    """Print one JSON value on stdout: indented for a terminal, else on one line.

    Controls and marks that turn or hide text are always escaped: a stored text may be anybody's.
    """
    from taisce_pg.cli.show import UNSAFE

    indent = 2 if sys.stdout.isatty() else None
    utf8 = (sys.stdout.encoding or "utf-8").lower().replace("-", "") == "utf8"
    text = json.dumps(value, ensure_ascii=not utf8, indent=indent, default=_plain)
    sys.stdout.write(UNSAFE.sub(_escaped, text) + "\n")


def _escaped(match: re.Match[str]) -> str:
    """Write as JSON escapes what could steer a terminal; it means the same to a program."""
    return match[0] if match[0] == "\n" else json.dumps(match[0])[1:-1]


def _plain(value: Any) -> Any:
    if isinstance(value, datetime | date):
        return value.isoformat()
    for name in ("to_dict", "model_dump"):
        if hasattr(value, name):
            return getattr(value, name)()
    return str(value)
