"""Envelopes and routes as a person likes to read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from taisce_pg.cli.hints import translated
from taisce_pg.cli.show import FAINT, day, quoted, safe

Row = Mapping[str, Any]
# Of a message; --json has all of it.
SHOWN = 400

_DEGRADED = {
    "anchoring": "names in the query were not looked for: it holds too many",
    "citation_context": "the text around some quotes is no longer stored",
    "embedder": "the query could not be turned into a vector",
    "vectors": "searched by words only, not by meaning",
}


def show_both(console: Console, bundle: Row) -> None:
    """Print facts, then testimony."""
    show_envelope(console, bundle["facts"])
    console.print()
    show_envelope(console, bundle["testimony"])
    if bundle["cut"]:
        console.print(Text("The budget of characters left items out.", style="yellow"))


def show_envelope(console: Console, envelope: Row) -> None:
    """Print what an envelope holds, with its account."""
    negative = envelope["negative"]
    if negative is not None:
        console.print(Text(safe(negative["explanation"]), style="bold"))
        console.print(Text(safe(translated(negative["workaround"])), style=FAINT))
        if negative["suggestions"]:
            names = ", ".join(map(safe, negative["suggestions"]))
            console.print(Text(f"Names that share a word: {names}", style=FAINT))
    if envelope["grain"] == "entity":
        _entities(console, envelope["entities"])
    elif envelope["grain"] == "fact":
        _facts(console, envelope)
    else:
        _testimony(console, envelope)
    _account(console, envelope)


def _entities(console: Console, entities: Sequence[Row]) -> None:
    for one in entities:
        line = Text(safe(one["canonical_name"]), style="bold cyan")
        if one["entity_type"]:
            line.append(f" ({safe(one['entity_type'])})", style="not bold")
        line.append(f"  {one['entity_id']}", style="dim not bold")
        console.print(line)
        how = f"{one['matched_as']} “{safe(one['spelling'])}”, {_many(one['fact_count'], 'fact')}"
        console.print(Padding(Text(how, style=FAINT), (0, 0, 0, 2)))


def _facts(console: Console, envelope: Row) -> None:
    claims = {one["claim_id"]: one for one in envelope["evidence"]}
    for fact in envelope["facts"]:
        line = Text(safe(fact["label"]), style="bold")
        if fact["support"] == "withdrawn":
            line.append("  support withdrawn", style="bold red")
        console.print(line)
        contradiction = fact["contradiction"]
        if contradiction is not None:
            for side in contradiction["co_members"]:
                text = Text(f"contradicted by: {safe(side['label'])}", style="red")
                console.print(Padding(text, (0, 0, 0, 4)))
            left = contradiction["total"] - contradiction["returned"]
            if left:
                console.print(Padding(Text(f"and {_many(left, 'further side')}"), (0, 0, 0, 4)))
        links = [one for one in envelope["fact_evidence"] if one["fact_id"] == fact["fact_id"]]
        for link in links:
            quote = quoted(claims[link["claim_id"]])
            if link["stance"] == "contradicts":
                quote = Text("against it, ", style="red").append_text(quote)
            console.print(Padding(quote, (0, 0, 0, 4)))
        more = fact["evidence_count"] + fact["contradict_count"] - len(links)
        if more > 0:
            console.print(Padding(Text(f"and {_many(more, 'more quote')}", FAINT), (0, 0, 0, 4)))


def _testimony(console: Console, envelope: Row) -> None:
    if envelope["evidence"]:
        console.print(Text("Claims", style="underline"))
    for claim in envelope["evidence"]:
        line = Text(safe(claim["claim_text"]), style="bold")
        if claim["asserted_at"]:
            line.append(f"  {day(claim['asserted_at'])}", style="dim not bold")
        if claim["corroboration_count"] > 1:
            line.append(f"  from {claim['corroboration_count']} lineages", style="green not bold")
        console.print(line)
        console.print(Padding(quoted(claim), (0, 0, 0, 4)))
    if envelope["passages"]:
        console.print(Text("Passages", style="underline"))
    for passage in envelope["passages"]:
        line = Text(f"{safe(passage['role'])} {day(passage['occurred_at'])}: ", style=FAINT)
        text = safe(passage["content"])
        line.append(text if len(text) <= SHOWN else text[: SHOWN - 2] + " …", style="not dim")
        console.print(line)


def _account(console: Console, envelope: Row) -> None:
    truncation = envelope["truncation"]
    if truncation["truncated"]:
        about = "" if truncation["total_is_exact"] else "about "
        text = f"{truncation['returned']} of {about}{truncation['estimated_total']} shown."
        console.print(Text(text, style="yellow"))
    if truncation["continuation"]:
        console.print(Text("More with --continuation; --json shows it.", style=FAINT))
    if envelope["dropped_by_hydration"]:
        text = f"{_many(envelope['dropped_by_hydration'], 'candidate')} no longer held."
        console.print(Text(text, style=FAINT))
    for one in envelope["degraded"]:
        console.print(Text(f"Not complete: {_DEGRADED.get(one, safe(one))}.", style="yellow"))


def show_edges(console: Console, rows: Sequence[Row]) -> None:
    """Print relations, each under its depth."""
    depth = 0
    for row in rows:
        if row["depth"] != depth:
            depth = row["depth"]
            console.print(Text(f"{_many(depth, 'step')} away", style="underline"))
        line = Text(safe(row["subject"]), style="cyan")
        line.append(f" — {safe(row['predicate'])} → ", style="not bold")
        line.append(safe(row["object"]), style="cyan")
        if row["valid_from"] or row["valid_until"]:
            span = f"  {day(row['valid_from'], '…')} to {day(row['valid_until'], '…')}"
            line.append(span, style=FAINT)
        console.print(Padding(line, (0, 0, 0, 2)))
    if not rows:
        console.print("No relations.")
    elif rows[-1]["capped"]:
        console.print(Text("There are more relations than were read.", style="yellow"))


def show_routes(console: Console, rows: Sequence[Row]) -> None:
    """Print routes, one a line."""
    for row in rows:
        if row["path"] == 0:
            continue
        line = Text(f"{row['path']}. ", style=FAINT)
        line.append(safe(row["entities"][0]), style="cyan not dim")
        for predicate, name in zip(row["predicates"], row["entities"][1:], strict=True):
            line.append(f" — {safe(predicate)} — ", style="not dim")
            line.append(safe(name), style="cyan not dim")
        console.print(line)
    if not rows or rows[0]["path"] == 0:
        console.print("No route found.")
    if rows and rows[0]["capped"]:
        console.print(Text("Relations were left unread: there may be others.", style="yellow"))


def _many(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"
