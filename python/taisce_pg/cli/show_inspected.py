"""What looking into a memory gives, as a person likes to read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from taisce_pg.cli.show import FAINT, QUOTE, day, safe, split_context

Row = Mapping[str, Any]

_STATUS = {
    "current": "green",
    "validity_closed": "yellow",
    "knowledge_closed": "yellow",
    "retracted": "red",
    "sources_released": "magenta",
}
_VERIFIED = {
    True: Text("as in the message, byte for byte", style="green"),
    False: Text("NOT what stands in the message", style="bold red"),
    None: Text("text no longer stored", style=FAINT),
}


def _table(console: Console, rows: Sequence[Sequence[object]], *columns: str) -> None:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for column in columns:
        # An id is of use only whole.
        table.add_column(column, overflow="fold", no_wrap=column == "id")
    for row in rows:
        table.add_row(*(one if isinstance(one, Text) else safe(one) for one in map(_cell, row)))
    console.print(table)


def _cell(value: object) -> object:
    return "" if value is None else value


def _further(console: Console, continuation: str | None, option: str = "--after") -> None:
    if continuation:
        text = Text(f"There is more: {option} {safe(continuation)}", style=FAINT)
        console.print(text, soft_wrap=True)


def _status(row: Row) -> Text:
    text = Text(safe(row["status"]), style=_STATUS.get(row["status"], ""))
    if row["support"] == "withdrawn":
        text.append(", support withdrawn", style="red")
    return text


def _span(start: str | None, end: str | None) -> str:
    return f"{day(start, '…')} to {day(end, '…')}"


def show_context(console: Console, answer: Row) -> None:
    """Print segments and turns, oldest first."""
    items = sorted(
        [*answer["segments"], *answer["turns"]],
        key=lambda one: one.get("from_offset", one.get("log_offset")),
    )
    if answer["truncated"]:
        console.print(Text("… older history does not fit", style="yellow"))
    for one in items:
        if "summary" in one:
            head = f"{one['from_offset']}-{one['to_offset']}  {one['covered']} turns in short"
            console.print(Text(head, style=FAINT))
            console.print(Padding(Text(safe(one["summary"]), style="italic"), (0, 0, 0, 2)))
            continue
        console.print(Text(f"{one['log_offset']}  {day(one['occurred_at'])}".rstrip(), style=FAINT))
        for message in one["messages"]:
            line = Text(f"{safe(message['role'])}: ", style=FAINT)
            said = message["content"]
            line.append("(no longer stored)" if said is None else safe(said), style="not dim")
            console.print(Padding(line, (0, 0, 0, 2)))
    if not items and not answer["truncated"]:
        console.print("No formed turn is held of this person.")
    _waiting(console, answer["freshness"])
    limit = answer["controls"]["max_characters"]
    console.print(Text(f"{answer['characters']:,} of {limit:,} characters", style=FAINT))


def _waiting(console: Console, freshness: Row) -> None:
    """Say that turns may wait to be formed, which a context leaves out until then."""
    stored, formed = freshness["stored"] or 0, freshness["formed"] or 0
    if stored > formed:
        text = f"Stored up to {stored}, formed up to {formed}: a turn after that is shown once it "
        text += "is formed (taisce-pg formed ID)"
        console.print(Text(text, style="yellow"), soft_wrap=True)


def show_segments_due(console: Console, rows: Sequence[Row]) -> None:
    """Print what to condense next."""
    if not rows:
        console.print("Nothing is due.")
        return
    _table(
        console,
        [
            (
                one["level"],
                f"{one['from_offset']}-{one['to_offset']}",
                one["covered"],
                f"{len(one['sources'])} {'turns' if one['level'] == 1 else 'segments'}",
            )
            for one in rows
        ],
        "level",
        "offsets",
        "turns",
        "made of",
    )


def show_citation(console: Console, answer: Row) -> None:
    """Print the record, then each quote in its context, highlighted."""
    console.print(Text(safe(answer["statement"]), style="bold"))
    far = answer["object"] if answer["object"] is not None else answer["value"]
    ends = [answer["subject"], answer["predicate"], far]
    lines: list[tuple[str, Text | str]] = [
        ("", " — ".join(safe(one) for one in ends if one is not None)),
        ("status", _status(answer)),
        ("held", _span(answer["valid_from"], answer["valid_until"])),
        ("believed", _span(answer["known_from"], answer["known_until"])),
    ]
    if answer["superseded_by"]:
        lines.append(("replaced by", safe(answer["superseded_by"])))
        lines.append(("caused by", safe(answer["supersession_source"])))
    if answer["retraction"]:
        taken = answer["retraction"]
        reason = safe(taken["reason"] or "no reason given")
        lines.append(("taken back", f"{day(taken['retracted_at'])}: {reason}"))
    table = Table.grid(padding=(0, 2))
    for name, value in lines:
        table.add_row(Text(name, style=FAINT), value if isinstance(value, Text) else Text(value))
    console.print(Padding(table, (0, 0, 0, 2)))
    for one in answer["evidence"]:
        against = "" if one["stance"] == "supports" else "against it, "
        head = f"{against}{safe(one['role'])} at {one['log_offset']}.{one['ordinal']}"
        if one["occurred_at"]:
            head += f", {day(one['occurred_at'])}"
        before, quote, after = split_context(one)
        line = Text(safe(before)).append(safe(quote), style=QUOTE).append(safe(after))
        console.print(Text(f"{head}: ", style=FAINT).append_text(_VERIFIED[one["verified"]]))
        console.print(Padding(line, (0, 0, 0, 2)))
    _further(console, answer["continuation"])


def show_message(console: Console, answer: Row) -> None:
    """Print the text as it is, and where it goes on."""
    head = f"{safe(answer['role'])}, bytes {answer['byte_start']}-{answer['byte_end']}"
    console.print(Text(f"{head} of {answer['octets']}", style=FAINT))
    if answer["released"]:
        console.print("The text is no longer stored.")
        return
    for line in str(answer["content"]).split("\n"):
        console.print(Text(safe(line)))
    if answer["next_byte_start"] is not None:
        more = f"--byte-start {answer['next_byte_start']} --expected-digest "
        console.print(
            Text(f"There is more: {more}{answer['content_digest']}", style=FAINT), soft_wrap=True
        )


def show_records(console: Console, rows: Sequence[Row]) -> None:
    """Print an inventory of facts."""
    if not rows:
        console.print("No facts.")
        return
    _table(
        console,
        [(one["fact_id"], one["statement"], one["source_role"], _status(one)) for one in rows],
        "id",
        "statement",
        "said by",
        "status",
    )
    _further(console, rows[-1]["continuation"])


def show_history(console: Console, rows: Sequence[Row]) -> None:
    """Print the intervals of a fact."""
    if not rows:
        console.print("No earlier intervals.")
        return
    console.print(Text(safe(rows[0]["statement"]), style="bold"))
    _table(
        console,
        [
            (
                _span(one["known_from"], one["known_until"]),
                _span(one["valid_from"], one["valid_until"]),
                one["cause"],
                one["closed_cause"],
            )
            for one in rows
        ],
        "believed",
        "held",
        "began by",
        "ended by",
    )
    _further(console, rows[-1]["continuation"])


def show_entities(console: Console, rows: Sequence[Row]) -> None:
    """Print an inventory of entities."""
    if not rows:
        console.print("No entities.")
        return
    _table(
        console,
        [
            (
                one["entity_id"],
                one["name"]
                if one["identity_kind"] == "named"
                else f"speaker of {one['speaker_subject_id']}",
                one["entity_type"],
                one["names"],
            )
            for one in rows
        ],
        "id",
        "name",
        "type",
        "spellings",
    )
    _further(console, rows[-1]["continuation"])


def show_entity(console: Console, answer: Row) -> None:
    """Print an entity."""
    title = Text(safe(answer["canonical_name"]), style="bold")
    if answer["entity_type"]:
        title.append(f" ({safe(answer['entity_type'])})", style=FAINT)
    console.print(title)
    if answer["asked_id"] != answer["entity_id"]:
        console.print(Text(f"the one asked for was merged into {answer['entity_id']}"))
    if answer["speaker_subject_id"]:
        console.print(Text(f"speaker of {safe(answer['speaker_subject_id'])}"))
    if answer["profile"]:
        console.print(Text(safe(answer["profile"])))
    others = [safe(one["spelling"]) for one in answer["names"] if one["kind"] == "alias"]
    if others:
        console.print(Text(f"also {', '.join(others)}{' …' if answer['names_more'] else ''}"))
    counts = answer["facts"]
    limit = counts["counted_up_to"]
    shown = [
        f"{limit} or more" if number >= limit else str(number)
        for number in (counts["as_subject"], counts["as_object"])
    ]
    console.print(Text(f"current facts: {shown[0]} about it, {shown[1]} that lead to it"))
    for one in answer["merges"]:
        undone = f", undone {day(one['reversed_at'])}" if one["reversed_at"] else ""
        console.print(
            Text(f"merge {day(one['merged_at'])}: {one['absorbed']} into it{undone}", style=FAINT)
        )


def show_freshness(console: Console, answer: Row) -> None:
    """Print how far a project has come."""
    rows: list[tuple[str, object]] = [
        ("stored up to", answer["stored"]),
        ("formed up to", "nothing yet" if answer["formed"] is None else answer["formed"]),
        ("parked", answer["parked"]),
        ("known through", day(answer["known_through"], "nothing yet")),
    ]
    if answer["rebuilding"]:
        span = answer["rebuilding"]
        rows.append(
            ("rebuilding", f"{span['from_offset']}-{span['to_offset']}, at {span['at_offset']}")
        )
    rows += [
        (f"vectors of {one['space']}", f"{one['model']}: up to {one['through_offset']}")
        for one in answer["spaces"]
    ]
    table = Table.grid(padding=(0, 2))
    for name, value in rows:
        table.add_row(Text(safe(name), style=FAINT), safe(value))
    console.print(table)


def show_stages(console: Console, rows: Sequence[Row]) -> None:
    """Print the stages of a recall."""
    _table(
        console,
        [
            (
                one["stage"] if not one["direction"] else f"{one['stage']} as {one['direction']}",
                one["count"],
                one["note"],
            )
            for one in rows
        ],
        "stage",
        "count",
        "",
    )


def show_absence(console: Console, answer: Row) -> None:
    """Print where a fact left."""
    console.print(
        Text(f"{safe(answer['stage'])}: ", style="bold").append(
            safe(answer["reason"]), style="not bold"
        )
    )
