"""The operations that make a memory forget, or keep it in order, and what they come to."""

from __future__ import annotations

from taisce_pg.client.described import PROJECT, Argument, Operation
from taisce_pg.client.models import Model


class ErasedRows(Model):
    """How many rows of a table an erasure removed or emptied."""

    table: str
    rows: int


class MaintainedTask(Model):
    """What a task of maintenance did to how many rows."""

    task: str
    rows: int


def _forgetting(
    name: str,
    command: str,
    help: str,
    example: str,
    *arguments: Argument,
    result: type[Model] = ErasedRows,
) -> Operation:
    return Operation(
        name=name,
        command=command,
        function=f"memory_v1.{name}",
        form="rows",
        help=help,
        result=result,
        example=f"taisce-pg {example}",
        arguments=(*arguments, PROJECT),
        writes=True,
    )


_DRY_RUN = Argument("dry_run", "flag", "Count what would go, and change nothing.")

ERASURES: tuple[Operation, ...] = (
    _forgetting(
        "erase_observations",
        "erase",
        "Erase observations and all that rests on them alone.",
        "erase 5f1b6c6e-6c53-8f6e-8d5e-0d2f8a8f4f10 --project demo",
        Argument("ids", "uuids", "Ids of observations.", required=True),
        _DRY_RUN,
    ),
    _forgetting(
        "erase_subject",
        "erase",
        "Erase all observations about a person.",
        "erase --subject ann --project demo",
        Argument(
            "data_subject_id", "text", "The person, as the observations name him.", required=True
        ),
        _DRY_RUN,
    ),
    _forgetting(
        "release_content",
        "release",
        "Drop the text of an observation; its claims, quotes and facts stay.",
        "release 5f1b6c6e-6c53-8f6e-8d5e-0d2f8a8f4f10 --project demo",
        Argument("observation_id", "uuid", "Id of an observation.", required=True),
        _DRY_RUN,
    ),
    _forgetting(
        "expire",
        "expire",
        "Erase observations whose retention has passed. No read shows them even before.",
        "expire --project demo",
        Argument(
            "max_observations", "integer", "Most observations of a call, default 1000.", hidden=True
        ),
        _DRY_RUN,
    ),
    _forgetting(
        "maintain",
        "maintain",
        "Retire facts that have ended from the indexes of current reads, and tidy up.",
        "maintain --project demo",
        Argument(
            "max_versions", "integer", "Most versions of a call, default 100000.", hidden=True
        ),
        result=MaintainedTask,
    ),
)
