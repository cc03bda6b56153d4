"""What is written by functions against the brute-force model, read between the writes.

A failure names its seed; `TAISCE_MODEL_SEED=n` runs that memory alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from random import Random
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.database.reading.test_recall_model import Loaded, ask
from tests.model.compare import RealIds
from tests.model.questions import make_controls, make_question
from tests.model.rows import Line, ModelError
from tests.model.strategies import Maker, Shape
from tests.model.writing import Undo, correct, merge, unmerge
from tests.support.databases import Database
from tests.support.sizes import size
from tests.support.writing import Conn, Writer

CASES = int(os.environ.get("TAISCE_MODEL_CASES") or size(10, 150))
ONLY = os.environ.get("TAISCE_MODEL_SEED")
BLOCKS = 2
SHAPE = Shape(versions=False, retention=False)
ASSERTED = (
    "subject",
    "predicate",
    "object",
    "value",
    "statement",
    "evidence",
    "valid_from",
    "valid_until",
    "confidence",
    "cardinality",
    "on_conflict",
)
OBSERVED = ("messages", "kind", "data_subject_id", "occurred_at")


class Teller(Maker):
    """Draws a memory, and tells every line to the database by its function first."""

    def __init__(self, rng: Random, writer: Writer) -> None:
        super().__init__(rng, datetime.now(UTC), SHAPE)
        self.writer = writer
        self.facts: dict[str, Any] = {}
        self.merges: list[tuple[Any, Undo]] = []
        self.known: list[datetime] = []
        self.disagreements: list[str] = []
        self.corrected: str | None = None

    def add(self, line: Line) -> bool:
        """Tell a line to both; they must agree on whether it changes anything."""
        stamped = dict(line)
        refusal: str | None = None
        try:
            if not self.tell(line, stamped):
                refusal = "nothing to do"
        except psycopg.Error as error:
            refusal = f"{error.sqlstate} {error.diag.message_detail}"
            if not refusal.startswith("TS"):
                raise
        objection: str | None = None
        try:
            self.model(line, stamped)
        except ModelError as error:
            objection = f"{error.code} {error}"
        if (refusal is None) != (objection is None) or (
            refusal and objection and (refusal[:5] == "TS006") != (objection[:5] == "TS006")
        ):
            self.disagreements.append(f"{line}: database {refusal}, model {objection}")
        if refusal is None and objection is None:
            self.case.lines.append(line)
            return True
        return False

    def tell(self, line: Line, stamped: Line) -> bool:
        """Write a line by its function; `stamped` gets the stamp that the database gave."""
        writer, kind = self.writer, line["type"]
        if kind == "observation":
            values = {name: line[name] for name in OBSERVED if name in line}
            row = writer.do("observe", **values, idempotency_key=line["key"])
            if line.get("formed", True):
                writer.do("mark_formed", observation_id=row["observation_id"])
        elif kind == "fact":
            values = {name: line[name] for name in ASSERTED if line.get(name) is not None}
            if self.corrected:
                row = writer.do("correct_fact", fact_id=self.facts[self.corrected], **values)
            else:
                row = writer.do("assert_fact", **values)
            self.facts[line["key"]] = row["fact_id"]
            linked = writer.value(
                "select max(linked_at) from taisce.fact_evidence where fact_id = %s"
                " and project_id = (select project_id from taisce.project where name = %s)",
                row["fact_id"],
                writer.project,
            )
            stamped["known_from"] = linked.isoformat()
            self.known.append(linked)
        elif kind == "retract":
            row = writer.do("retract_fact", fact_id=self.facts[line["fact"]])
            stamped["at"] = row["retracted_at"].isoformat()
            self.known.append(row["retracted_at"])
            return not row["repeated"]
        elif kind == "contradiction":
            writer.do("mark_contradiction", fact_ids=[self.facts[key] for key in line["facts"]])
        elif kind == "merge":
            row = writer.do("merge_entities", absorbed=line["absorbed"], survivor=line["survivor"])
            stamped["merge_id"] = row["merge_id"]
            return not row["repeated"]
        else:
            load_lines(writer.conn, writer.project, [json.dumps(line)], name="model")
        return True

    def model(self, line: Line, stamped: Line) -> None:
        if line["type"] == "merge":
            undo = merge(self.memory, line)
            self.merges.append((stamped["merge_id"], undo))
        elif line["type"] == "fact" and self.corrected:
            stamp = datetime.fromisoformat(
                stamped.get("known_from") or datetime.now(UTC).isoformat()
            )
            correct(self.memory, self.corrected, line, stamp)
        else:
            self.memory.apply(stamped)

    def correction(self) -> None:
        if self.facts:
            self.corrected = self.rng.choice(list(self.facts))
            self.fact()
            self.corrected = None

    def retraction(self) -> None:
        if self.facts:
            self.add({"type": "retract", "fact": self.rng.choice(list(self.facts))})

    def contradiction(self) -> None:
        keys = list({fact_id: key for key, fact_id in self.facts.items()}.values())
        if len(keys) > 1:
            self.add({"type": "contradiction", "facts": self.rng.sample(keys, 2)})

    def merging(self) -> None:
        line: Line = {"type": "merge"}
        for side in ("absorbed", "survivor"):
            line[side] = self.reference(self.entity())
        self.add(line)

    def unmerging(self) -> None:
        if self.merges:
            merge_id, undo = self.merges.pop()
            self.writer.do("unmerge", merge_id=merge_id)
            unmerge(self.memory, undo)

    def blocks(self) -> None:
        """Make blocks for past reads, small ones; what is written later has to widen them."""
        self.writer.rows(
            "select taisce.build_blocks(project_id, 1, 2) from taisce.project where name = %s",
            self.writer.project,
        )

    def real(self) -> Loaded:
        """Read the ids of what is stored."""
        project = self.writer.project
        of = "where project_id = (select project_id from taisce.project where name = %s)"
        facts = self.writer.rows(f"select statement, fact_id::text from taisce.fact {of}", project)
        entities = self.writer.rows(
            "select identity_kind, coalesce(speaker_subject_id, canonical_name), entity_id::text"
            f" from taisce.entity {of}",
            project,
        )
        observations = self.writer.rows(
            "select log_offset, observation_id::text, ingested_at from taisce.observation"
            f" {of} and not erased",
            project,
        )
        ids = RealIds(
            facts=dict(facts),
            entities={(kind, name): found for kind, name, found in entities},
            observations={offset: found for offset, found, _ in observations},
        )
        taken_in = {offset: taken for offset, _, taken in observations}
        return Loaded(project, self.case, self.memory, ids, self.known, taken_in)


def story(conn: Conn, seed: int, project: str) -> list[str]:
    """Write and read in turn; returns where the database and the model differ."""
    rng = Random(seed)
    teller = Teller(rng, Writer(conn, project))
    teller.opening()
    teller.observation(1, role="user")
    for _ in range(rng.randint(1, 5)):
        teller.observation(rng.choice((1, 1, 2, 3)))
    acts = [teller.fact] * 6 + [teller.story] * 2
    acts += [teller.correction] * 2 + [teller.retraction, teller.contradiction]
    acts += [teller.merging, teller.merging, teller.unmerging, teller.unmerging, teller.again]
    for _ in range(rng.randint(3, 8)):
        for act in rng.choices(acts, k=3):
            act()
        if teller.disagreements:
            return [f"seed {seed}: {one}" for one in teller.disagreements]
        if not teller.known:
            continue
        if rng.random() < 0.4:
            teller.blocks()
        loaded = teller.real()
        question = make_question(rng, loaded.case)
        controls = make_controls(rng, loaded.case, loaded.known)
        found = ask(conn, loaded, question, controls)
        if found:
            return [f"seed {seed}: {question!r} {controls!r}", *found[:12]]
    return []


@pytest.fixture
def conn(module_database: Database) -> Iterator[Conn]:
    with module_database.connect() as made:
        yield made


@pytest.mark.parametrize("block", range(BLOCKS))
def test_what_is_written_by_functions_equals_the_model(conn: Conn, block: int) -> None:
    seeds = [int(ONLY)] if ONLY else range(block, CASES, BLOCKS)
    failures: list[str] = []
    for seed in seeds:
        found = story(conn, seed, f"w{block}-{seed}")
        failures += ["\n  ".join(found)] if found else []
        if len(failures) == 5:
            break
    assert not failures, "\n\n".join(failures)
