"""The model on anchors and the walk, held to examples worked out by hand."""

import pytest

from tests.model.memory import load
from tests.model.recall import recall_anchors
from tests.model.rows import ModelError
from tests.model.walk import Boundary, PlainIds, Scope, fact_walk
from tests.support.story import NOW, Story, keys

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


def test_the_walk_alone_narrows_by_predicate(story: Story) -> None:
    story.fact("f1", "A", "p", object="B")
    story.fact("f2", "A", "q", object="B")
    story.fact("f3", "B", "p", object="C")
    memory = story.load()
    walk = fact_walk(
        memory, [0], 2, Scope(NOW), Boundary(("user",), predicate="p"), PlainIds(), max_rows=1
    )
    assert ([row.fact.key for row in walk.rows], walk.more) == (["f1"], True)
