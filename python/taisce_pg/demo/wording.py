"""Names, dates and phrases of the demo: how a record reads as a sentence."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any

HOUSE = "House of Representatives"
SENATE = "United States Senate"
CHAMBER = {"rep": HOUSE, "sen": SENATE}
OFFICE = {
    "prez": "President of the United States",
    "viceprez": "Vice President of the United States",
}
PARTIES: dict[str, tuple[str, list[str]]] = {
    "Democrat": ("Democratic Party", ["Democrats", "Democrat"]),
    "Republican": ("Republican Party", ["Republicans", "Republican", "GOP"]),
    "Independent": ("Independents", ["Independent"]),
    "Federalist": ("Federalist Party", ["Federalists", "Federalist"]),
    "Democratic-Republican": (
        "Democratic-Republican Party",
        ["Democratic-Republicans", "Democratic-Republican"],
    ),
    "Whig": ("Whig Party", ["Whigs", "Whig"]),
}
HOW = {
    "appointment": "by appointment",
    "special-election": "after a special election",
    "election": "by election",
    "succession": "by succession",
}
# Washington the state is called so in full: the question "when was George Washington born"
# would otherwise name it too.
# fmt: off
STATES = {
    "AL": "Alabama", "AK": "Alaska", "AZ": "Arizona", "AR": "Arkansas", "CA": "California",
    "CO": "Colorado", "CT": "Connecticut", "DE": "Delaware", "FL": "Florida", "GA": "Georgia",
    "HI": "Hawaii", "ID": "Idaho", "IL": "Illinois", "IN": "Indiana", "IA": "Iowa",
    "KS": "Kansas", "KY": "Kentucky", "LA": "Louisiana", "ME": "Maine", "MD": "Maryland",
    "MA": "Massachusetts", "MI": "Michigan", "MN": "Minnesota", "MS": "Mississippi",
    "MO": "Missouri", "MT": "Montana", "NE": "Nebraska", "NV": "Nevada", "NH": "New Hampshire",
    "NJ": "New Jersey", "NM": "New Mexico", "NY": "New York", "NC": "North Carolina",
    "ND": "North Dakota", "OH": "Ohio", "OK": "Oklahoma", "OR": "Oregon", "PA": "Pennsylvania",
    "RI": "Rhode Island", "SC": "South Carolina", "SD": "South Dakota", "TN": "Tennessee",
    "TX": "Texas", "UT": "Utah", "VT": "Vermont", "VA": "Virginia", "WA": "Washington State",
    "WV": "West Virginia", "WI": "Wisconsin", "WY": "Wyoming",
}
MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)
# fmt: on
TERRITORIES = {
    "AS": "American Samoa",
    "DC": "the District of Columbia",
    "GU": "Guam",
    "MP": "the Northern Mariana Islands",
    "PR": "Puerto Rico",
    "VI": "the Virgin Islands",
}
# Usual names of people whose record has none and whose initials nobody uses.
USUAL = {
    "A000041": "John Quincy Adams",
    "H000279": "William Henry Harrison",
    "K000217": "William R. King",
    "G000074": "John Nance Garner",
    "F000260": "Gerald Ford",
    "N000116": "Richard Nixon",
    "M000851": "Walter Mondale",
    "A000059": "Spiro Agnew",
    "R000363": "Nelson Rockefeller",
}
USUAL_BY_NAME = {
    ("Ronald", "Reagan"): "Ronald Reagan",
    ("William", "Taft"): "William Howard Taft",
    ("Herbert", "Hoover"): "Herbert Hoover",
    ("Ulysses", "Grant"): "Ulysses S. Grant",
}


def usual_name(person: dict[str, Any]) -> str:
    """Return the name a person goes by: the canonical one in the demo."""
    known = USUAL.get(person["id"]) or USUAL_BY_NAME.get((person["first"], person["last"]))
    if known:
        return known
    if person.get("usual"):
        return str(person["usual"])
    if person.get("nickname") and person["kind"] == "executive":
        return f"{person['nickname']} {person['last']}"
    if person.get("middle") and person["kind"] == "executive":
        return f"{person['first']} {initials(person['middle'])} {person['last']}"
    return f"{plain_first(person)} {person['last']}"


def initials(middle: str) -> str:
    """Return the initials of middle names, as in "H. W."."""
    return " ".join(f"{name[0]}." for name in middle.split() if name[0].isupper())


def plain_first(person: dict[str, Any]) -> str:
    """Return the first name without a usual one in brackets behind it."""
    return re.sub(r" \(.*\)", "", person["first"])


def other_names(person: dict[str, Any]) -> list[str]:
    """Return the aliases of a person: official, first, middle and nicknames, titles, ASCII."""
    first, last = plain_first(person), person["last"]
    middle, suffix = person.get("middle"), person.get("suffix")
    names = [person.get("official")]
    # Nobody means John Quincy Adams by "John Adams".
    if len(first.rstrip(".")) > 1 and person["id"] != "A000041":
        names.append(f"{first} {last}")
    for short in (person.get("nickname"), *re.findall(r"\((.*)\)", person["first"])):
        if short:
            names.append(f"{short} {last}")
    if middle:
        names += [f"{first} {middle} {last}", f"{first} {initials(middle)} {last}"]
    if suffix:
        names += [f"{name} {suffix}" for name in names if name and suffix not in name]
    terms = person["terms"]
    if person["kind"] == "legislator":
        title = "Senator" if terms[-1]["type"] == "sen" else "Representative"
        if not (title == "Representative" and terms[-1]["state"] in TERRITORIES):
            names.append(f"{title} {last}")
    else:
        kinds = {term["type"] for term in terms}
        if "prez" in kinds:
            names.append(f"President {last}")
        if "viceprez" in kinds:
            names.append(f"Vice President {last}")
    return distinct(name for name in names if name)


def distinct(names: Iterable[str], but: str = "") -> list[str]:
    """Return names and their ASCII spellings, each once, without the one that is canonical."""
    found: dict[str, str] = {}
    for name in names:
        for spelling in (name, ascii_name(name)):
            found.setdefault(spelling.casefold(), spelling)
    found.pop(but.casefold(), None)
    return list(found.values())


def ascii_name(name: str) -> str:
    """Return a name without accents, which nobody types and nothing folds."""
    return "".join(
        char for char in unicodedata.normalize("NFD", name) if not unicodedata.combining(char)
    )


def long_date(day: str) -> str:
    """Write 2026-06-15 as June 15, 2026."""
    value = date.fromisoformat(day)
    return f"{MONTHS[value.month - 1]} {value.day}, {value.year:04d}"


def day_of(text: str | None) -> str | None:
    """Read "June 15, 2026" or "April 1798" as a day; the first of the month if no day is told."""
    if text is None:
        return None
    month, _, rest = text.partition(" ")
    day, _, year = rest.rpartition(", ")
    return f"{int(year):04d}-{MONTHS.index(month) + 1:02d}-{int(day or 1):02d}"


def ordinal(number: int) -> str:
    """Write 11 as 11th."""
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def seat_of(term: dict[str, Any]) -> tuple[str, str]:
    """Return key and phrase of what a term represents: a district, a state or a territory."""
    state = term["state"]
    if state in TERRITORIES:
        return f"state:{state}", TERRITORIES[state]
    if term["type"] == "sen":
        return f"state:{state}", STATES[state]
    number = "at-large" if term["district"] == 0 else ordinal(term["district"])
    key = f"district:{state}-{term['district'] or 'AL'}"
    return key, f"{STATES[state]}'s {number} congressional district"


def district_aliases(name: str, key: str) -> list[str]:
    """Return the short names of a district: CA-11, California's 11th district."""
    state, _, rest = name.partition("'s ")
    number = rest.removesuffix(" congressional district")
    return [
        key.removeprefix("district:"),
        f"{state}'s {number} district",
        f"{number} district of {state}",
    ]


