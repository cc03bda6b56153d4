"""The ground of the demo memory: its vocabulary, its places and offices, its own origin."""

from __future__ import annotations

from typing import Any

from taisce_pg.demo import source
from taisce_pg.demo.memory import Memory
from taisce_pg.demo.wording import (
    HOUSE,
    OFFICE,
    PARTIES,
    SENATE,
    STATES,
    TERRITORIES,
    distinct,
    district_aliases,
    long_date,
    seat_of,
)

VERSION_NAME = "taisce-pg demo memory"

PREDICATES = """
born_on one The day somebody was born.
died_on one The day somebody died.
represents many Somebody sits in Congress for a district, a state or a territory.
represented_by one Who sits in the House for a district or territory; the next one closes it.
serves_in many Somebody is a member of a chamber.
member_of_party one The party somebody stands for; another party closes it.
caucuses_with many An independent sits with the members of a party.
came_to_seat many How somebody came to a seat, if not by a general election.
held_office many Somebody held an office for one term.
held_by one Who holds an office; the next holder closes it.
succeeded many Somebody took an office or a seat over from somebody.
resigned_on many The day somebody resigned from a seat or an office.
seat_vacated_by many Why somebody's seat fell vacant.
sits_on many Somebody has a seat on a committee or subcommittee.
chairs many Somebody chairs a committee or subcommittee.
chaired_by one Who chairs a committee; the next one closes it.
vice_chairs many Somebody is vice chair of a committee.
ranking_member_of many Somebody leads the minority on a committee.
subcommittee_of one The committee a subcommittee belongs to.
committee_of many The chamber a committee belongs to.
jurisdiction one What a committee deals with.
in_state one The state a district lies in.
son_of many Family.
daughter_of many Family.
grandson_of many Family.
brother_of many Family.
sister_of many Family.
wife_of many Family.
relative_of many Family.
made_from one What this memory was made from.
data_version one The edition of this memory.
"""


def add_predicates(memory: Memory) -> None:
    """Declare the vocabulary."""
    for line in PREDICATES.strip().splitlines():
        name, cardinality, description = line.split(" ", 2)
        memory.predicate(name, cardinality, description)


def add_origin(memory: Memory, meta: dict[str, Any]) -> None:
    """Say in the memory itself where it comes from."""
    memory.entity("memory", VERSION_NAME, "memory", ["demo memory"])
    made = f"{meta['origin']}, commit {meta['commit']} of {long_date(meta['date'])}"
    said = f"The {VERSION_NAME} was made from the public records of {made}."
    text = f"{said} They are dedicated to the public domain ({meta['licence']})."
    document = memory.document("origin", "Origin", text, meta["origin"])
    memory.attribute("memory", "made_from", made, said, [(document, said)])


def add_edition(memory: Memory, meta: dict[str, Any]) -> None:
    """Say which edition it is: the last fact of all, so that it tells a complete memory."""
    said = f"The data version of the {VERSION_NAME} is {source.version()}."
    document = memory.document("edition", "Edition", said, meta["origin"])
    memory.attribute("memory", "data_version", source.version(), said, [(document, said)])


def add_places(memory: Memory, people: list[dict[str, Any]]) -> None:
    """Declare chambers, parties, states, territories and every district ever represented."""
    for name in (HOUSE, SENATE):
        bare = name.removeprefix("United States ")
        aliases = [f"US {bare}", f"U.S. {bare}", f"United States {bare}"]
        if name == HOUSE:
            aliases += ["US House", "U.S. House"]
        memory.entity(f"chamber:{name}", name, "chamber", distinct(aliases, name))
    for key, (name, aliases) in PARTIES.items():
        memory.entity(f"party:{key}", name, "party", aliases)
    for code, name in STATES.items():
        memory.entity(f"state:{code}", name, "state", [f"State of {name.removesuffix(' State')}"])
    for code, phrase in TERRITORIES.items():
        name = phrase.removeprefix("the ")
        aliases = ["Washington, D.C.", "Washington DC"] if code == "DC" else []
        memory.entity(f"state:{code}", name, "territory", aliases)
    seats = {seat_of(term) for one in people for term in one["terms"] if term["type"] == "rep"}
    for key, name in sorted(seats):
        if key.startswith("district:"):
            memory.entity(key, name, "district", district_aliases(name, key))
    for name in OFFICE.values():
        short = name.split(" of ")[0]
        memory.entity(f"office:{name}", name, "office", [f"US {short}", f"U.S. {short}"])
    titles = {role[0] for one in people for role in one.get("roles", [])}
    for title in sorted(titles):
        memory.entity(f"office:{title}", title, "office", [])
