"""Installing from the package and from plain SQL, into whole and partitioned memories."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import psycopg
import pytest

from taisce_pg.install import remove, script
from taisce_pg.install.facts import server_facts
from taisce_pg.install.run import install, status, steps_for
from taisce_pg.problem import Problem
from tests.support.databases import Database
from tests.support.dumps import dump, dump_of, psql
from tests.support.package import Package


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
    request: pytest.FixtureRequest,
    conn: psycopg.Connection[Any],
    empty_database: Database,
    tmp_path: Path,
) -> None:
    file = tmp_path / "install.sql"
    cut = request.config.getoption("--partitions")
    with empty_database.connect() as other:
        file.write_text(script.first_install(facts=server_facts(other), partitions=cut))
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
