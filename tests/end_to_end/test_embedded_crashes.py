"""The embedded server after a crash of its own, of a program, or of its first start."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable

import pytest

from taisce_pg.embedded import Server
from tests.support.embedded_servers import ask, crash


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
