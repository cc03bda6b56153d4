"""The operations that search by vectors and that keep them."""

from __future__ import annotations

from typing import get_args

from taisce_pg.client import models, vectors
from taisce_pg.client.assured import ROLES, SUBJECT, VECTOR
from taisce_pg.client.described import PROJECT, Argument, Form, Operation

SPACES: tuple[str, ...] = get_args(vectors.Space)

EMBEDDED: dict[str, tuple[str, tuple[str, ...]]] = {
    "recall": ("question", ("message", "entity", "report")),
    "testimony_context": ("query", ("message", "claim")),
    "fact_context": ("query", ("fact",)),
    "answer_context": ("query", ("message", "claim", "fact")),
    "passage_search": ("query", ("message",)),
    "entity_candidates": ("query", ("entity",)),
    "report_candidates": ("query", ("report",)),
}
"""Operations whose text the client embeds: which argument it is, and the spaces it is used in."""

_QUERY = Argument(
    "query", "text", "What to look for, 1 to 8192 bytes; - reads it from standard input.",
    required=True,
)  # fmt: skip
_MOST = Argument("max_rows", "integer", "Most rows, 1 to 32; default 10.")
_APPROXIMATE = Argument("approximate", "flag", "Search faster, and miss some.")
_GENERATION = Argument(
    "generation_id", "offset", "Number of a generation, as status shows it.", required=True
)
_SPACE = Argument("space", "text", "Only this space.", choices=SPACES)


def _search(
    name: str, help: str, result: type[models.Model], command: str = "", example: str = ""
) -> Operation:
    return Operation(
        name=name,
        command=command,
        function=f"memory_v1.{name}",
        form="rows",
        help=help,
        result=result,
        example=example,
        arguments=(_QUERY, *VECTOR, _MOST, SUBJECT, ROLES, _APPROXIMATE, PROJECT),
    )


def _keeping(
    name: str,
    help: str,
    *arguments: Argument,
    result: type[models.Model] = vectors.Generation,
    form: Form = "row",
    writes: bool = True,
    command: str = "",
    example: str = "",
) -> Operation:
    return Operation(
        name=name,
        command=command,
        function=f"memory_v1.{name}",
        form=form,
        help=help,
        result=result,
        example=example,
        arguments=(*arguments, PROJECT),
        writes=writes,
    )


EMBEDDING: tuple[Operation, ...] = (
    _search(
        "passage_search",
        "Find passages for a question: messages, offered as evidence.",
        vectors.FoundPassage,
        "passages",
        'taisce-pg passages "Where does Marta work?" --project demo',
    ),
    _search("entity_candidates", "Find entities near a text.", vectors.EntityCandidate),
    _search("report_candidates", "Find reports near a text.", vectors.ReportCandidate),
    _keeping(
        "generations",
        "List the generations of vectors, newest first.",
        _SPACE,
        form="rows",
        writes=False,
        command="status",
        example="taisce-pg embed status --project demo",
    ),
    _keeping(
        "active_model",
        "Name the models that the spaces are searched with.",
        _SPACE,
        result=vectors.ActiveModel,
        form="rows",
        writes=False,
    ),
    _keeping(
        "begin_generation",
        "Begin a generation of vectors, or go on with it.",
        Argument("space", "text", "What is embedded.", required=True, choices=SPACES),
        Argument("model", "text", "Name of the model.", required=True),
        Argument("dimensions", "integer", "Length of its vectors, 1 to 16000.", required=True),
        Argument("revision", "text", "Revision of the model."),
        Argument("input_version", "text", 'How texts are prepared; default "1".'),
    ),
    _keeping(
        "embedding_due",
        "List texts without a vector, in a fixed order.",
        _GENERATION,
        Argument("after_offset", "offset", "log_offset of the last one seen."),
        Argument("after_id", "uuid", "item_id of the last one seen."),
        Argument("max_rows", "integer", "Most texts, 1 to 10000; default 256."),
        result=vectors.DueText,
        form="rows",
        writes=False,
    ),
    _keeping(
        "store_embeddings",
        "Store vectors of texts that were due.",
        _GENERATION,
        Argument("item_ids", "uuids", "What they are vectors of.", required=True),
        Argument("digests", "digests", "The digests that came with the texts.", required=True),
        Argument("embeddings", "vectors", "The vectors.", required=True),
        result=vectors.StoredEmbeddings,
    ),
    _keeping(
        "settle_generation",
        "Look how far a generation covers its space.",
        _GENERATION,
        Argument("whole", "flag", "Look at everything, also at what was covered."),
    ),
    _keeping("ready_generation", "Declare a generation complete.", _GENERATION),
    _keeping("index_generation", "Give a large generation an index of its own.", _GENERATION),
    _keeping("activate_generation", "Search with a generation from now on.", _GENERATION),
    _keeping(
        "retire_generation",
        "Delete the vectors of a generation and search with it no more.",
        _GENERATION,
        command="retire",
        example="taisce-pg embed retire 1 --project demo",
    ),
)
