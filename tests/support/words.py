"""Random texts in the index of words, a plain computation of their scores, and what is stored."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

import psycopg
import pytest

from tests.support.buffers import use_project
from tests.support.sizes import size

DOCUMENTS = size(3_000, 12_000)
SPACES = ("message", "claim", "fact", "entity")
Connection = psycopg.Connection[Any]


def crowd_of(
    conn: Connection,
    name: str,
    documents: int,
    roles: Sequence[str] = ("user",),
    page: int = 5_000,
) -> tuple[int, list[str]]:
    draw = Random(11)
    words = [
        f"zor{chr(97 + n % 26)}{chr(97 + n // 26 % 26)}{chr(97 + n // 676)}k" for n in range(4000)
    ]
    weights = [1 / (n + 3) for n in range(len(words))]
    project = use_project(conn, name)
    store(
        conn,
        project,
        (
            {
                "content": " ".join(
                    draw.choices(words, weights, k=max(1, int(draw.gammavariate(2, 6))))
                ),
                "role": "tool" if n % 500 == 3 else roles[n % len(roles)],
                "subject": "rare" if n % 1000 == 7 else f"s{n % 7}",
            }
            for n in range(documents)
        ),
        page,
    )
    return project, words


def store(
    conn: Connection, project: int, messages: Iterable[dict[str, Any]], page: int = 5_000
) -> None:
    """Insert observations of one message each, past the loader, `page` a statement."""
    rows = [
        [message["content"], message.get("role", "user"), message.get("subject")]
        for message in messages
    ]
    for start in range(0, len(rows), page):
        conn.execute(
            """
            with given as materialized (
                select gen_random_uuid() as id, t.content, t.role, t.subject,
                    t.n + coalesce((select max(log_offset) from taisce.observation
                        where project_id = %(p)s), 0) as log_offset
                from unnest(%(content)s::text[], %(role)s::text[], %(subject)s::text[])
                    with ordinality as t (content, role, subject, n)
            ),
            said as (
                insert into taisce.observation (project_id, observation_id, log_offset, kind,
                    source_role, data_subject_id, ingested_at, lineage, message_count, characters)
                select %(p)s, g.id, g.log_offset, 'turn', g.role, g.subject, now(), '', 1,
                    length(g.content)
                from given as g
            )
            insert into taisce.message (project_id, observation_id, ordinal, passage_id,
                log_offset, role, content, characters, octets, content_digest, data_subject_id)
            select %(p)s, g.id, 0, g.id, g.log_offset, g.role, g.content, length(g.content),
                octet_length(g.content), sha256('x'), g.subject
            from given as g
            """,
            {
                "p": project,
                "content": [row[0] for row in rows[start : start + page]],
                "role": [row[1] for row in rows[start : start + page]],
                "subject": [row[2] for row in rows[start : start + page]],
            },
        )


class Plain:
    """Lucene's BM25 (k1 1.2, b 0.75) over documents, each a bag of weighted words."""

    def __init__(self, documents: dict[Any, tuple[dict[str, float], float]]) -> None:
        self.documents = documents
        self.count = len(documents)
        self.average = sum(length for _, length in documents.values()) / max(self.count, 1)
        self.postings: dict[str, list[Any]] = defaultdict(list)
        for key, (bag, _) in documents.items():
            for word in bag:
                self.postings[word].append(key)

    def scores(self, words: Iterable[str]) -> dict[Any, float]:
        found: dict[Any, float] = defaultdict(float)
        for word in set(words):
            having = self.postings.get(word, [])
            weight = math.log(1 + (self.count - len(having) + 0.5) / (len(having) + 0.5))
            for key in having:
                bag, length = self.documents[key]
                norm = 1.2 * (0.25 + 0.75 * length / self.average)
                found[key] += weight * bag[word] / (bag[word] + norm)
        return dict(found)


