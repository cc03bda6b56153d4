"""The names of the database are those of Python, for every character there is."""

import unicodedata
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisce_pg.errors import InvalidQuestion
from taisce_pg.names.folding import (
    ask_query,
    difference,
    lower_map,
    punctuation,
    symbols,
    unsteady,
)
from taisce_pg.names.normalize import cut_text, head_key, name_key, normalize_name, split_words
from taisce_pg.names.terms import question_terms, recall_terms
from tests.model.text import has_long_name
from tests.support.databases import Database

Ask = Callable[..., Any]

# Marks assigned after Unicode 14.0 are ordered by newer servers only.
KNOWN = [
    chr(code)
    for code in range(1, 0x110000)
    if unicodedata.category(chr(code)) not in ("Cs", "Cn") or chr(code) in lower_map()
]
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="\0"))
PIECES = [
    *"ab' -.,!?()<>\"“”„«»‘’`:;{}[]&+$_İIΣςẞKÅ🎉中、。≮ᾼ𐐀\u0301\u0307\u030c\u0338\u037e\u1fef",
    *"\u00a0\u1680\u2003\u2028\u202f\u3000\u0085\n\t\u200d\u2010\u2011\u2014\u200f",
    *"|~^=#*/\u00b4\u02bc\u2122\ufe0f\u200b",
    "s's ", "'s", "\u02bcs", "שלום", "مرحبا", "👩\u200d👩", "e\u0301", "J\u030c", "I\u0307",
    " ", " ", " ",
]  # fmt: skip
QUESTIONS = st.lists(st.sampled_from(PIECES), max_size=80).map("".join)


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[psycopg.Connection[Any]]:
    with module_database.connect() as made:
        yield made


@pytest.fixture(scope="module")
def ask(conn: psycopg.Connection[Any]) -> Ask:
    def first(query: str, *values: Any) -> Any:
        row = conn.execute(query.encode(), values).fetchone()
        assert row is not None
        return row[0]

    return first


def batches(texts: list[str]) -> Iterator[list[str]]:
    size = 20_000
    for start in range(0, len(texts), size):
        yield texts[start : start + size]


@pytest.mark.parametrize("around", ["{}", "a{}\u0301b", "x {} y"])
def test_every_character_is_normalised_as_in_python(ask: Ask, around: str) -> None:
    for texts in batches([around.format(letter) for letter in KNOWN]):
        found = ask(
            "select array_agg(taisce.normalize_name(t.one) order by t.place)"
            " from unnest(%s::text[]) with ordinality as t (one, place)",
            texts,
        )
        expected = [normalize_name(text) for text in texts]
        assert [pair for pair in zip(found, expected, strict=True) if pair[0] != pair[1]] == []


@pytest.mark.slow
def test_every_character_splits_words_as_in_python(ask: Ask) -> None:
    every = [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code <= 0xDFFF]
    splitting = set()
    for letters in batches(every):
        counts = ask(
            "select array_agg(taisce.word_count('a' || t.one || 'b') order by t.place)"
            " from unnest(%s::text[]) with ordinality as t (one, place)",
            letters,
        )
        splitting |= {letter for letter, count in zip(letters, counts, strict=True) if count == 2}
    assert splitting == (punctuation() - {"'", "-"}) | {" "}


@pytest.mark.slow
def test_every_sign_and_unseen_mark_is_known_as_in_python(ask: Ask) -> None:
    every = [chr(code) for code in range(1, 0x110000) if not 0xD800 <= code <= 0xDFFF]
    found = set()
    for letters in batches(every):
        found |= set(
            ask(
                "select coalesce(array_agg(t.one), '{}') from unnest(%s::text[]) as t (one)"
                " where taisce.has_symbol('\u00e9' || t.one) and taisce.ends_word(t.one)",
                letters,
            )
        )
    assert found == symbols() - {"+"}


@given(text=TEXT)
def test_any_text_is_normalised_and_split_as_in_python(ask: Ask, text: str) -> None:
    normalized = normalize_name(text)
    assert ask("select taisce.normalize_name(%s)", text) == normalized
    assert ask("select taisce.normalize_name(%s)", normalized) == normalized
    assert ask("select taisce.name_words(%s)", normalized) == split_words(normalized)
    assert ask("select taisce.head_key(%s)", normalized) == head_key(normalized)
    for at_symbols in (False, True):
        words, gaps = cut_text(normalized, at_symbols=at_symbols)
        parts = [gaps[0]]
        for word, gap in zip(words, gaps[1:], strict=True):
            parts += word, gap
        assert ask("select taisce.text_parts(%s, %s)", normalized, at_symbols) == parts
    assert ask("select taisce.has_symbol(%s)", normalized) == (
        cut_text(normalized, at_symbols=True) != cut_text(normalized)
    )


