"""Committees of today: what they are for, and who sits on them."""

from __future__ import annotations

from typing import Any

from taisce_pg.demo.memory import Memory
from taisce_pg.demo.wording import (
    HOUSE,
    SENATE,
    committee_names,
    distinct,
    first_sentence,
    long_date,
    ordinal,
)

CHAIRS = {"Chairman", "Chair", "Chairwoman", "Cochairman"}
ROLES = {
    "Ranking Member": "ranking_member_of",
    "Vice Chair": "vice_chairs",
    "Vice Chairman": "vice_chairs",
    "Vice Chairwoman": "vice_chairs",
}
OF = {"house": [HOUSE], "senate": [SENATE], "joint": [HOUSE, SENATE]}


def add_committees(memory: Memory, committees: list[dict[str, Any]], people: set[str]) -> None:
    """Record every committee and subcommittee with its seats on the day of the data."""
    named = [entry for committee in committees for entry in committee_names(committee)]
    topics = [alias for _, _, aliases in named for alias in aliases]
    for committee in committees:
        for key, name, aliases in committee_names(committee):
            kind = "committee" if key == committee["id"] else "subcommittee"
            # A topic that two chambers share would drag the other chamber's into each question.
            own = [alias for alias in aliases if topics.count(alias) == 1]
            memory.entity(f"committee:{key}", name, kind, distinct(own, name))
    for committee in committees:
        for key, name, _ in committee_names(committee):
            add_committee(memory, committee, key, name, people)


def add_committee(
    memory: Memory, committee: dict[str, Any], key: str, name: str, people: set[str]
) -> None:
    """Record one committee as a paragraph: what it is, what it deals with, who sits on it."""
    entity, whole = f"committee:{key}", committee["name"]
    if key == committee["id"]:
        chambers = OF[committee["type"]]
        first = f"The {name} is a committee of the {' and the '.join(chambers)}."
    else:
        first = f"The {name} is a subcommittee of the {whole}."
    sentences = [first]
    remit = committee.get("jurisdiction") if key == committee["id"] else None
    if remit:
        sentences.append(remit)
    seats = [seat for seat in committee["seats"][key] if seat[0] in people]
    if seats:
        sentences.append(f"These have a seat on {long_date(memory.told_on)}.")
    spoken = [
        speak(memory.entities[f"person:{seat[0]}"]["name"], name, *seat[1:]) for seat in seats
    ]
    sentences += [words[-1] for words in spoken]
    document = memory.document(entity, name, " ".join(sentences), key)
    if key == committee["id"]:
        for chamber in chambers:
            memory.relation(
                entity, "committee_of", f"chamber:{chamber}",
                f"The {name} is a committee of the {chamber}.", [(document, first)],
            )  # fmt: skip
    else:
        memory.relation(
            entity, "subcommittee_of", f"committee:{committee['id']}", first, [(document, first)]
        )
    if remit:
        sentence = first_sentence(remit)
        memory.attribute(entity, "jurisdiction", None, sentence, [(document, sentence)])
    chairs = sum(seat[3] in CHAIRS for seat in seats)
    for (member, _, _, title), words in zip(seats, spoken, strict=True):
        add_seat(memory, member, entity, title, document, words, chairs == 1)


def speak(
    member: str, committee: str, side: str, rank: int, title: str | None
) -> tuple[str, str, str]:
    """Return the words for a seat, those for the office held there, and the sentence of both."""
    sits = "sits ex officio on" if title == "Ex Officio" else "sits on"
    about = f"{member} {sits} the {committee}"
    office = f"{about} as {title}" if title and title != "Ex Officio" else about
    return about, office, f"{office} ({ordinal(rank)} of the {side})."


def add_seat(
    memory: Memory, member: str, committee: str, title: str | None, document: str,
    words: tuple[str, str, str], alone: bool,
) -> None:  # fmt: skip
    """Hold a seat, and the office that goes with it, from the day of the data on."""
    about, office, _ = words
    person, day = f"person:{member}", memory.told_on
    name, thing = memory.entities[person]["name"], memory.entities[committee]["name"]
    memory.relation(person, "sits_on", committee, f"{about}.", [(document, about)], day)
    quotes = [(document, office)]
    if title in CHAIRS:
        memory.relation(person, "chairs", committee, f"{name} chairs the {thing}.", quotes, day)
        if alone:
            memory.relation(
                committee, "chaired_by", person, f"The {thing} is chaired by {name}.", quotes, day
            )
    elif title in ROLES:
        predicate = ROLES[title]
        how = "is the ranking member of" if predicate == "ranking_member_of" else "is vice chair of"
        memory.relation(person, predicate, committee, f"{name} {how} the {thing}.", quotes, day)
