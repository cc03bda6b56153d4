"""The model on text: names, terms, quotes in their context, the budget."""

import pytest

from tests.model.text import (
    TooManyTermsError,
    budget_cut,
    evidence_window,
    find_terms,
    has_long_name,
    name_words,
    normalize_name,
    split_words,
)

# Names and words


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("  Marta\t\u00a0 Nowak\n", "marta nowak"),
        ("O\u2019Brien", "o'brien"),
        ("Jean\u2010Luc", "jean-luc"),
        ("Jean\u2011Luc", "jean-luc"),
        ("Jean\u2013Luc", "jean\u2013luc"),
        ("\u0130zmir", "izmir"),
        ("I\u0307zmir", "izmir"),
        ("STRASSE \u1e9e", "strasse \u00df"),
        ("\u03a3\u039f\u03a6\u039f\u03a3", "\u03c3\u03bf\u03c6\u03bf\u03c3"),
        ("Zoe\u0308", "zo\u00eb"),
        ("a\u200bb", "a\u200bb"),
    ],
)
def test_names_equal_but_for_case_and_space(typed: str, normal: str) -> None:
    assert normalize_name(typed) == normal
    assert normalize_name(normal) == normal


def test_words_split_on_punctuation_and_not_on_symbols() -> None:
    assert [word.text for word in split_words("node.js + C# 'tis -- O\u2019Brien's, $5 a_b")] == [
        "node",
        "js",
        "+",
        "C",
        "tis",
        "O'Brien's",
        "$5",
        "a",
        "b",
    ]


def test_plain_windows_come_by_start_and_then_by_length() -> None:
    terms = find_terms("a b c d e")
    assert terms.plain == [
        *("a", "a b", "a b c", "a b c d"),
        *("b", "b c", "b c d", "b c d e"),
        *("c", "c d", "c d e", "d", "d e", "e"),
    ]
    assert terms.token == []
    assert terms.possessive == []
    assert terms.heads == ["a b c d"]


def test_a_window_is_a_candidate_once() -> None:
    assert find_terms("Dublin DUBLIN").candidates == ["dublin", "dublin dublin"]


def test_an_empty_word_leaves_no_gap() -> None:
    assert find_terms("Marta - Acme").plain == ["marta", "marta acme", "acme"]


@pytest.mark.parametrize(
    ("question", "candidate"),
    [
        ("Is node.js fast?", "node.js"),
        ("at AT&T?", "at&t"),
        ("in C#?", "c#"),
        ("(Yahoo!)", "yahoo!"),
        ('"Yahoo!"', "yahoo!"),
        ("was it Yahoo!?", "yahoo!"),
        ("in Washington, D.C., now", "washington, d.c."),
        ("from a@b.eu.", "a@b.eu"),
    ],
)
def test_tokens_reach_names_that_hold_punctuation(question: str, candidate: str) -> None:
    assert candidate in find_terms(question).token
    assert candidate not in find_terms(question).plain


def test_token_forms_come_in_order() -> None:
    # By first word, then number of words; of one run, with its marks taken one at a time.
    assert find_terms("a.b").token == ["a.", "a.b", ".b"]
    assert find_terms("(a.b)").token == [
        *("a.", "(a", "(a."),
        *("a.b", "a.b)", "(a.b", "(a.b)"),
        *("b)", ".b", ".b)"),
    ]


@pytest.mark.parametrize("question", ["Marta's dog", "MARTA\u2019S dog"])
def test_a_possessive_leads_to_its_owner(question: str) -> None:
    assert "marta" in find_terms(question).possessive


def test_a_question_without_a_word_has_no_terms() -> None:
    assert find_terms("?! -- '").candidates == []


def test_plain_windows_over_the_limit_are_refused() -> None:
    assert len(find_terms(" ".join(str(n) for n in range(129))).plain) == 510
    with pytest.raises(TooManyTermsError):
        find_terms(" ".join(str(n) for n in range(130)))


def test_plain_bytes_over_the_limit_are_refused() -> None:
    assert len(find_terms("ab cd", max_bytes=9).plain) == 3
    with pytest.raises(TooManyTermsError):
        find_terms("ab cd", max_bytes=8)


def test_additions_over_the_limit_are_dropped_and_counted() -> None:
    # plain: a, a b, b; additions: a., a. b, and "a. b" has no other form
    assert find_terms("a. b").token == ["a.", "a. b"]
    terms = find_terms("a. b", max_terms=4)
    assert (terms.token, terms.dropped) == (["a."], 1)
    terms = find_terms("a. b", max_bytes=6)
    assert (terms.token, terms.dropped) == ([], 2)


def test_long_names_are_found_where_they_are_spelled_out() -> None:
    name = normalize_name('League of "Very Old" Ships, Inc.')
    assert name_words(name) == (6, "league of very old")
    assert has_long_name('the League of "Very Old" Ships, Inc. sails', name)
    assert has_long_name('the (League of "Very Old" Ships, Inc.) sails', name)
    assert not has_long_name("the League of Very Old Ships Inc sails", name)
    assert not has_long_name('the League of "Very Old" Ships', name)


def test_a_long_name_may_begin_and_end_with_marks() -> None:
    assert has_long_name("so (one two three four five!) it is", "(one two three four five!)")
    assert not has_long_name("so one two three four five it is", "one two three four five!")
    assert has_long_name("one two three four five!!!!", "one two three four five!!!")
    assert not has_long_name("one two three four five!!!!", "one two three four five!!!!")


# Windows of evidence


def test_a_short_message_is_its_own_context() -> None:
    assert evidence_window("I moved to Dublin.", 2, 17) == ("I moved to Dublin.", 0, True)


def test_an_edge_is_cut_at_white_space() -> None:
    content = "aa bb QUOTE cc dd"
    assert evidence_window(content, 6, 11, margin=5) == ("bb QUOTE cc", 3, False)
    assert evidence_window(content, 6, 11, margin=6) == (content, 0, True)


def test_a_run_of_white_space_is_left_outside() -> None:
    assert evidence_window("aaa \u2003 QUOTE \n\n bbb", 8, 13, margin=6) == ("QUOTE", 8, False)


def test_an_edge_without_white_space_is_cut_at_a_character() -> None:
    content = "\u00e9\u00e9\u00e9QUOTE\u00e9\u00e9\u00e9"
    assert evidence_window(content, 6, 11, margin=3) == ("\u00e9QUOTE\u00e9", 4, False)


def test_the_quote_is_never_touched() -> None:
    content = "xx" + " a b " + "yy"
    assert evidence_window(content, 2, 7, margin=1) == ("x a b y", 1, False)
    assert evidence_window(content, 2, 7, margin=0) == (" a b ", 2, False)


def test_the_margin_is_160_bytes() -> None:
    content = "a" * 160 + "Q" + "\u00e9" * 80
    assert evidence_window(content, 160, 161) == (content, 0, True)
    content = "a" * 161 + "Q" + "\u00e9" * 80
    assert evidence_window(content, 161, 162) == (content[1:], 1, False)


def test_the_budget_stops_at_the_first_that_does_not_fit() -> None:
    assert budget_cut([("a", 3), ("b", 3), ("c", 1)], 5) == ["a"]
    assert budget_cut([("a", 3), ("b", 2)], 5) == ["a", "b"]
    assert budget_cut([("a", 6), ("b", 1)], 5) == []
