"""The load format: every type of line and every field, in one table.

The checker and the reference in the documentation are both made from it.
"""

from __future__ import annotations

from taisce_pg.load.kinds import (
    Field,
    anything,
    boolean,
    digest,
    instant,
    integer,
    list_of,
    number,
    one_of,
    record,
    text,
    uuid,
)
from taisce_pg.load.parts import (
    EVIDENCE,
    EXACT_EVIDENCE,
    EXACT_MESSAGE,
    EXACT_VERSION,
    KEY,
    KEY_REQUIRED,
    MAX_CONTENT_BYTES,
    MAX_NAME_BYTES,
    MESSAGE,
    NAME,
    VERSION,
    cardinality,
    community,
    entity,
    fact,
    label,
    name,
    observation,
    offset,
    predicate,
    role,
    words,
)
from taisce_pg.load.rules import (
    LineType,
    exported,
    id_of,
    needed,
    whole_entity,
    whole_evidence,
    whole_fact,
    whole_message,
    whole_observation,
    whole_segment,
    whole_version,
)

TYPES: dict[str, LineType] = {
    "project": LineType(
        "Settings of the project.",
        {
            "default_source_roles": Field(list_of(role, 1, 5), "roles that a read sees by default"),
            "word_configuration": Field(text(63), "text search configuration of its words"),
            "reference_length": Field(number(1, 1e6), "length that weighs words"),
            "known_through": Field(instant, "the last stamp of its clock"),
        },
        admin=True,
    ),
    "predicate": LineType(
        "A word of the vocabulary, and whether it holds one value at a time.",
        {
            "predicate": Field(predicate, "the word", required=True, nullable=False),
            "cardinality": Field(cardinality, "default many"),
            "description": Field(words, "what it means"),
        },
    ),
    "observation": LineType(
        "Something taken in: a turn of a conversation or a document.",
        {
            "key": KEY,
            "kind": Field(
                one_of("turn", "document", "curated"),
                "default turn; curated, a text an administrator wrote, needs admin access",
            ),
            "data_subject_id": Field(label, "the person it is about"),
            "occurred_at": Field(instant, "when it happened"),
            "lineage": Field(name, "document it is a version of; default itself"),
            "title": Field(name, "title"),
            "source_kind": Field(label, "such as chat or mail"),
            "source_ref": Field(name, "where it came from"),
            "idempotency_key": Field(label, "a retry with it changes nothing"),
            "retention_until": Field(instant, "when it expires; null: never"),
            "formed": Field(boolean, "whether its facts have been formed; default true"),
            "messages": Field(
                list_of(record(MESSAGE, "message"), 1, 10_000),
                "its messages in order",
                required=True,
                nullable=False,
            ),
            "log_offset": Field(offset, "its place in the log", admin=True),
            "parked": Field(words, "why forming was given up", admin=True),
        },
        {
            "id": id_of("observation"),
            "key": KEY,
            "source_role": exported(role, "role of its first message", required=True),
            "ingested_at": exported(instant, "when it was taken in", required=True),
            "log_offset": exported(offset, "its place in the log", required=True),
            "messages": exported(
                list_of(record(EXACT_MESSAGE, "message", whole_message), 0, 10_000),
                "its messages in order",
                required=True,
            ),
            "content_digest": exported(digest, "sha256 that guards the idempotency key"),
            "formed_at": exported(instant, "when its facts were formed"),
            "parked_at": exported(instant, "when forming was given up"),
            "released_at": exported(instant, "when its words were released"),
            "erased": exported(boolean, "whether only its place is left"),
        },
        whole=whole_observation,
    ),
    "entity": LineType(
        "Something named, or the speaker of a subject.",
        {
            "key": KEY,
            "name": Field(name, "canonical name"),
            "speaker_of": Field(label, "the subject who speaks as I, instead of a name"),
            "entity_type": Field(label, "such as person"),
            "aliases": Field(list_of(name), "other names that lead to it"),
            "profile": Field(words, "a short description"),
            "source": Field(
                observation, "the observation its name and profile rest on; null: declared"
            ),
        },
        {
            "id": id_of("entity"),
            "name": Field(text(MAX_NAME_BYTES, empty=True), "canonical name"),
            "status": exported(one_of("active", "merged", "retired"), "its state"),
            "merged_into": exported(uuid, "what it was merged into"),
            "first_seen_at": exported(instant, "when it was first seen"),
            "profile_source": exported(observation, "the observation its profile rests on"),
            "names": exported(
                list_of(record(NAME, "name")), "all its names, instead of aliases", required=True
            ),
        },
        whole=whole_entity,
    ),
    "claim": LineType(
        "A span of a message that says something.",
        {
            "key": KEY,
            "observation": Field(observation, "where it stands", required=True, nullable=False),
            "ordinal": Field(integer(0), "which message of it; default 0"),
            "quote": Field(words, "the exact words", required=True, nullable=False),
            "byte_start": EVIDENCE["byte_start"],
            "claim_text": Field(words, "what the words say; default the quote"),
            "mentions": Field(list_of(entity), "entities it names"),
            "asserted_at": Field(instant, "when it was said"),
            "claim_valid_from": Field(instant, "from when it held, as the source said"),
            "claim_valid_until": Field(instant, "until when it held, as the source said"),
            "claim_valid_precision": Field(
                one_of("unknown", "instant", "day", "month", "quarter", "year", "open"),
                "how exact that is; default unknown",
            ),
            "is_attributed": Field(boolean, "whether the writer reports somebody else's words"),
            "extractor_version": Field(label, "what made the claim"),
            "is_current_testimony": Field(
                boolean, "false if a later version of the document dropped it", admin=True
            ),
        },
        {
            "id": id_of("claim"),
            "ingested_at": exported(instant, "when it was stored", required=True),
            "byte_start": exported(
                integer(0, MAX_CONTENT_BYTES), "first byte of the quote", required=True
            ),
        },
    ),
    "mention": LineType(
        "An entity mentioned in a message outside any claim.",
        {
            "entity": Field(entity, "who or what", required=True, nullable=False),
            "observation": Field(observation, "where", required=True, nullable=False),
            "ordinal": Field(integer(0), "which message of it; default 0"),
        },
        admin=True,
    ),
    "fact": LineType(
        "What is held true, with the words behind it.",
        {
            "key": KEY,
            "subject": Field(entity, "about whom or what", required=True, nullable=False),
            "predicate": Field(predicate, "the relation or attribute; needed beside object"),
            "object": Field(entity, "the other entity of a relation"),
            "value": Field(words, "the value of an attribute"),
            "statement": Field(words, "the fact in words", required=True, nullable=False),
            "cardinality": Field(cardinality, "default that of the predicate"),
            "valid_from": Field(instant, "from when it holds; null: always"),
            "valid_until": Field(instant, "until when it holds; null: open"),
            "known_from": Field(instant, "from when it was believed; null: now", admin=True),
            "confidence": Field(number(0, 1), "how sure the extractor is"),
            "source_role": Field(role, "role of its evidence; default taken from it"),
            "data_subject_id": Field(label, "subject of its evidence; default taken from it"),
            "on_conflict": Field(
                one_of("refuse", "contradict", "truncate"),
                "what to do about an overlapping value; default refuse",
            ),
            "evidence": Field(
                list_of(record(EVIDENCE, "evidence", whole_evidence), 1, 10_000),
                "the words behind it",
                required=True,
                nullable=False,
            ),
        },
        {
            "id": id_of("fact"),
            "contradiction_group": exported(uuid, "group of facts that contradict one another"),
            "support": exported(one_of("current", "withdrawn"), "whether support was withdrawn"),
            "retention_until": exported(instant, "when it expires; null: never"),
            "recorded_at": exported(instant, "when it was stored", required=True),
            "source_role": exported(role, "role of its evidence", required=True),
            "cardinality": exported(cardinality, "of the fact", required=True),
            "superseded_by": exported(uuid, "fact that replaced it"),
            "supersession_source": exported(uuid, "observation that replaced it"),
            "retracted_at": exported(instant, "when it was retracted"),
            "retraction_reason": exported(words, "why it was retracted"),
            "versions": exported(
                list_of(record(EXACT_VERSION, "version")), "all its versions", required=True
            ),
            "evidence": exported(
                list_of(record(EXACT_EVIDENCE, "evidence"), 1),
                "the claims behind it",
                required=True,
            ),
        },
        whole=whole_fact,
    ),
    "version": LineType(
        "A version of a fact's history: when it held, and when that was believed.",
        {"fact": Field(fact, "the fact", required=True, nullable=False), **VERSION},
        whole=whole_version,
        admin=True,
    ),
    "retract": LineType(
        "The end of believing a fact.",
        {
            "fact": Field(fact, "the fact", required=True, nullable=False),
            "at": Field(instant, "when belief ended; null: now", admin=True),
            "reason": Field(words, "why"),
        },
    ),
    "contradiction": LineType(
        "Facts that contradict one another.",
        {"facts": Field(list_of(fact, 2), "the facts", required=True, nullable=False)},
    ),
    "merge": LineType(
        "Two entities that are one.",
        {
            "absorbed": Field(entity, "the one that goes", required=True, nullable=False),
            "survivor": Field(entity, "the one that stays", required=True, nullable=False),
            "at": Field(instant, "when; null: now", admin=True),
        },
        {
            "id": id_of("merge"),
            "by": exported(text(256), "who merged"),
            "snapshot": exported(anything(), "what undoing it needs"),
            "reversed_at": exported(instant, "when it was undone"),
            "reversed_by": exported(text(256), "who undid it"),
        },
    ),
    "community": LineType(
        "A group of entities that belong together.",
        {
            "key": KEY_REQUIRED,
            "level": Field(integer(0), "0 is the widest; default 0"),
            "parent": Field(community, "community of the level above, the wider one"),
            "members": Field(list_of(entity), "its entities", required=True, nullable=False),
        },
        {
            "id": id_of("community"),
            "members": Field(list_of(entity), "its entities"),
            "key": KEY,
            "created_at": exported(instant, "when it was formed"),
        },
    ),
    "report": LineType(
        "A text about a community, and what it covers.",
        {
            "community": Field(community, "the community", required=True, nullable=False),
            "title": Field(words, "title", required=True, nullable=False),
            "summary": Field(words, "text", required=True, nullable=False),
            "importance": Field(number(-1e15, 1e15), "weight; default 0"),
            "facts": Field(list_of(fact), "facts it covers"),
            "sources": Field(list_of(observation), "observations it covers"),
        },
        {
            "id": id_of("report"),
            "compiled_at": exported(instant, "when it was written"),
            "through_offset": exported(integer(0, 2**47), "last offset it knew"),
            "withdrawn_at": exported(instant, "when it was withdrawn"),
            "withdrawn_cause": exported(text(256), "why it was withdrawn"),
        },
    ),
    "segment": LineType(
        "A summary of a subject's turns between two offsets.",
        {
            "data_subject_id": Field(label, "the subject", required=True, nullable=False),
            "level": Field(integer(1, 6), "1 condenses turns", required=True, nullable=False),
            "from_offset": needed(Field(offset, "first offset")),
            "to_offset": needed(Field(offset, "last offset")),
            "summary": Field(words, "text", required=True, nullable=False),
            "covered": Field(integer(0), "turns it covers; default counted"),
        },
        {
            "id": id_of("segment"),
            "created_at": exported(instant, "when it was written"),
        },
        whole=whole_segment,
    ),
    "key": LineType(
        "A key of an earlier file, and what it leads to.",
        {"key": KEY_REQUIRED},
        {
            "id": exported(uuid, "id of what it leads to; makes the line exact", required=True),
            "kind": exported(
                one_of("observation", "entity", "claim", "fact", "community", "retraction"),
                "what kind",
                required=True,
            ),
        },
        admin=True,
    ),
}
