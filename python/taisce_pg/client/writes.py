"""The operations that write to a memory."""

from __future__ import annotations

from taisce_pg.client import models, written
from taisce_pg.client.described import PROJECT, Argument, Kind, Operation

FEEDBACK_KINDS = ("helpful", "wrong", "outdated", "missing", "harmful", "other")


def _wanted(name: str, kind: Kind, help: str) -> Argument:
    return Argument(name, kind, help, required=True)


def _writing(
    name: str,
    command: str,
    help: str,
    result: type[models.Model],
    example: str,
    *arguments: Argument,
) -> Operation:
    return Operation(
        name=name,
        command=command.split()[-1],
        function=f"memory_v1.{name}",
        form="row",
        help=help,
        result=result,
        example=f"taisce-pg {command} {example}",
        arguments=(*arguments, PROJECT),
        writes=True,
    )


_FACT = _wanted("fact_id", "uuid", "Id of a fact, as an answer shows it.")
_OBSERVATION = _wanted("observation_id", "uuid", "Id of an observation, as an answer shows it.")
_SUBJECT = _wanted(
    "subject",
    "reference",
    'Who or what it is about: a name, or JSON such as {"id": ...}, {"key": ...}, '
    '{"speaker": ...}. An unknown name becomes an entity.',
)
_ASSERTION: tuple[Argument, ...] = (
    Argument("predicate", "text", "What is said of it; with an object it is needed."),
    Argument("object", "reference", "The entity at the other end, written as SUBJECT."),
    Argument("value", "text", "A value in place of an object."),
    Argument("statement", "text", "The fact as a sentence."),
    Argument(
        "evidence",
        "items",
        'The words behind it, as JSON: {"observation": KEY, "quote": ...} and, if need be, '
        "ordinal, byte_start, claim_text, stance; repeat for several.",
    ),
    Argument("valid_from", "instant", "Since when it holds; default open."),
    Argument("valid_until", "instant", "Until when it holds, that instant excluded; default open."),
    Argument("confidence", "number", "From 0 to 1."),
    Argument(
        "cardinality",
        "text",
        "Whether one value holds at a time; default the predicate's, else many.",
        choices=("one", "many"),
    ),
    Argument(
        "on_conflict",
        "text",
        "What becomes of a single value that overlaps another and does not start inside it.",
        choices=("refuse", "contradict", "truncate"),
    ),
)
_SAID = """--evidence '{"observation": "monday", "quote": "Acme sits in Prague"}'"""
_SITS = "00000000-0001-8496-a233-7f228ec2b899"
_ACME = "00000000-0001-8776-9585-3e75a6cd3a69"
_BABEL = "00000000-0002-86cb-b12d-7a262310afb6"

