"""The command line as a program: odd arguments, streams, signals, encodings, stored texts."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path
from struct import pack, unpack
from typing import Any

import pytest

from taisce_pg.cli.hints import role_for
from taisce_pg.load.apply import load_lines
from tests.support.databases import Database
from tests.support.memories import fact, turn

PROGRAM = Path(sys.executable).with_name("taisce-pg")
TABLES = [
    ("recall", "Zoë"),
    ("records",),
    ("entities",),
    ("facts", "Zoë"),
    ("testimony", "Zoë"),
    ("answer", "Zoë"),
    ("resolve", "Zoë"),
    ("passages", "Zoë"),
    ("explain", "Zoë"),
    ("plan", "Zoë"),
    ("context", "s1"),
    ("freshness",),
]
STEERED = [one for one in TABLES if one[0] not in ("resolve", "passages", "freshness")]
BAD = b"a\xff\xfeb"
STEERING = "[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069]"
NASTY = "x\x1b[2J\x9b31m\x7f\u202edesrever\u2066\u200b\u2028y"


@pytest.fixture(scope="module")
def environment(module_database: Database) -> dict[str, str]:
    """Tell a memory in which a text holds what steers a terminal."""
    with module_database.connect() as conn:
        load_lines(
            conn,
            "p",
            [
                turn("t1", f"Zoë says {NASTY} → now.", title=NASTY),
                fact("f1", "Zoë", f"says {NASTY}", "t1", f"Zoë says {NASTY}", predicate="says",
                     value=NASTY),
            ],
        )  # fmt: skip
        for number in range(300):
            conn.execute("select memory_v1.create_project(%s)", [f"q{number}"])
    return {**os.environ, "TAISCE_DSN": module_database.uri()}


def start(environment: dict[str, str], *arguments: str | bytes, **options: Any) -> Any:
    given: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **options}
    return subprocess.Popen([str(PROGRAM), *arguments], env=environment, **given)


def done(
    environment: dict[str, str], *arguments: str | bytes, **options: Any
) -> tuple[int, str, str]:
    with start(environment, *arguments, **options) as process:
        out, err = process.communicate(timeout=60)
    said = [(part or b"").decode(errors="backslashreplace") for part in (out, err)]
    return process.returncode, said[0], said[1]


def wait_until_read(pipe: Any) -> None:
    """Wait until the program at the other end has taken all that was written to it."""
    end = time.monotonic() + 60
    while unpack("i", fcntl.ioctl(pipe, termios.FIONREAD, pack("i", 0)))[0]:
        assert time.monotonic() < end, "nothing reads"
        time.sleep(0.05)


def assert_one_line(err: str) -> None:
    lines = [line for line in err.splitlines() if not line.startswith("hint: ")]
    assert len(lines) == 1, err
    assert re.match(r"error( \w+)?: ", lines[0]) or re.match(r"error \S+ ", lines[0]), err
    assert "unexpected" not in err
    assert "Traceback" not in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("recall", BAD, "--project", "p"),
        ("recall", "Zoë", "--project", BAD),
        ("recall", "Zoë", "--subject", BAD, "--project", "p"),
        ("recall", "Zoë", "--as-of", BAD),
        ("load", "--project", "p", BAD),
        ("load", "--project", BAD, "-"),
        ("export", "--project", BAD),
        ("project", "create", BAD),
        ("project", "grant", "p", BAD, "read"),
        ("setting", "get", BAD),
        ("setting", "set", "bundle_characters", BAD),
        ("records", "--project", BAD),
        ("query", BAD),
        ("--dsn", BAD, "status"),
        ("install", "--prefix", BAD),
        (BAD,),
        (b"--" + BAD,),
    ],
    ids=str,
)
def test_bytes_that_are_not_text_are_one_clear_line(
    environment: dict[str, str], arguments: tuple[str | bytes, ...]
) -> None:
    code, out, err = done(environment, *arguments, stdin=subprocess.DEVNULL)
    assert code == 2
    assert out == ""
    assert_one_line(err)


@pytest.mark.parametrize(
    "arguments",
    [
        ("project", "list"),
        ("project", "list", "--json"),
        ("export", "--project", "p"),
        ("sql", "--offline"),
        ("setting", "list"),
        ("space",),
        ("records", "--project", "p"),
        ("recall", "Zoë", "--project", "p", "--json"),
        ("recall", "Zoë", "--project", "p", "--render"),
        *((*arguments, "--project", "p") for arguments in TABLES),
    ],
    ids=str,
)
def test_a_reader_that_leaves_early_is_no_error(
    environment: dict[str, str], arguments: tuple[str, ...]
) -> None:
    with start(environment, *arguments) as process:
        process.stdout.read(1)
        process.stdout.close()
        err = process.stderr.read().decode()
        assert process.wait(60) == 0
    assert "error" not in err


@pytest.mark.parametrize("arguments", TABLES, ids=str)
def test_a_reader_that_never_was_is_no_error(
    environment: dict[str, str], arguments: tuple[str, ...]
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with start(environment, *arguments, "--project", "p", stdout=writing) as process:
        os.close(writing)
        err = process.stderr.read().decode()
        assert process.wait(60) == 0
    assert err == ""


def closed(number: int) -> Any:
    return {"preexec_fn": lambda: os.close(number)}


def test_closed_streams_change_no_exit_code(environment: dict[str, str]) -> None:
    for arguments, expected in (
        (("recall", "Zoë", "--project", "p"), 0),
        (("project", "list", "--json"), 0),
        (("setting", "list"), 0),
        (("nosuch",), 2),
        (("recall", "Zoë", "--project", "nowhere"), 1),
    ):
        for number in (0, 1, 2):
            with start(environment, *arguments, stdout=None, stderr=None,
                       **closed(number)) as process:  # fmt: skip
                assert process.wait(60) == expected, (arguments, number)
    code, _, err = done(environment, "load", "--project", "p", "-", **closed(0))
    assert code == 2
    assert_one_line(err)


def test_a_full_disk_is_one_clear_line(environment: dict[str, str]) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("there is no /dev/full")
    with open("/dev/full", "wb") as full:
        code, _, err = done(environment, "project", "list", "--json", stdout=full)
    assert code == 1
    assert_one_line(err)


def test_an_interrupted_load_says_so_and_leaves_nothing(
    environment: dict[str, str], module_database: Database
) -> None:
    with start(environment, "load", "--project", "stopped", "-", stdin=subprocess.PIPE) as process:
        process.stdin.write(json.dumps(turn("t1", "One.")).encode() + b"\n")
        process.stdin.flush()
        wait_until_read(process.stdin)
        process.send_signal(signal.SIGINT)
        err = process.stderr.read().decode()
        assert process.wait(60) == 130
    assert err.strip() == "interrupted"
    with module_database.connect() as conn:
        left = conn.execute("select 1 from taisce.project where name = 'stopped'").fetchall()
        assert left == []


def test_a_slow_statement_is_interrupted_at_once(
    environment: dict[str, str], module_database: Database
) -> None:
    with module_database.connect() as conn, conn.transaction():
        conn.execute("lock table taisce.project in access exclusive mode")
        with start(environment, "recall", "Zoë", "--project", "p") as process:
            time.sleep(3)
            process.send_signal(signal.SIGINT)
            err = process.stderr.read().decode()
            assert process.wait(20) == 130
    assert err.strip() == "interrupted"


@pytest.mark.parametrize(
    "setting",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX"},
        {"LANG": "xx_YY.nothing", "LC_ALL": "xx_YY.nothing"},
    ],
    ids=str,
)
def test_any_encoding_of_the_terminal_will_do(
    environment: dict[str, str], setting: dict[str, str]
) -> None:
    changed = {**environment, **setting}
    code, out, err = done(changed, "recall", "who is Zoë →", "--project", "p")
    if "PYTHONUTF8" in setting:  # Python itself cannot read the argument there.
        assert code == 2
        assert_one_line(err)
    else:
        assert (code, err) == (0, "")
    code, out, err = done(changed, "records", "--project", "p", "--json")
    assert (code, err) == (0, "")
    assert "Zo" in out
    assert json.loads(out)
    code, _, err = done(changed, "recall", "who?", "--project", "→")
    assert code in (1, 2)
    assert_one_line(err)


@pytest.mark.parametrize(
    ("arguments", "more"),
    [
        *((arguments, more) for arguments in STEERED for more in ((), ("--json",))),
        (STEERED[0], ("--color", "always")),
    ],
    ids=str,
)
def test_no_stored_text_steers_the_terminal(
    environment: dict[str, str], arguments: tuple[str, ...], more: tuple[str, ...]
) -> None:
    before, after = (more, ()) if more and more[0] == "--color" else ((), more)
    code, out, err = done(environment, *before, *arguments, "--project", "p", *after)
    assert (code, err) == (0, "")
    seen = re.sub(r"\x1b\[[0-9;]*m", "", out) if before else out
    assert re.findall(STEERING, seen) == []
    if after and arguments[0] in ("recall", "records"):
        assert any(NASTY in text for text in texts(json.loads(out))), "the value is the same"


def texts(value: Any) -> Iterator[str]:
    """Yield every text inside a JSON value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for item in value:
            yield from texts(item)
    elif isinstance(value, dict):
        yield from texts(list(value.values()))


