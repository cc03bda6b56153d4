"""Arguments of every kind that the types allow: an answer, or an error of our own."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from tests.support.contract import SPECIAL, Function, Parameter, arguments, call, functions
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.told import Ids, tell

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def north(module_database: Database) -> Ids:
    """Tell two memories; one login may use one of them in every way."""
    module_database.login("taisce_admin")
    with module_database.connect() as conn:
        ids = tell(conn, "north")
        tell(conn, "south")
        conn.execute(
            "select memory_v1.grant_project('north', %s, 'admin')", [module_database.logins[-1]]
        )
    return ids


# Values by type. What the type itself refuses (an infinite vector, a broken uuid) never reaches a
# function and is not among them.
MARTA = "Marta"
LONG = "a" * 1_000_000
TEXTS = [
    None,
    "",
    " ",
    "\t\n\u00a0",
    MARTA,
    "'; drop table taisce.fact; --",
    "%",
    "_\\",
    "$1 {{ x }} %s",
    "\u202eatraM\u202c \u05de\u05e8\u05ea\u05d4 \u0645\u0627\u0631\u062a\u0627",
    "e\u0301" * 500 + "\u0300" * 500,
    "\U0001f469\u200d\U0001f4bb" * 300,
    "\ufeff\u200b\u2028",
    "\u0001\u001f\u007f",
    "İIıſßŉǰΐ" * 40,
    "'" * 500,
    "-" * 500,
    ("(" * 100 + ")" * 100) * 5,
    "a " * 4000,
    "W. " * 2000,
    LONG,
    "é" * 500_000,
    '{"type": "fact"}',
    "9223372036854775808",
    "read",
    "fact",
    "user",
    "infinity",
    "NaN",
]
INTEGERS = [None, 0, 1, -1, 2, 5, 64, 200, 201, 1000, 100_000, -(2**31), 2**31 - 1]
BIGINTS = [*INTEGERS, -(2**63), 2**63 - 1]
DOUBLES = [None, 0.0, -0.0, 1.0, -1.0, 0.5, math.nan, math.inf, -math.inf, 1e308, 5e-324]
INSTANTS = [
    None,
    "infinity",
    "-infinity",
    "294276-12-31 23:59:59.999999+00",
    "4714-11-24 00:00:00+00 BC",
    "0001-01-01 00:00:00+00",
    "2024-02-29 00:00:00+00",
    "2024-06-30 23:59:60+14",
    datetime.now(UTC),
]
JSONS: list[Any] = [
    None,
    {},
    [],
    "x",
    1,
    None,
    True,
    [None],
    [[]],
    {"a": {"b": [1, 2, {"c": None}]}},
    [{"role": "user", "content": "Marta"}],
    [{"role": "user", "content": ""}],
    [{"role": 5, "content": [1]}],
    [{"content": LONG, "role": "user"}],
    {"id": "not an id"},
    {"id": None},
    {"key": "x", "speaker": "y"},
    {"": ""},
    [1e300, -1e300, 10**30],
    [{"observation": "x", "ordinal": -1, "quote": "x", "byte_start": 10**12}],
    {"data_subject_id": 5, "source_roles": "user", "entity_ids": {}},
    "\u202e" * 100,
]
SCALARS: dict[str, list[Any]] = {
    "text": TEXTS,
    "integer": INTEGERS,
    "smallint": [None, 0, 1, -1, -(2**15), 2**15 - 1],
    "bigint": BIGINTS,
    "double precision": DOUBLES,
    "real": [None, 0.0, 1.0, math.nan, math.inf, -math.inf],
    "numeric": [None, 0, -1, 10**40, "NaN"],
    "boolean": [None, True, False],
    "timestamp with time zone": INSTANTS,
    "interval": [None, "0", "-178000000 years", "178000000 years", "1 microsecond"],
    "jsonb": [Jsonb(value) for value in JSONS] + [None],
    "uuid": [None, "00000000-0000-0000-0000-000000000000", "f" * 32],
    "vector": [None, "[0]", "[1,2,3]", "[0,0,0]", "[1e38,-1e38]", str([0.5] * 16000)],
    "bytea": [None, b"", b"\0\xff", b"x" * 100_000],
}


def lists(kind: str) -> list[Any]:
    """Return arrays of a type: none, empty, of null, long, and of two dimensions."""
    scalars = [value for value in SCALARS[kind] if value is not None]
    short = [value for value in scalars if not isinstance(value, str) or len(value) < 10_000]
    one = short[0]
    made = [None, [], [None], [one], [one, one], short, [one, None], [one] * 1000, [[one], [one]]]
    return [*made, [[[one]]]]


def values(parameter: Parameter, ids: Ids) -> list[Any]:
    """Return what to try for a parameter, good ids of rows among it."""
    if parameter.type.endswith("[]"):
        kind = parameter.type[:-2]
        found = lists(kind)
        return [*found, ids.all(), [ids.entity], [ids.fact]] if kind == "uuid" else found
    if parameter.type == "uuid":
        return [*SCALARS["uuid"], *ids.all()]
    kind = parameter.type.rpartition(".")[2]
    if kind not in SCALARS:
        pytest.fail(f"test_bad_input.py: nothing to try for the type {parameter.type}")
    return SCALARS[kind]


def tries(function: Function, ids: Ids, count: int) -> Iterator[dict[str, Any]]:
    """Yield arguments: each value of each parameter among good ones, then random ones."""
    good = arguments(function, ids, "north")
    for parameter in function.parameters:
        for value in values(parameter, ids):
            yield {**good, parameter.name: value}
    chance = random.Random(str(function))
    for _ in range(count):
        made = {
            parameter.name: chance.choice(values(parameter, ids))
            for parameter in function.parameters
            if not parameter.optional or chance.random() < 0.7
        }
        if function.takes("project") and chance.random() < 0.8:
            made["project"] = "north"
        yield made


def test_random_arguments_are_answered_or_refused_in_our_own_words(
    module_database: Database, north: Ids
) -> None:
    """No internal error, whatever the types allow."""
    problems: dict[str, str] = {}
    name = module_database.logins[0]
    with module_database.connect() as conn:
        conn.execute(sql.SQL("set role {}").format(sql.Identifier(name)))
        conn.execute("set taisce.project = 'north'")
        conn.execute("set statement_timeout = '30s'")
        for function in functions(conn):
            tried = 0
            for made in tries(function, north, size(20, 60)):
                with conn.transaction(force_rollback=True):
                    outcome = call(conn, function, made)
                tried += 1
                code = outcome.code
                if code is None:
                    continue
                if code.startswith("TS"):
                    if not all(outcome.error):
                        problems[f"{function.name} {outcome.error}"] = "has a part missing"
                    continue
                shown = {key: str(value)[:60] for key, value in made.items()}
                problems.setdefault(f"{function.name} {outcome.error[:2]}", str(shown))
            assert tried
    assert not problems, "\n".join(f"{what}: {how}" for what, how in problems.items())


SESSIONS = [
    "set transform_null_equals = on",
    "set array_nulls = off",
    "set datestyle = 'German'; set intervalstyle = 'sql_standard'",
    "set timezone = 'Asia/Kathmandu'",
    "set bytea_output = 'escape'; set extra_float_digits = 3",
    "set row_security = off",
    "set search_path = ''",
    "set default_text_search_config = 'pg_catalog.german'",
    "set work_mem = '64kB'; set enable_indexscan = off; set enable_nestloop = off",
    "set plan_cache_mode = 'force_custom_plan'; set jit = on; set jit_above_cost = 0",
    "set default_transaction_read_only = on",
    "set default_transaction_isolation = 'serializable'; set default_transaction_deferrable = on",
]


@pytest.mark.parametrize("session", SESSIONS)
def test_settings_of_a_session_change_no_answer(
    module_database: Database, north: Ids, session: str
) -> None:
    name = module_database.logins[0]
    uri = module_database.uri(user=name, password=name)
    with (
        psycopg.connect(uri, autocommit=True) as plain,
        psycopg.connect(uri, autocommit=True) as odd,
    ):
        odd.execute("set escape_string_warning = off")
        odd.execute(session.encode())
        problems = []
        for function in functions(plain):
            if function.volatility == "v":
                continue
            made = arguments(function, north, "north")
            if function.takes("question"):
                made["question"] = "Was  \"Marta\"'s\u00a0Acme? \\s+ C:\\d Marta\\'s"
            expected, got = (call(one, function, made).without() for one in (plain, odd))
            if expected != got:
                problems.append(f"{function}\n  plain: {expected}\n  odd: {got}")
        assert not problems, "\n".join(problems)


def test_every_special_argument_belongs_to_a_function(
    module_database: Database, north: Ids
) -> None:
    with module_database.connect() as conn:
        assert set(SPECIAL) <= {function.name for function in functions(conn)}
