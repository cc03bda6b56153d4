"""What must be the same however it is asked: rows and envelope, pages and the whole, both together.

The answers are compared with each other; what they hold is for other tests to say.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import psycopg

Connection = psycopg.Connection[Any]
Answer = dict[str, Any]
_CLOCKS = ("valid_from", "valid_until", "known_from", "known_until")
_ACCOUNT = ("truncated", "evaluated_at", "dropped", "continuation")


def arguments(values: Mapping[str, Any]) -> str:
    """Write named arguments for values by name."""
    casts = {"entity_ids": "::uuid[]", "source_roles": "::text[]", "time_scope": "::jsonb"}
    return ", ".join(f"{name} => %({name})s{casts.get(name, '')}" for name in values)


def envelope(conn: Connection, operation: str, values: Mapping[str, Any]) -> Answer:
    """Ask an operation for its envelope."""
    query = f"select memory_v1.{operation}_envelope({arguments(values)})"
    row = conn.execute(query.encode(), values).fetchone()
    assert row is not None
    answer: Answer = row[0]
    return answer


def rows(conn: Connection, operation: str, values: Mapping[str, Any]) -> list[Answer]:
    """Ask an operation for its rows."""
    query = f"select to_jsonb(r) from memory_v1.{operation}({arguments(values)}) as r"
    return [row[0] for row in conn.execute(query.encode(), values)]


def assert_same_items(found: list[Answer], answer: Answer) -> None:
    """Check that rows and an envelope carry the same items, in order, and the same account."""
    account = answer["truncation"]
    assert account["returned"] == len(found)
    assert (answer["negative"] is None) == bool(found)
    for row in found:
        assert row["truncated"] == account["truncated"]
        assert row["dropped"] == answer["dropped_by_hydration"]
        # The token holds its instant; the rest of it is the same.
        assert (row["continuation"] or "")[12:] == (account["continuation"] or "")[12:]
    items = [{k: v for k, v in row.items() if k not in _ACCOUNT} for row in found]
    if answer["operation"] == "fact_context":
        _same_facts(items, answer)
    else:
        claims = [item for item in items if item["grain"] == "claim"]
        passages = [item for item in items if item["grain"] == "passage"]
        assert items == claims + passages
        for mine, theirs in ((claims, answer["evidence"]), (passages, answer["passages"])):
            assert len(mine) == len(theirs)
            assert [
                {key: one[key] for key in item} for one, item in zip(mine, theirs, strict=True)
            ] == theirs


def _same_facts(items: list[Answer], answer: Answer) -> None:
    claims = {claim["claim_id"]: claim for claim in answer["evidence"]}
    links, totals, shown = [], [], []
    for item, other in zip(items, answer["facts"], strict=True):
        evidence, total = item.pop("evidence"), item.pop("evidence_totals")
        validity = {clock: item.pop(clock) for clock in _CLOCKS}
        side, theirs = item.pop("contradiction"), other["contradiction"]
        assert item | {"validity": validity} == {
            key: value for key, value in other.items() if key != "contradiction"
        }
        assert (side and {**side, "continuation": None}) == (
            theirs and {**theirs, "continuation": None}
        )
        kind = {"fact_kind": other["fact_kind"], "fact_id": other["fact_id"]}
        totals.append(kind | total)
        for one in evidence:
            plain = {key: value for key, value in one.items() if key != "stance"}
            assert claims[one["claim_id"]] == plain
            links.append(kind | {"claim_id": one["claim_id"], "stance": one["stance"]})
            shown.append(one["claim_id"])
    assert links == answer["fact_evidence"]
    assert totals == answer["evidence_totals"]
    assert list(claims) == list(dict.fromkeys(shown))


def pages(conn: Connection, operation: str, values: Mapping[str, Any]) -> Iterator[Answer]:
    """Yield the envelopes of an answer, page by page."""
    token: str | None = None
    while True:
        answer = envelope(conn, operation, {**values, "continuation": token})
        yield answer
        token = answer["truncation"]["continuation"]
        if token is None:
            return


def assert_same_in_pages(conn: Connection, whole: Answer, values: Mapping[str, Any]) -> None:
    """Check that an answer read in pages of `k` is the whole one, without repeat or gap.

    `whole` is the same call with room for everything it found.
    """
    operation = whole["operation"]
    found = list(pages(conn, operation, values))
    left = whole["truncation"]["estimated_total"]
    assert not whole["truncation"]["truncated"]
    for place, page in enumerate(found):
        account = page["truncation"]
        last = place == len(found) - 1
        assert account["truncated"] == (not last)
        assert account["total_is_exact"]
        assert account["estimated_total"] == left
        left -= account["returned"]
        assert page["temporal_scope"] == found[0]["temporal_scope"]
    assert left == 0
    for part, key in (("facts", "fact_id"), ("evidence", "claim_id"), ("passages", "passage_id")):
        if part == "evidence" and operation == "fact_context":
            continue
        ids = [item[key] for page in found for item in page[part]]
        assert ids == [item[key] for item in whole[part]]


def cost(part: str, item: Answer, answer: Answer) -> int:
    """Count the characters that are rendered of an item of a bundle."""
    if part == "facts":
        texts = [item[key] for key in ("subject", "predicate", "label", "source_role")]
        texts.append(item["object"] if item["object"] is not None else item["value"])
        claims = {claim["claim_id"]: claim for claim in answer["evidence"]}
        for link in answer["fact_evidence"]:
            if link["fact_id"] == item["fact_id"]:
                claim = claims[link["claim_id"]]
                texts += [claim["quote"], claim["context"]]
    elif part == "evidence":
        texts = [item[key] for key in ("claim_text", "quote", "context", "title", "role")]
    else:
        texts = [item[key] for key in ("content", "title", "role")]
    return sum(len(text or "") for text in texts)


def assert_cut_in_turn(whole: Answer, cut: Answer, most: int) -> None:
    """Check a bundle cut to `most` characters: items in turn, until one does not fit."""
    kept: dict[str, list[Answer]] = {"facts": [], "evidence": [], "passages": []}
    lists = {
        "facts": whole["facts"]["facts"],
        "evidence": whole["testimony"]["evidence"],
        "passages": whole["testimony"]["passages"],
    }
    queue = [
        (part, items[place])
        for place in range(max(map(len, lists.values())))
        for part, items in lists.items()
        if place < len(items)
    ]
    spent = 0
    fits = True
    for part, item in queue:
        price = cost(part, item, whole["facts" if part == "facts" else "testimony"])
        fits = fits and spent + price <= most
        if fits:
            spent += price
            kept[part].append(item)
    assert cut["characters"] == spent
    assert cut["cut"] == ("characters" if spent < whole["characters"] else None) or not queue
    assert [one["fact_id"] for one in cut["facts"]["facts"]] == [
        one["fact_id"] for one in kept["facts"]
    ]
    assert cut["testimony"]["evidence"] == kept["evidence"]
    assert cut["testimony"]["passages"] == kept["passages"]
    for side, parts in (("facts", ("facts",)), ("testimony", ("evidence", "passages"))):
        account = cut[side]["truncation"]
        assert account["returned"] == sum(len(kept[part]) for part in parts)
        assert account["estimated_total"] == whole[side]["truncation"]["estimated_total"]
        dropped = any(len(kept[part]) < len(lists[part]) for part in parts)
        assert account["truncated"] == (dropped or whole[side]["truncation"]["truncated"])
