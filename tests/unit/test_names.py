"""Names: the normal form, the tables it rests on, and what a server's lower() needs."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from taisce_pg.errors import InvalidQuestion
from taisce_pg.names.folding import (
    difference,
    lower_map,
    punctuation,
    symbols,
    unsteady,
    white_space,
)
from taisce_pg.names.normalize import cut_text, head_key, name_key, normalize_name, split_words
from taisce_pg.names.terms import question_terms, recall_terms
from tests.model.text import TooManyTermsError, find_terms

TEXT = st.text(st.characters(exclude_categories=["Cs", "Cn"], exclude_characters="\0"))

QUESTIONS = st.lists(
    st.sampled_from(
        [
            *"ab' -.,!()\"\u201c\u201d\u2019`<>|~_*/#@&+\u2014\u200f\u00b4\U0001f600\ufe0f",
            "c's",
            "\u02bcs",
            " ",
        ]
    ),
    max_size=40,
).map("".join)


def kinds(question: str, kind: str) -> list[str]:
    return [term.candidate for term in recall_terms(question) if term.kind == kind]


@pytest.mark.parametrize(
    ("spelling", "normal"),
    [
        ("  Marta\u00a0\u2003Nowak\n", "marta nowak"),
        ("O\u2019Neil", "o'neil"),
        ("Jean\u2010Luc", "jean-luc"),
        ("Jean\u2011Luc", "jean-luc"),
        ("İstanbul", "istanbul"),
        ("I\u0307stanbul", "istanbul"),
        ("STRAẞE", "straße"),
        ("ΟΔΥΣΣΕΥΣ", "οδυσσευσ"),
        ("Cafe\u0301", "café"),
        ("J\u030cukan", "\u01f0ukan"),
        ("\u212bngström", "ångström"),
        ("שלום", "שלום"),
        ("👩\u200d👩", "👩\u200d👩"),
        ("Ꭰ", "ꭰ"),
        ("\u2028\u3000", ""),
        ("", ""),
    ],
)
def test_spellings_of_one_name_share_a_normal_form(spelling: str, normal: str) -> None:
    assert normalize_name(spelling) == normal


@given(TEXT)
def test_normalising_twice_changes_nothing(text: str) -> None:
    once = normalize_name(text)
    assert normalize_name(once) == once
    assert unicodedata.is_normalized("NFC", once)


@given(TEXT)
def test_composed_and_decomposed_spellings_are_one_name(text: str) -> None:
    assert normalize_name(unicodedata.normalize("NFD", text)) == normalize_name(text)


@given(TEXT)
def test_words_of_a_normal_form_are_normal_forms(text: str) -> None:
    words = split_words(normalize_name(text))
    assert [normalize_name(word) for word in words] == words
    assert split_words(" ".join(words)) == words


def test_small_forms_are_final() -> None:
    table = lower_map()
    assert [small for small in table.values() if small in table] == []


def test_the_table_agrees_with_this_python_where_both_know_the_letter() -> None:
    table = lower_map()
    for code in range(0x110000):
        letter = chr(code)
        if unicodedata.category(letter) not in ("Cn", "Cs") and letter != "İ":
            assert table.get(letter, letter) == letter.lower()
    assert table["İ"] == "i"


def test_punctuation_and_white_space_agree_with_this_python() -> None:
    for code in range(0x110000):
        letter = chr(code)
        category = unicodedata.category(letter)
        if unicodedata.unidata_version == "14.0.0":
            assert (letter in punctuation()) == category.startswith("P")
            selector = "\ufe00" <= letter <= "\ufe0f"
            assert (letter in symbols()) == (category[0] == "S" or category == "Cf" or selector)
        # Python counts four separators of old teletypes as space, Unicode does not.
        assert (letter in white_space()) == (letter.isspace() and not "\x1c" <= letter <= "\x1f")


@pytest.mark.parametrize(
    ("normalized", "words"),
    [
        ("at&t, inc.", ["at", "t", "inc"]),
        ("'tis o'neil's -x- jean-luc", ["tis", "o'neil's", "x", "jean-luc"]),
        ("c++ a=b $5 x^y", ["c++", "a=b", "$5", "x^y"]),
        ("snake_case", ["snake", "case"]),
        ("a–b—c…d", ["a", "b", "c", "d"]),
        ("¿qué? «así» 。中、文", ["qué", "así", "中", "文"]),
        ("👩\u200d👩 ok", ["👩\u200d👩", "ok"]),
        ("שלום־עולם", ["שלום", "עולם"]),
        ("- ' -'- ...", []),
        ("", []),
    ],
)
def test_words_end_at_spaces_and_punctuation_only(normalized: str, words: list[str]) -> None:
    assert split_words(normalized) == words


def test_a_long_name_is_stored_under_a_digest() -> None:
    assert name_key("x" * 1024) == "x" * 1024
    assert len(name_key("x" * 1025)) == 65
    assert name_key("x" * 1025)[0] == "\x01"
    assert name_key("x" * 1025) != name_key("x" * 1026)
    assert head_key("the university of california, los angeles") == "the university of california"
    assert len(head_key("x" * 2000)) == 65


def test_windows_come_by_start_and_then_by_length() -> None:
    assert kinds("Where is Marta", "plain") == [
        "where", "where is", "where is marta", "is", "is marta", "marta",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "candidate"),
    [
        ("Is node.js fast?", "node.js"),
        ("Who runs AT&T?", "at&t"),
        ("Is (C#) old", "c#"),
        ('Who bought "Yahoo!"', "yahoo!"),
        ("Who bought “Yahoo!”?!", "yahoo!"),
        ("Yahoo!?", "yahoo!"),
        ("Who lives in Washington, D.C.?", "washington, d.c."),
        ("Mail a@b.eu.", "a@b.eu"),
        ("Is <Marta> here", "marta"),
        ("a !!! b", "!!!"),
        ("Who are !!!?!", "!!!"),
        ('Who are "!!!"?', "!!!"),
        ("Who is !!! (band)?", "!!! (band)"),
        ("say « quoted »?", "« quoted »"),
        ("Who is (Yahoo!)?", "yahoo!"),
        ("AT&T's budget", "at&t's"),
        ("Yahoo!'s budget", "yahoo!"),
        ("the U.S.'s budget", "u.s."),
        ("Is '.NET' old", ".net"),
        ("**C#**, or .NET/F#?", "c#"),
        ("**C#**, or .NET/F#?", ".net"),
        ("**C#**, or .NET/F#?", "f#"),
        ("Yahoo!\u2014AOL", "yahoo!"),
        ("_AT&T_|IBM", "at&t"),
        ("_AT&T_|IBM", "ibm"),
        ("@node.js #C#", "node.js"),
        ("@node.js #C#", "c#"),
        ("P&G,AT&T;IBM", "at&t"),
        ('Is ("Weird" Al Yankovic) here', '"weird" al yankovic'),
        ("Dwayne \u201cThe Rock\u201d Johnson?", "dwayne \u201cthe rock\u201d johnson"),
        ("Procter & Gamble - Asia Division", "procter & gamble - asia division"),
        ("`Marta`~Tom^", "marta"),
        ("`Marta`~Tom^", "tom"),
        ("Marta\U0001f600!", "marta"),
        ("\u2764\ufe0fMarta Nowak\u2764\ufe0f", "marta nowak"),
        ("Intel\u00ae Core\u2122 sells", "intel core"),
        ("\u200fשלום\u200f", "שלום"),
        ("Marta\u200b?", "marta"),
        ("<b>Marta</b>", "marta"),
    ],
)
def test_names_with_marks_are_reached_as_tokens(question: str, candidate: str) -> None:
    assert candidate in kinds(question, "token")


@pytest.mark.parametrize(
    ("question", "owners"),
    [
        ("Marta's cat", ["marta"]),
        ("the MARTA\u2019S cat", ["the marta", "marta"]),
        ("AT&T's cat", ["at t", "at&t", "t", "&t"]),
        ("(.NET's cat)", ["net", ".net", "(.net"]),
        ("C++'s cat", ["c++"]),
        ("Marta\u02bcs cat", ["marta"]),
        ("Marta's\U0001f600", ["marta"]),
        ("it is 's", []),
    ],
)
def test_a_possessive_leads_to_its_owner(question: str, owners: list[str]) -> None:
    assert kinds(question, "possessive") == owners


def test_a_plus_is_part_of_a_word() -> None:
    probed = [term.candidate for term in recall_terms("C++ or A+?")]
    assert {"c++", "a+"} <= set(probed)
    assert not {"c", "a"} & set(probed)


@given(TEXT, st.booleans())
def test_words_and_gaps_are_the_whole_text(text: str, at_symbols: bool) -> None:
    normalized = normalize_name(text)
    words, gaps = cut_text(normalized, at_symbols=at_symbols)
    assert gaps[0] + "".join(word + gap for word, gap in zip(words, gaps[1:], strict=True)) == (
        normalized
    )
    assert all(words)
    assert all(gaps[1:-1])


@given(st.text(st.sampled_from("ab' -.,!(\"#&+|`<\U0001f600\u2019\u2014_*/s"), max_size=14))
def test_a_name_is_found_whatever_three_marks_touch_it(name: str) -> None:
    normalized = normalize_name(name)
    words = split_words(normalized)
    if not 1 <= len(words) <= 4 or normalized[0] in "'-" or normalized[-1] in "'-":
        return
    if len(normalized) - len(normalized.lstrip("'-.,!(\"#&_*/\u2014")) > 3:
        return
    if len(normalized) - len(normalized.rstrip("'-.,!(\"#&_*/\u2014")) > 3:
        return
    if " " in cut_text(normalized)[1][0] + cut_text(normalized)[1][-1]:
        return
    for question in ("x {} y", "x ({}) y", "x \u201c{}\u201d?! y", "x **{}** y", "x/{}/y"):
        probed = {term.candidate for term in recall_terms(question.format(name))}
        assert normalized in probed


@given(QUESTIONS, st.sampled_from([512, 40]))
def test_a_question_is_cut_as_the_model_cuts_it(question: str, most: int) -> None:
    if not normalize_name(question):
        return
    try:
        expected = find_terms(question, most)
    except TooManyTermsError:
        with pytest.raises(InvalidQuestion):
            recall_terms(question, most)
        return
    terms, dropped = question_terms(question, most)
    assert [(term.candidate, term.kind) for term in terms] == expected.rows
    assert dropped == expected.dropped


def test_a_long_name_is_probed_from_each_word_with_four_after_it() -> None:
    assert kinds("a b c d e f", "long") == ["a b c d", "b c d e"]
    assert kinds("a b c d", "long") == []


def test_a_question_of_marks_has_no_terms() -> None:
    assert recall_terms("?! ...") == []


@given(st.text(st.sampled_from("ab c's’-.,!?()\"<>&İΣ\u3000"), max_size=60))
def test_terms_are_normal_distinct_and_counted_in_order(question: str) -> None:
    if not normalize_name(question):
        return
    terms = recall_terms(question)
    probed = [term.candidate for term in terms if term.kind != "long"]
    assert [term.ordinal for term in terms] == list(range(1, len(terms) + 1))
    assert len(set(probed)) == len(probed)
    assert all(normalize_name(candidate) == candidate != "" for candidate in probed)
    order = ["plain", "token", "possessive", "long"]
    assert [order.index(term.kind) for term in terms] == sorted(
        order.index(term.kind) for term in terms
    )


def test_plain_windows_over_the_limit_are_refused_and_additions_are_dropped() -> None:
    words = [f"w{number}" for number in range(130)]
    with pytest.raises(InvalidQuestion):
        recall_terms(" ".join(words))
    assert len(recall_terms(" ".join(words[:129]))) == 510 + 125
    terms, dropped = question_terms(" ".join(words[:129]) + "!?")
    assert len([term for term in terms if term.kind == "token"]) == 2
    assert dropped > 0
    with pytest.raises(InvalidQuestion):
        recall_terms(" ".join(letter * 900 for letter in "abcdefghi"))


@pytest.mark.parametrize("question", ["", " \u3000\n", "x" * 8193, "é" * 4097])
def test_a_blank_or_overlong_question_is_refused_without_its_content(question: str) -> None:
    with pytest.raises(InvalidQuestion) as caught:
        recall_terms(question)
    assert "xx" not in str(caught.value)
    assert recall_terms("x" * 8192)


def test_a_server_that_lowers_as_the_table_does_needs_no_pairs() -> None:
    assert difference(lower_map()) == ("", "")
    assert unsteady(lower_map()) == ""


def test_a_server_that_lowers_nothing_is_given_the_whole_table() -> None:
    letters, small = difference({})
    assert dict(zip(letters, small, strict=True)) == lower_map()


def test_only_what_a_server_does_otherwise_is_mapped() -> None:
    turkish = lower_map() | {"I": "ı", "Σ": ""}
    assert difference(turkish) == ("IΣ", "iσ")


def test_letters_that_no_pair_can_mend_are_told() -> None:
    later = lower_map() | {"\U0001fffd": "x"}
    assert difference(later) == ("", "")
    assert unsteady(later) == "\U0001fffd"
    moved = lower_map() | {"a": "b"}
    assert "A" not in difference(moved)[0]
    assert unsteady(moved) == "a"
