"""What open SQL may call of PostgreSQL itself: nothing that reads, waits, or leaves a trace.

A function that is immutable knows only its arguments. Each that is not was looked at, and is
named here: one more in the list of the package has to be named here as well.
"""

from __future__ import annotations

from taisce_pg.sandbox import Refusal, check
from taisce_pg.sandbox.catalogue import load_catalogue
from tests.support.databases import Database

# Chance and the clock.
VOLATILE = {
    "array_sample", "array_shuffle", "clock_timestamp", "gen_random_uuid", "random",
    "random_normal", "timeofday", "uuidv4", "uuidv7",
    # With three tsqueries it is immutable; the form that runs a text is refused.
    "ts_rewrite",
}  # fmt: skip
# The clock, the time zone, and how a type is written or read.
STABLE = {
    "age", "array_to_json", "array_to_string", "concat", "concat_ws", "convert", "convert_from",
    "convert_to", "date", "date_add", "date_part", "date_subtract", "date_trunc", "extract",
    "format", "generate_series", "json_agg", "json_agg_strict", "json_build_array",
    "json_build_object", "json_object_agg", "json_object_agg_strict", "json_object_agg_unique",
    "json_object_agg_unique_strict", "json_populate_record", "json_populate_recordset",
    "json_to_record", "json_to_recordset", "jsonb_agg", "jsonb_agg_strict", "jsonb_build_array",
    "jsonb_build_object", "jsonb_object_agg", "jsonb_object_agg_strict",
    "jsonb_object_agg_unique", "jsonb_object_agg_unique_strict", "jsonb_path_exists_tz",
    "jsonb_path_match_tz", "jsonb_path_query_array_tz", "jsonb_path_query_first_tz",
    "jsonb_path_query_tz", "jsonb_populate_record", "jsonb_populate_recordset",
    "jsonb_to_record", "jsonb_to_recordset", "make_timestamptz", "now", "numeric", "overlaps",
    "pg_collation_for", "pg_column_size", "pg_typeof", "quote_literal", "quote_nullable",
    "row_to_json", "statement_timestamp", "time", "timestamp", "timestamptz", "timetz",
    "timezone", "to_char", "to_date", "to_json", "to_jsonb", "to_number", "to_timestamp",
    "transaction_timestamp",
    # Text search: its dictionaries and parsers.
    "get_current_ts_config", "json_to_tsvector", "jsonb_to_tsvector", "length",
    "phraseto_tsquery", "plainto_tsquery", "to_tsquery", "to_tsvector", "ts_headline",
    "ts_parse", "ts_token_type", "websearch_to_tsquery",
    # The type has to be a built-in one, as a literal.
    "pg_input_error_info", "pg_input_is_valid",
}  # fmt: skip


def of_kind(database: Database, kind: str) -> set[str]:
    with database.connect() as conn:
        rows = conn.execute(
            "select proname from pg_proc where pronamespace = 'pg_catalog'::regnamespace"
            " and proname = any (%s) and provolatile = %s",
            [sorted(load_catalogue().functions), kind],
        ).fetchall()
    return {name for (name,) in rows}


def test_every_function_that_may_be_called_is_one_of_the_server_or_of_a_newer_one(
    module_database: Database,
) -> None:
    functions = load_catalogue().functions
    with module_database.connect() as conn:
        rows = conn.execute(
            "select proname from pg_proc where pronamespace = 'pg_catalog'::regnamespace"
        ).fetchall()
        version = conn.info.server_version
    unknown = functions - {name for (name,) in rows}
    assert not unknown or version < 180000, unknown


def test_what_is_not_immutable_was_looked_at(module_database: Database) -> None:
    assert of_kind(module_database, "v") <= VOLATILE
    assert of_kind(module_database, "s") <= STABLE
    assert load_catalogue().functions >= VOLATILE | STABLE


def test_no_function_reads_a_table_or_runs_a_text_by_a_way_round(
    module_database: Database,
) -> None:
    """Every other function of the server is refused, whatever it is called with."""
    with module_database.connect() as conn:
        rows = conn.execute(
            "select distinct proname, least(pronargs, 3) from pg_proc"
            " where pronamespace = 'pg_catalog'::regnamespace and provolatile in ('v', 's')"
            " and prorettype <> 'trigger'::regtype order by 1"
        ).fetchall()
    allowed = load_catalogue().functions
    others = [(name, count) for name, count in rows if name not in allowed]
    assert len(others) > 500
    passed = []
    for name, count in others:
        for call in (f"{name}({', '.join(['null'] * count)})", f"pg_catalog.{name}()"):
            for query in (f"select {call}", f"select * from {call} as f"):
                try:
                    check(query)
                except Refusal:
                    continue
                passed.append(query)
    assert passed == []
