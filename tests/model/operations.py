"""What the assured operations answer, by loops over all there is and nothing else.

Words nominate: in a small memory every text that shares a word with the query. The random
memories are made of words that no stemmer changes, so that sharing a word is sharing a token.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from tests.model.rows import Claim, Fact
from tests.model.told import Asked, Said, Told, ends, fact_words, kept_until, visible, words
from tests.model.walk import Boundary, Ids, Reached, expired, fact_walk

NEIGHBOURS = 20
EVIDENCE = 60
SIDES = 25


@dataclass
class FactAnswer:
    """What fact_context may return: with room for all of it, exactly that."""

    kept: list[Fact]
    dropped: int
    touches: dict[str, int]
    hops: dict[str, int | None]
    neighbours: list[int]
    neighbours_cut: bool
    because: str | None


def neighbours_of(rows: list[Reached], anchors: list[int]) -> tuple[list[int], set[int]]:
    """List the further entities of a walk as they are met, and which are met at the first hop."""
    met: list[int] = []
    near: set[int] = set()
    for row in rows:
        for end in (row.fact.subject, row.fact.object):
            if end is None or end in anchors:
                continue
            if end not in met:
                met.append(end)
            if row.hops == 1:
                near.add(end)
    return met, near


def fact_context(
    memory: Told,
    query: set[str],
    *,
    anchors: list[int] | None,
    named: list[int],
    hops: int,
    predicate: str | None,
    asked: Asked,
    roles: tuple[str, ...],
    subject: str | None,
    ids: Ids,
) -> FactAnswer:
    """Find the candidates and confirm them.

    `anchors` are the entities given, None for none; `named` those that the query names.
    """
    boundary = Boundary(roles, subject, predicate)
    fenced = anchors is not None
    starts = anchors if anchors is not None else named[:NEIGHBOURS]
    nominated: list[int] = []
    if not fenced and not starts:
        nominated = [
            entity.number
            for entity in memory.entities
            if entity.status == "active"
            and entity.kind == "named"
            and query
            & words(
                entity.entity_type,
                *(n.normalized for n in memory.names if n.entity == entity.number),
            )
        ]
        assert len(nominated) <= NEIGHBOURS
    around = 0 if not fenced or asked.mode in ("overlap", "history") else hops
    walk = fact_walk(memory, starts + nominated, max(around, 1), asked, boundary, ids)  # type: ignore[arg-type]
    met, near = neighbours_of(walk.rows, starts) if around else ([], set())
    neighbours = met[: NEIGHBOURS - len(starts)]
    inside = set(starts) | set(neighbours)

    candidates = [fact for fact in memory.facts if query & fact_words(memory, fact)]
    candidates += [row.fact for row in walk.rows if row.fact not in candidates]
    kept, dropped = [], 0
    funnel = {"found": 0, "subject": 0, "role": 0, "predicate": 0, "time": 0}
    seen_anyway = list(candidates)
    if True:
        wide = fact_walk(
            memory, starts + nominated, 1, Asked(asked.now, "history", known_at=asked.known_at),  # type: ignore[arg-type]
            Boundary(("user", "assistant", "system", "tool", "document")), ids,
        )  # fmt: skip
        seen_anyway += [row.fact for row in wide.rows if row.fact not in seen_anyway]
    for fact in seen_anyway:
        if fenced and not ends(fact) & inside:
            continue
        alive = kept_until(fact, asked.now)
        holds = asked.version(fact) is not None
        passed = alive
        funnel["found"] += passed
        passed = passed and subject in (None, fact.data_subject_id)
        funnel["subject"] += passed
        passed = passed and fact.source_role in roles
        funnel["role"] += passed
        relation = fact.object is not None and fact.predicate == predicate
        passed = passed and (predicate is None or relation)
        funnel["predicate"] += passed
        funnel["time"] += passed and holds
        if fact not in candidates:
            continue
        if subject not in (None, fact.data_subject_id) or fact.source_role not in roles:
            continue
        if predicate is not None and not relation:
            continue
        if not alive:
            # Its words count no more from that instant on: nothing proposes it.
            continue
        if not holds:
            believed = any(asked.believes(one) for one in fact.versions)
            if not believed and asked.ever_known(fact):
                dropped += 1
        elif not visible(fact, "supports", asked, roles, subject):
            dropped += 1
        else:
            kept.append(fact)
    because = None
    if not kept:
        because = "no_facts" if fenced else "words"
        if funnel["found"]:
            stages = ("subject", "role", "predicate", "time")
            because = next((one for one in stages if not funnel[one]), "evidence")
    touches = {fact.key: len(ends(fact) & set(starts)) for fact in kept}
    hops_of: dict[str, int | None] = {}
    for fact in kept:
        if touches[fact.key]:
            hops_of[fact.key] = 1
        elif not fenced:
            hops_of[fact.key] = None
        else:
            hops_of[fact.key] = 2 if ends(fact) & near & inside else 3
    cut = bool(walk.more or walk.cuts or len(met) > len(neighbours))
    return FactAnswer(kept, dropped, touches, hops_of, neighbours, bool(around) and cut, because)


def chosen_evidence(
    memory: Told,
    facts: list[Fact],
    asked: Asked,
    roles: tuple[str, ...],
    subject: str | None,
    per_stance: int,
    claim_id: Callable[[Any], str],
) -> list[list[tuple[str, Claim]]]:
    """Share the evidence out among facts in the order they are shown."""
    queues: list[list[tuple[str, Claim]]] = []
    for fact in facts:
        ranked: dict[str, list[Claim]] = {}
        for stance in ("supports", "contradicts"):
            items = [item.claim for item in visible(fact, stance, asked, roles, subject)]
            items.sort(key=claim_id)
            items.sort(key=lambda claim: tuple(-part for part in claim.place[:3]))
            items.sort(
                key=lambda claim: (
                    getattr(claim, "asserted_at", None) is None,
                    -(getattr(claim, "asserted_at", None) or asked.now).timestamp(),
                )
            )
            turns: dict[str, int] = {}
            turned: list[tuple[int, int, Claim]] = []
            for claim in items:
                lineage = memory.lineage(claim)
                turned.append((turns.get(lineage, 0), len(turned), claim))
                turns[lineage] = turns.get(lineage, 0) + 1
            turned.sort(key=lambda one: one[:2])
            ranked[stance] = [claim for _, _, claim in turned][:per_stance]
        merged: list[tuple[str, Claim]] = []
        for number in range(per_stance):
            for stance in ("supports", "contradicts"):
                merged += [(stance, claim) for claim in ranked[stance][number : number + 1]]
        queues.append(merged)
    shown: list[list[tuple[str, Claim]]] = [[] for _ in facts]
    left = EVIDENCE
    for place in range(2 * per_stance):
        for number, queue in enumerate(queues):
            if place < len(queue) and left:
                shown[number].append(queue[place])
                left -= 1
    return shown


def other_sides(
    memory: Told, fact: Fact, asked: Asked, roles: tuple[str, ...], subject: str | None
) -> list[Fact]:
    """List the other sides of a fact's contradiction that may be seen."""
    return [
        other
        for other in memory.group_members(fact.group)
        if other is not fact
        and other.source_role in roles
        and subject in (None, other.data_subject_id)
        and kept_until(other, asked.now)
        and asked.version(other) is not None
        and visible(other, "supports", asked, roles, subject)
    ]


