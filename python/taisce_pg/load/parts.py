"""What lines of the load format have in common: limits, references, messages, evidence, times."""

from __future__ import annotations

from dataclasses import replace

from taisce_pg.load.kinds import (
    Field,
    Fields,
    Kind,
    boolean,
    digest,
    either,
    instant,
    integer,
    one_of,
    text,
    uuid,
)
from taisce_pg.load.rules import (
    exported,
    needed,
)

MAX_CONTENT_BYTES = 65_536
MAX_NAME_BYTES = 4_096
MAX_LABEL_BYTES = 1_024
MAX_PREDICATE_BYTES = 256
MAX_LINE_BYTES = 67_108_864

ROLES = ("user", "assistant", "system", "tool", "document")

label = text(MAX_LABEL_BYTES)
name = text(MAX_NAME_BYTES)
words = text(MAX_CONTENT_BYTES)
predicate = text(MAX_PREDICATE_BYTES)
role = one_of(*ROLES)
cardinality = one_of("one", "many")
offset = integer(1, 2**47)
entity = either(
    'entity: a name, {"key": ...}, {"id": ...} or {"speaker": ...}',
    name,
    ("key", label),
    ("id", uuid),
    ("speaker", label),
)


def thing(noun: str) -> Kind:
    """Accept a reference to something declared earlier in the file or stored already."""
    return either(f'{noun}: its key, or {{"id": ...}}', label, ("key", label), ("id", uuid))


KEY = Field(label, "name of it in this file and in later ones")
KEY_REQUIRED = replace(KEY, required=True, nullable=False)
observation = thing("observation")
claim = thing("claim")
fact = thing("fact")
community = thing("community")


MESSAGE: Fields = {
    "role": Field(role, "who wrote it", required=True, nullable=False),
    "content": Field(words, "its words", required=True, nullable=False),
    "occurred_at": Field(instant, "when; default that of the observation"),
}

EXACT_MESSAGE: Fields = {
    **MESSAGE,
    "content": Field(words, "its words; null if they were released"),
    "passage_id": exported(uuid, "id of the message", required=True),
    "characters": exported(integer(0), "length in code points, if the content was released"),
    "octets": exported(integer(0), "length in bytes, if the content was released"),
    "content_digest": exported(digest, "sha256 of the content, if the content was released"),
}

EVIDENCE: Fields = {
    "observation": Field(observation, "where the words stand; or give claim"),
    "ordinal": Field(integer(0), "which message of it; default 0"),
    "quote": Field(words, "the exact words"),
    "byte_start": Field(
        integer(0, MAX_CONTENT_BYTES),
        "first byte of the quote; without it the quote must occur exactly once",
    ),
    "claim": Field(claim, "a claim line instead of observation and quote"),
    "claim_text": Field(words, "what the words say; default the statement"),
    "stance": Field(one_of("supports", "contradicts"), "default supports"),
}

EXACT_EVIDENCE: Fields = {
    "claim": needed(EVIDENCE["claim"]),
    "stance": EVIDENCE["stance"],
    "linked_at": exported(instant, "when the evidence was linked", required=True),
}

NAME: Fields = {
    "spelling": Field(name, "the name as written", required=True, nullable=False),
    "kind": Field(one_of("canonical", "alias"), "its rank", required=True, nullable=False),
    "source": Field(observation, "the observation it rests on"),
}

VERSION: Fields = {
    "valid_from": Field(instant, "from when it held; null: always"),
    "valid_until": Field(instant, "until when it held; null: open"),
    "known_from": Field(instant, "from when it was believed", required=True, nullable=False),
    "known_until": Field(instant, "until when it was believed; null: still"),
    "replaced": Field(boolean, "whether a replacement set valid_until; default false"),
}

EXACT_VERSION: Fields = {
    **VERSION,
    "slot": Field(boolean, "whether it takes part in the no-overlap rule; default false"),
    "contested": Field(boolean, "whether its fact is in a contradiction group; default false"),
    "cause": Field(
        one_of("asserted", "superseded", "corrected", "reopened", "loaded", "merged"),
        "what opened it",
    ),
    "caused_by": Field(uuid, "observation that opened it"),
    "closed_cause": Field(
        one_of("superseded", "corrected", "retracted", "reopened", "loaded"), "what closed it"
    ),
    "closed_by": Field(uuid, "what closed it"),
}