@given(question=QUESTIONS, most=st.sampled_from([512, 60, 20]))
def test_a_question_is_cut_as_in_python(ask: Ask, question: str, most: int) -> None:
    try:
        terms, dropped = question_terms(question, most)
    except InvalidQuestion:
        with pytest.raises(psycopg.Error) as caught:
            ask("select taisce.question_terms(%s, %s)", question, most)
        assert caught.value.sqlstate == "TS001"
        return
    found = ask(
        "select jsonb_build_array(to_jsonb(t.candidates || t.heads), t.plain, t.token, t.dropped)"
        " from taisce.question_terms(%s, %s) as t",
        question,
        most,
    )
    kinds = [term.kind for term in terms]
    assert found == [
        [term.candidate for term in terms],
        kinds.count("plain"),
        kinds.count("token"),
        dropped,
    ]


@pytest.mark.parametrize(
    "question",
    [
        " ".join(["a"] * 4096),
        " ".join(f"{number % 100:02}" for number in range(2700)),
        " ".join(f"w{number}!" for number in range(129)),
        " ".join(f"w{number}" for number in range(130)),
        " ".join(letter * 700 for letter in "abcdefghij"),
        " ".join(letter * 1100 for letter in "abcdef"),
        "(" * 300 + "a" + "!" * 300,
        "x" * 8192,
        "é" * 4096,
        "é" * 4097,
        "x" * 8193,
        " \u3000\n",
        "",
    ],
    ids=lambda question: f"{question[:9]}...{len(question)}",
)
def test_limits_bite_at_the_same_place_as_in_python(
    conn: psycopg.Connection[Any], question: str
) -> None:
    query = "select ordinal, candidate, kind from memory_v1.recall_terms(%s)"
    try:
        expected = [(term.ordinal, term.candidate, term.kind) for term in recall_terms(question)]
    except InvalidQuestion:
        with pytest.raises(psycopg.Error) as caught:
            conn.execute(query, (question,))
        assert caught.value.sqlstate == "TS001"
        assert caught.value.diag.message_primary == "invalid_question"
        assert caught.value.diag.message_detail
        assert caught.value.diag.message_hint
        return
    assert conn.execute(query, (question,)).fetchall() == expected


@given(
    parts=st.lists(
        st.sampled_from(
            [
                "a",
                "b",
                "x-y",
                " ",
                " ",
                " ",
                "-",
                "'",
                ".",
                "(",
                "|",
                "'s",
                "a b a b a",
                "\U0001f600",
            ]
        ),
        min_size=8,
        max_size=30,
    ),
    cut=st.tuples(st.integers(0, 40), st.integers(9, 24)),
)
def test_a_long_name_is_found_where_a_window_reads_it(
    ask: Ask, parts: list[str], cut: tuple[int, int]
) -> None:
    question = normalize_name("".join(parts))
    name = normalize_name(question[cut[0] : sum(cut)])
    if not split_words(name):
        return
    assert ask(
        "select taisce.spells_long_name(taisce.question_terms(%s, 512), %s)", question, name
    ) == (len(split_words(name)) > 4 and has_long_name(question, name))


def test_keys_of_names_are_those_of_python_and_fit_an_index(ask: Ask) -> None:
    for text in ("marta", "x" * 1024, "x" * 1025, "é" * 513):
        key = ask("select taisce.name_key(%s)", text)
        assert key == name_key(text)
        assert len(key.encode()) <= 1024


def test_the_collation_of_the_caller_does_not_matter(ask: Ask) -> None:
    for collation in ("C", "default", "POSIX"):
        found = ask(f'select taisce.normalize_name(%s::text collate "{collation}")', "ÉLAN Σ")
        assert found == "élan σ"


def test_the_server_needs_only_pairs_that_can_be_given(conn: psycopg.Connection[Any]) -> None:
    lowered = dict(conn.execute(ask_query().encode()).fetchall())
    letters, small = difference(lowered)
    assert unsteady(lowered) == ""
    assert len(letters) == len(small) < 100


@pytest.mark.slow
def test_a_small_letter_with_a_mark_is_stable(ask: Ask) -> None:
    marks = [letter for letter in KNOWN if unicodedata.combining(letter) == 230][:40]
    letters = [letter for letter in lower_map() if ord(letter) < 0x2000]
    for texts in batches([letter + mark for letter in letters for mark in marks]):
        assert ask(
            "select bool_and(n.once = taisce.normalize_name(n.once))"
            " from unnest(%s::text[]) as t (one)"
            " cross join lateral (select taisce.normalize_name(t.one) offset 0) as n (once)",
            texts,
        )
