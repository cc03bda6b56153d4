"""Envelopes as a block of text for a prompt: quoted, bounded, marked as untrusted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from taisce_pg import errors
from taisce_pg.client.assuredmodels import ContextClaim, ContextFact, ContextPassage, Envelope
from taisce_pg.client.text import CLOSE, NOTICE, OPEN, counted, dated, left_out, quoted


def render_envelopes(envelopes: Sequence[Envelope], max_characters: int | None) -> str:
    """Write envelopes as one block; see `Envelope.render`."""
    head = "\n".join([OPEN, NOTICE, *dict.fromkeys(_preamble(envelopes))])
    items = [item for envelope in envelopes for item in _items(envelope)]
    text = "\n".join([head, *items, CLOSE])
    if max_characters is None or len(text) <= max_characters:
        return text
    lengths = list(accumulate((len(item) + 1 for item in items), initial=len(head) + 1))
    least = len(text)
    for kept in range(len(items) - 1, -1, -1):
        tail = f"{left_out(len(items) - kept)}\n{CLOSE}"
        least = lengths[kept] + len(tail)
        if least <= max_characters:
            return "\n".join([head, *items[:kept], tail])
    raise errors.InvalidArgument(
        f"max_characters is {max_characters}, the frame alone takes {least}",
        "Give a larger limit.",
    )


def _preamble(envelopes: Sequence[Envelope]) -> Iterator[str]:
    for envelope in envelopes:
        yield f"Read at {dated(envelope.freshness.read_at)}."
        scope = envelope.temporal_scope
        if scope.at is not None:
            yield f"What held in the world at {dated(scope.at)}."
        if scope.start is not None and scope.end is not None:
            yield f"What held in the world from {dated(scope.start)} to {dated(scope.end)}."
        if scope.mode == "history":
            yield "What held in the world at any time."
        if scope.believed_at is not None:
            yield f"What this memory believed at {dated(scope.believed_at)}."
        if envelope.negative is not None:
            yield f"Nothing from {envelope.operation}: {envelope.negative.explanation}."
        if envelope.truncation.truncated:
            yield "There is more in this memory than is shown here."
        if envelope.degraded:
            yield f"Not complete: {', '.join(envelope.degraded)}."


def _items(envelope: Envelope) -> Iterator[str]:
    if envelope.operation == "resolve_entity":
        for number, one in enumerate(envelope.entities, 1):
            line = f"[E{number}] {quoted(one.canonical_name)} ({one.entity_id})"
            yield _headed("Entities", number, line)
    for number, fact in enumerate(envelope.facts, 1):
        yield _headed("Facts", number, _fact(f"F{number}", fact, envelope.quotes(fact.fact_id)))
    if envelope.grain == "evidence":
        for number, claim in enumerate(envelope.evidence, 1):
            yield _headed("Claims (testimony, not facts)", number, _claim(f"C{number}", claim))
        for number, passage in enumerate(envelope.passages, 1):
            yield _headed("Passages (testimony, not facts)", number, _passage(number, passage))


def _headed(heading: str, number: int, item: str) -> str:
    return f"{heading}:\n{item}" if number == 1 else item


def _fact(mark: str, fact: ContextFact, quotes: Sequence[ContextClaim]) -> str:
    lines = [f"[{mark}] {quoted(fact.label)}", f"  fact {fact.fact_id}"]
    if fact.support == "withdrawn":
        lines.append("  support withdrawn")
    if fact.contradiction is not None:
        lines.extend(
            f"  contradicted by {quoted(side.label)} ({side.fact_id})"
            for side in fact.contradiction.co_members
        )
        left = fact.contradiction.total - fact.contradiction.returned
        if left:
            lines.append(f"  contradicted by {counted(left, 'further fact')}")
    lines.extend(f"  {_said(one)}" for one in quotes)
    total = fact.evidence_count + fact.contradict_count
    if total > len(quotes):
        lines.append(f"  {len(quotes)} of {counted(total, 'quote')} shown")
    return "\n".join(lines)


def _said(one: ContextClaim) -> str:
    where = f"{one.observation_id}#{one.ordinal} bytes {one.byte_start}-{one.byte_end}"
    line = f"{one.role} said {quoted(one.quote)} at {where}"
    if one.context and one.context != one.quote:
        line += f"\n    in {quoted(one.context)}"
    return line


def _claim(mark: str, claim: ContextClaim) -> str:
    when = f" on {dated(claim.asserted_at)}" if claim.asserted_at is not None else ""
    lines = [f"[{mark}]{when} {quoted(claim.claim_text)} (claim {claim.claim_id})"]
    if claim.corroboration_count > 1:
        lines.append(f"  said by {counted(claim.corroboration_count, 'lineage')}")
    lines.append(f"  {_said(claim)}")
    return "\n".join(lines)


def _passage(number: int, passage: ContextPassage) -> str:
    when = f" on {dated(passage.occurred_at)}" if passage.occurred_at is not None else ""
    return f"[P{number}] {passage.role}{when}: {quoted(passage.content)} ({passage.passage_id})"