WRITES: tuple[Operation, ...] = (
    _writing(
        "observe",
        "observe",
        "Append what was said: a turn, or a document.",
        written.Observed,
        '"I live in Dublin now." --subject ann --key ann-17 --project demo',
        _wanted("messages", "items", "What was said; - reads it from standard input."),
        Argument(
            "kind",
            "text",
            "What it is; default a turn. A curated text needs an administrator.",
            choices=("turn", "document", "curated"),
        ),
        Argument("data_subject_id", "text", "Whom it is about.", option="--subject"),
        Argument("occurred_at", "instant", "When it was said."),
        Argument(
            "idempotency_key",
            "text",
            "The same key with the same content is the same observation.",
            option="--key",
        ),
        Argument("lineage", "text", "What the versions of a document have in common."),
        Argument("title", "text", "Title of a document."),
        Argument("source_kind", "text", "Where it comes from, such as chat or email."),
        Argument("source_ref", "text", "What it is called there."),
        Argument("retention_until", "instant", "When it is to be forgotten; default never."),
    ),
    _writing(
        "assert_fact",
        "assert",
        "Believe a fact because of words somebody said.",
        written.AssertedFact,
        f'Acme --predicate "sits in" --object Prague --statement "Acme is in Prague." {_SAID} '
        "--project demo",
        _SUBJECT,
        *_ASSERTION,
    ),
    _writing(
        "correct_fact",
        "correct",
        "End the belief in a fact and assert another in its place.",
        written.AssertedFact,
        f'{_SITS} Acme --predicate "sits in" --value "near the river" '
        f'--statement "Acme sits near the river." {_SAID} --project demo',
        _FACT,
        _SUBJECT,
        *_ASSERTION,
    ),
    _writing(
        "retract_fact",
        "retract",
        "End the belief in a fact from now on; earlier reads still show it.",
        written.RetractedFact,
        f'{_SITS} --reason "a joke" --project demo',
        _FACT,
        Argument("reason", "text", "Why."),
    ),
    _writing(
        "mark_contradiction",
        "contradict",
        "Say that facts contradict each other.",
        written.MarkedContradiction,
        f"{_ACME} {_BABEL} --project demo",
        _wanted("fact_ids", "uuids", "Ids of two facts or more."),
    ),
    _writing(
        "withdraw_support",
        "withdraw",
        "Mark that the sources of a fact no longer support it.",
        written.FactSupport,
        f"{_SITS} --project demo",
        _FACT,
    ),
    _writing(
        "mark_formed",
        "formed",
        "Say that what an observation holds has been taken in.",
        written.Formation,
        "92295053-3039-851c-833b-7ef30449a857 --project demo",
        _OBSERVATION,
    ),
    _writing(
        "park",
        "park",
        "Put an observation aside that cannot be taken in.",
        written.Formation,
        '92295053-3039-851c-833b-7ef30449a857 "not a text" --project demo',
        _OBSERVATION,
        _wanted("reason", "text", "Why."),
    ),
    _writing(
        "register_segment",
        "register segment",
        "Keep the summary of a range of a person's turns.",
        written.RegisteredSegment,
        'ann 1 1 1 "Ann moved." --project demo',
        _wanted("data_subject_id", "text", "The person, as the observations name him."),
        _wanted("level", "integer", "1 condenses turns, 2 to 6 segments of the level below."),
        _wanted("from_offset", "offset", "First offset of the range."),
        _wanted("to_offset", "offset", "Last offset of the range."),
        _wanted("summary", "text", "The summary."),
        Argument("covered", "integer", "How many turns it condenses; default those in the range."),
    ),
    _writing(
        "register_community",
        "register community",
        "Keep a community of entities under a key; told again, it is what was told last.",
        written.RegisteredCommunity,
        "prague Acme Prague --project demo",
        _wanted("key", "text", "The key of the community."),
        _wanted("members", "references", "Its entities, each written as SUBJECT of assert."),
        Argument("level", "integer", "0 is the widest; default 0."),
        Argument("parent", "text", "The key of the community that holds it."),
    ),
    _writing(
        "register_report",
        "register report",
        "Keep a report about a community; a change of what it covers withdraws it.",
        written.RegisteredReport,
        'prague "Prague" "Acme sits there." --project demo',
        _wanted("community", "text", "The key of the community."),
        _wanted("title", "text", "Title of the report."),
        _wanted("summary", "text", "The report."),
        Argument("importance", "number", "How much it matters; default 0."),
        Argument("fact_ids", "uuids", "A fact that it covers; repeat for several.", "--fact"),
        Argument(
            "observation_ids",
            "uuids",
            "An observation that it covers; repeat for several.",
            "--observation",
        ),
    ),
    _writing(
        "begin_rebuild",
        "rebuild begin",
        "Say that a range of offsets is being formed again; freshness shows it.",
        written.RebuildState,
        "1 1 --project demo",
        _wanted("from_offset", "offset", "First offset of the range."),
        _wanted("to_offset", "offset", "Last offset of the range."),
    ),
    _writing(
        "advance_rebuild",
        "rebuild advance",
        "Say how far the running rebuild has come.",
        written.RebuildState,
        "1 --project demo",
        _wanted("at_offset", "offset", "The last offset done."),
    ),
    _writing(
        "end_rebuild",
        "rebuild end",
        "End the running rebuild, done or given up.",
        written.RebuildState,
        "--project demo",
    ),
    _writing(
        "add_alias",
        "alias",
        "Declare another name of an entity.",
        written.AddedAlias,
        'c58fcdb8-098b-829c-95b2-ff66647cbe1e "The Company" --project demo',
        _wanted("entity_id", "uuid", "Id of an entity; that of a merged one leads on."),
        _wanted("alias", "text", "The name."),
    ),
    _writing(
        "merge_entities",
        "merge",
        "Make one entity of two; unmerge takes it back.",
        written.MergedEntities,
        "Babel Acme --project demo",
        _wanted("absorbed", "reference", "The entity that goes, written as SUBJECT of assert."),
        _wanted("survivor", "reference", "The entity that stays."),
    ),
    _writing(
        "unmerge",
        "unmerge",
        "Take a merge back.",
        written.MergedEntities,
        "bd9a4f24-8574-8bd2-af3c-40f6273283c9 --project demo",
        _wanted("merge_id", "uuid", "Id of the merge, as merge and entities show it."),
    ),
    _writing(
        "report_feedback",
        "feedback",
        "Keep what you think of a fact or of an answer; nothing is believed because of it.",
        written.ReportedFeedback,
        f'--fact {_ACME} --kind wrong --note "She left." --project demo',
        Argument("fact_id", "uuid", "The fact it is about.", option="--fact"),
        Argument("bundle", "json", "The answer of recall it is about, as JSON."),
        Argument("kind", "text", "What you think; default other.", choices=FEEDBACK_KINDS),
        Argument("note", "text", "In your own words."),
    ),
)
