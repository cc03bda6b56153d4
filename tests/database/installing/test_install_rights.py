"""Which rights an install needs, and what is said where they or something else is missing."""

from __future__ import annotations

import time
from typing import Any

import psycopg
import pytest
from psycopg import sql

from taisce_pg.install import remove
from taisce_pg.install.facts import server_facts
from taisce_pg.install.run import install, status
from taisce_pg.install.script import first_install
from taisce_pg.problem import Problem
from tests.support.databases import Database
from tests.support.servers import ServerUnderTest


@pytest.mark.parametrize("partitions", [None, 3])
def test_a_user_without_superuser_can_install_and_look(
    empty_database: Database, prefix: str, partitions: int | None
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
            if partitions:
                text = first_install(prefix, server_facts(conn), partitions=partitions)
                conn.execute(text.encode())
            else:
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
