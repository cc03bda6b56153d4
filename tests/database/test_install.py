"""Installing, upgrading, looking for changes by hand, removing."""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import sql

from taisce_pg.install import remove, script
from taisce_pg.install.facts import server_facts
from taisce_pg.install.run import install, status, steps_for
from taisce_pg.problem import Problem
from tests.support.databases import Database
from tests.support.package import GREETING, Package
from tests.support.servers import ServerUnderTest


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(tmp_path / "db")


@pytest.fixture
def prefix(empty_database: Database) -> Iterator[str]:
    """Give a prefix of this test's own, whose roles go with it."""
    yield (name := f"p_{empty_database.name}")
    empty_database.drop()
    with empty_database.server.connect() as conn:
        for word in ("owner", "reader", "analyst", "writer", "admin"):
            conn.execute(f"drop role if exists {name}_{word}")  # type: ignore[arg-type]


@pytest.fixture
def admin(empty_database: Database) -> Iterator[psycopg.Connection[Any]]:
    with empty_database.connect() as conn:
        yield conn


def ledger(conn: psycopg.Connection[Any]) -> list[Any]:
    return conn.execute(
        "select path, kind, checksum, body, package_version, prefix from taisce.ledger order by 1"
    ).fetchall()


def objects(conn: psycopg.Connection[Any]) -> list[Any]:
    return conn.execute(
        "select class, identity, path, definition, privileges, remark, server_major"
        " from taisce.ledger_object order by 1, 2"
    ).fetchall()


def test_a_second_install_does_nothing(conn: psycopg.Connection[Any]) -> None:
    before = conn.execute("select path, applied_at, xmin from taisce.ledger").fetchall()
    report = install(conn)
    assert report.applied == []
    assert not report.drift
    assert conn.execute("select path, applied_at, xmin from taisce.ledger").fetchall() == before
    assert status(conn).state == "ok"
    assert steps_for(conn).steps == []


def test_an_empty_database_is_pending(admin: psycopg.Connection[Any]) -> None:
    found = status(admin)
    assert (found.state, found.exit_code) == ("absent", 3)


def test_the_plain_sql_file_makes_the_same_database(
    conn: psycopg.Connection[Any], empty_database: Database, tmp_path: Path
) -> None:
    file = tmp_path / "install.sql"
    with empty_database.connect() as other:
        file.write_text(script.first_install(facts=server_facts(other)))
        psql(empty_database, "-1", "-f", str(file))
        assert status(other).state == "ok"
        assert ledger(other) == ledger(conn)
        assert objects(other) == objects(conn)
        assert dump(empty_database) == dump_of(conn, empty_database.server)
        assert install(other).applied == []


def test_the_plain_sql_file_is_all_or_nothing_however_it_is_run(
    empty_database: Database, package: Package, tmp_path: Path
) -> None:
    package.write("views/greeting.sql", "create view memory_v1.greeting as select nothing;\n")
    with empty_database.connect() as admin:
        text = script.first_install(facts=server_facts(admin), root=package.root)
        (tmp_path / "install.sql").write_text(text)
        for arguments in ([], ["-1"]):
            with pytest.raises(subprocess.CalledProcessError):
                psql(empty_database, *arguments, "-f", str(tmp_path / "install.sql"))
            command = [str(empty_database.server.psql), "-qX", empty_database.uri()]
            command += [*arguments, "-f", str(tmp_path / "install.sql")]
            subprocess.run(command, capture_output=True, check=False)
            assert status(admin).state == "absent"
            assert admin.execute("select to_regnamespace('memory_v1')").fetchone() == (None,)


def test_pending_steps_as_plain_sql_bring_a_database_up_to_date(
    empty_database: Database, admin: psycopg.Connection[Any], prefix: str, package: Package,
    tmp_path: Path,
) -> None:  # fmt: skip
    install(admin, prefix, root=package.root)
    package.greet("who text, loud boolean default false", "who", "text, boolean")
    found = steps_for(admin, root=package.root)
    (tmp_path / "up.sql").write_text(script.script(found.steps, found.facts, found.prefix))
    psql(empty_database, "-1", "-f", str(tmp_path / "up.sql"))
    assert status(admin, root=package.root).state == "ok"
    assert admin.execute("select memory_v1.greet('x', true)").fetchone() == ("x",)


