"""How well questions find the messages that answer them, beside BM25 on the same messages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from taisce_pg.bench.fusion import Choice, Fusion, Gain, gains, interval
from taisce_pg.embed.port import Embedder
from taisce_pg.load.apply import load_lines
from taisce_pg.problem import Problem

CUTS = (5, 10, 20)
DEPTH = 50
CHARACTERS = 4_000
"""Budget of the share of questions whose whole gold fits it, in characters."""

_WORD = re.compile(r"\w+")
PASSAGES: LiteralString = (
    "select passage_id from memory_v1.testimony_context(query => %(question)s, "
    "project => %(project)s, k => 50) where grain = 'passage'"
)
_CLAIMS: LiteralString = (
    "select passage_id from memory_v1.testimony_context(query => %(question)s, "
    "project => %(project)s, k => 50) where grain = 'claim'"
)
_PASSAGES_BY_SEARCH: LiteralString = (
    "select passage_id from memory_v1.passage_search(%(question)s, max_rows => 32, "
    "project => %(project)s)"
)
_WORDS_ONLY: LiteralString = (
    "select passage_id from memory_v1.lexical_passages(%(question)s, 50, %(project)s)"
)
_EVIDENCE: LiteralString = (
    "select (e ->> 'passage_id')::uuid from memory_v1.fact_context(query => %(question)s, "
    "project => %(project)s, k => 30) with ordinality as f, "
    "jsonb_array_elements(f.evidence) with ordinality as e (e, place) "
    "order by f.ordinality, e.place"
)
_EVIDENCE_BY_FACTS: LiteralString = (
    "select m.passage_id from memory_v1.lexical_facts(%(question)s, 50, %(project)s) "
    "with ordinality as f "
    "join taisce.project as p on p.name = %(project)s "
    "join taisce.fact_evidence as v on v.project_id = p.project_id and v.fact_id = f.fact_id "
    "join taisce.message as m on m.project_id = p.project_id "
    "and m.observation_id = v.observation_id and m.ordinal = v.ordinal "
    "where v.stance = 'supports' order by f.ordinality, v.log_offset, v.ordinal"
)

Passage = str
Ranking = Callable[["Question"], list[Passage]]


@dataclass(frozen=True)
class Question:
    """One question: whose project, its class, and the passages that answer it."""

    project: str
    text: str
    category: str
    gold: frozenset[Passage]


@dataclass
class Tally:
    """Figures of one way to rank over one class of questions, each a mean from 0 to 1."""

    way: str
    category: str
    questions: int = 0
    recall: dict[int, float] = field(default_factory=dict)
    all_gold: float = 0.0
    fits: float = 0.0
    mrr: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON values."""
        return {
            "way": self.way,
            "category": self.category,
            "questions": self.questions,
            **{f"recall_at_{cut}": round(self.recall[cut], 4) for cut in CUTS},
            "all_gold_at_10": round(self.all_gold, 4),
            f"all_gold_in_{CHARACTERS}_characters": round(self.fits, 4),
            "mrr": round(self.mrr, 4),
        }


@dataclass
class Quality:
    """All figures, and how far R@10 lies above BM25: mean and the middle 95 % of resamples.

    With an embedder, also what its vectors add to words, and the weights that would be chosen.
    """

    tallies: list[Tally]
    gains: dict[str, tuple[float, float, float]]
    fusion: list[Gain] = field(default_factory=list)
    choices: list[Choice] = field(default_factory=list)


@dataclass
class Memory:
    """The passages of one loaded file, in the order told, and its facts."""

    texts: dict[Passage, str] = field(default_factory=dict)
    keys: dict[tuple[str, int], Passage] = field(default_factory=dict)
    facts: list[tuple[str, list[Passage]]] = field(default_factory=list)