def test_an_error_is_one_line_and_debug_shows_more(environment: dict[str, str]) -> None:
    code, out, err = done(environment, "recall", "Zoë", "--project", "nowhere")
    assert (code, out) == (1, "")
    assert_one_line(err)
    code, out, err = done(environment, "--debug", "recall", "Zoë", "--project", "nowhere")
    assert (code, out) == (1, "")
    assert "Traceback" in err
    assert err.splitlines()[-1].startswith(("error", "hint"))


def test_an_empty_database_name_leads_nowhere_else(environment: dict[str, str]) -> None:
    for empty in ("", " "):
        code, out, err = done(environment, "--dsn", empty, "status")
        assert (code, out) == (2, "")
        assert_one_line(err)
        assert "--dsn is empty" in err


@pytest.mark.parametrize(
    ("groups", "arguments", "role"),
    [
        ((), ("recall", "Zoë", "--project", "p"), "taisce_reader"),
        (("taisce_reader",), ("observe", "Hello", "--project", "p"), "taisce_writer"),
        (("taisce_reader",), ("project", "create", "other"), "taisce_admin"),
        (("taisce_writer",), ("expire", "--project", "p"), "taisce_admin"),
    ],
    ids=str,
)
def test_a_login_is_told_which_role_it_lacks(
    environment: dict[str, str],
    module_database: Database,
    groups: tuple[str, ...],
    arguments: tuple[str, ...],
    role: str,
) -> None:
    made = {**environment, "TAISCE_DSN": module_database.login(*groups)}
    code, out, err = done(made, *arguments)
    assert (code, out) == (1, "")
    assert_one_line(err)
    assert "42501" in err
    assert f"grant {role} to LOGIN" in err


