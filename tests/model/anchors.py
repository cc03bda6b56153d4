"""What a question names: checks of the question, probes, order of anchors."""

from dataclasses import dataclass
from datetime import datetime

from tests.model.keeping import kept_names, shown_name
from tests.model.memory import Memory
from tests.model.rows import ModelError
from tests.model.text import MAX_TERMS, TooManyTermsError, find_terms, has_long_name, is_blank
from tests.model.walk import Ids, PlainIds, expired

MAX_PAIRS = 256
MAX_QUESTION_BYTES = 8_192
MAX_SUBJECT_BYTES = 1_024


@dataclass(frozen=True)
class Anchor:
    entity: int
    name: str
    entity_type: str | None
    matched: str


def check_question(question: str) -> None:
    if "\0" in question or is_blank(question) or len(question.encode()) > MAX_QUESTION_BYTES:
        raise ModelError("TS001")


def check_subject(subject: str | None) -> None:
    if subject is not None and (is_blank(subject) or len(subject.encode()) > MAX_SUBJECT_BYTES):
        raise ModelError("TS002")


def anchors_of(
    memory: Memory,
    question: str,
    subject: str | None,
    now: datetime,
    ids: Ids,
    max_terms: int = MAX_TERMS,
) -> list[Anchor]:
    """List what a question names, and the speaker of the subject last."""
    try:
        terms = find_terms(question, max_terms)
    except TooManyTermsError:
        raise ModelError("TS001") from None
    if not terms.plain:
        return []

    def mentioned(entity: int) -> bool:
        return subject is None or any(
            mention.entity == entity
            and mention.observation.data_subject_id == subject
            and not expired(mention.observation.retention_until, now)
            for mention in memory.mentions
        )

    probes = list(terms.candidates)
    names = [
        name for name in kept_names(memory, now) if memory.entity(name.entity).status == "active"
    ]
    for name in names:
        if name.normalized not in probes and has_long_name(question, name.normalized):
            probes.append(name.normalized)
    pairs = [
        (candidate, entity)
        for candidate in probes
        for entity in dict.fromkeys(n.entity for n in names if n.normalized == candidate)
        if mentioned(entity)
    ]
    if len(pairs) > MAX_PAIRS:
        raise ModelError("TS001")

    matched: dict[int, str] = {}
    for candidate, entity in sorted(pairs, key=lambda pair: (-len(pair[0]), pair[0])):
        matched.setdefault(entity, candidate)
    anchors = []
    for number, candidate in matched.items():
        entity = memory.entity(number)
        called = shown_name(memory, entity, now) or ""
        kind = entity.entity_type if called == entity.name else None
        anchors.append(Anchor(number, called, kind, candidate))
    anchors.sort(
        key=lambda anchor: (
            -len(anchor.matched),
            anchor.name,
            ids.entity(memory.entity(anchor.entity)),
        )
    )
    speaker = memory.speaker(subject) if subject is not None else None
    if speaker is not None:
        kind = memory.entity(speaker).entity_type
        anchors.append(Anchor(speaker, "speaker", kind, "speaker"))
    return anchors


def recall_anchors(
    memory: Memory,
    question: str,
    data_subject_id: str | None = None,
    *,
    now: datetime,
    ids: Ids | None = None,
) -> list[Anchor]:
    """List the anchors of a question; raises ModelError TS001 or TS002."""
    check_question(question)
    check_subject(data_subject_id)
    return anchors_of(memory, question, data_subject_id, now, ids or PlainIds())
