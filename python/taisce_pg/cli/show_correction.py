"""The steps of the demo's correction, for a terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from taisce_pg.cli.show import day, show_bundle
from taisce_pg.cli.show_inspected import show_citation
from taisce_pg.cli.show_timeline import show_timeline

if TYPE_CHECKING:
    from taisce_pg.demo.correction import Step


def show_step(out: Console, number: int, step: Step) -> None:
    """Print a step below its title."""
    out.print()
    out.print(Rule(Text(f"Correction {number}. {step.title}", style="bold"), align="left"))
    out.print(Text(step.shows, style="dim"))
    answer = plain(step.answer)
    if step.form == "bundle":
        show_bundle(out, answer, max_facts=1, max_passages=1)
    elif step.form == "citation":
        show_citation(out, answer)
    elif step.form == "timeline":
        show_timeline(out, answer)
    elif step.form == "asserted":
        ended = "ended another fact, " if answer["superseded"] else ""
        out.print(Text(f"{ended}believed since {day(answer['known_from'])}"))
    elif step.form == "erased":
        _show_counts(out, {one["table"]: one["rows"] for one in answer if one["rows"]})
    else:
        _show_counts(out, answer)


def step_json(step: Step) -> dict[str, Any]:
    """Return a step as plain values."""
    return {"step": step.title, "shows": step.shows, "answer": plain(step.answer)}


def plain(answer: Any) -> Any:
    """Return models as plain values, also within lists."""
    if isinstance(answer, list | tuple):
        return [plain(one) for one in answer]
    return answer.to_dict() if hasattr(answer, "to_dict") else answer


def _show_counts(out: Console, counts: dict[str, int]) -> None:
    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    for name, number in counts.items():
        table.add_row(name.replace("_", " "), f"{number:,}")
    out.print(table)
