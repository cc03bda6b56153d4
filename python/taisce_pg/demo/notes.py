"""Notes of deaths, resignations and vacancies that name one of the people."""

from __future__ import annotations

from typing import Any

from taisce_pg.demo.memory import Memory
from taisce_pg.demo.wording import OFFICE, day_of


def add_notes(memory: Memory, notes: list[dict[str, Any]], people: list[dict[str, Any]]) -> None:
    """Record each note under the name it was printed for, and hold what it says."""
    begun = {
        one["id"]: term["start"]
        for one in people
        for term in reversed(one["terms"])
        if term["type"] == "prez"
    }
    for note in notes:
        years = " to ".join(str(year) for year in note["years"])
        place = ", ".join(part for part in (note["state"], note["congress"], years) if part)
        heading = f"{note['item']} ({place})" if note["item"] else place
        document = memory.document(
            f"note:{note['number']}",
            f"Note {note['number']} of the biographical directory",
            f"{heading}: {note['text']}",
            f"note {note['number']}",
        )
        for event in note["events"]:
            add_event(memory, event, document, begun)


def add_event(memory: Memory, event: dict[str, Any], document: str, begun: dict[str, str]) -> None:
    """Hold one event of a note."""
    quotes = [(document, event["quote"])]
    day = day_of(event.get("date"))
    if event["what"] == "succeeded":
        became = "became President" in event["quote"] or "Became President" in event["quote"]
        who = find_person(memory, event["who"], event.get("name"))
        whom = find_person(memory, event["whom"], event.get("whom_name"))
        ending = f" as {OFFICE['prez']}" if became else ""
        name, other = memory.entities[who]["name"], memory.entities[whom]["name"]
        if became and day is None:
            day = begun[event["who"]]
        memory.relation(who, "succeeded", whom, f"{name} succeeded {other}{ending}.", quotes, day)
        return
    person = f"person:{event['who']}"
    name = memory.entities[person]["name"]
    if event["what"] == "died":
        said = f"{name} died on {event['date']}."
        memory.attribute(person, "died_on", event["date"], said, quotes, day)
    elif event["what"] == "resigned":
        on = "on" if "," in event["date"] else "in"
        said = f"{name} resigned {on} {event['date']}."
        memory.attribute(person, "resigned_on", event["date"], said, quotes, day)
    else:
        said = f"{name}'s seat fell vacant by {event['how']}."
        memory.attribute(person, "seat_vacated_by", event["how"], said, quotes)


def find_person(memory: Memory, identity: str | None, name: str | None) -> str:
    """Return the key of one of the people, or of somebody only a note knows."""
    if identity:
        return f"person:{identity}"
    key = f"other:{name}"
    if key not in memory.entities:
        memory.entity(key, name or "", "person", [])
    return key
