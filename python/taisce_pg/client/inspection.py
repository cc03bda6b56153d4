"""The operations that look into a memory: contexts, citations, records, entities, freshness."""

from __future__ import annotations

from taisce_pg.client import inspected
from taisce_pg.client.described import PROJECT, RECALL_ARGUMENTS, Argument, Kind, Operation


def _wanted(name: str, kind: Kind, help: str) -> Argument:
    return Argument(name, kind, help, required=True)


_FACT = _wanted("fact_id", "uuid", "Id of a fact, as an answer shows it.")
_AFTER = Argument("after", "text", "The continuation of the last page.")


def _page(usual: int, most: int) -> Argument:
    return Argument("max_rows", "integer", f"Rows of a page, 1 to {most}; default {usual}.")


INSPECTION: tuple[Operation, ...] = (
    Operation(
        name="context",
        function="memory_v1.context",
        help="Show a person's history within a budget: new turns word for word, old ones in short.",
        result=inspected.Context,
        example="taisce-pg context ann --project demo --max-characters 4000",
        arguments=(
            _wanted("data_subject_id", "text", "The person, as the observations name him."),
            Argument(
                "max_characters",
                "integer",
                "Budget in code points; default and most: the server's setting.",
            ),
            PROJECT,
        ),
    ),
    Operation(
        name="segments_due",
        command="segments-due",
        function="memory_v1.segments_due",
        form="rows",
        help="Tell a summariser what to condense next for a person.",
        result=inspected.DueSegment,
        example="taisce-pg segments-due ann --project demo",
        arguments=(
            _wanted("data_subject_id", "text", "The person, as the observations name him."),
            _page(20, 100),
            PROJECT,
        ),
    ),
    Operation(
        name="resolve_citation",
        command="cite",
        function="memory_v1.resolve_citation",
        help="Show a fact as it is kept, with its status and every quote checked byte for byte.",
        result=inspected.Citation,
        example="taisce-pg cite 00000000-0001-8239-85ed-5e3aa6b91b58 --project demo",
        arguments=(_FACT, _AFTER, _page(8, 32), PROJECT),
    ),
    Operation(
        name="message_window",
        command="message",
        function="memory_v1.message_window",
        form="row",
        help="Read a part of a message.",
        result=inspected.MessagePart,
        example="taisce-pg message 796e5f3b-f391-8b96-8bd2-79dd4589153b --project demo",
        arguments=(
            _wanted("passage_id", "uuid", "Id of a message, as a citation shows it."),
            Argument("byte_start", "integer", "Where to start, in bytes of UTF-8; default 0."),
            Argument("byte_limit", "integer", "Most bytes, 4 to 4096; default 4096."),
            Argument(
                "expected_digest",
                "text",
                "The content_digest of the first window; later windows need it.",
            ),
            PROJECT,
        ),
    ),
    Operation(
        name="list_records",
        command="records",
        function="memory_v1.list_records",
        form="rows",
        help="List the facts that are kept, whatever their status, in the order of being told.",
        result=inspected.ListedRecord,
        example="taisce-pg records --subject ann --project demo",
        arguments=(
            Argument(
                "data_subject_id",
                "text",
                "Only what rests on this person's words; default the whole project.",
                option="--subject",
            ),
            _AFTER,
            _page(20, 100),
            PROJECT,
        ),
    ),
    Operation(
        name="record_history",
        function="memory_v1.record_history",
        form="rows",
        help="Show every interval of a fact on both clocks, newest knowledge first.",
        result=inspected.RecordInterval,
        example="taisce-pg records --history 00000000-0001-8239-85ed-5e3aa6b91b58",
        arguments=(
            _FACT,
            Argument("before", "text", "The continuation of the last page."),
            _page(20, 100),
            PROJECT,
        ),
    ),
    Operation(
        name="list_entities",
        command="entities",
        function="memory_v1.list_entities",
        form="rows",
        help="List the entities of a project, or show one of them.",
        result=inspected.ListedEntity,
        example="taisce-pg entities --project demo",
        arguments=(_AFTER, _page(20, 100), PROJECT),
    ),
    Operation(
        name="get_entity",
        function="memory_v1.get_entity",
        help="Show an entity: names, speaker binding, merges, counts of facts.",
        result=inspected.Entity,
        example="taisce-pg entities 5dcada4a-98c5-838e-827a-09860d44f3cf --project demo",
        arguments=(
            _wanted("entity_id", "uuid", "Id of an entity; that of a merged one leads on."),
            PROJECT,
        ),
    ),
    Operation(
        name="freshness",
        function="memory_v1.freshness",
        help="Show how far a project has come: stored, formed, known, embedded.",
        result=inspected.ProjectFreshness,
        example="taisce-pg freshness --project demo",
        arguments=(PROJECT,),
    ),
    Operation(
        name="explain_recall",
        command="explain",
        function="memory_v1.explain_recall",
        form="rows",
        help="Show how a recall came to its answer, stage by stage, with counts.",
        result=inspected.RecallStage,
        example='taisce-pg explain "Where does Marta work?" --project demo',
        arguments=RECALL_ARGUMENTS,
    ),
    Operation(
        name="why_not",
        command="why-not",
        function="memory_v1.why_not",
        form="row",
        help="Say at which stage of a recall a fact left.",
        result=inspected.Absence,
        example="taisce-pg why-not 00000000-0001-8239-85ed-5e3aa6b91b58"
        ' "Where is Marta?" --project demo',
        arguments=(_FACT, *RECALL_ARGUMENTS),
    ),
    Operation(
        name="recall_plan",
        command="plan",
        function="memory_v1.recall_plan",
        form="rows",
        help="Show the plan of the walk for a question, as EXPLAIN prints it; for administrators.",
        result=None,
        example='taisce-pg plan "Where does Marta work?" --project demo',
        arguments=RECALL_ARGUMENTS,
    ),
)
