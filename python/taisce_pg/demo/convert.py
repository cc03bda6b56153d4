"""Turn the published files of congress-legislators into the compact data of the demo.

Run once for each edition of the data (extra `demo-data`):

    python -m taisce_pg.demo.convert FOLDER --commit dfa9622 --date 2026-06-15

What is kept, and what was left out and why, is written down in data/ORIGIN.md.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]

from taisce_pg.demo.wording import MONTHS

DATA = Path(__file__).parent / "data"

# Notes are keyed to people by their place on a page, and the key is sometimes one line off.
# These were read by hand. A note in WITHOUT_ITEM is filed under somebody else's name: its
# text is true and is kept, the name above it is not.
WITHOUT_ITEM = {1049, 4049, 4499, 4685, 4765, 5095}
# A note in OTHER_PERSON only seems to name one of our people.
OTHER_PERSON = {95, 157, 939, 2608, 3311, 3373, 4189, 4684, 4974, 5182}
# Where two notes were printed as one, the part (from 0) that belongs to the name above.
PART = {2004: 1, 2117: 1}

VACANCY = re.compile(
    r"\b(died|death|resign|vacancy|vacant|became President|contested the election of)", re.I
)
DATE = rf"(?:{'|'.join(MONTHS)}) \d{{1,2}}, \d{{4}}"
WORD = rf"(?!(?:{'|'.join(MONTHS)})\b)[A-Z][\w’'-]*"
NAME = rf"({WORD}(?:\.? {WORD})*(?:, Jr\.)?)"
SAT = re.compile(
    rf"(?:took (?:his|her) seat|became a member of the House|began service)(?: on)? ({DATE})"
)
FILLED = re.compile(
    r"(?:vacancy|vacancy in the term beginning [A-Z]\w+ \d+, \d{4},) caused by (?:the )?"
    r"(?:announced )?(?P<how>death|resignation|incapacitating illness) of "
    r"(?:(?:his|her) (?:father|brother|husband) |Representative-elect )?" + NAME
)


def main() -> None:
    """Read the published files and write the compact ones beside this module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, help="folder of the published files")
    parser.add_argument("--commit", required=True, help="commit of the published files")
    parser.add_argument("--date", required=True, help="date of that commit, YYYY-MM-DD")
    parser.add_argument("--out", type=Path, default=DATA)
    arguments = parser.parse_args()
    people = list(read_people(arguments.folder))
    committees = list(read_committees(arguments.folder))
    notes = list(read_notes(arguments.folder, people))
    meta = {
        "origin": "unitedstates/congress-legislators",
        "commit": arguments.commit,
        "date": arguments.date,
        "licence": "CC0 1.0",
        "people": len(people),
        "committees": sum(1 + len(committee["subs"]) for committee in committees),
        "notes": len(notes),
    }
    arguments.out.mkdir(parents=True, exist_ok=True)
    (arguments.out / "meta.json").write_text(json.dumps(meta, indent=1) + "\n", encoding="utf-8")
    for name, rows in (("people", people), ("committees", committees), ("notes", notes)):
        write_rows(arguments.out / f"{name}.jsonl.gz", rows)


def write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    """Write one JSON object a line, compressed, with no clock in the file."""
    text = "".join(
        json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows
    )
    with path.open("wb") as raw, gzip.GzipFile("", "wb", 9, raw, mtime=0) as out:
        out.write(text.encode())


