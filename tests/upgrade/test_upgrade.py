"""Upgrading while others use the memory: nothing half done, no reader disturbed."""

from __future__ import annotations

import threading
import time
from typing import Any

import psycopg
import pytest

from taisce_pg.install.run import install, status
from taisce_pg.problem import Problem
from tests.support.databases import Database
from tests.support.package import GREETING, Package


def test_a_failing_file_is_named_and_leaves_nothing(
    admin: psycopg.Connection[Any], prefix: str, package: Package
) -> None:
    package.write("views/greeting.sql", "\ncreate view memory_v1.greeting as\nselect nothing;\n")
    with pytest.raises(Problem, match=r"views/greeting\.sql line 3: column .nothing"):
        install(admin, prefix, root=package.root)
    assert status(admin, root=package.root).state == "absent"
    assert not admin.execute(
        "select 1 from pg_roles where rolname = %s", [f"{prefix}_owner"]
    ).fetchone()


def test_a_released_migration_may_not_change(
    admin: psycopg.Connection[Any], prefix: str, package: Package
) -> None:
    install(admin, prefix, root=package.root)
    package.write("migrations/0002_table.sql", "create table taisce.thing (n bigint);\n")
    with pytest.raises(Problem, match=r"0002_table\.sql was edited"):
        install(admin, root=package.root)


def test_two_installs_at_once_do_not_meet(
    empty_database: Database, prefix: str, package: Package
) -> None:
    reports: list[Any] = []

    def run() -> None:
        with empty_database.connect() as conn:
            reports.append(install(conn, prefix, root=package.root))

    threads = [threading.Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(bool(report.applied) for report in reports) == [False, False, True]


def test_readers_go_on_through_an_upgrade(
    empty_database: Database, admin: psycopg.Connection[Any], prefix: str, package: Package
) -> None:
    install(admin, prefix, root=package.root)
    stop, errors, answers = threading.Event(), [], set()

    def read(statement: str, prepare: bool) -> None:
        with empty_database.connect() as conn:
            while not stop.is_set():
                try:
                    row = conn.execute(statement, prepare=prepare).fetchone()  # type: ignore[arg-type]
                    answers.add(row[0] if row else None)
                except psycopg.Error as exc:
                    errors.append(exc)

    threads = [
        threading.Thread(target=read, args=("select memory_v1.greet('a')", True)),
        threading.Thread(target=read, args=("select memory_v1.greet(who => 'a')", False)),
        threading.Thread(target=read, args=("select word from memory_v1.greeting", False)),
    ]
    for thread in threads:
        thread.start()
    try:
        package.greet("who text", "'good day ' || who", "text")
        install(admin, root=package.root)
        package.greet("who text, loud boolean default false", "'hey ' || who", "text, boolean")
        report = install(admin, root=package.root)
        assert report.renamed == ["memory_v1.greet(text)"]
        package.write(
            "views/greeting.sql",
            GREETING.format(columns="memory_v1.greet('x') as word, 1 as another"),
        )
        package.write("migrations/0003_more.sql", "alter table taisce.thing add column m int;\n")
        install(admin, root=package.root)
        time.sleep(0.1)
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert not errors
    assert answers >= {"hello a", "hey a", "hey x"}
    left = admin.execute("select proname from pg_proc where proname like 'greet%'").fetchall()
    assert left == [("greet",)], "the superseded function goes with the next install"
    granted = admin.execute(
        "select has_function_privilege(%s, 'memory_v1.greet(text, boolean)', 'execute')",
        [f"{prefix}_reader"],
    ).fetchone()
    assert granted == (True,)
    assert status(admin, root=package.root).state == "ok"


def test_what_the_package_drops_stays_until_the_next_install(
    admin: psycopg.Connection[Any], prefix: str, package: Package
) -> None:
    install(admin, prefix, root=package.root)
    (package.root / "views/greeting.sql").unlink()
    (package.root / "functions/recall/greet.sql").unlink()
    assert status(admin, root=package.root).superseded
    install(admin, root=package.root)
    assert admin.execute("select word from memory_v1.greeting").fetchone() == ("hello x",)
    assert status(admin, root=package.root).state == "ok"
    package.write("migrations/0003_more.sql", "create table taisce.more (n int);\n")
    install(admin, root=package.root)
    assert admin.execute("select to_regclass('memory_v1.greeting')").fetchone() == (None,)
    assert admin.execute("select to_regproc('memory_v1.greet')").fetchone() == (None,)
    assert status(admin, root=package.root).state == "ok"


def test_an_upgrade_waits_for_a_reader_without_making_others_wait(
    empty_database: Database, admin: psycopg.Connection[Any], prefix: str, package: Package
) -> None:
    install(admin, prefix, root=package.root)
    package.write("views/greeting.sql", GREETING.format(columns="'new'::text as word"))
    with empty_database.connect() as slow, empty_database.connect() as other:
        slow.execute("begin")
        slow.execute("select * from memory_v1.greeting")
        upgrade = threading.Thread(target=install, args=(admin,), kwargs={"root": package.root})
        upgrade.start()
        other.execute("set statement_timeout = '1s'")
        for _ in range(20):
            assert other.execute("select word from memory_v1.greeting").fetchone() == ("hello x",)
            time.sleep(0.02)
        assert upgrade.is_alive()
        slow.execute("commit")
        upgrade.join()
        assert other.execute("select word from memory_v1.greeting").fetchone() == ("new",)


def test_the_process_in_the_way_is_named(
    empty_database: Database, admin: psycopg.Connection[Any], prefix: str, package: Package
) -> None:
    install(admin, prefix, root=package.root)
    with empty_database.connect() as slow:
        pid = slow.info.backend_pid
        slow.execute("begin")
        slow.execute("select * from memory_v1.greeting")
        with pytest.raises(psycopg.errors.LockNotAvailable) as told:
            admin.execute(
                "select taisce.lock_relations("
                "array['taisce.thing', 'memory_v1.greeting', 'taisce.absent'], '300 ms')"
            )
    detail = told.value.diag.message_detail
    assert detail == f"process {pid} holds memory_v1.greeting"
