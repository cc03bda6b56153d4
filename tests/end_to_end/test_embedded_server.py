"""The embedded server: shared by programs, survives their deaths and its own, harms nothing."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from taisce_pg.embedded import Server, find_binaries
from taisce_pg.problem import Problem

SETTINGS = {"fsync": "off", "shared_buffers": "32MB"}
CLIENT = """
import sys
from pathlib import Path
from taisce_pg.embedded import Server
server = Server(Path(sys.argv[1]), settings={"fsync": "off", "shared_buffers": "32MB"})
server.start()
print(server.status().pid, server.uri(), flush=True)
sys.stdin.read()
"""
ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root meets this")


@pytest.fixture
def place() -> Iterator[Path]:
    """Give a folder that other users can pass through, and stop every server below it."""
    made = Path(tempfile.mkdtemp(prefix="taisce-test-"))
    made.chmod(0o711)
    yield made
    for found in made.rglob("server.json"):
        Server(found.parent).stop()
    shutil.rmtree(made)


@pytest.fixture(scope="session")
def seed() -> Iterator[Path]:
    """Make the data directory of a home that was used before."""
    made = Path(tempfile.mkdtemp(prefix="taisce-test-"))
    made.chmod(0o711)
    with Server(made / "home", settings=SETTINGS):
        pass
    yield made / "home"
    shutil.rmtree(made)


@pytest.fixture
def make(place: Path, seed: Path) -> Callable[..., Server]:
    """Give servers of a home that was used before, or of a new one under another name."""

    def server(name: str = "home") -> Server:
        home = place / name
        if name == "home" and not home.exists():
            home.mkdir(mode=0o711)
            subprocess.run(["cp", "-a", seed / "password", seed / "pg18", home], check=True)
        return Server(home, settings=SETTINGS)

    return server


class Program:
    """Another program that uses the server of a home until it is told to end."""

    def __init__(self, home: Path, prefix: Sequence[str] = (), **options: Any) -> None:
        self.process = subprocess.Popen(
            [*prefix, sys.executable, "-c", CLIENT, str(home)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            cwd="/",
            **options,
        )

    def answer(self) -> tuple[int, str]:
        """Wait for the server; return its process number and its connection string."""
        assert self.process.stdout
        pid, _, uri = self.process.stdout.readline().strip().partition(" ")
        return int(pid), uri

    def end(self) -> None:
        self.process.communicate("")
        assert self.process.returncode == 0

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


def gone(server: Server) -> bool:
    return server.status().state == "stopped"


def ask(uri: str, statement: str) -> Any:
    with psycopg.connect(uri, autocommit=True) as conn:
        cursor = conn.execute(statement.encode())
        row = cursor.fetchone() if cursor.description else None
        return row[0] if row else None


def modes(path: Path) -> dict[Path, int]:
    return {place: place.stat().st_mode for place in [path, *path.parents]}


def tree(path: Path) -> dict[Path, tuple[int, bytes]]:
    return {
        found: (found.stat().st_mode, found.read_bytes() if found.is_file() else b"")
        for found in path.rglob("*")
    }


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


# -- crashes ------------------------------------------------------------------------------------


def crash(server: Server) -> None:
    """Kill the server as a power failure would."""
    os.kill(int(server.status().pid or 0), signal.SIGKILL)


def test_after_a_crash_the_next_call_works_and_nothing_committed_is_lost(
    make: Callable[..., Server],
) -> None:
    with make() as server:
        ask(server.uri(), "create table t as select generate_series(1, 10000) as n")
        crash(server)
        server.start()
        assert ask(server.uri(), "select count(*) from t") == 10000
        crash(server)
        with make() as other:
            assert ask(other.uri(), "select count(*) from t") == 10000
        assert ask(server.uri(), "select count(*) from t") == 10000


@pytest.mark.slow
def test_a_server_that_is_to_stay_still_stays_after_a_crash(make: Callable[..., Server]) -> None:
    server = make()
    server.start(persistent=True)
    crash(server)
    with make():
        pass
    server.release()
    assert server.status().persistent
    assert server.stop()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["zombie", "another program"])
def test_a_dead_servers_number_borne_by_another_process_fools_nobody(
    make: Callable[..., Server], kind: str
) -> None:
    with make() as server:
        crash(server)
        time.sleep(0.2)
        # Same user as the server, so that the server itself would be fooled.
        owner = server.data.stat()
        who = {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
        other = subprocess.Popen(
            ["sleep", "60"], cwd="/", **(who if os.geteuid() == 0 and owner.st_uid else {})
        )
        try:
            if kind == "zombie":
                other.kill()
                time.sleep(0.1)
            file = server.data / "postmaster.pid"
            lines = file.read_text().split("\n")
            file.write_text("\n".join([str(other.pid), *lines[1:]]))
            server.start()
            assert ask(server.uri(), "select 1") == 1
        finally:
            other.kill()
            other.wait()


@pytest.mark.slow
def test_an_interrupted_first_start_is_begun_anew(make: Callable[..., Server]) -> None:
    server = make("new")
    half = server.home.path / ".pg18.new"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    with server:
        assert ask(server.uri(), "select 1") == 1
    assert not half.exists()


@pytest.mark.slow
def test_a_removed_socket_folder_comes_back(make: Callable[..., Server]) -> None:
    with make() as server:
        shutil.rmtree(str(server.status().socket_dir))
        server.start()
        assert ask(server.uri(), "select 1") == 1


# -- what is not touched ------------------------------------------------------------------------


@pytest.mark.parametrize(("folder", "version"), [("pg18", "17"), ("pg17", "17"), ("pg16", "16")])
def test_data_of_another_major_version_is_refused_and_untouched(
    make: Callable[..., Server], folder: str, version: str
) -> None:
    server = make("new")
    data = server.home.path / folder
    data.mkdir(parents=True)
    (data / "PG_VERSION").write_text(version + "\n")
    (data / "base").mkdir()
    before = tree(server.home.path)
    with pytest.raises(Problem, match=rf"PostgreSQL {version}.*pg_dumpall.*TAISCE_HOME"):
        server.start()
    assert tree(server.home.path) == before


def test_a_folder_with_other_things_is_refused_and_untouched(make: Callable[..., Server]) -> None:
    server = make("new")
    server.data.mkdir(parents=True)
    (server.data / "letter.txt").write_text("dear")
    before = tree(server.data)
    with pytest.raises(Problem, match="no data directory"):
        server.start()
    assert tree(server.data) == before


@pytest.mark.slow
@pytest.mark.parametrize("name", ["file", "file/below", "file/deep/below"])
def test_a_file_where_the_folder_should_be_is_told(place: Path, name: str) -> None:
    (place / "file").write_text("kept")
    with pytest.raises(Problem, match="cannot be used"):
        Server(place / name).start()
    assert (place / "file").read_text() == "kept"


def test_a_server_started_by_other_means_is_left_alone(make: Callable[..., Server]) -> None:
    with make() as server:
        sockets = Path(str(server.status().socket_dir))
        (server.home.path / "server.lock").unlink()
        (server.home.path / "server.json").unlink()
        pid = server.status().pid
        with pytest.raises(Problem, match="another PostgreSQL"):
            make().start()
        assert pid is None
        foreign = int((server.data / "postmaster.pid").read_text().split("\n")[0])
        os.kill(foreign, signal.SIGINT)
        while (server.data / "postmaster.pid").exists():
            time.sleep(0.01)
        sockets.rmdir()


@pytest.mark.slow
def test_a_long_path_still_has_a_short_socket(make: Callable[..., Server]) -> None:
    with make("/".join(["a" * 100] * 3)) as server:
        socket = Path(str(server.status().socket_dir)) / ".s.PGSQL.5432"
        assert len(os.fsencode(socket)) < 104
        assert ask(server.uri(), "select 1") == 1


@pytest.mark.slow
def test_odd_characters_in_the_path_do_no_harm(make: Callable[..., Server]) -> None:
    with make('it\'s $HOME `id` "here" ü') as server:
        assert ask(server.uri(), "select 1") == 1


def test_below_a_private_folder_it_runs_and_no_mode_changes(place: Path) -> None:
    private = place / "private"
    private.mkdir(mode=0o700)
    before = modes(private)
    with Server(private / "home", settings=SETTINGS) as server:
        assert ask(server.uri(), "select 1") == 1
    assert modes(private) == before


@pytest.mark.slow
def test_an_existing_home_keeps_its_mode(place: Path) -> None:
    home = place / "home"
    for mode in (0o700, 0o755):
        home.mkdir(mode=mode)
        home.chmod(mode)
        with Server(home, settings=SETTINGS) as server:
            assert ask(server.uri(), "select 1") == 1
        assert stat.S_IMODE(home.stat().st_mode) == mode
        shutil.rmtree(home)


# -- root ---------------------------------------------------------------------------------------


@ROOT
def test_for_root_the_server_runs_as_somebody_else(make: Callable[..., Server]) -> None:
    binaries = modes(find_binaries().bin)
    with make() as server:
        found = server.status()
        status = Path(f"/proc/{found.pid}/status").read_text()
        user = int(status.split("Uid:\t")[1].split("\t")[0])
        if found.run_as == "namespace":
            assert "CapEff:\t0000000000000000" in status
        else:
            assert user == pwd.getpwnam("nobody").pw_uid == server.data.stat().st_uid
    assert modes(find_binaries().bin) == binaries


@ROOT
@pytest.mark.slow
def test_an_ordinary_user_can_have_one_too(place: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    home = place / "ordinary"
    home.mkdir(mode=0o700)
    who: dict[str, Any] = {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}
    try:
        check = [sys.executable, "-c", "import taisce_pg.embedded"]
        subprocess.run(check, cwd="/", capture_output=True, check=True, **who)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("user nobody cannot reach this Python")
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    program = Program(home, **who)
    pid, uri = program.answer()
    assert Path(f"/proc/{pid}").stat().st_uid == nobody.pw_uid
    assert ask(uri, "select 1") == 1
    joined = Server(home)  # root on another user's home: that user's server, that user's files
    joined.start()
    assert joined.status().pid == pid
    program.end()
    joined.release()
    assert gone(joined)
    assert {path.lstat().st_uid for path in home.rglob("*")} == {nobody.pw_uid}


@ROOT
@pytest.mark.slow
def test_root_uses_another_users_home_as_that_user(place: Path) -> None:
    home = place / "ordinary"
    home.mkdir(mode=0o711)
    nobody = pwd.getpwnam("nobody")
    os.chown(home, nobody.pw_uid, nobody.pw_gid)
    with Server(home, settings=SETTINGS) as server:
        if server.status().run_as != "nobody":
            pytest.skip("user nobody cannot reach the programs of PostgreSQL")
        assert ask(server.uri(), "select 1") == 1
    assert {path.lstat().st_uid for path in home.rglob("*")} == {nobody.pw_uid}


@ROOT
@pytest.mark.slow
def test_without_roots_number_no_namespace_is_made(place: Path) -> None:
    nobody = pwd.getpwnam("nobody")
    unshare = ["unshare", "-U", f"--map-user={nobody.pw_uid}", f"--map-group={nobody.pw_gid}"]
    if subprocess.run([*unshare, "true"], capture_output=True).returncode:
        pytest.skip("this machine allows no user namespaces")
    program = Program(place / "home", prefix=unshare)
    _, uri = program.answer()
    assert ask(uri, "select 1") == 1
    assert json.loads((place / "home" / "server.json").read_text())["run_as"] == "self"
    program.end()


def test_root_without_a_way_is_told_what_to_do(
    make: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("taisce_pg.embedded.runas._reaches", lambda *_: False)
    monkeypatch.setattr("shutil.which", lambda *_: None)
    monkeypatch.setattr("os.geteuid", lambda: 0)
    server = make("new")
    with pytest.raises(Problem, match=r"root.*TAISCE_HOME.*ordinary user.*--dsn"):
        server.start()
    monkeypatch.undo()
    assert not server.data.exists()