def same_words(text: str) -> str:
    """Bring a claim into the form in which equal ones are put together."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(plain.split()).strip(" .,;:!?()[]{}<>\"'`*_/|-")


@dataclass
class SaidAnswer:
    """Groups of claims and sets of messages that testimony_context may return.

    `surely`: messages that hold a word of the query themselves; `possibly`: all that may be shown.
    """

    groups: dict[str, list[Said]]
    touches: dict[str, int]
    surely: set[tuple[str, int]]
    possibly: set[tuple[str, int]]


def said_about(
    memory: Told,
    query: set[str],
    *,
    anchors: list[int] | None,
    now: datetime,
    roles: tuple[str, ...],
    subject: str | None,
) -> SaidAnswer:
    """Find claims by their words, group them, and the messages that may be shown."""
    groups: dict[str, list[Said]] = {}
    touches: dict[str, int] = {}

    def open_to(claim_or_message: Any, observation: Any) -> bool:
        return (
            claim_or_message.role in roles
            and subject in (None, observation.data_subject_id)
            and not expired(observation.retention_until, now)
        )

    scoped: set[tuple[str, int]] = set()
    for claim in memory.claims.values():
        mentioned = memory.mentioned(claim)
        if anchors is not None and mentioned & set(anchors):
            scoped.add((claim.observation.key, claim.ordinal))
        if not claim.current or not open_to(claim, claim.observation):
            continue
        if not query & words(claim.text):
            continue
        if anchors is not None and not mentioned & set(anchors):
            continue
        form = same_words(claim.text)
        groups.setdefault(form, []).append(claim)
        touches[form] = max(touches.get(form, 0), len(mentioned & set(anchors or [])))
    surely, possibly = set(), set()
    for observation in memory.observations:
        for ordinal, message in enumerate(observation.messages):
            place = (observation.key, ordinal)
            if message.content is None or not open_to(message, observation):
                continue
            if anchors is not None and place not in scoped:
                continue
            possibly.add(place)
            if query & words(message.content):
                surely.add(place)
    return SaidAnswer(groups, touches, surely, possibly)