def measure(
    conn: psycopg.Connection[Any],
    data: Path,
    say: Callable[[str], None] = lambda _: None,
    embedder: Embedder | None = None,
    weights: Sequence[float] = (),
) -> Quality:
    """Load the memories of `data` into projects of their own, ask, and compare.

    `data` is a folder with questions.jsonl and one NAME.ndjson of the load format for each
    project, or the file of questions beside those. A question is an object with project,
    question, category and gold: a list of [observation key, ordinal]. `conn` is a superuser's,
    in autocommit, on an empty installation. With an `embedder` the memories are embedded and asked
    by vectors and by both, too; `weights` of vectors are tried, each project left out in turn.

    Raises Problem if a file is missing or rank_bm25 is not installed.
    """
    questions, memories = load(conn, data, say)
    ways = _ways(conn, memories)
    fusion = None
    if embedder is not None:
        say(f"embedding with {embedder.model}")
        fusion = Fusion(conn, embedder)
        fusion.fill(list(memories), [question.text for question in questions])
        ways |= fusion.ways()
    found = {}
    for way, rank in ways.items():
        say(f"asking {len(questions)} questions: {way}")
        found[way] = [rank(question) for question in questions]
    sizes = {key: len(text) for memory in memories.values() for key, text in memory.texts.items()}
    tallies = [
        _tally(way, category, questions, rankings, sizes)
        for way, rankings in found.items()
        for category in _classes(questions)
    ]
    main = main_classes(questions)
    yardstick = {"passages": "BM25 of messages", "evidence": "BM25 of facts"}
    above = {
        way: _gain(questions, main, found[way], found[yardstick[way.split()[-1]]])
        for way in found
        if way.split()[-1] in yardstick
    }
    if fusion is None:
        return Quality(tallies, above)
    chosen = fusion.choose(questions, main, found, weights, recall, say) if weights else []
    return Quality(tallies, above, gains(questions, _classes(questions), found, recall), chosen)


def load(
    conn: psycopg.Connection[Any], data: Path, say: Callable[[str], None] = lambda _: None
) -> tuple[list[Question], dict[str, Memory]]:
    """Load the memories of `data`, each into a project of its own, and read its questions.

    Raises Problem if a file is missing or names a message that is not there.
    """
    file = data / "questions.jsonl" if data.is_dir() else data
    if not file.is_file():
        raise Problem(f"no questions: {file} is not there", exit_code=2)
    asked = [json.loads(line) for line in file.read_text().splitlines() if line.strip()]
    memories: dict[str, Memory] = {}
    for project in sorted({str(line["project"]) for line in asked}):
        source = file.parent / f"{project}.ndjson"
        if not source.is_file():
            raise Problem(f"no memory: {source} is not there", exit_code=2)
        say(f"loading {source.name}")
        with source.open("rb") as lines:
            load_lines(conn, project, lines, source.name)
        memories[project] = _read(conn, project)
    questions = [_question(line, memories) for line in asked if line["gold"]]
    return questions, memories


def _ways(conn: psycopg.Connection[Any], memories: dict[str, Memory]) -> dict[str, Ranking]:
    def asks(operation: str, statement: LiteralString, fallback: LiteralString) -> Ranking:
        row = conn.execute(
            "select exists (select from pg_proc where proname = %s "
            "and pronamespace = 'memory_v1'::regnamespace)",
            (operation,),
        ).fetchone()
        text = statement if row and row[0] else fallback

        def rank(question: Question) -> list[Passage]:
            values = {"question": question.text, "project": question.project}
            return once(str(row[0]) for row in conn.execute(text, values))

        return rank

    messages = {name: _bm25(conn, list(memory.texts.values())) for name, memory in memories.items()}
    facts = {name: _bm25(conn, [text for text, _ in m.facts]) for name, m in memories.items()}

    def by_messages(question: Question) -> list[Passage]:
        keys = list(memories[question.project].texts)
        return [keys[place] for place in messages[question.project](question.text)]

    def by_facts(question: Question) -> list[Passage]:
        told = memories[question.project].facts
        return once(
            key for place in facts[question.project](question.text) for key in told[place][1]
        )

    return {
        "BM25 of messages": by_messages,
        "lexical passages": asks("lexical_passages", _WORDS_ONLY, _WORDS_ONLY),
        "testimony passages": asks("testimony_context", PASSAGES, _PASSAGES_BY_SEARCH),
        "testimony claims": asks("testimony_context", _CLAIMS, _PASSAGES_BY_SEARCH),
        "BM25 of facts": by_facts,
        "fact evidence": asks("fact_context", _EVIDENCE, _EVIDENCE_BY_FACTS),
    }


def _bm25(conn: psycopg.Connection[Any], texts: Sequence[str]) -> Callable[[str], list[int]]:
    """Rank with rank_bm25 over Snowball stems, without the server's English stop words."""
    try:
        import snowballstemmer
        from rank_bm25 import BM25Okapi
    except ImportError as exc:
        raise Problem(
            "rank_bm25 is not installed", "pip install 'taisce-pg[bench]'", exit_code=2
        ) from exc
    stemmer = snowballstemmer.stemmer("english")
    words = sorted({word for text in texts for word in _WORD.findall(text.lower())})
    stops = {
        row[0]
        for row in conn.execute(
            "select w from unnest(%s::text[]) as w where to_tsvector('english', w) = ''", (words,)
        )
    }

    def cut(text: str) -> list[str]:
        found = [word for word in _WORD.findall(text.lower()) if word not in stops]
        return [str(stem) for stem in stemmer.stemWords(found)]

    index = BM25Okapi([cut(text) or [""] for text in texts])

    def rank(question: str) -> list[int]:
        scores = index.get_scores(cut(question))
        order = sorted(range(len(texts)), key=lambda place: (-scores[place], place))
        return [place for place in order[:DEPTH] if scores[place] > 0]

    return rank


