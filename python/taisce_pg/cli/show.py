"""A bundle as a person likes to read it: what was named, what is held, on whose words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

QUOTE = "black on yellow"
FAINT = "dim"
# The walk reads this many facts in each direction of an entity.
FANOUT = 64
# A context is cut 160 bytes after the quote and then back to white space.
CUT_WINDOW = 110

# Everything that could steer a terminal or hide text: controls, marks that turn the direction
# of writing, characters of no width, tags, and halves of surrogate pairs.
UNSAFE = re.compile(
    "[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)

_SILENT = {
    "no_terms": "The question has no word to look up.",
    "unknown_name": "Nothing in this memory goes by a name that stands in the question.",
    "no_facts": "The name is known, but nothing is held about it.",
    "subject": "There are facts, but none that rest on this data subject's words.",
    "role": "There are facts, but none from the source roles asked for.",
    "time": "There are facts, but none that held at the time asked for.",
    "evidence": "There are facts, but no words behind them that may be shown.",
    "budget": "The first fact alone is larger than the budget.",
}
_DEGRADED = {
    "citation_context": "the text around some quotes is no longer stored",
    "semantic_anchors": "names could not be looked for by meaning",
    "reports": "reports could not be searched",
    "reports_withheld_for_subject": "reports are withheld when one data subject is asked for",
    "reports_withheld_for_time": "reports describe today and are withheld for a past time",
    "passages": "passages could not be searched",
    "passages_words_only": "passages were searched by words only, not by meaning",
    "embedder": "the question could not be turned into a vector",
}


def show_bundle(
    console: Console,
    bundle: Mapping[str, Any],
    budget: int | None = None,
    *,
    max_facts: int | None = None,
    max_passages: int | None = None,
) -> None:
    """Print a bundle, as wide as the console.

    `budget` is the limit of characters, default the one the bundle was made with; `max_facts`
    limits how many facts of each hop are printed, `max_passages` how many passages, and what is
    left out is counted.
    """
    anchors = bundle["anchors"]
    if anchors:
        console.print(_anchors(anchors))
    facts = bundle["facts"]
    if not facts:
        reason = bundle["reach"].get("silent_because")
        console.print(Text(_SILENT.get(reason, "No facts."), style="bold"))
        if reason:
            console.print(Text(f"(silent_because: {reason})", style=FAINT))
    for hop, group in groupby(facts, key=lambda fact: fact["hops"]):
        _show_facts(console, hop, list(group), max_facts)
    _show_list(console, "Reports", [_report(one) for one in bundle["reports"]])
    passages = bundle["passages"]
    shown = passages[:max_passages]
    _show_list(console, "Passages", [_passage(one) for one in shown])
    if len(shown) < len(passages):
        console.print(_left_out(len(passages) - len(shown), "passage"))
    for line in _account(bundle, budget):
        console.print(line)


def safe(text: object) -> str:
    """Return stored text that can do nothing to a terminal; what it hid is written as \\x1b."""
    flat = re.sub(r"\s*[\t\n\r]\s*", " ", str(text))
    return UNSAFE.sub(_escape, flat)


def _escape(match: re.Match[str]) -> str:
    code = ord(match[0])
    return (
        f"\\x{code:02x}" if code < 256 else f"\\u{code:04x}" if code < 65536 else f"\\U{code:08x}"
    )


def day(instant: str | None, open_end: str = "") -> str:
    """Write an instant short: only the date if it is midnight UTC, `open_end` if there is none.

    Any other keeps its zone, so that it can be given back to a command as it stands.
    """
    if instant is None:
        return open_end
    found = re.fullmatch(r"(\S{4,}-\d\d-\d\d)[T ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?(.*)", str(instant))
    if not found:
        return safe(instant)
    date, minute, seconds, zone = found.groups()
    utc = zone in ("Z", "+00", "+00:00", "-00:00")
    if utc and minute == "00:00" and (seconds or ":00") == ":00":
        return date
    shown = seconds if seconds and seconds.strip(":0.") else ""
    return f"{date} {minute}{shown}{'Z' if utc else zone}"


def _anchors(anchors: Sequence[Mapping[str, Any]]) -> Text:
    line = Text("Named: ", style=FAINT)
    for index, anchor in enumerate(anchors):
        if index:
            line.append(", ")
        line.append(safe(anchor["name"]), style="bold cyan not dim")
        kind, matched = anchor.get("entity_type"), str(anchor["matched"])
        notes = [safe(kind)] if kind else []
        if matched.startswith("semantic:"):
            notes.append(f"by meaning, {safe(matched.partition(':')[2])}")
        elif matched.casefold() != str(anchor["name"]).casefold():
            notes.append(f"“{safe(matched)}”")
        if notes:
            line.append(f" ({'; '.join(notes)})")
    return line


def _show_facts(
    console: Console, hop: int, facts: list[Mapping[str, Any]], max_facts: int | None
) -> None:
    shown = facts if max_facts is None else facts[:max_facts]
    console.print()
    title = "What is held" if hop == 1 else f"Reached in {hop} steps"
    console.print(_row(Text(title), "from", "until", "underline"))
    for fact in shown:
        start, end = day(fact["valid_from"], "-"), day(fact["valid_until"], "open")
        console.print(_row(Text(safe(fact["statement"]), style="bold"), start, end))
        for line in _below(fact):
            console.print(Padding(line, (0, 0, 0, 4)))
    if len(shown) < len(facts):
        console.print(_left_out(len(facts) - len(shown), "fact"))


def _left_out(number: int, noun: str) -> Text:
    return Text(f"  … and {_count(number, f'more {noun}')} of the answer", style=FAINT)


def _row(first: Text, start: str, end: str, style: str = "") -> Table:
    """Make one row: what is held on the left, its two dates on the right."""
    table = Table(box=None, show_header=False, expand=True, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(ratio=1, overflow="fold", style=style)
    table.add_column(width=10, overflow="fold", style=style)
    table.add_column(width=10, overflow="fold", style=style)
    table.add_row(first, Text(start), Text(end))
    return table


def _below(fact: Mapping[str, Any]) -> Iterator[Text]:
    """Yield what stands under a fact: how it was reached, doubts about it, and its quotes."""
    if fact["path"]:
        yield _route(fact["path"], fact["via"])
    if fact["support"] == "withdrawn":
        yield Text("support withdrawn", style="bold red")
    if fact["contradicts"]:
        yield Text(f"contradicted by {_count(len(fact['contradicts']), 'fact')}", style="bold red")
    for one in fact["evidence"]:
        yield quoted(one)
    more = fact["evidence_total"] - len(fact["evidence"])
    if more > 0:
        yield Text(f"and {_count(more, 'more quote')}", style=FAINT)


def _route(path: Sequence[str], via: Sequence[str]) -> Text:
    line = Text("by way of ", style=FAINT)
    line.append(safe(path[0]))
    for index, predicate in enumerate(via):
        name = path[index + 1] if index + 1 < len(path) else None
        line.append(f" — {safe(predicate)}" + (f" → {safe(name)}" if name else ""))
    return line


def quoted(one: Mapping[str, Any]) -> Text:
    """Write the context with the quote in it marked; the role in front, since anybody may lie."""
    before, quote, after = split_context(one)
    line = Text(f"{safe(one['role'])}: ", style=FAINT)
    if one.get("context_start"):
        line.append("… ")
    line.append(safe(before))
    line.append(safe(quote), style=f"{QUOTE} not dim")
    line.append(safe(after))
    if _goes_on(one, after):
        line.append(" …")
    return line


def split_context(one: Mapping[str, Any]) -> tuple[str, str, str]:
    """Return what stands before the quote, the quote, and what stands after it.

    Byte positions of the contract count UTF-8; without context the quote stands alone.
    """
    context, start = one.get("context") or "", one.get("context_start")
    if not context or start is None:
        return "", one["quote"], ""
    raw = context.encode("utf-8", "surrogatepass")
    first = one["byte_start"] - start
    last = first + one["byte_end"] - one["byte_start"]
    if first < 0 or raw[first:last] != one["quote"].encode("utf-8", "surrogatepass"):
        return "", one["quote"], ""
    return raw[:first].decode(), one["quote"], raw[last:].decode()


def _goes_on(one: Mapping[str, Any], after: str) -> bool:
    """Say whether the message goes on behind the context: sure if it was not cut in front."""
    if not one["context"] or one["context_complete"]:
        return False
    return not one["context_start"] or len(after.encode()) > CUT_WINDOW


def _report(one: Mapping[str, Any]) -> Text:
    line = Text(safe(one["title"]), style="bold")
    return line.append(f"\n  {safe(one['summary'])}", style="not bold")


def _passage(one: Mapping[str, Any]) -> Text:
    return Text(f"{safe(one['role'])}: ", style=FAINT).append(safe(one["quote"]), style="not dim")


def _show_list(console: Console, title: str, items: list[Text]) -> None:
    if items:
        console.print()
        console.print(Text(title, style="bold"))
        for item in items:
            console.print(Padding(item, (0, 0, 0, 2)))


def _account(bundle: Mapping[str, Any], budget: int | None) -> Iterator[Text]:
    """Yield the account: size, time asked for, what was cut and what could not run."""
    limit = budget or bundle["controls"]["max_characters"]
    size = (
        f"{bundle['characters']:,} of {limit:,} characters, {_count(len(bundle['facts']), 'fact')}"
    )
    scope = bundle["scope"]
    if scope.get("as_of"):
        size += f"; as of {day(scope['as_of'])}"
    if scope.get("as_known_at"):
        size += f"; as known at {day(scope.get('read_as_known_at') or scope['as_known_at'])}"
    yield Text()
    yield Text(size, style=FAINT)
    cut = bundle.get("cut")
    if cut in ("characters", "both"):
        yield _notice("cut: the next fact did not fit the budget of characters")
    if cut in ("rows", "both"):
        yield _notice(f"cut: more than {bundle['controls'].get('max_rows', 200)} facts")
    for one in bundle["reach"]["fanout_cut"]:
        place = "subject" if one["direction"] == "subject" else "object"
        yield _notice(
            f"cut: {safe(one['entity'])} is the {place} of more than {FANOUT} facts; "
            f"the first {FANOUT} were read"
        )
    for word in bundle["degraded"]:
        yield _notice(f"not complete: {_DEGRADED.get(word, safe(word))}")
    dropped = bundle["reach"].get("terms_dropped")
    if dropped:
        yield _notice(f"{_count(dropped, 'spelling')} of the question not looked up")
    suggestions = bundle["reach"].get("suggestions")
    if suggestions:
        names = ", ".join(
            safe(one["name"] if isinstance(one, Mapping) else one) for one in suggestions
        )
        yield Text(f"Perhaps meant: {names}")


def _notice(text: str) -> Text:
    return Text(text, style="yellow")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def counted(number: int, kind: str) -> str:
    """Write a number of things whose word is a plural: 2 entities, 1 entity, 1 evidence."""
    if number == 1:
        kind = f"{kind[:-3]}y" if kind.endswith("ies") else kind.removesuffix("s")
    return f"{number:,} {kind}"