def bags(conn: Connection, project: int, space: str) -> dict[Any, tuple[dict[str, float], float]]:
    return {
        key: (dict(zip(terms, frequencies, strict=True)), length)
        for key, terms, frequencies, length in conn.execute(
            "select item_id, terms, frequencies, length from taisce.word_document "
            "where project_id = %s and space = %s",
            (project, space),
        )
    }


def asked(conn: Connection, query: str, configuration: str = "english") -> list[str]:
    return [
        row[0]
        for row in conn.execute("select term from taisce.tokens(%s, %s)", (query, configuration))
    ]


def due_of(conn: Connection, project: int) -> list[tuple[Any, ...]]:
    """Return what may not be read for ever as it stands: space, item, until when, and its words."""
    return conn.execute(
        "select space, item_id, kept_until, length, terms from taisce.word_due"
        " where project_id = %s order by space, item_id",
        (project,),
    ).fetchall()


def check_index(conn: Connection, project: int) -> None:
    """Postings, counts and documents must be what the texts of the moment make of them."""
    documents = conn.execute(
        "select space, number, role, batch, reference, length, terms, frequencies "
        "from taisce.word_document where project_id = %s",
        (project,),
    ).fetchall()
    entries: Counter[tuple[Any, ...]] = Counter()
    counts: Counter[tuple[str, str]] = Counter()
    spaces: dict[str, list[float]] = defaultdict(lambda: [0, 0.0])
    for space, number, role, batch, reference, length, terms, frequencies in documents:
        spaces[space][0] += 1
        spaces[space][1] += length
        for term, frequency in zip(terms, frequencies, strict=True):
            impact = min(255, int(256 * frequency / (frequency + 0.3 + 0.9 * length / reference)))
            entries[space, role, term, 31 - impact // 8, batch, number << 8 | impact] += 1
            counts[space, term] += 1
    assert entries == Counter(
        row
        for row in conn.execute(
            "select p.space, p.role, p.term, p.band, p.batch, e from taisce.posting as p, "
            "unnest(p.entries) as e where project_id = %s",
            (project,),
        )
    )
    assert counts == Counter(
        {
            (space, term): int(count)
            for space, term, count in conn.execute(
                "select space, term, sum(documents) from taisce.word_statistics "
                "where project_id = %s group by 1, 2",
                (project,),
            )
        }
    )
    for space, count, length in conn.execute(
        "select space, sum(documents), sum(total_length) from taisce.word_space "
        "where project_id = %s group by 1",
        (project,),
    ):
        assert (int(count), length) == (spaces[space][0], pytest.approx(spaces[space][1]))
    before = {space: bags(conn, project, space) for space in SPACES}
    due = due_of(conn, project)
    for space, item, _, length, terms in due:
        bag, of_it = before[space][item]
        assert (sorted(terms), length) == (sorted(bag), of_it)
    with conn.transaction(force_rollback=True):
        conn.execute("select taisce.rebuild_words(%s)", (project,))
        assert [row[:3] for row in due_of(conn, project)] == [row[:3] for row in due]
        for space in SPACES:
            anew = bags(conn, project, space)
            assert {key: bag for key, (bag, _) in anew.items()} == {
                key: bag for key, (bag, _) in before[space].items()
            }


def candidates(
    conn: Connection, project: int, query: str, most: int, depth: int, **filters: Any
) -> tuple[dict[Any, float], bool]:
    rows = conn.execute(
        "select item_id, score, complete from taisce.word_candidates(%s, 'message', "
        "taisce.word_query(%s, 'message', %s), %s, %s, %s, %s)",
        (
            project,
            project,
            query,
            filters.get("roles", ["user"]),
            most,
            depth,
            filters.get("subject"),
        ),
    ).fetchall()
    return {row[0]: row[1] for row in rows}, all(row[2] for row in rows)


def question(draw: Random, words: list[str]) -> str:
    start = draw.choice((0, 0, 3, 100, 1500))
    return " ".join(draw.sample(words[start : start + 300 if start else 12], draw.randint(1, 5)))
