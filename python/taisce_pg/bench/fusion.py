"""Words, vectors and both together, asked the same questions; and which weight vectors deserve."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString

import psycopg

from taisce_pg.embed.fill import Filler
from taisce_pg.embed.port import Embedder, identity_of

SPACES = ("message", "claim", "fact")
CUTS = (5, 10, 20)
_RESAMPLES = 1_000
_BY_VECTORS: LiteralString = (
    "select passage_id from memory_v1.semantic_passages(k => 50, project => %(project)s, "
    "query_embedding => %(vector)s, embedding_model => %(model)s)"
)
_FUSED: LiteralString = (
    "select passage_id from memory_v1.testimony_context(query => %(question)s, "
    "project => %(project)s, k => 50, query_embedding => %(vector)s, "
    "embedding_model => %(model)s) where grain = 'passage'"
)
_SEARCHED: LiteralString = (
    "select passage_id from memory_v1.passage_search(%(question)s, max_rows => 32, "
    "project => %(project)s, query_embedding => %(vector)s, embedding_model => %(model)s)"
)
_EVIDENCE_BY_VECTORS: LiteralString = (
    "select m.passage_id from memory_v1.semantic_facts(k => 50, project => %(project)s, "
    "query_embedding => %(vector)s, embedding_model => %(model)s) with ordinality as f "
    "join taisce.project as p on p.name = %(project)s "
    "join taisce.fact_evidence as v on v.project_id = p.project_id and v.fact_id = f.fact_id "
    "join taisce.message as m on m.project_id = p.project_id "
    "and m.observation_id = v.observation_id and m.ordinal = v.ordinal "
    "where v.stance = 'supports' order by f.ordinality, v.log_offset, v.ordinal"
)
_EVIDENCE_FUSED: LiteralString = (
    "select (e ->> 'passage_id')::uuid from memory_v1.fact_context(query => %(question)s, "
    "project => %(project)s, k => 30, query_embedding => %(vector)s, "
    "embedding_model => %(model)s) with ordinality as f, "
    "jsonb_array_elements(f.evidence) with ordinality as e (e, place) "
    "order by f.ordinality, e.place"
)
_CLAIMS_BY_VECTORS: LiteralString = (
    "select passage_id from memory_v1.semantic_claims(k => 50, project => %(project)s, "
    "query_embedding => %(vector)s, embedding_model => %(model)s)"
)
_CLAIMS_FUSED: LiteralString = (
    "select passage_id from memory_v1.testimony_context(query => %(question)s, "
    "project => %(project)s, k => 50, query_embedding => %(vector)s, "
    "embedding_model => %(model)s) where grain = 'claim'"
)
WAYS: dict[str, LiteralString] = {
    "vectors passages": _BY_VECTORS,
    "fused passages": _FUSED,
    "searched passages": _SEARCHED,
    "vectors evidence": _EVIDENCE_BY_VECTORS,
    "fused evidence": _EVIDENCE_FUSED,
    "vectors claims": _CLAIMS_BY_VECTORS,
    "fused claims": _CLAIMS_FUSED,
}
BESIDE = {
    "fused passages": "testimony passages",
    "fused evidence": "fact evidence",
    "fused claims": "testimony claims",
}
"""A way with vectors, and the same without."""
WEIGHTS = {
    "fused passages": "passage_weight_vectors",
    "fused evidence": "fact_weight_vectors",
    "fused claims": "claim_weight_vectors",
}
"""A way with vectors, and the setting of how much they weigh in it."""

Ranking = list[str]
Asked = Callable[[Any], Ranking]
Recall = Callable[[Any, Ranking, int], float]


@dataclass(frozen=True)
class Gain:
    """How far recall lies above the same without vectors: mean, and 95 % of paired resamples."""

    way: str
    category: str
    cut: int
    mean: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "way": self.way,
            "beside": BESIDE[self.way],
            "category": self.category,
            "cut": self.cut,
            "mean": round(self.mean, 4),
            "low": round(self.low, 4),
            "high": round(self.high, 4),
        }


@dataclass(frozen=True)
class Choice:
    """The weight that is chosen on all projects but one, and what it then gives on that one.

    Each recall is the mean of R@5, R@10 and R@20.
    """

    way: str
    left_out: str
    weight: float
    words: float
    fused: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "way": self.way,
            "left_out": self.left_out,
            "weight": self.weight,
            "words": round(self.words, 4),
            "fused": round(self.fused, 4),
        }


class Fusion:
    """The memories of a measurement with vectors of one embedder."""

    def __init__(self, conn: psycopg.Connection[Any], embedder: Embedder) -> None:
        """Take a superuser's connection, in autocommit."""
        self._conn = conn
        self._embedder = embedder
        self._vectors: dict[str, str] = {}

    def fill(self, projects: Sequence[str], texts: Sequence[str]) -> None:
        """Embed the memories, and the questions: each once."""
        for project in projects:
            filler = Filler(self._conn, self._embedder, project)
            for space in SPACES:
                filler.fill(space)
        wanted = list(dict.fromkeys(texts))
        for text, vector in zip(wanted, self._embedder.embed(wanted, question=True), strict=True):
            self._vectors[text] = "[" + ",".join(map(repr, vector)) + "]"

    def ways(self) -> dict[str, Asked]:
        """Return the ways to ask with vectors, each a ranking of passages."""
        return {way: self._asks(statement) for way, statement in WAYS.items()}

    def _asks(self, statement: LiteralString) -> Asked:
        def rank(question: Any) -> Ranking:
            values = {
                "question": question.text,
                "project": question.project,
                "vector": self._vectors[question.text],
                "model": identity_of(self._embedder),
            }
            return list(dict.fromkeys(str(row[0]) for row in self._conn.execute(statement, values)))

        return rank

    def choose(
        self,
        questions: Sequence[Any],
        main: frozenset[str],
        found: Mapping[str, Sequence[Ranking]],
        weights: Sequence[float],
        recall: Recall,
        say: Callable[[str], None],
    ) -> list[Choice]:
        """Try weights, and choose for each project the one that `best_weight` takes on the others.

        The settings are left as they were.
        """
        made = []
        for way, setting in WEIGHTS.items():
            asked: dict[float, list[float]] = {}
            before = self._setting(setting)
            try:
                for weight in weights:
                    say(f"asking {len(questions)} questions: {way}, weight {weight:g}")
                    self._set(setting, str(weight))
                    rank = self._asks(WAYS[way])
                    asked[weight] = [_mean(recall, one, rank(one)) for one in questions]
            finally:
                self._set(setting, before)
            words = [
                _mean(recall, one, ranking)
                for one, ranking in zip(questions, found[BESIDE[way]], strict=True)
            ]
            for project in sorted({one.project for one in questions}):
                others = [n for n, one in enumerate(questions) if one.project != project]
                inside = [
                    n
                    for n, one in enumerate(questions)
                    if one.project == project and one.category in main
                ]
                best = best_weight([one.category for one in questions], main, words, asked, others)
                fused = asked.get(best, words)
                made.append(Choice(way, project, best, _over(words, inside), _over(fused, inside)))
        return made

    def _setting(self, name: str) -> str:
        row = self._conn.execute(
            "select value from taisce.setting where name = %s", (name,)
        ).fetchone()
        assert row is not None
        return str(row[0])

    def _set(self, name: str, value: str) -> None:
        self._conn.execute("update taisce.setting set value = %s where name = %s", (value, name))