def article(name: str) -> str:
    """Put the indefinite article before a name."""
    return f"{'an' if name[0] in 'AEIOU' else 'a'} {name}"


def committee_names(committee: dict[str, Any]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield (id, canonical name, aliases) of a committee and of each of its subcommittees."""
    name = committee["name"]
    found = re.match(
        r"(House|Senate) (?:Permanent Select |Select |Special )?Committee on (?:the )?(.*)", name
    )
    short, aliases = name, []
    if found:
        chamber, topic = found.groups()
        short = topic if topic.startswith(chamber) else f"{chamber} {topic}"
        aliases = [f"{short} Committee"]
    elif name.startswith("United States "):
        aliases = [name.removeprefix("United States ")]
    if "'" in name:
        aliases += [one.replace("'", "") for one in [name, *aliases]]
    yield committee["id"], name, aliases
    for key, sub in committee["subs"]:
        topic = re.sub(r"^The ", "the ", sub)
        if "Subcommittee" in sub:
            yield key, f"{short} {sub}", [sub]
        else:
            yield key, f"{short} Subcommittee on {topic}", [f"Subcommittee on {topic}"]


def first_sentence(text: str) -> str:
    """Return the first sentence of a text, its full stop included."""
    return re.split(r"(?<=[a-z)]\.)\s+(?=[A-Z])", text, maxsplit=1)[0]
