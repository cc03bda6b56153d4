"""How an operation is described, once for methods, options of the command line and docs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, get_args

from taisce_pg import errors
from taisce_pg.client import models

Kind = Literal[
    "text",
    "texts",
    "integer",
    "offset",
    "number",
    "flag",
    "instant",
    "vector",
    "vectors",
    "digests",
    "uuid",
    "uuids",
    "json",
    "items",
    "reference",
    "references",
]
Form = Literal["value", "row", "rows"]


@dataclass(frozen=True)
class Argument:
    """An argument of an operation: its SQL name, its kind, and how it reads in a terminal."""

    name: str
    kind: Kind
    help: str
    option: str | None = None
    choices: tuple[str, ...] = ()
    required: bool = False
    hidden: bool = False
    refusal: type[errors.TaisceError] = errors.InvalidArgument


@dataclass(frozen=True)
class Operation:
    """A function of the public schema, with what it takes and what it gives.

    `result` is the model of the answer, or of each row if the function gives `rows`; None for
    rows of plain text. `command` is its name on the command line, default `name`. One that
    `writes` is never sent twice of itself.
    """

    name: str
    function: str
    help: str
    arguments: tuple[Argument, ...]
    result: type[models.Model] | None
    example: str
    form: Form = "value"
    command: str | None = None
    writes: bool = False


PROJECT = Argument(
    "project",
    "text",
    "Project to ask; default the setting taisce.project, else the only one granted.",
    refusal=errors.UnknownProject,
)


def control(name: str, kind: Kind, help: str, **more: Any) -> Argument:
    """Describe a control of recall, refused as such."""
    return Argument(name, kind, help, refusal=errors.InvalidRecallControls, **more)


RECALL_ARGUMENTS: tuple[Argument, ...] = (
    Argument(
        "question",
        "text",
        "The question, 1 to 8192 bytes; - reads it from standard input.",
        required=True,
        refusal=errors.InvalidQuestion,
    ),
    PROJECT,
    control(
        "data_subject_id",
        "text",
        "Only what this person's own observations hold; default the whole project.",
        option="--subject",
    ),
    control(
        "max_characters",
        "integer",
        "Budget of the answer in code points; default and most: the server's setting.",
    ),
    control(
        "source_roles",
        "texts",
        "Whose words count; repeat for several. Default the project's, usually user.",
        option="--role",
        choices=get_args(models.Role),
    ),
    control("hops", "integer", "How far facts are followed, 1 or 2; default 1."),
    control(
        "surfaces",
        "texts",
        "Surfaces to use; repeat for several; default all.",
        option="--surface",
        choices=get_args(models.Surface),
    ),
    control("themes", "flag", "Bring reports even when a name was matched."),
    control("as_of", "instant", "What held in the world at this instant."),
    control("as_known_at", "instant", "What the memory believed at this instant."),
    control("evidence_per_fact", "integer", "Quotes for each fact, 1 to 5; default 1."),
    control(
        "query_embedding",
        "vector",
        "The question's vector; embedding_model names the model it comes from.",
        hidden=True,
    ),
    control("embedding_model", "text", "The model of query_embedding.", hidden=True),
)