def _read(conn: psycopg.Connection[Any], project: str) -> Memory:
    memory = Memory()
    for passage, key, ordinal, content in conn.execute(
        "select m.passage_id, o.idempotency_key, m.ordinal, m.content from taisce.message as m "
        "join taisce.observation as o using (project_id, observation_id) "
        "join taisce.project as p using (project_id) where p.name = %s "
        "order by m.log_offset, m.ordinal",
        (project,),
    ):
        memory.texts[str(passage)] = content
        memory.keys[key, ordinal] = str(passage)
    for statement, passages in conn.execute(
        "select f.statement, array_agg(m.passage_id order by v.log_offset, v.ordinal) "
        "from taisce.fact as f join taisce.project as p using (project_id) "
        "join taisce.fact_evidence as v using (project_id, fact_id) "
        "join taisce.message as m on m.project_id = v.project_id "
        "and m.observation_id = v.observation_id and m.ordinal = v.ordinal "
        "where p.name = %s and v.stance = 'supports' group by f.fact_id, f.statement "
        "order by f.fact_id",
        (project,),
    ):
        memory.facts.append((statement, [str(passage) for passage in passages]))
    return memory


def _question(line: dict[str, Any], memories: dict[str, Memory]) -> Question:
    project = str(line["project"])
    keys = memories[project].keys
    try:
        gold = frozenset(keys[str(key), int(ordinal)] for key, ordinal in line["gold"])
    except KeyError as exc:
        raise Problem(f"{project}: no message {exc.args[0]} that a question names") from exc
    return Question(project, str(line["question"]), str(line["category"]), gold)


def main_classes(questions: Iterable[Question]) -> frozenset[str]:
    """Return the classes that count: 5 asks for what was never said."""
    return frozenset(question.category for question in questions) - {"5"}


def _classes(questions: Sequence[Question]) -> list[tuple[str, frozenset[str]]]:
    single = sorted({question.category for question in questions})
    main = main_classes(questions)
    together = (f"{min(main)} to {max(main)}", main) if main else ("all", frozenset(single))
    return [*((name, frozenset([name])) for name in single), together]


def _tally(
    way: str,
    category: tuple[str, frozenset[str]],
    questions: Sequence[Question],
    rankings: Sequence[list[Passage]],
    sizes: dict[Passage, int],
) -> Tally:
    tally = Tally(way, category[0], recall=dict.fromkeys(CUTS, 0.0))
    for question, ranking in zip(questions, rankings, strict=True):
        if question.category not in category[1]:
            continue
        tally.questions += 1
        for cut in CUTS:
            tally.recall[cut] += recall(question, ranking, cut)
        tally.all_gold += question.gold <= set(ranking[:10])
        tally.fits += question.gold <= _within(ranking, sizes)
        tally.mrr += next(
            (1 / place for place, key in enumerate(ranking, 1) if key in question.gold), 0.0
        )
    count = max(tally.questions, 1)
    tally.recall = {cut: value / count for cut, value in tally.recall.items()}
    tally.all_gold, tally.fits, tally.mrr = (
        tally.all_gold / count,
        tally.fits / count,
        tally.mrr / count,
    )
    return tally


def recall(question: Question, ranking: list[Passage], cut: int) -> float:
    """Return the share of a question's gold among the first `cut` passages."""
    return len(question.gold & set(ranking[:cut])) / len(question.gold)


def _within(ranking: list[Passage], sizes: dict[Passage, int]) -> set[Passage]:
    kept: set[Passage] = set()
    used = 0
    for key in ranking:
        used += sizes[key]
        if used > CHARACTERS:
            break
        kept.add(key)
    return kept


def _gain(
    questions: Sequence[Question],
    main: frozenset[str],
    ours: Sequence[list[Passage]],
    theirs: Sequence[list[Passage]],
) -> tuple[float, float, float]:
    return interval(
        [
            recall(question, mine, 10) - recall(question, other, 10)
            for question, mine, other in zip(questions, ours, theirs, strict=True)
            if question.category in main
        ]
    )


def once(keys: Iterable[Passage]) -> list[Passage]:
    """Return keys in their order, each once."""
    return list(dict.fromkeys(keys))
