"""Removing a memory, and nothing else."""

from __future__ import annotations

from typing import Any

import psycopg
import pytest

from taisce_pg.install import remove
from taisce_pg.install.run import install, status
from taisce_pg.problem import Problem
from tests.support.databases import Database
from tests.support.package import Package


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