def test_the_role_told_is_the_role_that_may_call(module_database: Database) -> None:
    with module_database.connect() as conn:
        for name, may in conn.execute(
            """
            select p.proname, array_agg(distinct right(a.grantee::regrole::text, -7))
            from pg_proc as p, aclexplode(p.proacl) as a
            where p.pronamespace = 'memory_v1'::regnamespace
              and a.grantee <> p.proowner
              and a.privilege_type = 'EXECUTE'
            group by p.proname
            """
        ):
            assert role_for(name) in may, name


def test_a_hint_names_commands(environment: dict[str, str]) -> None:
    for arguments, said in (
        (("recall", "Zoë", "--project", "nowhere"), "taisce-pg project list"),
        (("recall", "Zoë"), "--project"),
    ):
        code, _, err = done(environment, *arguments)
        assert code == 1
        assert said in err
        assert "memory_v1" not in err
        assert "argument project" not in err


def test_an_export_to_no_folder_names_what_was_asked_for(
    environment: dict[str, str], tmp_path: Path
) -> None:
    target = tmp_path / "none" / "p.ndjson"
    code, _, err = done(environment, "export", "--project", "p", str(target))
    assert code == 2
    assert_one_line(err)
    assert str(target) in err
    assert ".part" not in err


def test_turns_that_wait_to_be_formed_are_told(environment: dict[str, str]) -> None:
    said = done(environment, "observe", "I wait.", "--subject", "w", "--project", "q0", "--json")
    assert said[0] == 0
    code, out, err = done(environment, "context", "w", "--project", "q0")
    assert (code, err) == (0, "")
    assert "Stored up to 1, formed up to 0" in out
    assert "taisce-pg formed" in out
    found = json.loads(said[1])["observation_id"]
    assert done(environment, "formed", found, "--project", "q0")[0] == 0
    code, out, _ = done(environment, "context", "w", "--project", "q0")
    assert "I wait." in out
    assert "formed up to" not in out
