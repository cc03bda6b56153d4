"""The model itself, held to examples worked out by hand, one rule an example."""

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.model.memory import Memory, load
from tests.model.questions import asked, make_controls, make_question
from tests.model.recall import recall, recall_anchors
from tests.model.rows import BEGINNING, FOREVER, ModelError
from tests.model.strategies import HUB, MIXED, Case, make_case
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
from tests.model.walk import Boundary, PlainIds, Scope, fact_walk, facts_at

NOW = datetime(2026, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
MICROSECOND = timedelta(microseconds=1)


class Story:
    """Writes lines: every fact gets a message of its own that says its key."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []

    def entity(self, name: str, **more: Any) -> None:
        self.lines.append({"type": "entity", "key": name, "name": name, **more})

    def said(self, key: str, *contents: str, role: str = "user", **more: Any) -> None:
        messages = [{"role": role, "content": content} for content in contents]
        self.lines.append(
            {"type": "observation", "key": key, "kind": "turn", "messages": messages, **more}
        )

    def fact(self, key: str, subject: Any, predicate: str | None, **more: Any) -> None:
        role = more.pop("role", "user")
        about = {
            name: more.pop(name) for name in ("data_subject_id", "retention_until") if name in more
        }
        if "evidence" not in more:
            self.said(f"t-{key}", key, role=role, **about)
            more["evidence"] = [{"observation": f"t-{key}", "ordinal": 0, "quote": key}]
        self.lines.append(
            {
                "type": "fact",
                "key": key,
                "subject": subject,
                "predicate": predicate,
                "statement": more.pop("statement", key),
                **more,
            }
        )

    def add(self, kind: str, **more: Any) -> None:
        self.lines.append({"type": kind, **more})

    def load(self) -> Memory:
        return load(self.lines)

    def ask(self, question: str, **controls: Any) -> dict[str, Any]:
        return recall(self.load(), question, now=controls.pop("now", NOW), **controls)


def keys(bundle: dict[str, Any]) -> list[str]:
    return [fact["statement"] for fact in bundle["facts"]]


def iso(moment: datetime) -> str:
    return moment.isoformat()


@pytest.fixture
def story() -> Story:
    return Story()


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


# Anchors


def test_anchors_come_longest_match_first_then_by_name(story: Story) -> None:
    story.entity("Dublin", entity_type="place")
    story.entity("Zed", aliases=["Marta"])
    story.entity("Marta Nowak", aliases=["Marta"])
    found = recall_anchors(story.load(), "Marta of Dublin, Marta Nowak", now=NOW)
    assert [(a.name, a.matched) for a in found] == [
        ("Marta Nowak", "marta nowak"),
        ("Dublin", "dublin"),
        ("Zed", "marta"),
    ]
    assert found[1].entity_type == "place"


def test_an_ambiguous_alias_anchors_all_it_leads_to(story: Story) -> None:
    story.entity("B", aliases=["it"])
    story.entity("A", aliases=["it"])
    assert [a.name for a in recall_anchors(story.load(), "it", now=NOW)] == ["A", "B"]


def test_more_than_256_pairs_are_refused(story: Story) -> None:
    for number in range(257):
        story.entity(f"e{number}", aliases=["it"])
    assert len(recall_anchors(load(story.lines[:256]), "it", now=NOW)) == 256
    with pytest.raises(ModelError, match="TS001"):
        story.ask("it")


def test_a_subject_narrows_anchors_and_adds_the_speaker_last(story: Story) -> None:
    story.entity("Dublin")
    story.fact("f1", {"speaker": "s1"}, "p", object="Dublin", data_subject_id="s1")
    story.entity("Cork")
    names = [a.name for a in recall_anchors(story.load(), "Dublin Cork", "s1", now=NOW)]
    assert names == ["Dublin", "speaker"]
    assert recall_anchors(story.load(), "Dublin Cork", "s2", now=NOW) == []
    bundle = story.ask("nothing known", data_subject_id="s1")
    assert keys(bundle) == ["f1"]
    assert bundle["reach"]["anchored"] == 0
    assert bundle["reach"]["named_nothing_known"]


def test_a_claim_that_mentions_counts_for_its_subject(story: Story) -> None:
    story.entity("Dublin")
    story.said("t1", "Dublin is far", data_subject_id="s1")
    story.add("claim", observation="t1", ordinal=0, quote="Dublin", mentions=["Dublin"])
    assert len(recall_anchors(story.load(), "Dublin", "s1", now=NOW)) == 1
    assert recall_anchors(story.load(), "Dublin", "s2", now=NOW) == []


def test_merged_names_lead_to_the_survivor(story: Story) -> None:
    story.fact("f1", "Bob Smith", "knows", object="Anna")
    story.fact("f2", "Robert Smith", "likes", value="tea")
    story.add("merge", absorbed="Bob Smith", survivor="Robert Smith")
    bundle = story.ask("Bob Smith")
    assert [(a["name"], a["matched"]) for a in bundle["anchors"]] == [("Robert Smith", "bob smith")]
    assert keys(bundle) == ["f1", "f2"]
    assert bundle["facts"][0]["subject"] == "Robert Smith"


# Walk


def test_one_hop_follows_both_directions_and_orders_by_predicate(story: Story) -> None:
    story.fact("f1", "A", "z", object="B")
    story.fact("f2", "C", "Z", object="A")
    story.fact("f3", "A", None, value="v")
    story.fact("f4", "A", "a", object="A")
    story.fact("f5", "C", "a", object="B")
    bundle = story.ask("A")
    assert keys(bundle) == ["f2", "f4", "f1", "f3"]
    assert all(fact["path"] == [] and fact["via"] == [] for fact in bundle["facts"])
    assert [fact["kind"] for fact in bundle["facts"]] == ["relation"] * 3 + ["attribute"]


def test_two_hops_tell_their_path(story: Story) -> None:
    story.fact("f1", "A", "p", object="B")
    story.fact("f2", "C", "q", object="B")
    story.fact("f3", "C", "r", object="D")
    story.fact("f4", "B", None, value="v")
    story.fact("f5", "B", "self", object="B")
    bundle = story.ask("A", hops=9)
    assert bundle["controls"]["hops"] == 2
    assert [(f["statement"], f["hops"], f["path"], f["via"]) for f in bundle["facts"]] == [
        ("f1", 1, [], []),
        ("f2", 2, ["A", "B", "C"], ["p", "q"]),
        ("f5", 2, ["A", "B"], ["p", "self"]),
        ("f4", 2, ["A", "B"], ["p", ""]),
    ]


def test_a_value_leads_nowhere_and_hops_below_one_are_one(story: Story) -> None:
    story.fact("f1", "A", "p", value="B")
    story.fact("f2", "B", "p", object="C")
    assert keys(story.ask("A", hops=2)) == ["f1"]
    story.fact("f3", "A", "p", object="B")
    bundle = story.ask("A", hops=-3)
    assert (keys(bundle), bundle["controls"]["hops"]) == (["f1", "f3"], 1)


def test_of_several_routes_the_smallest_fact_ids_win(story: Story) -> None:
    story.fact("f1", "A", "p", object="M2")
    story.fact("f2", "B", "p", object="M1")
    story.fact("f3", "M1", "p", object="M2")
    bundle = story.ask("A B", hops=2)
    assert bundle["facts"][2]["path"] == ["A", "M2", "M1"]


def test_a_fact_between_anchors_belongs_to_the_first_listed(story: Story) -> None:
    story.fact("f1", "Short", "p", object="Longer Name")
    bundle = story.ask("Short and Longer Name")
    assert [fact["anchored_on"] for fact in bundle["facts"]] == ["Longer Name"]
    assert [item["facts"] for item in bundle["reach"]["facts_per_anchor"]] == [1, 0]


def hub(story: Story, name: str, count: int, start: int = 0) -> None:
    """Give `name` facts as subject, all told in one observation."""
    said = [f"{name}-{start + number:03d}" for number in range(count)]
    story.said(f"t-{name}-{start}", *said)
    for ordinal, quote in enumerate(said):
        evidence = [{"observation": f"t-{name}-{start}", "ordinal": ordinal, "quote": quote}]
        story.fact(quote, name, "p", value="v", evidence=evidence)


def test_a_direction_with_a_65th_fact_is_cut_and_said(story: Story) -> None:
    hub(story, "A", 64)
    bundle = story.ask("A")
    assert (len(bundle["facts"]), bundle["reach"]["fanout_cut"]) == (64, [])
    hub(story, "A", 1, start=64)
    bundle = story.ask("A")
    assert keys(bundle) == [f"A-{number:03d}" for number in range(64)]
    assert [(c["entity"], c["direction"], c["hop"]) for c in bundle["reach"]["fanout_cut"]] == [
        ("A", "subject", 1)
    ]
    assert not bundle["truncated"]


def test_boundaries_apply_before_the_fan_is_cut(story: Story) -> None:
    hub(story, "A", 70)
    story.fact("late", "A", "p", value="v", role="tool")
    bundle = story.ask("A", source_roles=["tool"])
    assert (keys(bundle), bundle["reach"]["fanout_cut"]) == (["late"], [])
    assert "late" not in keys(story.ask("A", source_roles=["tool", "user"]))


def test_facts_reached_before_use_up_the_fan(story: Story) -> None:
    for number in range(64):
        story.fact(f"b{number:02d}", "A", "p", object="B")
    story.fact("late", "B", "p", object="A")
    story.fact("later", "C", "p", object="B")
    # A expands 64 as subject and one as object; B's facts as object are 64 known ones, then cut
    bundle = story.ask("A", hops=2)
    assert "later" not in keys(bundle)
    assert [(c["entity"], c["direction"], c["hop"]) for c in bundle["reach"]["fanout_cut"]] == [
        ("B", "object", 2)
    ]


def test_a_hop_two_fact_back_to_an_anchor_needs_a_route_that_did_not_start_there(
    story: Story,
) -> None:
    story.fact("m", "M", "p", object="A")
    for number in range(64):
        story.fact(f"a{number:02d}", "A", "p", value="v")
    story.fact("back", "A", "p", object="M")
    # "back" is the 65th of A as subject, so only M shows it, and M was reached from A
    assert "back" not in keys(story.ask("A", hops=2))
    story.fact("other", "B", "p", object="M")
    bundle = story.ask("A B", hops=2)
    back = next(fact for fact in bundle["facts"] if fact["statement"] == "back")
    assert (back["path"], back["anchored_on"]) == (["B", "M", "A"], "B")


def test_the_201st_fact_only_marks_the_cut(story: Story) -> None:
    for name, count in (("A", 50), ("B", 50), ("C", 50), ("D", 50)):
        hub(story, name, count)
    bundle = story.ask("A B C D", hops=2)
    assert (len(bundle["facts"]), bundle["cut"]) == (200, None)
    hub(story, "D", 1, start=50)
    bundle = story.ask("A B C D", hops=2)
    assert (len(bundle["facts"]), bundle["cut"], bundle["truncated"]) == (200, "rows", True)
    bundle = story.ask("A B C D", max_characters=100)
    assert bundle["cut"] == "both"


def test_hop_two_is_not_read_when_hop_one_fills_the_answer(story: Story) -> None:
    story.fact("zz", "A", "a", object="M")
    hub(story, "M", 65)
    for name, count in (("A", 49), ("B", 50), ("C", 50), ("D", 50)):
        hub(story, name, count)
    bundle = story.ask("A B C D", hops=2)
    assert len(bundle["facts"]) == 200
    assert bundle["cut"] == "rows"
    assert [item["hop"] for item in bundle["reach"]["fanout_cut"]] == [2]
    hub(story, "D", 1, start=50)
    bundle = story.ask("A B C D", hops=2)
    assert (bundle["cut"], bundle["reach"]["fanout_cut"]) == ("rows", [])


# Time


def at(moment: datetime) -> dict[str, Any]:
    return {"valid_from": iso(moment)}


def test_current_lets_the_clock_of_a_client_be_ahead(story: Story) -> None:
    story.fact("soon", "A", "p", value="1", **at(NOW + 5 * MINUTE))
    story.fact("later", "A", "p", value="2", **at(NOW + 5 * MINUTE + MICROSECOND))
    story.fact("ends", "A", "p", value="3", valid_until=iso(NOW + MICROSECOND))
    story.fact("ended", "A", "p", value="4", valid_until=iso(NOW))
    assert keys(story.ask("A")) == ["soon", "ends"]


def test_a_replaced_fact_leaves_when_its_replacement_shows(story: Story) -> None:
    for key, value, start in (("old", "1", NOW - DAY), ("new", "2", NOW + 5 * MINUTE)):
        story.fact(key, "A", "p", value=value, cardinality="one", **at(start))
    assert keys(story.ask("A")) == ["new"]
    assert keys(story.ask("A", now=NOW - MICROSECOND)) == ["old"]
    memory = story.load()
    assert [
        (v.valid_from, v.valid_to, v.known_to, v.replaced) for v in memory.facts[0].versions
    ] == [
        (NOW - DAY, FOREVER, memory.facts[1].versions[0].known_from, False),
        (NOW - DAY, NOW + 5 * MINUTE, FOREVER, True),
    ]
    assert memory.facts[0].superseded_by == "new"


def test_the_four_scopes(story: Story) -> None:
    learned = NOW - 10 * DAY
    story.fact(
        "f", "A", "p", value="v", known_from=iso(learned), **at(NOW - 20 * DAY),
        valid_until=iso(NOW - 5 * DAY),
    )  # fmt: skip
    assert keys(story.ask("A")) == []
    assert keys(story.ask("A", as_of=NOW - 20 * DAY)) == ["f"]
    assert keys(story.ask("A", as_of=NOW - 20 * DAY - MICROSECOND)) == []
    assert keys(story.ask("A", as_of=NOW - 5 * DAY)) == []
    assert keys(story.ask("A", as_known_at=learned)) == ["f"]
    assert keys(story.ask("A", as_known_at=learned - MICROSECOND)) == []
    assert keys(story.ask("A", as_known_at=NOW - 5 * DAY)) == []
    assert keys(story.ask("A", as_known_at=NOW, as_of=NOW - 6 * DAY)) == ["f"]
    assert keys(story.ask("A", as_known_at=learned - DAY, as_of=NOW - 6 * DAY)) == []


def test_a_later_known_time_is_read_as_known_through(story: Story) -> None:
    story.fact("f", "A", "p", value="v", known_from=iso(NOW - DAY))
    bundle = story.ask("A", as_known_at=NOW + 9 * DAY, known_through=NOW - DAY)
    assert keys(bundle) == ["f"]
    assert bundle["scope"] == {
        "as_of": None,
        "as_known_at": iso(NOW + 9 * DAY),
        "read_as_known_at": iso(NOW - DAY),
    }


def test_what_was_retracted_is_still_known_before(story: Story) -> None:
    story.fact("f", "A", "p", value="v", known_from=iso(NOW - 3 * DAY))
    story.add("retract", fact="f", at=iso(NOW - DAY), reason="wrong")
    assert keys(story.ask("A")) == []
    assert keys(story.ask("A", as_known_at=NOW - DAY)) == []
    bundle = story.ask("A", as_known_at=NOW - DAY - MICROSECOND)
    assert keys(bundle) == ["f"]
    assert bundle["facts"][0]["known_until"] == iso(NOW - DAY)
    assert bundle["facts"][0]["valid_from"] is None


def test_expired_facts_are_seen_by_no_read(story: Story) -> None:
    until = {"retention_until": iso(NOW), "known_from": iso(NOW - DAY)}
    story.fact("f", "A", "p", value="v", **until)
    assert keys(story.ask("A")) == []
    # The name came with the same words.
    assert story.ask("A")["reach"]["silent_because"] == "unknown_name"
    assert keys(story.ask("A", as_known_at=NOW - DAY)) == []
    assert keys(story.ask("A", now=NOW - MICROSECOND)) == ["f"]


def test_facts_at_is_four_comparisons(story: Story) -> None:
    story.fact("f", "A", "p", value="v", valid_from=iso(NOW), valid_until=iso(NOW + DAY))
    memory = story.load()
    for moment, seen in (
        (NOW - MICROSECOND, 0),
        (NOW, 1),
        (NOW + DAY - MICROSECOND, 1),
        (NOW + DAY, 0),
    ):
        found = facts_at(memory, moment, moment + MICROSECOND, FOREVER, FOREVER, NOW)
        assert len(found) == seen
    assert len(facts_at(memory, NOW, BEGINNING, FOREVER, FOREVER, NOW)) == 1


# Evidence


def test_evidence_comes_earliest_first_and_is_counted(story: Story) -> None:
    story.said("t1", "zero one", "two")
    story.said("t2", "three")
    story.fact(
        "f",
        "A",
        "p",
        value="v",
        evidence=[
            {"observation": "t2", "ordinal": 0, "quote": "three"},
            {"observation": "t1", "ordinal": 1, "quote": "two"},
            {"observation": "t1", "ordinal": 0, "quote": "one"},
            {"observation": "t1", "ordinal": 0, "quote": "zero", "stance": "contradicts"},
        ],
    )
    fact = story.ask("A", evidence_per_fact=2)["facts"][0]
    assert [item["quote"] for item in fact["evidence"]] == ["one", "two"]
    assert fact["evidence_total"] == 3
    assert fact["evidence"][0] == {
        "observation_id": "t1",
        "ordinal": 0,
        "role": "user",
        "quote": "one",
        "byte_start": 5,
        "byte_end": 8,
        "context": "zero one",
        "context_start": 0,
        "context_complete": True,
    }


def test_no_visible_evidence_no_fact_and_no_way_on(story: Story) -> None:
    story.fact("f", "A", "p", object="B", known_from=iso(NOW - DAY))
    story.fact("g", "B", "p", object="C", known_from=iso(NOW - 9 * DAY))
    story.add("version", fact="f", known_from=iso(NOW - 5 * DAY), known_until=iso(NOW - 2 * DAY))
    bundle = story.ask("A", as_known_at=NOW - 3 * DAY, hops=2)
    assert keys(bundle) == []
    assert bundle["reach"]["silent_because"] == "evidence"


def test_expired_evidence_is_not_shown(story: Story) -> None:
    story.said("t1", "one", retention_until=iso(NOW - DAY))
    story.said("t2", "two of A")
    told = [{"observation": f"t{n}", "ordinal": 0, "quote": q} for n, q in ((1, "one"), (2, "two"))]
    story.fact("f", "A", "p", value="v", evidence=told)
    fact = story.ask("A", evidence_per_fact=5)["facts"][0]
    assert ([item["quote"] for item in fact["evidence"]], fact["evidence_total"]) == (["two"], 1)


def test_released_text_leaves_the_quote(story: Story) -> None:
    story.fact("f", "A", "p", value="v")
    memory = story.load()
    memory.observations[0].messages[0].content = None
    bundle = recall(memory, "A", now=NOW)
    item = bundle["facts"][0]["evidence"][0]
    assert (item["quote"], item["context"], item["context_complete"]) == ("f", "", False)
    assert bundle["degraded"] == ["citation_context"]


# Budget and answer


def test_a_fact_costs_its_words_and_its_route(story: Story) -> None:
    story.said("t1", "say \u00e9\u00e9")
    told = [{"observation": "t1", "ordinal": 0, "quote": "\u00e9\u00e9"}]
    story.fact("f1", "A", "pp", object="Bee", evidence=told)
    # A + pp + Bee + f1 + user + quote + context
    one = 1 + 2 + 3 + 2 + 4 + 2 + 6
    assert story.ask("A")["characters"] == one
    story.fact("f2", "Bee", None, value="vvvv")
    # Bee + "" + vvvv + f2 + user + quote + context, path A Bee, via pp and ""
    two = 3 + 0 + 4 + 2 + 4 + 2 + 2 + (1 + 3) + (2 + 0)
    bundle = story.ask("A", hops=2)
    assert (keys(bundle), bundle["characters"]) == (["f1", "f2"], one + two)
    bundle = story.ask("A", hops=2, max_characters=one + two - 1)
    assert (keys(bundle), bundle["cut"], bundle["truncated"]) == (["f1"], "characters", True)
    bundle = story.ask("A", max_characters=one - 1)
    assert (bundle["facts"], bundle["characters"], bundle["truncated"]) == ([], 0, True)
    assert bundle["reach"]["silent_because"] == "budget"


def test_one_message_about_one_subject_is_said_once(story: Story) -> None:
    story.said("t1", "one two three", "four")
    for key, subject, quote in (("f1", "A", "one"), ("f2", "A", "two"), ("f3", "B", "three")):
        told = [{"observation": "t1", "ordinal": 0, "quote": quote}]
        story.fact(key, subject, "p", object="X", evidence=told)
    told = [{"observation": "t1", "ordinal": 1, "quote": "four"}]
    story.fact("f4", "A", "p", object="X", evidence=told)
    facts = {fact["statement"]: fact for fact in story.ask("X")["facts"]}
    assert facts["f1"]["co_derived_with"] == [facts["f2"]["fact_id"]]
    assert facts["f3"]["co_derived_with"] == []
    assert facts["f4"]["co_derived_with"] == []


def test_other_sides_are_named_whether_in_the_bundle_or_not(story: Story) -> None:
    story.fact("f1", "A", "p", value="1")
    story.fact("f2", "B", "p", value="2")
    story.fact("f3", "C", "p", value="3", role="tool")
    story.add("contradiction", facts=["f1", "f2"])
    story.add("contradiction", facts=["f2", "f3"])
    memory = story.load()
    ids = {fact.key: PlainIds().fact(fact) for fact in memory.facts}
    assert recall(memory, "A", now=NOW)["facts"][0]["contradicts"] == [ids["f2"]]
    both = recall(memory, "A", now=NOW, source_roles=["user", "tool"])["facts"][0]["contradicts"]
    assert both == [ids["f2"], ids["f3"]]


@pytest.mark.parametrize(
    ("question", "controls", "reason"),
    [
        ("?!", {}, "no_terms"),
        ("nobody", {}, "unknown_name"),
        ("Lonely", {}, "no_facts"),
        ("A", {"data_subject_id": "s2"}, "subject"),
        ("A", {"source_roles": ["tool"]}, "role"),
        ("A", {"as_known_at": NOW - 9 * DAY}, "time"),
        ("A", {"max_characters": 1}, "budget"),
        ("A", {}, None),
    ],
)
def test_silence_names_its_first_cause(
    story: Story, question: str, controls: dict[str, Any], reason: str | None
) -> None:
    story.entity("Lonely")
    story.fact("f", "A", "p", value="v", data_subject_id="s1", known_from=iso(NOW - DAY))
    story.said("t9", "of A", data_subject_id="s2")
    story.add("claim", observation="t9", ordinal=0, quote="A", mentions=["A"])
    assert story.ask(question, **controls)["reach"]["silent_because"] == reason


@pytest.mark.parametrize(
    ("question", "controls", "degraded"),
    [
        ("nobody", {}, []),
        ("nobody", {"surfaces": ["facts"]}, []),
        ("nobody", {"surfaces": ["reports", "passages"]}, ["reports", "passages_words_only"]),
        ("A", {"surfaces": ["reports", "passages"]}, ["reports", "passages_words_only"]),
        ("A", {"surfaces": ["reports"], "themes": True}, ["reports"]),
        ("nobody", {"data_subject_id": "s"}, []),
        ("nobody", {"as_of": NOW}, []),
        ("nobody", {"as_of": NOW, "surfaces": ["facts"]}, []),
        ("A", {"as_of": NOW}, []),
    ],
)
def test_what_could_not_serve_is_listed(
    story: Story, question: str, controls: dict[str, Any], degraded: list[str]
) -> None:
    story.fact("f", "A", "p", value="v")
    assert story.ask(question, **controls)["degraded"] == degraded


@pytest.mark.parametrize("question", ["", " \u2003", "a\0b", "x" * 8_193])
def test_bad_questions_are_refused(story: Story, question: str) -> None:
    with pytest.raises(ModelError, match="TS001"):
        story.ask(question)


@pytest.mark.parametrize(
    "controls",
    [
        {"max_characters": 0},
        {"max_characters": 16_001},
        {"source_roles": []},
        {"source_roles": ["user", "user"]},
        {"source_roles": ["human"]},
        {"surfaces": []},
        {"surfaces": ["fact"]},
        {"evidence_per_fact": 6},
        {"data_subject_id": "\u2003"},
        {"data_subject_id": "\u00e9" * 513},
    ],
)
def test_bad_controls_are_refused(story: Story, controls: dict[str, Any]) -> None:
    with pytest.raises(ModelError, match="TS002"):
        story.ask("A", **controls)


def test_roles_default_to_those_of_the_project(story: Story) -> None:
    story.fact("f", "A", "p", value="v", role="document")
    assert keys(story.ask("A")) == []
    story.add("project", default_source_roles=["document"])
    assert keys(story.ask("A")) == ["f"]


def test_freshness_counts_what_is_formed_without_gaps(story: Story) -> None:
    assert story.ask("A")["freshness"]["formed"] is None
    parked: dict[str, Any] = {"formed": False, "parked": True}
    for key, more in (("t1", {}), ("t2", parked), ("t3", {"formed": False})):
        story.said(key, "text", **more)
    story.said("t4", "text")
    fresh = story.ask("A")["freshness"]
    assert (fresh["stored"], fresh["formed"], fresh["parked"]) == (4, 2, 1)


# Writing


def one(story: Story, key: str, value: str, start: datetime, **more: Any) -> None:
    story.fact(key, "A", "p", value=value, cardinality="one", valid_from=iso(start), **more)


def test_windows_that_do_not_overlap_are_accepted_in_any_order(story: Story) -> None:
    one(story, "late", "1", NOW)
    one(story, "early", "2", NOW - 9 * DAY, valid_until=iso(NOW))
    memory = story.load()
    assert all(len(fact.versions) == 1 and fact.group is None for fact in memory.facts)


@pytest.mark.parametrize("start", [NOW, NOW - DAY])
def test_a_newcomer_that_starts_no_later_conflicts(story: Story, start: datetime) -> None:
    one(story, "known", "1", NOW)
    one(story, "new", "2", start)
    with pytest.raises(ModelError, match="TS006"):
        story.load()
    story.lines[-1]["on_conflict"] = "contradict"
    known, new = story.load().facts
    assert known.group == new.group is not None
    story.lines[-1]["on_conflict"] = "truncate"
    if start == NOW:
        with pytest.raises(ModelError, match="TS006"):
            story.load()
    else:
        version = story.load().facts[1].versions[0]
        assert (version.valid_from, version.valid_to) == (NOW - DAY, NOW)


def test_nothing_resumes_after_a_bounded_newcomer(story: Story) -> None:
    one(story, "first", "1", NOW - 9 * DAY)
    one(story, "visit", "2", NOW - 5 * DAY, valid_until=iso(NOW - 4 * DAY))
    assert keys(story.ask("A", as_of=NOW - 6 * DAY)) == ["first"]
    assert keys(story.ask("A", as_of=NOW - 4 * DAY)) == []


def test_roles_do_not_supersede_each_other_but_contradict(story: Story) -> None:
    one(story, "said", "1", NOW - 9 * DAY)
    one(story, "planted", "2", NOW - 5 * DAY, role="tool")
    memory = story.load()
    assert len(memory.facts[0].versions) == 1
    bundle = recall(memory, "A", now=NOW, source_roles=["user", "tool"])
    assert keys(bundle) == ["said", "planted"]
    assert all(len(fact["contradicts"]) == 1 for fact in bundle["facts"])


def test_equal_values_of_two_roles_do_not_contradict(story: Story) -> None:
    one(story, "said", "1", NOW - 9 * DAY)
    one(story, "read", "1", NOW - 5 * DAY, role="document")
    assert [fact.group for fact in story.load().facts] == [None, None]


def test_the_same_content_again_adds_evidence(story: Story) -> None:
    story.fact("f", "A", "p", value="v")
    story.fact("f-again", "A", "p", value="v", statement="f")
    story.lines.append({**story.lines[-1], "key": "f-thrice"})
    fact = story.ask("A")["facts"][0]
    assert fact["evidence_total"] == 2
    story.add("retract", fact="f")
    assert keys(story.ask("A")) == []
    story.fact("f-back", "A", "p", value="v", statement="f")
    assert keys(story.ask("A")) == ["f"]
    assert len(story.load().facts) == 1


def test_ambiguous_names_and_wrong_spans_are_refused(story: Story) -> None:
    story.entity("B", aliases=["it"])
    story.entity("C", aliases=["it"])
    story.fact("f", "it", "p", value="v")
    with pytest.raises(ModelError, match="TS008"):
        story.load()
    other = Story()
    other.said("t", "aba")
    other.fact(
        "f", "A", "p", value="v", evidence=[{"observation": "t", "ordinal": 0, "quote": "a"}]
    )
    with pytest.raises(ModelError, match="TS008"):
        other.load()
    other.lines[-1]["evidence"][0]["byte_start"] = 2
    assert other.load().facts[0].evidence[0].claim.byte_start == 2


def test_only_a_subject_speaks_for_himself(story: Story) -> None:
    story.fact("f", "I", "p", value="v", data_subject_id="s1")
    assert story.load().speaker("s1") is not None
    story.fact("g", "me", "p", value="v", data_subject_id="s1", role="assistant")
    with pytest.raises(ModelError, match="TS008"):
        story.load()


def test_erasing_takes_what_rests_on_it_alone(story: Story) -> None:
    one(story, "old", "1", NOW - 9 * DAY)
    one(story, "new", "2", NOW - 5 * DAY)
    memory = story.load()
    memory.erase(["t-new"])
    bundle = recall(memory, "A", now=NOW)
    assert keys(bundle) == ["old"]
    assert bundle["facts"][0]["valid_until"] is None
    assert bundle["freshness"]["stored"] == 2
    memory.erase(["t-old"])
    assert recall(memory, "A", now=NOW)["reach"]["silent_because"] == "unknown_name"


# The generator


@pytest.mark.parametrize("seed", range(30))
def test_drawn_memories_load_and_answer_the_same_twice(seed: int) -> None:
    case = make_case(Random(seed), NOW)
    again = make_case(Random(seed), NOW)
    assert case.lines == again.lines
    rng = Random(seed)
    for _ in range(3):
        question, controls = make_question(rng, case), make_controls(rng, case, broken=0)
        if len(find_terms(question, max_terms=9_999).plain) > 512:
            continue
        answer = recall(load(case.lines), question, now=NOW, **controls)
        assert answer == recall(load(again.lines), question, now=NOW, **controls)
        assert answer["characters"] <= answer["controls"]["max_characters"]
        assert len(answer["facts"]) <= 200


@settings(max_examples=40)
@given(asked(NOW, MIXED), st.integers(1, 16_000))
def test_a_smaller_budget_gives_the_first_of_the_same_facts(
    drawn: tuple[Case, str, dict[str, Any]], characters: int
) -> None:
    case, question, controls = drawn
    assume(len(find_terms(question, max_terms=9_999).plain) <= 512)
    memory = load(case.lines)
    whole = recall(memory, question, now=NOW, **{**controls, "max_characters": 16_000})
    part = recall(memory, question, now=NOW, **{**controls, "max_characters": characters})
    assert keys(part) == keys(whole)[: len(part["facts"])]
    assert part["characters"] <= characters
    if whole["characters"] <= characters and whole["cut"] is None:
        assert part["facts"] == whole["facts"]


def test_the_walk_alone_narrows_by_predicate(story: Story) -> None:
    story.fact("f1", "A", "p", object="B")
    story.fact("f2", "A", "q", object="B")
    story.fact("f3", "B", "p", object="C")
    memory = story.load()
    walk = fact_walk(
        memory, [0], 2, Scope(NOW), Boundary(("user",), predicate="p"), PlainIds(), max_rows=1
    )
    assert ([row.fact.key for row in walk.rows], walk.more) == (["f1"], True)


def test_hub_memories_reach_the_fan_cut() -> None:
    cuts = 0
    for seed in range(12):
        case = make_case(Random(seed), NOW, HUB)
        names = [line["name"] for line in case.lines if line["type"] == "entity"]
        bundle = recall(load(case.lines), names[0], now=NOW)
        cuts += bool(bundle["reach"]["fanout_cut"])
    assert cuts > 0
