"""The embedded server: private, shared by programs, gone with the last of them or told to stay."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from taisce_pg.embedded import Server, find_binaries
from taisce_pg.problem import Problem
from tests.support.embedded_servers import Program, ask, gone

# -- what a new server is like ------------------------------------------------------------------


def test_a_new_server_is_private_and_speaks_utf8(make: Callable[..., Server]) -> None:
    with make("new") as server:
        uri = server.uri()
        assert ask(uri, "select current_database()") == "taisce"
        assert ask(uri, "show listen_addresses") == ""
        assert ask(uri, "show server_encoding") == "UTF8"
        assert ask(uri, "show password_encryption") == "scram-sha-256"
        assert ask(uri, "select lower('É')") == "é"
        assert ask(uri, "select datlocprovider from pg_database where datname = 'taisce'") == "b"
        assert ask(uri, "select count(*) from pg_hba_file_rules where auth_method = 'trust'") == 0
        sockets = Path(str(server.status().socket_dir))
        assert stat.S_IMODE(sockets.stat().st_mode) == 0o700
        assert stat.S_IMODE(server.data.stat().st_mode) == 0o700
        for name in ("password", "server.json", "server.log"):
            assert stat.S_IMODE((server.home.path / name).stat().st_mode) == 0o600
    assert gone(server)
    assert not sockets.exists()


@pytest.mark.slow
def test_safety_settings_are_left_on_and_memory_is_modest(place: Path) -> None:
    with Server(place / "home") as server:
        assert ask(server.uri(), "show fsync") == "on"
        assert ask(server.uri(), "show full_page_writes") == "on"
        assert ask(server.uri(), "show shared_buffers") == "256MB"
        assert ask(server.uri(), "show max_connections") == "100"


def test_a_connection_needs_the_password(make: Callable[..., Server]) -> None:
    with make() as server:
        parts = conninfo_to_dict(server.uri())
        parts.pop("password")
        with pytest.raises(psycopg.OperationalError, match="no password supplied"):
            psycopg.connect(**parts)
        with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
            psycopg.connect(make_conninfo(server.uri(), password="guess"))


@pytest.mark.slow
def test_a_wrong_password_file_is_told_at_once(make: Callable[..., Server]) -> None:
    with make() as server:
        server.home.write("password", "wrong\n")
        with pytest.raises(Problem, match="refuses the password"):
            make().start()


@pytest.mark.slow
def test_psql_can_use_the_uri(make: Callable[..., Server]) -> None:
    with make() as server:
        done = subprocess.run(
            [server.binaries.path("psql"), "-XAtc", "select 40 + 2", server.uri()],
            capture_output=True,
            text=True,
        )
        assert done.stdout == "42\n"


@pytest.mark.slow
def test_no_uri_before_the_first_start(make: Callable[..., Server]) -> None:
    with pytest.raises(Problem, match="taisce-pg server start"):
        make("new").uri()


# -- sharing ------------------------------------------------------------------------------------


def test_programs_starting_at_once_get_one_server(make: Callable[..., Server]) -> None:
    home = make().home.path
    programs = [Program(home) for _ in range(3)]
    answers = {program.answer() for program in programs}
    assert len(answers) == 1
    for program in programs:
        program.end()
    assert gone(Server(home))


def test_the_last_one_out_stops_the_server(make: Callable[..., Server]) -> None:
    first, second = make(), make()
    first.start()
    second.start()
    first.release()
    assert ask(second.uri(), "select 1") == 1
    second.release()
    assert gone(second)


@pytest.mark.slow
def test_releasing_or_stopping_twice_is_harmless(make: Callable[..., Server]) -> None:
    server = make()
    assert server.stop() is False
    server.start()
    assert server.stop() is True
    server.release()
    server.release()
    assert server.stop() is False


@pytest.mark.slow
def test_a_killed_program_leaves_a_server_that_the_next_one_reuses_and_stops(
    make: Callable[..., Server],
) -> None:
    home = make().home.path
    killed = Program(home)
    pid, uri = killed.answer()
    killed.kill()
    assert ask(uri, "select 1") == 1
    following = Program(home)
    assert following.answer()[0] == pid
    following.end()
    assert gone(Server(home))


@pytest.mark.slow
def test_a_forked_child_does_not_stop_its_parents_server(make: Callable[..., Server]) -> None:
    with make() as server:
        child = os.fork()
        if child == 0:
            server.release()
            os._exit(0)
        os.waitpid(child, 0)
        assert ask(server.uri(), "select 1") == 1


def test_a_server_started_to_stay_stays_until_stopped(place: Path) -> None:
    environment = {**os.environ, "TAISCE_HOME": str(place / "home")}

    command = [sys.executable, "-c", "import taisce_pg.cli.main as m; m.main()", "server"]

    def run(*args: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*command, *args], env=environment, capture_output=True, text=True)

    assert run("uri").returncode == 1
    assert run("start").returncode == 0
    status = json.loads(run("status", "--json").stdout)
    assert (status["state"], status["persistent"]) == ("running", True)
    uri = run("uri").stdout.strip()
    psql = [find_binaries().path("psql"), "-XAtc", "select current_database()", uri]
    assert subprocess.run(psql, capture_output=True, text=True).stdout == "taisce\n"
    program = Program(place / "home")
    assert program.answer()[0] == status["pid"]
    program.end()
    assert json.loads(run("status", "--json").stdout)["pid"] == status["pid"]
    assert run("stop").returncode == 0
    assert json.loads(run("status", "--json").stdout)["state"] == "stopped"
