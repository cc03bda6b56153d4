"""The model on evidence and on what an answer says of itself."""

from typing import Any

import pytest

from tests.model.recall import recall
from tests.model.rows import ModelError
from tests.model.walk import PlainIds
from tests.support.story import DAY, NOW, Story, iso, keys

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
