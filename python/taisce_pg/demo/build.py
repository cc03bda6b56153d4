"""Turn the compact records into the lines that `taisce-pg load` reads.

One record or note is one document whose text reads as a sentence or a paragraph; every fact
quotes the words of a document. The demo project sees documents by default.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from taisce_pg.demo import source
from taisce_pg.demo.committees import add_committees
from taisce_pg.demo.ground import add_edition, add_origin, add_places, add_predicates
from taisce_pg.demo.memory import Line, Memory
from taisce_pg.demo.notes import add_notes
from taisce_pg.demo.tenure import Span, Tenure, days_between, tenures
from taisce_pg.demo.wording import (
    CHAMBER,
    HOW,
    OFFICE,
    PARTIES,
    STATES,
    article,
    distinct,
    long_date,
    other_names,
    seat_of,
    usual_name,
)


def build_lines() -> Iterator[Line]:
    """Yield the whole demo memory in the load format; the same lines on every call."""
    yield from build_memory().lines()


def build_memory() -> Memory:
    """Return the demo memory, every document and fact in the order of its dates."""
    meta = source.meta()
    people = source.rows("people")
    memory = Memory(meta["date"])
    add_predicates(memory)
    add_origin(memory, meta)
    add_places(memory, people)
    for person in people:
        add_person(memory, person)
    add_records(memory, people)
    add_committees(memory, source.rows("committees"), {one["id"] for one in people})
    add_notes(memory, source.rows("notes"), people)
    add_edition(memory, meta)
    return memory


def add_person(memory: Memory, person: dict[str, Any]) -> None:
    """Declare a person; record the birthday, the official full name and family."""
    name, key = usual_name(person), f"person:{person['id']}"
    memory.entity(key, name, "person", distinct(other_names(person), name), profile(person))
    sentences = [f"{name} was born on {long_date(person['born'])}."]
    if person.get("official") and person["official"] != name:
        sentences.append(f"The official full name is {person['official'].rstrip('.')}.")
    family = []
    for relative, relation in person.get("family", []):
        how = "a relative" if relation == "relative" else f"the {relation}"
        family.append((relative, relation, f"{name} is {how} of {relative.rstrip('.')}."))
        sentences.append(family[-1][2])
    document = memory.document(
        f"bio:{person['id']}", f"Record of {name}", " ".join(sentences), person["id"]
    )
    memory.attribute(
        key, "born_on", long_date(person["born"]), sentences[0], [(document, sentences[0])],
        person["born"],
    )  # fmt: skip
    for relative, relation, sentence in family:
        other = memory.entity(f"other:{relative}", relative, "person", [])
        memory.relation(key, f"{relation}_of", other, sentence, [(document, sentence)])


def profile(person: dict[str, Any]) -> str:
    """Describe a person in one sentence."""
    terms, last = person["terms"], person["terms"][-1]
    if person["kind"] == "executive":
        held: list[list[str]] = []
        for term in terms:
            if held and [term["type"], term["start"]] == [held[-1][0], held[-1][2]]:
                held[-1][2] = term["end"]
            else:
                held.append([term["type"], term["start"], term["end"]])
        years = [f"{OFFICE[kind]} {start[:4]} to {end[:4]}" for kind, start, end in held]
        return f"{'; '.join(years)}."
    since = min(term["start"] for term in terms if term["type"] == last["type"])[:4]
    chamber = CHAMBER[last["type"]]
    return f"{last['party']} for {seat_of(last)[1]}, first in the {chamber} in {since}."


def add_records(memory: Memory, people: list[dict[str, Any]]) -> None:
    """Record every term and leadership role by date, then what follows from several of them."""
    names = {one["id"]: usual_name(one) for one in people}
    slots: dict[str, list[Span]] = defaultdict(list)
    records: list[tuple[str, str, int, dict[str, Any], dict[str, Any]]] = []
    for person in people:
        for number, term in enumerate(person["terms"], 1):
            document = f"term:{person['id']}:{number}"
            span = Span(term["start"], term["end"], person["id"], document)
            if term["type"] != "sen":
                slots[slot_of(term)].append(span)
            records.append((term["start"], person["id"], number, person, term))
        for number, (title, start, end) in enumerate(person.get("roles", []), 1):
            span = Span(start, end, person["id"], f"role:{person['id']}:{number}")
            slots[f"office:{title}"].append(span)
            role = {"type": "role", "title": title, "start": start, "end": end}
            records.append((start, person["id"], number, person, role))
    held = {slot: tenures(spans, memory.told_on) for slot, spans in slots.items()}
    followed = {one.documents[0]: one for all_ in held.values() for one in all_ if one.followed}
    for _, _, number, person, term in sorted(records, key=lambda record: record[:3]):
        if term["type"] == "role":
            add_role(memory, person, number, term, followed, names)
        elif term["type"] in OFFICE:
            add_executive_term(memory, person, number, term, followed, names)
        else:
            add_term(memory, person, number, term, followed, names)
    for person in people:
        add_parties(memory, person)
    for slot, found in sorted(held.items()):
        add_holders(memory, slot, found, names)


def slot_of(term: dict[str, Any]) -> str:
    """Return the key of the office or seat that one person holds at a time."""
    return f"office:{OFFICE[term['type']]}" if term["type"] in OFFICE else seat_of(term)[0]


Followed = dict[str, Tenure]
Names = dict[str, str]


def add_term(
    memory: Memory, person: dict[str, Any], number: int, term: dict[str, Any],
    followed: Followed, names: Names,
) -> None:  # fmt: skip
    """Record a term in Congress: whom it represents, in which chamber, how it was come by."""
    name, key = names[person["id"]], f"person:{person['id']}"
    document = f"term:{person['id']}:{number}"
    (seat, phrase), chamber = seat_of(term), CHAMBER[term["type"]]
    now = term["end"] > memory.told_on
    verb = "represents" if now else "represented"
    about = f"{name} {verb} {phrase}"
    dates = f"from {long_date(term['start'])} to {long_date(term['end'])}"
    period = f"for the term {dates}" if now else dates
    sentences = [f"{about} in the {chamber} {stands_for(term)} {period}."]
    extras: list[tuple[str, str, str, str]] = []
    if term.get("how"):
        way = HOW[term["how"]]
        sentences.append(f"{name} came to the seat {way}.")
        extras.append(("came_to_seat", "value", way, sentences[-1]))
    if term.get("caucus"):
        side = PARTIES[term["caucus"]][1][0]
        sentences.append(f"{name} {'caucuses' if now else 'caucused'} with the {side}.")
        extras.append(("caucuses_with", "key", f"party:{term['caucus']}", sentences[-1]))
    before = followed.get(document)
    if before:
        sentences.append(f"{name} followed {names[before.followed or '']} in the seat.")
    memory.document(
        document, f"{name}, term from {term['start']}", " ".join(sentences), person["id"], about
    )
    start, end = term["start"], term["end"]
    memory.relation(key, "represents", seat, f"{about}.", [(document, about)], start, end)
    memory.relation(
        key, "serves_in", f"chamber:{chamber}",
        f"{name} {'serves' if now else 'served'} in the {chamber}.",
        [(document, f"{about} in the {chamber}")], start, end,
    )  # fmt: skip
    for predicate, kind, other, sentence in extras:
        if kind == "value":
            memory.attribute(key, predicate, other, sentence, [(document, sentence)], start, end)
        else:
            since = term["parties"][-1][1] if term.get("parties") else start
            memory.relation(key, predicate, other, sentence, [(document, sentence)], since, end)
    if before:
        statement = f"{name} succeeded {names[before.followed or '']} in the seat of {phrase}."
        memory.relation(
            key, "succeeded", f"person:{before.followed}", statement,
            [(document, sentences[-1])], start,
        )  # fmt: skip
    if seat.startswith("district:"):
        state = seat.removeprefix("district:")[:2]
        memory.relation(
            seat, "in_state", f"state:{state}", f"{phrase} lies in {STATES[state]}.",
            [(document, phrase)],
        )  # fmt: skip


def stands_for(term: dict[str, Any]) -> str:
    """Say for which party, or parties one after the other, somebody holds a seat."""
    if not term.get("parties"):
        return "without a party" if term["party"] == "no party" else f"as {article(term['party'])}"
    (first, _, until), (second, since, _) = term["parties"]
    return (
        f"as {article(first)} until {long_date(until)} "
        f"and as {article(second)} from {long_date(since)}"
    )


def add_executive_term(
    memory: Memory, person: dict[str, Any], number: int, term: dict[str, Any],
    followed: Followed, names: Names,
) -> None:  # fmt: skip
    """Record a term as president or vice-president."""
    name, key = names[person["id"]], f"person:{person['id']}"
    document, office = f"term:{person['id']}:{number}", OFFICE[term["type"]]
    terms = person["terms"][: number - 1]
    again = any(one["type"] == term["type"] and one["end"] == term["start"] for one in terms)
    verb = "entered another term as" if again else "became"
    about = f"{name} {verb} {office} on {long_date(term['start'])}"
    runs = "runs" if term["end"] > memory.told_on else "ran"
    sentences = [
        f"{about}, {HOW[term['how']]}, {stands_for(term)}.",
        f"The term {runs} until {long_date(term['end'])}.",
    ]
    before = followed.get(document)
    if before:
        sentences.append(f"{name} followed {names[before.followed or '']} in the office.")
    memory.document(
        document, f"{name}, term from {term['start']}", " ".join(sentences), person["id"], about
    )
    held = "has been" if term["end"] > memory.told_on else "was"
    memory.relation(
        key, "held_office", f"office:{office}", f"{name} {held} {office}.",
        [(document, about)], term["start"], term["end"],
    )  # fmt: skip
    if before:
        add_succession(memory, key, before, office, document, sentences[-1], names)


def add_role(
    memory: Memory, person: dict[str, Any], number: int, role: dict[str, Any],
    followed: Followed, names: Names,
) -> None:  # fmt: skip
    """Record a leadership role in a chamber."""
    name, key = names[person["id"]], f"person:{person['id']}"
    document, title, end = f"role:{person['id']}:{number}", role["title"], role["end"]
    if end:
        about = f"{name} held the office of {title} from {long_date(role['start'])}"
        sentences = [f"{about} to {long_date(end)}."]
    else:
        about = f"{name} has held the office of {title} since {long_date(role['start'])}"
        sentences = [f"{about}."]
    before = followed.get(document)
    if before:
        sentences.append(f"{name} followed {names[before.followed or '']} in the office.")
    memory.document(
        document, f"{name}, {title} from {role['start']}", " ".join(sentences), person["id"], about
    )
    memory.relation(
        key, "held_office", f"office:{title}", f"{name} {'was' if end else 'has been'} {title}.",
        [(document, about)], role["start"], end,
    )  # fmt: skip
    if before:
        add_succession(memory, key, before, title, document, sentences[-1], names)


def add_succession(
    memory: Memory, key: str, tenure: Tenure, office: str, document: str, quote: str, names: Names
) -> None:
    """Hold that somebody took an office over from somebody."""
    statement = f"{names[tenure.holder]} succeeded {names[tenure.followed or '']} as {office}."
    memory.relation(
        key, "succeeded", f"person:{tenure.followed}", statement, [(document, quote)], tenure.start
    )


def add_parties(memory: Memory, person: dict[str, Any]) -> None:
    """Hold the parties of a person: unbroken membership is one fact quoting every term."""
    name, key = usual_name(person), f"person:{person['id']}"
    spans: list[tuple[str, str, str, tuple[str, str]]] = []
    for number, term in enumerate(person["terms"], 1):
        document = f"term:{person['id']}:{number}"
        text = memory.observations[document]["messages"][0]["content"]
        whole = [(term["party"], term["start"], term["end"])]
        for party, start, end in term.get("parties") or whole:
            phrase = f"as {article(party)}"
            if party in PARTIES:
                quote = text[: text.index(phrase) + len(phrase)]
                spans.append((party, start, end, (document, quote)))
    while spans:
        party, start, end, quote = spans.pop(0)
        quotes = [quote]
        while spans and spans[0][0] == party and days_between(end, spans[0][1]) <= 40:
            _, _, end, quote = spans.pop(0)
            quotes.append(quote)
        lasts = not spans and end > memory.told_on
        changes = bool(spans) and spans[0][0] != party and days_between(end, spans[0][1]) <= 1
        memory.relation(
            key, "member_of_party", f"party:{party}",
            f"{name} belongs to the {PARTIES[party][0]}."
            if party != "Independent" else f"{name} is an Independent.",
            quotes, start, None if lasts or changes else end,
        )  # fmt: skip


def add_holders(memory: Memory, slot: str, found: list[Tenure], names: Names) -> None:
    """Hold who has an office or a seat: one at a time, each closed by the next."""
    thing, predicate = memory.entities[slot]["name"], "represented_by"
    if slot.startswith("office:"):
        thing, predicate = f"The office of {thing}", "held_by"
    for tenure in found:
        name = names[tenure.holder]
        verb = "is held by" if predicate == "held_by" else "is represented by"
        quotes = [(document, memory.heads[document]) for document in tenure.documents]
        memory.relation(
            slot, predicate, f"person:{tenure.holder}", f"{thing} {verb} {name}.",
            quotes, tenure.start, tenure.until,
        )  # fmt: skip
