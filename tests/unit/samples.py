"""An answer of recall to test with: two facts, one of them two hops away."""

from __future__ import annotations

import copy
from typing import Any

_ID = "00000000-0000-8000-8000-00000000000{}"
MARTA, ACME, PRAGUE, FIRST, SECOND, CLAIM, OBSERVATION = map(_ID.format, range(1, 8))

_EVIDENCE = {
    "claim_id": CLAIM,
    "observation_id": OBSERVATION,
    "ordinal": 0,
    "role": "user",
    "quote": "Marta works at Äcme",
    "byte_start": 6,
    "byte_end": 26,
    "context": "– Marta works at Äcme now.",
    "context_start": 2,
    "context_complete": False,
}

_FACT = {
    "fact_id": FIRST,
    "kind": "relation",
    "subject": "Marta",
    "subject_id": MARTA,
    "predicate": "works at",
    "object": "Äcme",
    "object_id": ACME,
    "value": None,
    "statement": "Marta works at Äcme.",
    "confidence": 0.9,
    "valid_from": "2024-03-01T00:00:00+00:00",
    "valid_until": None,
    "known_from": "2024-03-02T08:15:00.12+01:00",
    "known_until": None,
    "anchored_on": "Marta",
    "source_role": "user",
    "support": "current",
    "hops": 1,
    "path": [],
    "via": [],
    "co_derived_with": [],
    "contradicts": [],
    "evidence": [_EVIDENCE],
    "evidence_total": 2,
}

_BUNDLE: dict[str, Any] = {
    "contract": "recall/v1",
    "controls": {
        "project": "demo",
        "data_subject_id": None,
        "max_characters": 16000,
        "source_roles": ["user"],
        "hops": 2,
        "surfaces": None,
        "themes": False,
        "evidence_per_fact": 1,
        "max_rows": 200,
    },
    "anchors": [{"entity_id": MARTA, "name": "Marta", "entity_type": "person", "matched": "marta"}],
    "facts": [
        _FACT,
        {
            **_FACT,
            "fact_id": SECOND,
            "subject": "Äcme",
            "subject_id": ACME,
            "predicate": "is in",
            "object": "Prague",
            "object_id": PRAGUE,
            "statement": "Äcme is in Prague.",
            "hops": 2,
            "path": ["Marta", "Äcme", "Prague"],
            "via": ["works at", "is in"],
            "contradicts": [FIRST],
            "evidence_total": 1,
        },
    ],
    "reports": [],
    "passages": [],
    "truncated": False,
    "cut": None,
    "characters": 123,
    "degraded": [],
    "reach": {
        "terms": 5,
        "terms_dropped": 0,
        "anchored": 1,
        "named_nothing_known": False,
        "facts_per_anchor": [{"entity_id": MARTA, "name": "Marta", "facts": 2}],
        "fanout_cut": [],
        "silent_because": None,
    },
    "freshness": {
        "stored": 7,
        "formed": 7,
        "parked": 0,
        "rebuilding": None,
        "read_at": "2024-04-01T00:00:00.5+00:00",
        "known_through": "2024-03-02T07:15:00.12+00:00",
    },
    "scope": {"as_of": None, "as_known_at": None},
}


def bundle() -> dict[str, Any]:
    """Return a fresh copy of the answer as the server sends it."""
    return copy.deepcopy(_BUNDLE)


def empty(because: str = "unknown_name") -> dict[str, Any]:
    """Return an answer without facts."""
    answer = bundle()
    answer["facts"] = []
    answer["anchors"] = []
    answer["reach"] |= {
        "anchored": 0,
        "named_nothing_known": True,
        "facts_per_anchor": [],
        "silent_because": because,
    }
    return answer
