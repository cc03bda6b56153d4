"""What comes out of the executor: values as JSON, and never more than the limits allow."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

import pytest

from taisce_pg import errors
from taisce_pg.sandbox.execute import Analyst
from taisce_pg.sandbox.session import Query
from tests.support.analysts import ENDLESS, Stage, build, failure, rows, unchecked
from tests.support.databases import Database


@pytest.fixture(scope="module")
def stage(module_database: Database) -> Stage:
    return build(module_database)


@pytest.fixture(scope="module")
def analyst(stage: Stage) -> Iterator[Analyst]:
    made = stage.analyst()
    yield made
    made.close()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1::smallint", 1),
        ("12345678901234567890::numeric", 12345678901234567890),
        ("1.5::numeric", 1.5),
        ("'NaN'::float8", "NaN"),
        ("'-infinity'::timestamptz", "-infinity"),
        ("timestamptz '2026-01-02 03:04:05.5+02'", "2026-01-02T01:04:05.5+00:00"),
        ("timestamptz '0044-03-15 BC'", "0044-03-15 00:00:00+00 BC"),
        ("date '12026-01-01'", "12026-01-01"),
        ("interval '1 day 2 hours'", "1 day 02:00:00"),
        ("true", True),
        ("null", None),
        ("array[1, null, 3]", [1, None, 3]),
        ("array['a,b', 'c\"d', null, 'NULL', '', '{x}', E'e\\\\f']",
         ["a,b", 'c"d', None, "NULL", "", "{x}", "e\\f"]),
        ("array[[1, 2], [3, 4]]", [[1, 2], [3, 4]]),
        ("'{}'::int[]", []),
        ("'[0:1]={5,6}'::int[]", [5, 6]),
        ("'{\"a\": [1, null]}'::jsonb", {"a": [1, None]}),
        ("'null'::jsonb", None),
        ("row(1, 'a')", "(1,a)"),
        ("'\\xff'::bytea", "\\xff"),
        ("'é\u202e\U0001f600'", "é\u202e\U0001f600"),
    ],
)  # fmt: skip
def test_values_become_json(stage: Stage, text: str, value: Any) -> None:
    result = unchecked(stage.uri, f"select {text}")
    assert result.error is None, result.error
    assert result.rows == ((value,),)
    json.dumps(result.to_dict())


def test_parameters_are_bound_and_percent_signs_are_text(analyst: Analyst) -> None:
    found = rows(
        analyst, "select $1::text || '%s%%', $2::int, $3::text[]", "a'; --", 2, ["x", None]
    )
    assert found == [["a'; --%s%%", 2, ["x", None]]]
    assert rows(analyst, "select '100%' like '%\\%'") == [[True]]
    assert failure(analyst, "select $1::text").code == "syntax"
    assert failure(analyst, "select $1::int", "x'y").code == "invalid_text_representation"


def test_limits_of_rows_and_bytes_cut_and_say_so(analyst: Analyst) -> None:
    result = analyst.run(Query("select g from generate_series(1, 201) g"))
    assert (result.returned_rows, result.truncation_reason) == (200, "rows")
    result = analyst.run(Query("select g from generate_series(1, 200) g"))
    assert (result.returned_rows, result.truncated) == (200, False)
    result = analyst.run(Query("select repeat('x', 100) from generate_series(1, 50) g", bytes=1050))
    assert (result.returned_rows, result.returned_bytes) == (10, 1000)
    assert result.truncation_reason == "bytes"
    result = analyst.run(Query("select repeat('x', 100)", bytes=50))
    assert (result.returned_rows, result.truncation_reason) == (0, "bytes")
    assert rows(analyst, "select 1") == [[1]]


@pytest.mark.parametrize(
    ("limits", "name"),
    [({"rows": 1001}, "rows"), ({"seconds": 16.0}, "seconds"), ({"bytes": 8 * 2**20 + 1}, "bytes"),
     ({"seconds": 0.0}, "seconds"), ({"rows": -1}, "rows")],
)  # fmt: skip
def test_more_than_a_tier_gives_is_an_error(
    analyst: Analyst, limits: dict[str, Any], name: str
) -> None:
    with pytest.raises(errors.InvalidArgument, match=name):
        analyst.run(Query("select 1", **limits))


def test_the_analytical_tier_is_for_roles_that_a_setting_names(stage: Stage) -> None:
    analyst = stage.analyst()
    try:
        with pytest.raises(errors.InvalidArgument, match="tier"):
            analyst.run(Query("select 1", tier="analytical"))
        with stage.database.connect() as conn:
            conn.execute(
                "update taisce.setting set value = %s where name = 'sandbox_analytical_roles'",
                [f"nobody, {stage.login}"],
            )
        try:
            result = analyst.run(
                Query("select g from generate_series(1, 5000) g", tier="analytical")
            )
        finally:
            with stage.database.connect() as conn:
                conn.execute(
                    "update taisce.setting set value = '' where name = 'sandbox_analytical_roles'"
                )
        assert result.limits is not None
        assert (result.returned_rows, result.limits.rows, result.limits.seconds) == (
            5000,
            10000,
            60,
        )
    finally:
        analyst.close()


def test_time_runs_out(stage: Stage) -> None:
    started = time.monotonic()
    result = unchecked(stage.uri, ENDLESS, seconds=0.5)
    assert time.monotonic() - started < 3
    assert result.error is not None
    assert result.error.code == "timeout"


def test_a_query_cannot_lift_its_own_time(stage: Stage) -> None:
    text = f"select set_config('statement_timeout', '0', true), count(*) from ({ENDLESS}) as x"
    started = time.monotonic()
    result = unchecked(stage.uri, text, seconds=0.5)
    assert time.monotonic() - started < 3
    assert result.error is not None
    assert result.error.code == "timeout"


def test_what_never_looks_up_is_cut_off_by_the_client(stage: Stage) -> None:
    """A loop in C that does not check for interrupts: the caller gets its thread back."""
    text = "select array_fill(repeat('x', 1000), array[20000000])"
    started = time.monotonic()
    result = unchecked(stage.uri, text, seconds=0.3)
    assert time.monotonic() - started < 8
    assert result.error is not None