def test_a_partitioned_memory_keeps_the_same_rules(
    empty_database: Database, admin: psycopg.Connection[Any], tmp_path: Path
) -> None:
    text = script.first_install(facts=server_facts(admin), partitions=3)
    (tmp_path / "install.sql").write_text(text)
    psql(empty_database, "-1", "-f", str(tmp_path / "install.sql"))
    assert status(admin).state == "ok"
    parts = dict(
        admin.execute(
            "select inhparent::regclass::text, count(*) from pg_inherits as i"
            " join pg_partitioned_table as p on p.partrelid = i.inhparent"
            " where p.partstrat = 'h' group by 1"
        ).fetchall()
    )
    assert set(parts.values()) == {3}
    assert {"taisce.fact", "taisce.fact_version", "taisce.message", "taisce.posting"} <= set(parts)
    open_tables = admin.execute(
        "select relname from pg_class as c where relnamespace = 'taisce'::regnamespace"
        " and relkind in ('r', 'p') and not relrowsecurity and exists (select from pg_attribute"
        " where attrelid = c.oid and attname = 'project_id')"
    )
    assert open_tables.fetchall() == []
    admin.execute("select memory_v1.create_project('one')")
    assert install(admin).applied == []


def test_a_restored_dump_shows_no_change_by_hand(
    conn: psycopg.Connection[Any], empty_database: Database, tmp_path: Path
) -> None:
    program = empty_database.server.psql.with_name("pg_dump")
    if not program.exists():
        pytest.skip("the server came without pg_dump")
    file = tmp_path / "dump.sql"
    with empty_database.connect() as other:
        other.execute("drop extension vector")
        source = empty_database.server.uri(conn.info.dbname)
        subprocess.run([str(program), "-f", str(file), source], check=True)
        psql(empty_database, "-f", str(file))
        assert status(other).state == "ok"
        assert install(other).applied == []


def test_another_major_version_is_not_mistaken_for_a_change(
    admin: psycopg.Connection[Any], prefix: str, package: Package
) -> None:
    install(admin, prefix, root=package.root)
    recorded = objects(admin)
    admin.execute("update taisce.ledger_object set server_major = 14, definition = 'other'")
    found = status(admin, root=package.root)
    assert (found.state, found.rebase, found.drift) == ("ok", True, [])
    install(admin, root=package.root)
    assert objects(admin) == recorded


def test_a_user_without_superuser_can_install_and_look(
    empty_database: Database, prefix: str
) -> None:
    uri = empty_database.login()
    user = empty_database.logins[-1]
    with empty_database.connect() as admin:
        admin.execute(sql.SQL("alter role {} createrole").format(sql.Identifier(user)))
        admin.execute(
            sql.SQL("grant create on database {} to {}").format(
                sql.Identifier(empty_database.name), sql.Identifier(user)
            )
        )
        with psycopg.connect(uri) as conn:
            assert install(conn, prefix).applied
            conn.commit()
            assert install(conn).applied == []
            assert status(conn).state == "ok"
        owners = admin.execute(
            "select distinct pg_get_userbyid(relowner) from pg_class"
            " where relnamespace in ('taisce'::regnamespace, 'memory_v1'::regnamespace)"
        ).fetchall()
        assert owners == [(f"{prefix}_owner",)]
        with psycopg.connect(uri, autocommit=True) as conn:
            gone = remove.remove(conn)
        assert gone.kept_roles == {}


def test_prepared_roles_need_no_createrole(empty_database: Database, prefix: str) -> None:
    uri = empty_database.login()
    user = empty_database.logins[-1]
    with empty_database.connect() as admin, psycopg.connect(uri, autocommit=True) as conn:
        for word in ("owner", "reader", "analyst", "writer", "admin"):
            admin.execute(f"create role {prefix}_{word} nologin")  # type: ignore[arg-type]
        hints = []
        for _ in range(3):
            with pytest.raises(Problem) as told:
                install(conn, prefix)
            hints.append(told.value.hint)
            admin.execute(told.value.hint)  # type: ignore[arg-type]
        install(conn, prefix)
        assert status(conn).state == "ok"
    assert hints == [
        f"grant create on database {empty_database.name} to {user};",
        "".join(
            f"grant {prefix}_{word} to {prefix}_admin; " for word in ("reader", "analyst", "writer")
        ).strip(),
        f"grant {prefix}_owner to {user};",
    ]


def test_what_is_missing_is_told_with_the_statement_for_it(
    empty_database: Database, prefix: str
) -> None:
    uri = empty_database.login()
    user = empty_database.logins[-1]
    with empty_database.connect() as admin, psycopg.connect(uri, autocommit=True) as conn:
        with pytest.raises(Problem) as told:
            install(conn, prefix)
        assert told.value.hint == f"grant create on database {empty_database.name} to {user};"
        admin.execute(told.value.hint)  # type: ignore[arg-type]
        with pytest.raises(Problem) as told:
            install(conn, prefix)
        assert told.value.hint == f"alter role {user} createrole;"
        admin.execute(told.value.hint)  # type: ignore[arg-type]
        admin.execute("drop extension vector")
        with pytest.raises(Problem, match="pgvector is missing") as told:
            install(conn, prefix)
        assert "create extension vector;" in told.value.hint
        assert admin.execute("select to_regnamespace('taisce')").fetchone() == (None,)


