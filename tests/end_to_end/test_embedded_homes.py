"""Where an embedded server may live, whose it is, and what it leaves untouched."""

from __future__ import annotations

import json
import os
import pwd
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from taisce_pg.embedded import Server, find_binaries
from taisce_pg.problem import Problem
from tests.support.embedded_servers import ROOT, SETTINGS, Program, ask, gone, modes, tree

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
