"""Names as people write them lead to what they name, through the whole of anchoring."""

from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg.types.json import Jsonb

from tests.support.databases import Database

UNIVERSITY = "The University of California at Berkeley"
SONS = "Messrs. Ann Lee, Bob Ray & Sons, Inc."
LOUD = "¡Hola Niños de la Tierra Roja!"
NAMES = [
    "AT&T", "Yahoo!", "U.S.", "C++", "C#", "F#", ".NET", "node.js", "«Quoted»", "Marta", "Tom",
    "Marta Nowak", '"Weird" Al Yankovic', "Dwayne “The Rock” Johnson", "!!!", "!!! (band)", "?",
    "Procter & Gamble - Asia Division", "P!nk", "A$AP Rocky", "Ke$ha", "Toys'R'Us", "Jean-Luc",
    "O'Neil", "שלום", "مارتا", "Zoë", "👩‍🚀", "Intel Core", "Guns N' Roses", "S.H.I.E.L.D.",
    "Earth, Wind & Fire", "Yahoo! Inc.", "+/-", "@", "東京", "El Niño", "Kool & the Gang",
    UNIVERSITY, SONS, LOUD,
]  # fmt: skip

QUESTIONS = [
    # Possessives.
    ("What is AT&T's budget?", ["AT&T"]),
    ("What is AT&T’s budget?", ["AT&T"]),
    ("Who runs Yahoo!'s site?", ["Yahoo!"]),
    ('Who runs "Yahoo!"\'s site?', ["Yahoo!"]),
    ("Who runs Yahoo! Inc.'s site?", ["Yahoo! Inc.", "Yahoo!"]),
    ("the U.S.'s law", ["U.S."]),
    ("C++'s author", ["C++"]),
    ("C#'s author", ["C#"]),
    (".NET's author (.NET's!)", [".NET"]),
    ("MARTA'S cat", ["Marta"]),
    ("Marta´s cat, Tom`s dog", ["Marta", "Tom"]),
    ("Martaʼs cat", ["Marta"]),
    ("O'Neil's cat and Jean-Luc's", ["Jean-Luc", "O'Neil"]),
    ("P!nk's hair, Ke$ha's hair", ["Ke$ha", "P!nk"]),
    ("Marta Nowak's 🎉", ["Marta Nowak", "Marta"]),
    (f"Who leads {UNIVERSITY}'s board?", [UNIVERSITY]),
    (f"Who leads {UNIVERSITY}’s board?", [UNIVERSITY]),
    (f"Who owns {SONS}'s house?", [SONS]),
    (f"Who owns {SONS}' house?", [SONS]),
    # Marks that belong to the name, and marks that do not.
    ("Is .NET old?", [".NET"]),
    ("Is (.NET) old?", [".NET"]),
    ("'.NET', \".NET\" or `.NET`?", [".NET"]),
    ("(C#)", ["C#"]),
    ("C#, F#; **C++**!", ["C++", "C#", "F#"]),
    ("Who said «Quoted»?!", ["«Quoted»"]),
    ("Who said «Marta»?", ["Marta"]),
    ('Who is "Weird" Al Yankovic?', ['"Weird" Al Yankovic']),
    ('Is ("Weird" Al Yankovic) here', ['"Weird" Al Yankovic']),
    ('"Weird" Al Yankovic\'s songs', ['"Weird" Al Yankovic']),
    ("Dwayne “The Rock” Johnson...", ["Dwayne “The Rock” Johnson"]),
    ("Toys'R'Us, Guns N' Roses", ["Guns N' Roses", "Toys'R'Us"]),
    ("S.H.I.E.L.D.?", ["S.H.I.E.L.D."]),
    ('"S.H.I.E.L.D."', ["S.H.I.E.L.D."]),
    ("(Earth, Wind & Fire)", ["Earth, Wind & Fire"]),
    ("Procter & Gamble - Asia Division?", ["Procter & Gamble - Asia Division"]),
    ("/Kool & the Gang/", ["Kool & the Gang"]),
    # Beside other things.
    ("**Marta**", ["Marta"]),
    ("_Marta_ and *Tom*", ["Marta", "Tom"]),
    ("Marta/Tom", ["Marta", "Tom"]),
    ("Marta—Tom", ["Marta", "Tom"]),
    ("Marta–Tom", ["Marta", "Tom"]),
    ("Marta|Tom", ["Marta", "Tom"]),
    ("| Marta | Tom |", ["Marta", "Tom"]),
    ("Marta→Tom", ["Marta", "Tom"]),
    ("#Marta @tom", ["Marta", "Tom"]),
    ("`Marta` ~~Tom~~", ["Marta", "Tom"]),
    ("<b>Marta</b>=Tom", ["Marta", "Tom"]),
    ("[Marta](https://example.org/tom)", ["Marta", "Tom"]),
    ("Marta😀❤️", ["Marta"]),
    ("❤️Marta Nowak❤️!", ["Marta Nowak", "Marta"]),
    ("Intel® Core™?", ["Intel Core"]),
    ("\u200fمارتا\u200f؟", ["مارتا"]),
    ("מה שלום\u200e, Marta\u200b?", ["Marta", "שלום"]),
    ("_AT&T_/Yahoo!—node.js|C#", ["node.js", "Yahoo!", "AT&T", "C#"]),
    ("AT&T,Yahoo!;F#", ["Yahoo!", "AT&T", "F#"]),
    ("@node.js #C#", ["node.js", "C#"]),
    ("『東京』。", ["東京"]),
    ("Zoe\u0308? El Nin\u0303o!", ["El Niño", "Zoë"]),
    ("A$AP Rocky (Ke$ha)", ["A$AP Rocky", "Ke$ha"]),
    (f"({UNIVERSITY})", [UNIVERSITY]),
    (f"`{UNIVERSITY}` **{LOUD}**", [UNIVERSITY, LOUD]),
    (f"🎉{UNIVERSITY}🎉|Tom", [UNIVERSITY, "Tom"]),
    (f"“{SONS}”?", [SONS]),
    # Names without a word.
    ("Who are !!!?", ["!!!"]),
    ('Who are "!!!"?', ["!!!"]),
    ("Who are (!!!)", ["!!!"]),
    ("Who are !!! (band)?", ["!!! (band)", "!!!"]),
    ("What is !!!'s best song?", ["!!!"]),
    ("What is “!!!”'s best song?", ["!!!"]),
    ("What is !!! (band)'s best song?", ["!!! (band)", "!!!"]),
    ("What means '@'?", ["@"]),
    ("who is 👩‍🚀?", ["👩‍🚀"]),
    ("Is +/- ok", ["+/-"]),
    ("!!!", []),
    # What stays unsaid.
    ("Martas cat", []),
    ("Mar-ta NowakTom", []),
    ("AT T", []),
    ("Google+ and C+", []),
    ("The University of California at Berkeleys", []),
    ("Dublin's", []),
]


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[psycopg.Connection[Any]]:
    with module_database.connect() as made:
        with made.transaction():
            made.execute("select memory_v1.create_project('named')")
            for number, name in enumerate(NAMES, 1):
                made.execute(
                    "insert into memory_v1.load_stage (line, body) values (%s, %s)",
                    (number, Jsonb({"type": "entity", "name": name})),
                )
            made.execute("select * from memory_v1.load('named')")
        yield made


def found(conn: psycopg.Connection[Any], question: str) -> list[str]:
    rows = conn.execute(
        "select name from memory_v1.recall_anchors(%s, project => 'named')", (question,)
    )
    return [name for (name,) in rows.fetchall()]


@pytest.mark.parametrize(("question", "names"), QUESTIONS, ids=lambda one: str(one)[:40])
def test_a_name_is_found_as_it_is_written(
    conn: psycopg.Connection[Any], question: str, names: list[str]
) -> None:
    assert [name for name in found(conn, question) if name != "?"] == names


@given(
    name=st.sampled_from([name for name in NAMES if not name.startswith(("!!!", "?", "@", "👩"))]),
    left=st.text(st.sampled_from('("“«*_`|/#@—~<'), max_size=3),
    right=st.text(st.sampled_from(')"”»*_`|/?!,.—~>😀'), max_size=3),
    owned=st.sampled_from(["", "'s", "’s"]),
)
def test_marks_around_a_name_do_not_hide_it(
    conn: psycopg.Connection[Any], name: str, left: str, right: str, owned: str
) -> None:
    assert name in found(conn, f"Is {left}{name}{owned}{right} here?")
