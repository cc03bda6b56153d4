"""The vectors that open SQL brings in a setting: read, or refused with a code of ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest

from tests.support.databases import Database
from tests.support.vectors import fill, small

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@pytest.fixture(scope="module")
def near(conn: Connection) -> None:
    small(conn, "set")
    fill(conn, "set", "fact")


@pytest.mark.parametrize("parallel", ["off", "on"])
@pytest.mark.parametrize(
    ("told", "wanted"),
    [
        ('{"model": "toy", "vectors": {"who moved": [1,2,-0.5e1,0,0.25,6,7,1e-60]}}', None),
        ('{"model":"toy","vectors":{"\\u00e9\\ud83d\\ude00 \\"é":[1],'
         '"who moved":[1,2,3,4,5,6,7,8]}}', None),
        ('{"model": "toy", "vectors": {}}', "TS014"),
        ('{"model": "toy", "vectors": {"other": [1]}}', "TS014"),
        ("", "TS014"),
        ('{"model": "toy", "vectors": {"who moved": [0,0,0,0,0,0,0,0]}}', "TS005"),
        *(
            (broken, "TS005")
            for broken in (
                "{", "[]", "7", "null", "not json", '{"model": "toy"}', '{"vectors": {}}',
                '{"model": "toy", "vectors": {"who moved": [1,2,}}',
                '{"model": "toy", "vectors": {"who moved": []}}',
                '{"model": "toy", "vectors": {"who moved": [1e400]}}',
                '{"model": "toy", "vectors": {"who moved": [NaN]}}',
                '{"model": "toy", "vectors": {"who moved": "[1]"}}',
                '{"model": "toy", "vectors": {"who moved": [01]}}',
                '{"model": "toy", "vectors": {"who moved": [1] "b": [2]}}',
                '{"model": "toy", "vectors": {"\\u0000": [1]}}',
                '{"model": "toy", "vectors": {"\\ud83d": [1]}}',
                '{"model": 7, "vectors": {"who moved": [1]}}',
            )
        ),
    ],
)  # fmt: skip
def test_a_setting_that_cannot_be_read_is_refused(
    conn: Connection, near: None, told: str, wanted: str | None, parallel: str
) -> None:
    name = "debug_parallel_query"
    if conn.info.server_version < 160000:
        name = "force_parallel_mode"
    with conn.transaction(force_rollback=True):
        conn.execute("select set_config('taisce.embedded_queries', %s, true)", (told,))
        conn.execute("select set_config(%s, %s, true)", (name, parallel))
        found = None
        try:
            with conn.transaction():
                conn.execute("select * from memory_v1.semantic_facts('who moved', 5, 'set')")
        except psycopg.Error as error:
            found = error.sqlstate
        assert found == wanted
