"""What a terminal shows of a bundle: readable at 80 columns, harmless, complete in its account."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from taisce_pg.cli.show import day, safe, show_bundle, split_context


def evidence(context: str, quote: str, **more: Any) -> dict[str, Any]:
    raw = context.encode()
    start = raw.index(quote.encode())
    return {
        "claim_id": "c",
        "observation_id": "o",
        "ordinal": 0,
        "role": "document",
        "quote": quote,
        "byte_start": start,
        "byte_end": start + len(quote.encode()),
        "context": context,
        "context_start": 0,
        "context_complete": True,
        **more,
    }


def fact(statement: str, **more: Any) -> dict[str, Any]:
    return {
        "fact_id": "f",
        "statement": statement,
        "valid_from": "2020-01-01T00:00:00+00:00",
        "valid_until": None,
        "hops": 1,
        "path": [],
        "via": [],
        "support": "current",
        "contradicts": [],
        "evidence": [evidence("Ada was born in Łódź, as told.", "born in Łódź")],
        "evidence_total": 1,
        **more,
    }


def bundle(*facts: dict[str, Any], **more: Any) -> dict[str, Any]:
    reach = {"fanout_cut": [], "silent_because": None, "terms_dropped": 0, "suggestions": []}
    reach.update(more.pop("reach", {}))
    return {
        "controls": {"max_characters": 16000, "max_rows": 200},
        "anchors": [{"name": "Ada", "entity_type": "person", "matched": "ada"}],
        "facts": list(facts),
        "reports": [],
        "passages": [],
        "truncated": False,
        "cut": None,
        "characters": 123,
        "degraded": [],
        "reach": reach,
        "scope": {"as_of": None, "as_known_at": None},
        **more,
    }


def shown(value: dict[str, Any], width: int = 80, color: bool = False, **more: Any) -> str:
    out = io.StringIO()
    console = Console(
        file=out, width=width, force_terminal=color, color_system="standard" if color else None,
        highlight=False, legacy_windows=False,
    )  # fmt: skip
    show_bundle(console, value, **more)
    return out.getvalue()


def test_a_fact_shows_its_dates_and_its_quote_inside_the_context() -> None:
    text = shown(bundle(fact("Ada was born in Łódź.")))
    assert "Ada was born in Łódź." in text
    assert "2020-01-01  open" in text
    assert "document: Ada was born in Łódź, as told." in text
    assert "123 of 16,000 characters, 1 fact" in text


def test_the_quote_is_marked_on_a_colour_terminal() -> None:
    text = shown(bundle(fact("Ada was born in Łódź.")), color=True)
    assert "\x1b[30;43mborn in Łódź\x1b[0m" in text


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_console(width: int) -> None:
    long = "Ada sits on the " + "Subcommittee on Very Long Names " * 9 + "x" * 200
    text = shown(bundle(fact(long, evidence=[evidence(long, long[20:300])])), width)
    assert max(map(len, text.splitlines())) <= width


@pytest.mark.parametrize(
    "hostile",
    ["\x1b]0;owned\x07", "\x1b[2J", "\x9b31m", "a\u202eb", "\u2066", "\u200b", "\x00", "\udc80"],
)
def test_stored_text_cannot_steer_the_terminal(hostile: str) -> None:
    one = evidence("fine", "fine")
    one.update(quote=hostile, context="")
    value = bundle(
        fact(hostile, evidence=[one], path=[hostile, hostile], via=[hostile], hops=1),
        anchors=[{"name": hostile, "entity_type": hostile, "matched": hostile}],
        reports=[{"title": hostile, "summary": hostile}],
        passages=[{"role": hostile, "quote": hostile}],
        reach={
            "fanout_cut": [{"entity": hostile, "direction": "subject", "hop": 1}],
            "suggestions": [{"name": hostile}],
        },
        degraded=[hostile],
    )
    text = shown(value)
    bad = [char for char in hostile if char not in "ab[]02J31m;owned"]
    assert bad
    assert not any(char in text for char in bad)


def test_markup_of_the_library_is_plain_text() -> None:
    assert "[red]not red[/red]" in shown(bundle(fact("[red]not red[/red].")))


def test_line_ends_in_a_text_do_not_break_the_table() -> None:
    assert safe("a\r\n\tb\nc") == "a b c"
    assert safe("\x1b[0m") == "\\x1b[0m"
    assert safe("\U000e0041") == "\\U000e0041"


def test_cuts_are_said_in_words() -> None:
    value = bundle(
        fact("Ada was."),
        truncated=True,
        cut="both",
        reach={"fanout_cut": [{"entity": "Hub", "direction": "object", "hop": 1}]},
        degraded=["citation_context"],
    )
    text = " ".join(shown(value).split())
    assert "did not fit the budget" in text
    assert "more than 200 facts" in text
    assert "Hub is the object of more than 64 facts" in text
    assert "no longer stored" in text


@pytest.mark.parametrize(
    ("reason", "words"),
    [
        ("no_terms", "no word"),
        ("unknown_name", "goes by a name"),
        ("no_facts", "nothing is held"),
        ("subject", "data subject"),
        ("role", "source roles"),
        ("time", "at the time"),
        ("evidence", "no words behind"),
        ("budget", "larger than the budget"),
    ],
)
def test_silence_has_a_reason_in_words(reason: str, words: str) -> None:
    text = shown(bundle(anchors=[], reach={"silent_because": reason}))
    assert words in text
    assert reason in text


def test_facts_left_out_of_the_display_are_counted() -> None:
    text = shown(bundle(*[fact(f"Fact {number}.") for number in range(5)]), max_facts=2)
    assert "Fact 1." in text
    assert "Fact 2." not in text
    assert "3 more facts" in text


@pytest.mark.parametrize(("most", "left"), [(0, "5 more passages"), (4, "1 more passage")])
def test_passages_left_out_of_the_display_are_counted(most: int, left: str) -> None:
    said = [{"role": "user", "quote": f"Passage {number}."} for number in range(5)]
    text = shown(bundle(passages=said), max_passages=most)
    assert [f"Passage {number}." in text for number in range(5)] == [n < most for n in range(5)]
    assert f"… and {left} of the answer" in text
    whole = shown(bundle(passages=said), max_passages=5)
    assert "Passage 4." in whole
    assert "more passage" not in whole


def test_a_second_hop_shows_its_route() -> None:
    far = fact("Bob is.", hops=2, path=["Ada", "Bob", "Acme"], via=["knows", "works_at"])
    text = " ".join(shown(bundle(fact("Ada knows Bob."), far)).split())
    assert "by way of Ada — knows → Bob — works_at → Acme" in text
    assert "Reached in 2 steps" in text


def test_the_time_asked_for_is_told() -> None:
    scope = {"as_of": "2020-06-01T00:00:00+00:00", "as_known_at": "2021-01-01T10:30:00+00:00"}
    text = shown(bundle(fact("Ada was."), scope=scope))
    assert "as of 2020-06-01" in text
    assert "as known at 2021-01-01 10:30Z" in " ".join(text.split())


@pytest.mark.parametrize(
    ("instant", "written"),
    [
        (None, "open"),
        ("2020-01-01T00:00:00+00:00", "2020-01-01"),
        ("2020-01-01T00:00:00Z", "2020-01-01"),
        ("2020-01-01T10:30:00+02:00", "2020-01-01 10:30+02:00"),
        ("2020-01-01T00:00:01.5+00:00", "2020-01-01 00:00:01.5Z"),
        ("20000-01-01T00:00:00+00:00", "20000-01-01"),
        ("0044-03-15T00:00:00+00:00 BC", "0044-03-15 00:00+00:00 BC"),
    ],
)
def test_instants_are_short(instant: str | None, written: str) -> None:
    assert day(instant, "open") == written


def test_a_quote_that_does_not_fit_its_context_stands_alone() -> None:
    one = evidence("Ada was here.", "was")
    assert split_context(one) == ("Ada ", "was", " here.")
    assert split_context({**one, "byte_start": 5}) == ("", "was", "")
    assert split_context({**one, "context": "", "context_start": None}) == ("", "was", "")
