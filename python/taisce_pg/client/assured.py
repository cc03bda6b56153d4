"""The assured operations: entities, testimony, facts, both together, and the graph between."""

from __future__ import annotations

from typing import get_args

from taisce_pg.client import assuredmodels as assured
from taisce_pg.client import assuredrows as rows
from taisce_pg.client import models
from taisce_pg.client.described import PROJECT, Argument, Operation

_QUERY = Argument(
    "query", "text", "What to look for, 1 to 8192 bytes; - reads it from standard input.",
    required=True,
)  # fmt: skip
_ENTITIES = Argument(
    "entity_ids", "uuids", "Only about these entities; repeat for several.", option="--entity"
)
SUBJECT = Argument(
    "data_subject_id",
    "text",
    "Only what this person's own observations hold; default the whole project.",
    option="--subject",
)
ROLES = Argument(
    "source_roles",
    "texts",
    "Whose words count; repeat for several. Default the project's, usually user.",
    option="--role",
    choices=get_args(models.Role),
)
_CONTINUATION = Argument("continuation", "text", "The continuation of the last page.")
VECTOR = (
    Argument(
        "query_embedding",
        "vector",
        "The query's vector; embedding_model names the model it comes from.",
        hidden=True,
    ),
    Argument("embedding_model", "text", "The model of query_embedding.", hidden=True),
)
_HOPS = Argument("hops", "integer", "How far entities lead to others, 0 to 2; default 1.")
_PREDICATE = Argument("predicate", "text", "Only relations with exactly this predicate.")
_TIME = Argument(
    "time_scope",
    "json",
    'The time asked for; default {"mode": "current"}.',
    hidden=True,
)
_REGIME = Argument(
    "identity_regime",
    "text",
    "Names and merges as they are (current) or as they stood at believed_at (as_of).",
    option="--identity",
    choices=("current", "as_of"),
)
_GRAPH = (
    Argument("predicates", "texts", "Only relations with one of these; repeat.", "--predicate"),
    Argument("valid_at", "instant", "What held at this instant; needs --believed-at."),
    Argument("believed_at", "instant", "What was believed at this instant; needs --valid-at."),
)


def _most(usual: int, most: int) -> Argument:
    return Argument("k", "integer", f"Items of a page, 1 to {most}; default {usual}.")


ASSURED: tuple[Operation, ...] = (
    Operation(
        name="resolve_entity",
        command="resolve",
        function="memory_v1.resolve_entity_envelope",
        help="Find all entities that a name leads to, by canonical name or alias.",
        result=assured.Envelope,
        example='taisce-pg resolve "Marta" --project demo',
        arguments=(
            Argument("name", "text", "The name, as it may be written.", required=True),
            Argument("entity_type", "text", "Only entities of exactly this type."),
            PROJECT,
        ),
    ),
    Operation(
        name="testimony_context",
        command="testimony",
        function="memory_v1.testimony_context_envelope",
        help="Find what was said: claims and messages, never facts.",
        result=assured.Envelope,
        example='taisce-pg testimony "Where does Marta work?" --project demo',
        arguments=(
            _QUERY,
            PROJECT,
            _ENTITIES,
            _most(50, 100),
            Argument("candidate_k", "integer", "How deep to look, k to 400; default 200."),
            SUBJECT,
            ROLES,
            _CONTINUATION,
            *VECTOR,
        ),
    ),
    Operation(
        name="fact_context",
        command="facts",
        function="memory_v1.fact_context_envelope",
        help="Find what is held true now, or at a time, with evidence and contradictions.",
        result=assured.Envelope,
        example='taisce-pg facts "Where does Marta work?" --project demo',
        arguments=(
            _QUERY,
            PROJECT,
            _ENTITIES,
            _HOPS,
            _PREDICATE,
            _most(15, 30),
            Argument(
                "evidence_per_fact", "integer", "Quotes a fact and stance, 1 to 5; default 3."
            ),
            _TIME,
            _REGIME,
            SUBJECT,
            ROLES,
            _CONTINUATION,
            *VECTOR,
        ),
    ),
    Operation(
        name="answer_context",
        command="answer",
        function="memory_v1.answer_context_envelope",
        help="Find what was said and what is held true, from one snapshot.",
        result=assured.ContextBundle,
        example='taisce-pg answer "Where does Marta work?" --project demo',
        arguments=(
            _QUERY,
            PROJECT,
            _ENTITIES,
            _HOPS,
            _PREDICATE,
            _TIME,
            SUBJECT,
            ROLES,
            Argument("max_characters", "integer", "Budget of both in code points; default none."),
            *VECTOR,
        ),
    ),
    Operation(
        name="facts",
        command="",
        function="memory_v1.facts",
        form="rows",
        help="Read facts by id, whatever became of them.",
        result=rows.FactItem,
        example="",
        arguments=(Argument("fact_ids", "uuids", "1 to 100 ids.", required=True), PROJECT),
    ),
    Operation(
        name="claims",
        command="",
        function="memory_v1.claims",
        form="rows",
        help="Read claims by id.",
        result=rows.TestimonyItem,
        example="",
        arguments=(Argument("claim_ids", "uuids", "1 to 100 ids.", required=True), PROJECT),
    ),
    Operation(
        name="facts_as_of",
        command="",
        function="memory_v1.facts_as_of",
        form="rows",
        help="Read what the memory believed at one instant about another.",
        result=rows.BelievedFact,
        example="",
        arguments=(
            Argument("valid_at", "instant", "What held then.", required=True),
            Argument("believed_at", "instant", "By the knowledge of then.", required=True),
            Argument("max_rows", "integer", "Most rows, 0 to 1000; default 200."),
            _REGIME,
            PROJECT,
        ),
    ),
    Operation(
        name="contradiction_members",
        command="",
        function="memory_v1.contradiction_members",
        form="rows",
        help="Read all sides of a contradiction, 25 a page.",
        result=rows.ContradictionMember,
        example="",
        arguments=(
            Argument("group_id", "uuid", "The group that a fact names.", required=True),
            _CONTINUATION,
            PROJECT,
        ),
    ),
    Operation(
        name="graph_neighborhood",
        command="graph",
        function="memory_v1.graph_neighborhood",
        form="rows",
        help="Show the relations around an entity, breadth first; with --to, how two are linked.",
        result=rows.GraphEdge,
        example="taisce-pg graph 5dcada4a-98c5-838e-827a-09860d44f3cf --project demo",
        arguments=(
            Argument("entity_id", "uuid", "Id of an entity.", required=True),
            Argument("max_depth", "integer", "How far: 1 to 4, default 2; with --to 1 to 6, 4."),
            *_GRAPH,
            Argument("max_edges", "integer", "Most relations, 1 to 500; default 100."),
            PROJECT,
        ),
    ),
    Operation(
        name="graph_path",
        command="",
        function="memory_v1.graph_path",
        form="rows",
        help="Show routes of relations between two entities, shortest first.",
        result=rows.GraphRoute,
        example="",
        arguments=(
            Argument("from_id", "uuid", "Where to start.", required=True),
            Argument("to_id", "uuid", "Where to arrive.", required=True),
            Argument("max_depth", "integer", "Longest route, 1 to 6; default 4."),
            *_GRAPH,
            Argument("max_paths", "integer", "Most routes, 1 to 10; default 3."),
            Argument("max_edges", "integer", "Most relations of an entity, 1 to 500; default 100."),
            PROJECT,
        ),
    ),
)
