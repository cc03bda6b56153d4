"""The second parser's veto, and what is remembered so that nothing is parsed twice."""

from __future__ import annotations

import pytest
from sqlglot.dialects.postgres import Postgres

from taisce_pg.sandbox import Refusal, check
from taisce_pg.sandbox.second import Seen, _parser, object_to
from taisce_pg.sandbox.text import read_text

NOTHING = Seen(frozenset(), frozenset(), frozenset({""}))


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("select 1 from hidden_relation", "relation"),
        ("select hidden_function_of_ours(1)", "function"),
        ("select hidden_alias.x", "column"),
        ("delete from t", "not_a_query"),
        ("select 1; select 2", "multiple_statements"),
        ("select * from t for update", "syntax"),
    ],
)
def test_what_the_exact_parse_did_not_show_is_refused_each_time(sql: str, reason: str) -> None:
    for _ in range(2):
        with pytest.raises(Refusal) as refused:
            object_to(read_text(sql), NOTHING)
        assert refused.value.reason == reason


def test_a_parser_that_goes_back_too_often_is_stopped() -> None:
    dialect = Postgres()
    sql = "select " + "(" * 8 + "a[b[c[1]]]" + ")" * 8
    parser = _parser(dialect, 3)
    if parser is None:
        pytest.skip("a compiled sqlglot cannot be watched")
    with pytest.raises(TimeoutError):
        parser.parse(dialect.tokenize(sql), sql)
    assert _parser(dialect, 10_000).parse(dialect.tokenize("select 1"), "select 1")


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("select 'a', 1 from entities", "SELECT  'it''s', 25.5\nfrom Entities;"),
        (
            "select * from entities where entity_id = '1'",
            "select * from entities where entity_id=''",
        ),
    ],
)
def test_texts_that_differ_in_values_and_spaces_have_one_shape(one: str, other: str) -> None:
    assert read_text(one).shape() == read_text(other).shape()
    assert read_text(one).plain()
    assert read_text(other).plain()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("select a from t", "select b from t"),
        ('select "A" from t', "select a from t"),
        ("select 'x' from t", "select x from t"),
        ("select 1 + 2", "select 1 - 2"),
        ("select f(1)", "select f(1, 2)"),
        ("select $1", "select 1"),
    ],
)
def test_other_words_have_another_shape(one: str, other: str) -> None:
    assert read_text(one).shape() != read_text(other).shape()


@pytest.mark.parametrize(
    "sql",
    [
        "select E'a\\'b'", "select $$a$$", "select $1", "select 1 -- a", "select /* a */ 1",
        "select 1e5", "select 0x1F", "select 1_000", "select b'1'", "select x'1'", "select 'é'",
        "select 'a\\'",
    ],
)  # fmt: skip
def test_what_lexers_may_cut_differently_is_parsed_every_time(sql: str) -> None:
    assert not read_text(sql).plain()


def test_what_passed_is_known_and_what_was_refused_is_refused_again() -> None:
    sql = "select count(*) from entities where canonical_name = 'remembered'"
    assert check(sql) is check(sql)
    assert check(sql, tier="analytical").tier == "analytical"
    with pytest.raises(Refusal):
        check(sql + " and $1 = 1")
    assert check(sql + " and $1 = 1", parameters=(1,)).parameters == 1
    for _ in range(2):
        with pytest.raises(Refusal):
            check("select pg_sleep(1)")
