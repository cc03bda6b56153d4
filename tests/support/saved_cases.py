"""What the shipped queries are asked on the demo memory, and what is told on top of it."""

from __future__ import annotations

from typing import Any

NOBODY = "00000000-0000-8000-8000-000000000001"
GONE = "Zebulon Quill"
# What is told on top of the demo, to be forgotten, merged and reported.
MORE: list[dict[str, Any]] = [
    {
        "type": "observation",
        "key": "gone",
        "occurred_at": "2026-01-01T00:00:00Z",
        "retention_until": "{soon}",
        "messages": [{"role": "user", "content": f"{GONE} collects lanterns with Amy Klobuchar."}],
    },
    {"type": "entity", "key": "quill", "name": GONE, "entity_type": "person"},
    {
        "type": "fact",
        "key": "lanterns",
        "subject": GONE,
        "predicate": "collects",
        "value": "lanterns",
        "statement": f"{GONE} collects lanterns.",
        "evidence": [{"observation": "gone", "quote": f"{GONE} collects lanterns"}],
    },
    {
        "type": "fact",
        "key": "friends",
        "subject": GONE,
        "predicate": "knows",
        "object": "Amy Klobuchar",
        "statement": f"{GONE} knows Amy Klobuchar.",
        "evidence": [{"observation": "gone", "quote": f"{GONE} collects lanterns"}],
    },
    {
        "type": "observation",
        "key": "talk",
        "occurred_at": "2026-01-02T00:00:00Z",
        "messages": [
            {"role": "user", "content": f"Question {number} about the Senate."}
            for number in range(5)
        ],
    },
]  # fmt: skip
# Parameters of a hit, an empty, a forgotten and a cap case of each; None as forgotten: what is
# forgotten has no such row at all (identity events name no person's words).
CASES: dict[str, dict[str, dict[str, Any]]] = {
    "claims_verbatim": {
        "hit": {"words": "Senate"}, "empty": {"words": "no such words here"},
        "forgotten": {"words": "collects lanterns"}, "cap": {"words": "Senate"},
    },
    "claims_about": {
        "hit": {"name": "Amy Klobuchar"}, "empty": {"name": "Nobody Atall"},
        "forgotten": {"name": GONE}, "cap": {"name": "Amy Klobuchar"},
    },
    "claims_as_of": {
        "hit": {"name": "Amy Klobuchar", "at": "2099-01-01Z"},
        "empty": {"name": "Amy Klobuchar", "at": "1700-01-01Z"},
        "forgotten": {"name": GONE, "at": "2099-01-01Z"},
        "cap": {"name": "Amy Klobuchar", "at": "2099-01-01Z"},
    },
    "claims_hybrid": {
        "hit": {"question": "Who is Amy Klobuchar?"}, "empty": {"question": "xyzzyq"},
        "forgotten": {"question": "lanterns"}, "cap": {"question": "Senate"},
    },
    "passages_hybrid": {
        "hit": {"question": "Question about the Senate"}, "empty": {"question": "xyzzyq"},
        "forgotten": {"question": "lanterns"}, "cap": {"question": "Senate"},
    },
    "passage_neighbors": {
        "hit": {"passage_id": "{passage}"}, "empty": {"passage_id": NOBODY},
        "forgotten": {"passage_id": "{gone_passage}"}, "cap": {"passage_id": "{passage}"},
    },
    "sources_about": {
        "hit": {"name": "Amy Klobuchar"}, "empty": {"name": "Nobody Atall"},
        "forgotten": {"name": GONE}, "cap": {"name": "Democratic Party"},
    },
    "reports_about": {
        "hit": {"name": "Amy Klobuchar"}, "empty": {"name": "Maria Cantwell"},
        "forgotten": {"name": GONE}, "cap": {"name": "Amy Klobuchar"},
    },
    "relation_current": {
        "hit": {"name": "Amy Klobuchar", "predicate": "member_of_party"},
        "empty": {"name": "Amy Klobuchar", "predicate": "no_such"},
        "forgotten": {"name": GONE, "predicate": "knows"},
        "cap": {"name": "Amy Klobuchar", "predicate": "sits_on"},
    },
    "attribute_current": {
        "hit": {"name": "Amy Klobuchar", "predicate": "born_on"},
        "empty": {"name": "Amy Klobuchar", "predicate": "no_such"},
        "forgotten": {"name": GONE}, "cap": {"name": "Hubert H. Humphrey"},
    },
    "identity_as_of": {
        "hit": {"entity_id": "{survivor}", "at": "2099-01-01Z"},
        "empty": {"entity_id": "{survivor}", "at": "1999-01-01Z"},
        "forgotten": {"entity_id": "{quill}", "at": "2099-01-01Z"},
        "cap": {"entity_id": "{survivor}", "at": "2099-01-01Z"},
    },
    "entity_timeline": {
        "hit": {"name": "Amy Klobuchar"}, "empty": {"name": "Nobody Atall"},
        "forgotten": {"name": GONE}, "cap": {"name": "Amy Klobuchar"},
    },
    "explain": {
        "hit": {"fact_id": "{fact}"}, "empty": {"fact_id": NOBODY},
        "forgotten": {"fact_id": "{gone_fact}"}, "cap": {"fact_id": "{well_known}"},
    },
    "changed_since": {
        "hit": {"at": "2000-01-01Z"}, "empty": {"at": "2099-01-01Z"},
        "forgotten": {"at": "{after}"}, "cap": {"at": "2000-01-01Z"},
    },
    "multi_hop_context": {
        "hit": {"question": "Amy Klobuchar"}, "empty": {"question": "Nobody Atall"},
        "forgotten": {"question": GONE}, "cap": {"question": "Amy Klobuchar"},
    },
    "graph_neighborhood": {
        "hit": {"name": "Amy Klobuchar"}, "empty": {"name": "Nobody Atall"},
        "forgotten": {"name": GONE}, "cap": {"name": "Amy Klobuchar"},
    },
    "graph_path": {
        "hit": {"from_name": "Amy Klobuchar", "to_name": "Democratic Party"},
        "empty": {"from_name": "Nobody Atall", "to_name": "Democratic Party"},
        "forgotten": {"from_name": GONE, "to_name": "Amy Klobuchar"},
        "cap": {"from_name": "Amy Klobuchar", "to_name": "Maria Cantwell"},
    },
}  # fmt: skip