def read_people(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield legislators, then presidents and vice-presidents, each with all terms."""
    for kind, file in (("legislator", "legislators-current"), ("executive", "executive")):
        for person in load_yaml(folder / f"{file}.yaml"):
            ids, name, bio = person["id"], person["name"], person["bio"]
            row: dict[str, Any] = {
                "id": ids.get("bioguide") or f"G{ids['govtrack']}",
                "kind": kind,
                "first": name["first"],
                "last": name["last"],
            }
            optional = {
                "middle": name.get("middle"),
                "suffix": name.get("suffix"),
                "nickname": name.get("nickname"),
                "official": name.get("official_full"),
                "usual": re.sub(r" \(.*", "", ids.get("wikipedia") or ""),
            }
            row.update({key: value for key, value in optional.items() if value})
            row["born"] = str(bio["birthday"])
            row["terms"] = [read_term(term) for term in person["terms"]]
            if person.get("leadership_roles"):
                row["roles"] = [
                    [role["title"], str(role["start"]), str(role["end"]) if "end" in role else None]
                    for role in person["leadership_roles"]
                ]
            if person.get("family"):
                row["family"] = [[one["name"].strip(), one["relation"]] for one in person["family"]]
            yield row


def read_term(term: dict[str, Any]) -> dict[str, Any]:
    """Keep kind, dates, seat, party and how the seat was come by; drop addresses and links."""
    row = {"type": term["type"], "start": str(term["start"]), "end": str(term["end"])}
    for key in ("state", "district", "class", "party", "caucus", "how"):
        if term.get(key) is not None:
            row[key] = term[key]
    if term.get("party_affiliations"):
        row["parties"] = [
            [one["party"], str(one["start"]), str(one["end"])] for one in term["party_affiliations"]
        ]
    return row


def read_committees(folder: Path) -> Iterator[dict[str, Any]]:
    """Yield committees of today, their subcommittees and who sits on each."""
    seats = load_yaml(folder / "committee-membership-current.yaml")
    for committee in load_yaml(folder / "committees-current.yaml"):
        row: dict[str, Any] = {
            "id": committee["thomas_id"],
            "type": committee["type"],
            "name": committee["name"],
        }
        if committee.get("jurisdiction"):
            row["jurisdiction"] = " ".join(committee["jurisdiction"].split())
        row["subs"] = [
            [committee["thomas_id"] + sub["thomas_id"], sub["name"]]
            for sub in committee.get("subcommittees", [])
        ]
        ids = [row["id"], *(sub[0] for sub in row["subs"])]
        row["seats"] = {
            one: [
                [seat["bioguide"], seat["party"], seat["rank"], seat.get("title")]
                for seat in seats.get(one, [])
            ]
            for one in ids
        }
        yield row


def read_notes(folder: Path, people: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the notes of deaths, resignations and vacancies that name one of the people."""
    seen = set()
    for place, number, text in split_notes(folder):
        parts = re.split(r"\s\d{1,2}(?=[A-Z][a-z]+(?:ed|d)\b)", text)
        text = parts[PART.get(number, 0)].strip()
        item = None if number in WITHOUT_ITEM else place["item"]
        if number in OTHER_PERSON or number in seen or not VACANCY.search(text):
            continue
        who = find_people(item or "", people, place["years"])
        events = list(read_events(text, item, who, people, place["years"]))
        if events:
            seen.add(number)
            yield {"number": number, **place, "item": item, "text": text, "events": events}


def split_notes(folder: Path) -> Iterator[tuple[dict[str, Any], int, str]]:
    """Yield (place, number, text) of every printed note, brackets and page marks removed."""
    file = folder / "biographical-directory-footnotes.json"
    for congress in json.loads(file.read_text(encoding="utf-8")):
        years = [int(year) for year in re.findall(r"\b(?:1[78]|19|20)\d\d\b", congress["date"])]
        ordinal = re.sub(r"^\d+", "", congress["congress"].split("\n")[-1].strip())
        for session in congress["sessions"]:
            for state in session["states"]:
                for chamber in state["chambers"]:
                    for note in chamber["notes"]:
                        place = {
                            "congress": ordinal.title(),
                            "years": years,
                            "state": (state["state"] or "").title() or None,
                            "item": tidy_item(note["item"]),
                        }
                        for number, text in re.findall(
                            r"\[(\d+):\s+(.*?)\s*\](?=\[\d+:|$)", note["note"].strip()
                        ):
                            text = re.sub(r"\s*\[ \d+ \]", "", text)
                            yield place, int(number), " ".join(text.split())


def tidy_item(item: str) -> str:
    """Return the name and place a note is filed under, without marks of the print."""
    item = item.split("—")[-1].strip(" ;.")
    item = re.sub(r"^REPRESENTATIVE AT LARGE ", "", item)
    item = re.sub(r",(\d+) ", ", ", item)
    name, comma, rest = item.partition(", ")
    if name.isupper():
        name = name.title().replace(" Of The ", " of the ")
    return name + comma + rest


def read_events(
    text: str,
    item: str | None,
    who: list[str],
    people: list[dict[str, Any]],
    years: list[int],
) -> Iterator[dict[str, Any]]:
    """Yield what a note says: died, resigned, succeeded, or a seat left vacant."""
    if who:
        if found := re.search(rf"\bDied ({DATE})", text):
            yield {"what": "died", "who": who[0], "date": found[1], "quote": found[0]}
        month = rf"(?:{'|'.join(MONTHS)}) \d{{4}}"
        if found := re.search(
            rf"\b[Rr]esigned(?:,? effective| in)? ({DATE}|{month})|\bResigned, effective ({DATE})",
            text,
        ):
            date = found[1] or found[2]
            yield {"what": "resigned", "who": who[0], "date": date, "quote": found[0]}
    named = re.split(r", (?!Jr\.)", item)[0] if item else None
    taken = re.findall(DATE, text)
    sat = SAT.search(text)
    date = sat[1] if sat else taken[0] if taken else None
    if found := re.search(rf"(?:Hubert H\. Humphrey) died ({DATE})", text):
        yield {"what": "died", "who": "H000953", "date": found[1], "quote": found[0]}
    if found := re.search(rf"became President (?:up)?on the resignation of {NAME}, ({DATE})", text):
        for other in find_people(found[1], people, years):
            yield {"what": "resigned", "who": other, "date": found[2], "quote": found[0]}
    if found := re.search(
        rf"(?:(?:Vice President )?{NAME} )?[Bb]ecame President (?:up)?on the death of {NAME}"
        rf"(?:,? ({DATE}))?",
        text,
    ):
        first = find_people(found[1], people, years) if found[1] else who
        for other in find_people(found[2], people, years):
            if first:
                yield {
                    "what": "succeeded", "who": first[0], "whom": other, "quote": found[0],
                    "date": found[3],
                }  # fmt: skip
    for found in FILLED.finditer(text):
        gone = found[2].rstrip(",")
        others = find_people(gone, people, years)
        if not (others or who):
            continue
        if named is None:
            for other in others:
                yield {"what": "vacated", "who": other, "how": found["how"], "quote": found[0]}
            continue
        yield {
            "what": "succeeded", "who": who[0] if who else None, "name": named,
            "whom": others[0] if others else None, "whom_name": gone,
            "date": date, "quote": found[0],
        }  # fmt: skip
        break
    if found := re.search(rf"[Ss]uccessfully contested the election of {NAME}", text):
        others = find_people(found[1], people, years)
        if (others or who) and named and "unsuccessfully" not in text:
            yield {
                "what": "succeeded", "who": who[0] if who else None, "name": named,
                "whom": others[0] if others else None, "whom_name": found[1],
                "date": date, "quote": found[0],
            }  # fmt: skip
    if (found := re.search(rf"vacancy when Vice President {NAME} assumed", text)) and who:
        for other in find_people(found[1], people, years):
            yield {
                "what": "succeeded", "who": who[0], "whom": other, "date": date, "quote": found[0]
            }  # fmt: skip


def find_people(text: str, people: list[dict[str, Any]], years: list[int]) -> list[str]:
    """Return the ids of our people whose first, middle or usual name and last name stand there."""
    plain, found = fold(text), []
    for person in people:
        if not years or not plausible(person, years):
            continue
        firsts = {fold(person["first"]), fold(person.get("nickname", "")), "j. danforth"}
        firsts.add(fold(person.get("usual", "").split(" ")[0]))
        last = re.escape(fold(person["last"]))
        for match in re.finditer(rf"\b([a-z.]+(?: [a-z.]+)*) {last}\b(,? jr\.)?", plain):
            words = match[1].split()
            middle = [word.rstrip(".") for word in words[1:]]
            known = fold(person.get("middle", "")).replace(".", "").split()
            if words[0] not in firsts and not (len(words) > 1 and match[1] in firsts):
                continue
            if match[2] and not person.get("suffix"):
                continue
            if match[1] in firsts or all(
                any(one.startswith(word) for one in known) for word in middle
            ):
                found.append(person["id"])
                break
    return found


def plausible(person: dict[str, Any], years: list[int]) -> bool:
    """Say whether somebody of that birthday could be in a Congress of those years."""
    if person["kind"] == "legislator":
        return max(years) >= int(person["terms"][0]["start"][:4]) - 1
    return 21 <= min(years) - int(person["born"][:4]) <= 90


def fold(text: str) -> str:
    """Return a name in lower case without accents, for finding people in notes."""
    parts = unicodedata.normalize("NFD", text)
    return "".join(char for char in parts if not unicodedata.combining(char)).lower()


def load_yaml(path: Path) -> Any:
    """Load one YAML file, with the C parser if PyYAML was built with it."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    with path.open(encoding="utf-8") as file:
        return yaml.load(file, Loader=loader)


if __name__ == "__main__":
    main()