def test_a_superuser_gets_pgvector_created_and_any_schema_will_do(
    empty_database: Database, prefix: str
) -> None:
    with empty_database.connect() as admin:
        admin.execute("drop extension vector")
        install(admin, prefix)
        assert admin.execute("select 1 from pg_extension where extname = 'vector'").fetchone()
        remove.remove(admin)
        admin.execute('create schema "My Ext"; alter extension vector set schema "My Ext"')
        install(admin, prefix)
        assert status(admin).state == "ok"


def test_a_database_in_another_encoding_is_refused(server: ServerUnderTest) -> None:
    name = f"latin_{time.time_ns()}"
    with server.connect() as admin:
        admin.execute(
            f"create database {name} encoding 'LATIN1' locale_provider libc locale 'C'"  # type: ignore[arg-type]
            " template template0"
        )
        try:
            with server.connect(name) as conn, pytest.raises(Problem, match="UTF8"):
                install(conn)
        finally:
            admin.execute(f"drop database {name}")  # type: ignore[arg-type]


def test_a_schema_of_somebody_else_is_left_alone(admin: psycopg.Connection[Any]) -> None:
    admin.execute("create schema memory_v1; create table memory_v1.theirs (n int)")
    with pytest.raises(Problem, match="memory_v1"):
        install(admin)
    assert admin.execute("select to_regclass('memory_v1.theirs')").fetchone() != (None,)


def test_two_installations_in_one_cluster_share_no_role(
    conn: psycopg.Connection[Any], admin: psycopg.Connection[Any], prefix: str
) -> None:
    install(admin, prefix)
    shared = "select rolname from pg_roles where rolname ~ '^(taisce|{0})_'"
    assert admin.execute(shared.format(prefix)).rowcount == 10  # type: ignore[arg-type]
    query = "select privileges from taisce.ledger_object where privileges like '%%' || %s || '%%'"
    assert not admin.execute(query, ["taisce_"]).fetchall()
    assert not conn.execute(query, [prefix]).fetchall()
    with pytest.raises(Problem, match="prefix"):
        install(admin, "taisce")
    kept = remove.remove(admin)
    assert kept.kept_roles == {}
    assert status(conn).state == "ok"


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


def test_removing_lists_and_takes_what_was_built_on_the_memory(
    admin: psycopg.Connection[Any], prefix: str, package: Package
) -> None:
    install(admin, prefix, root=package.root)
    admin.execute("create view public.mine as select * from memory_v1.greeting")
    admin.execute("create view public.more as select * from public.mine")
    planned = remove.removal(admin)
    assert planned.outside == ["view public.mine", "view public.more"]
    assert len(planned.roles) == 5
    assert status(admin, root=package.root).state == "ok", "listing changes nothing"
    remove.remove(admin)
    left = "select count(*) from pg_class where relname in ('mine', 'more', 'ledger', 'greeting')"
    assert admin.execute(left).fetchone() == (0,)
    roles = admin.execute("select count(*) from pg_roles where rolname like %s", [prefix + "%"])
    assert roles.fetchone() == (0,)
    with pytest.raises(Problem, match="no memory"):
        remove.removal(admin)


def test_roles_that_another_database_uses_stay(
    conn: psycopg.Connection[Any], empty_database: Database
) -> None:
    with empty_database.connect() as other:
        install(other)
        gone = remove.remove(other)
    assert "taisce_owner" in gone.kept_roles
    assert status(conn).state == "ok"


def psql(database: Database, *arguments: str) -> None:
    subprocess.run(
        [str(database.server.psql), "-qX", "-v", "ON_ERROR_STOP=1", *arguments, database.uri()],
        check=True,
        capture_output=True,
    )


def dump(database: Database) -> list[str]:
    return dump_uri(database.server, database.uri())


def dump_of(conn: psycopg.Connection[Any], server: ServerUnderTest) -> list[str]:
    return dump_uri(server, server.uri(conn.info.dbname))


def dump_uri(server: ServerUnderTest, uri: str) -> list[str]:
    """Return the schema as pg_dump prints it, but for the random words of \\restrict."""
    program = server.psql.with_name("pg_dump")
    if not program.exists():
        return []
    text = subprocess.run(
        [str(program), "--schema-only", uri], check=True, capture_output=True, text=True
    ).stdout
    return [line for line in text.splitlines() if "restrict " not in line]