def best_weight(
    categories: Sequence[str],
    main: frozenset[str],
    words: Sequence[float],
    asked: Mapping[float, Sequence[float]],
    places: Sequence[int],
) -> float:
    """Return the weight with the most recall over the classes that count; 0 if none may be taken.

    One that loses to words on any class may not. `places` are the questions that are looked at.
    """
    by_class = [
        [n for n in places if categories[n] == category] for category in sorted(set(categories))
    ]
    counted = [n for n in places if categories[n] in main]
    taken = [
        weight
        for weight, worth in asked.items()
        if all(_over(worth, of) >= _over(words, of) for of in by_class)
    ]
    return max(taken, key=lambda weight: (_over(asked[weight], counted), -weight), default=0.0)


def gains(
    questions: Sequence[Any],
    classes: Sequence[tuple[str, frozenset[str]]],
    found: Mapping[str, Sequence[Ranking]],
    recall: Recall,
) -> list[Gain]:
    """Compare each way with vectors to the same without, question by question."""
    made = []
    for way, beside in BESIDE.items():
        for name, categories in classes:
            places = [n for n, one in enumerate(questions) if one.category in categories]
            for cut in CUTS:
                differences = [
                    recall(questions[n], found[way][n], cut)
                    - recall(questions[n], found[beside][n], cut)
                    for n in places
                ]
                made.append(Gain(way, name, cut, *interval(differences)))
    return made


def interval(differences: Sequence[float]) -> tuple[float, float, float]:
    """Return the mean, and between which bounds 95 % of the means of resamples lie."""
    if not differences:
        return 0.0, 0.0, 0.0
    draw = random.Random(1)
    count = len(differences)
    means = sorted(sum(draw.choices(differences, k=count)) / count for _ in range(_RESAMPLES))
    return sum(differences) / count, means[_RESAMPLES // 40], means[-_RESAMPLES // 40 - 1]


def _over(values: Sequence[float], places: Sequence[int]) -> float:
    return sum(values[n] for n in places) / max(len(places), 1)


def _mean(recall: Recall, question: Any, ranking: Ranking) -> float:
    return sum(recall(question, ranking, cut) for cut in CUTS) / len(CUTS)
