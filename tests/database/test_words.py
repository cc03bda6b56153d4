"""Word search against a plain computation: scores, exactness, upkeep, filters, languages."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any

import psycopg
import pytest

from taisce_pg.load.apply import load_lines
from tests.support.buffers import buffers, use_project
from tests.support.databases import Database
from tests.support.sizes import size

DOCUMENTS = size(3_000, 12_000)
QUERIES = size(40, 150)
SPACES = ("message", "claim", "fact", "entity")

Connection = psycopg.Connection[Any]


@pytest.fixture(scope="module")
def conn(module_database: Database) -> Iterator[Connection]:
    with module_database.connect() as made:
        yield made


@pytest.fixture(scope="module")
def crowd(conn: Connection) -> tuple[int, list[str]]:
    """A project of random texts with common and rare words; its number and words by rank."""
    return crowd_of(conn, "crowd", DOCUMENTS)


@pytest.fixture(scope="module")
def drizzle(conn: Connection) -> tuple[int, list[str]]:
    """A project of texts written thirteen at a time, by three roles: rows of few postings."""
    return crowd_of(
        conn,
        "drizzle",
        min(DOCUMENTS, 2_600),
        ("user", "user", "user", "assistant", "document"),
        13,
    )


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
    with conn.transaction(force_rollback=True):
        conn.execute("select taisce.rebuild_words(%s)", (project,))
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


def test_scores_are_those_of_a_plain_computation(
    conn: Connection, crowd: tuple[int, list[str]]
) -> None:
    project, words = crowd
    documents = bags(conn, project, "message")
    plain = Plain(documents)
    users = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s and role = 'user'",
            (project,),
        )
    }
    draw = Random(5)
    for _ in range(QUERIES):
        query = question(draw, words)
        rows = conn.execute(
            "select passage_id, score, complete from memory_v1.lexical_passages(%s, 20, 'crowd')",
            (query,),
        ).fetchall()
        expected = plain.scores(asked(conn, query))
        for passage, score, _ in rows:
            assert score == pytest.approx(expected[passage], rel=1e-12)
        best = sorted((expected[key] for key in expected if key in users), reverse=True)[:20]
        if all(row[2] for row in rows):
            assert [row[1] for row in rows] == pytest.approx(best, rel=1e-12)


@pytest.mark.parametrize("depth", [10, 60, 500, 100_000])
def test_an_answer_is_exact_or_says_that_it_is_not(
    conn: Connection, crowd: tuple[int, list[str]], depth: int
) -> None:
    project, words = crowd
    plain = Plain(bags(conn, project, "message"))
    users = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s and role = 'user'",
            (project,),
        )
    }
    draw = Random(depth)
    exact = 0
    for _ in range(QUERIES):
        query = question(draw, words)
        found, complete = candidates(conn, project, query, 20, depth)
        if complete:
            exact += 1
            expected = plain.scores(asked(conn, query))
            best = sorted((expected[key] for key in expected if key in users), reverse=True)[:20]
            assert list(found.values()) == pytest.approx(best, rel=1e-12)
    assert exact == QUERIES if depth == 100_000 else exact >= (depth > 100)


@pytest.mark.parametrize("depth", [8, 40, 300, 100_000])
@pytest.mark.parametrize("roles", [["user", "assistant"], ["assistant", "document", "tool"]])
def test_roles_and_small_writes_are_read_in_one_order_of_strength(
    conn: Connection, drizzle: tuple[int, list[str]], roles: list[str], depth: int
) -> None:
    project, words = drizzle
    plain = Plain(bags(conn, project, "message"))
    wanted = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s and role = any (%s)",
            (project, roles),
        )
    }
    draw = Random(depth)
    exact = 0
    for _ in range(QUERIES):
        query = question(draw, words)
        found, complete = candidates(conn, project, query, 10, depth, roles=roles)
        expected = plain.scores(asked(conn, query))
        for passage, score in found.items():
            assert passage in wanted
            assert score == pytest.approx(expected[passage], rel=1e-12)
        if complete:
            exact += 1
            best = sorted((expected[key] for key in expected if key in wanted), reverse=True)[:10]
            assert list(found.values()) == pytest.approx(best, rel=1e-12)
    assert exact == QUERIES if depth == 100_000 else exact >= (depth > 100)


def test_what_a_common_word_reads_is_bounded(
    conn: Connection, crowd: tuple[int, list[str]]
) -> None:
    project, words = crowd
    read = {}
    for kind, chosen in (("common", words[:5]), ("middling", words[200:205])):
        statement = (
            "select * from taisce.word_candidates(%s, 'message', "
            "taisce.word_query(%s, 'message', %s), '{user}', 20, 100)"
        )
        values = (project, project, " ".join(chosen))
        read[kind] = buffers(conn, statement, values)
    assert read["common"] <= 2 * read["middling"] + 100


def test_a_small_subject_is_searched_whole(conn: Connection, crowd: tuple[int, list[str]]) -> None:
    project, words = crowd
    plain = Plain(bags(conn, project, "message"))
    rare = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s "
            "and data_subject_id = 'rare' and role = 'user'",
            (project,),
        )
    }
    query = " ".join(words[:5])
    expected = {
        key: score for key, score in plain.scores(asked(conn, query)).items() if key in rare
    }
    found, complete = candidates(conn, project, query, 100, 50, subject="rare")
    assert complete
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_rare_role_is_not_starved(conn: Connection, crowd: tuple[int, list[str]]) -> None:
    project, words = crowd
    plain = Plain(bags(conn, project, "message"))
    tools = {
        row[0]
        for row in conn.execute(
            "select passage_id from taisce.message where project_id = %s and role = 'tool'",
            (project,),
        )
    }
    query = " ".join(words[:3])
    expected = {key for key in plain.scores(asked(conn, query)) if key in tools}
    found, complete = candidates(conn, project, query, 100, 50, roles=["tool"])
    assert complete
    assert set(found) == expected


MEMORY = [
    {
        "type": "entity",
        "key": "m",
        "name": "Marta Nowak",
        "profile": "Engineer of Gdansk trams.",
        "aliases": ["Martusia"],
        "source": "t1",
    },
    {
        "type": "observation",
        "key": "t1",
        "kind": "turn",
        "data_subject_id": "s1",
        "occurred_at": "2026-01-05T10:00:00Z",
        "messages": [
            {"role": "user", "content": "Marta: I adopted a greyhound called Quizzle."},
            {"role": "user", "content": "Ben: What a lovely dog! How old is it?"},
            {"role": "user", "content": "Marta: Four years, and quite calm."},
        ],
    },
    {
        "type": "observation",
        "key": "t2",
        "kind": "turn",
        "data_subject_id": "s2",
        "occurred_at": "2026-03-09T10:00:00Z",
        "messages": [
            {"role": "user", "content": "Ben: I will fly to Lisbon on 7 May 2026 and/or stay."},
            {"role": "tool", "content": "weather: rain"},
        ],
    },
    {
        "type": "fact",
        "key": "f1",
        "subject": {"key": "m"},
        "predicate": "owns_pet",
        "object": "Quizzle",
        "statement": "Marta owns a dog",
        "valid_from": "2026-01-05T10:00:00Z",
        "evidence": [
            {"observation": "t1", "ordinal": 0, "quote": "adopted a greyhound called Quizzle"}
        ],
    },
    {
        "type": "fact",
        "key": "f2",
        "subject": "Ben",
        "predicate": "travels_to",
        "object": "Lisbon",
        "statement": "travels to Portugal",
        "evidence": [{"observation": "t2", "ordinal": 0, "quote": "fly to Lisbon"}],
    },
]


@pytest.fixture
def told(conn: Connection, request: pytest.FixtureRequest) -> tuple[str, int]:
    """A small memory of its own for each test: name and number of its project."""
    name = request.node.name
    load_lines(conn, name, [json.dumps(line) for line in MEMORY])
    row = conn.execute("select project_id from taisce.project where name = %s", (name,)).fetchone()
    assert row is not None
    return name, int(row[0])


def marked(conn: Connection, project: int, word: str) -> int:
    """Count the places where the index holds a word, whatever its form."""
    row = conn.execute(
        """
        select
            (select count(*) from taisce.word_document
             where project_id = %(p)s and array_to_string(terms || speaker, ' ') like %(w)s)
            + (select count(*) from taisce.posting where project_id = %(p)s and term like %(w)s)
            + (select count(*) from taisce.word_statistics
               where project_id = %(p)s and term like %(w)s)
        """,
        {"p": project, "w": f"%{word}%"},
    ).fetchone()
    assert row is not None
    return int(row[0])


def passages(conn: Connection, project: str, query: str, **filters: Any) -> list[str]:
    return [
        row[0]
        for row in conn.execute(
            "select content from memory_v1.lexical_passages(%s, project => %s, "
            "source_roles => %s, data_subject_id => %s, entity_ids => %s)",
            (query, project, filters.get("roles"), filters.get("subject"), filters.get("entities")),
        )
    ]


def test_loading_leaves_the_index_in_step(conn: Connection, told: tuple[str, int]) -> None:
    check_index(conn, told[1])
    assert {space: len(bags(conn, told[1], space)) for space in SPACES} == {
        "message": 5,
        "claim": 2,
        "fact": 2,
        "entity": 4,
    }


def test_a_released_message_has_no_words(conn: Connection, told: tuple[str, int]) -> None:
    name, project = told
    assert passages(conn, name, "calm")
    conn.execute(
        "update taisce.message set content = null "
        "where project_id = %s and content like '%%calm%%'",
        (project,),
    )
    assert not passages(conn, name, "calm")
    assert marked(conn, project, "calm") == 0
    check_index(conn, project)


def test_erased_words_are_gone_in_the_same_commit(conn: Connection, told: tuple[str, int]) -> None:
    _, project = told
    assert marked(conn, project, "quizzl") > 0
    with conn.transaction():
        for table in (
            "fact_evidence",
            "fact_version",
            "fact",
            "entity_mention",
            "claim",
            "message",
        ):
            conn.execute(f"delete from taisce.{table} where project_id = %s".encode(), (project,))
        conn.execute(
            "delete from taisce.entity_name where project_id = %s and spelling = 'Quizzle'",
            (project,),
        )
        assert marked(conn, project, "quizzl") == 0
    check_index(conn, project)
    assert {space: len(bags(conn, project, space)) for space in SPACES[:3]} == dict.fromkeys(
        SPACES[:3], 0
    )


def test_a_name_that_changes_is_renewed_in_its_facts(
    conn: Connection, told: tuple[str, int]
) -> None:
    name, project = told
    conn.execute(
        "update taisce.entity set canonical_name = 'Iwona' where project_id = %s "
        "and canonical_name = 'Marta Nowak'",
        (project,),
    )
    check_index(conn, project)
    found = conn.execute(
        "select statement from memory_v1.lexical_facts('Iwona', project => %s)", (name,)
    ).fetchall()
    assert found == [("Marta owns a dog",)]


def test_a_profile_or_name_that_goes_is_not_found(conn: Connection, told: tuple[str, int]) -> None:
    _, project = told
    conn.execute("update taisce.entity set profile = null where project_id = %s", (project,))
    conn.execute(
        "delete from taisce.entity_name where project_id = %s and spelling = 'Martusia'", (project,)
    )
    assert marked(conn, project, "gdansk") == 0
    assert marked(conn, project, "martusia") == 0
    check_index(conn, project)


def test_updates_that_change_no_word_leave_the_index_alone(
    conn: Connection, told: tuple[str, int]
) -> None:
    _, project = told
    state = (
        "select array_agg(ctid::text order by ctid) from taisce.word_document where project_id = %s"
    )
    before = conn.execute(state, (project,)).fetchone()
    for table in ("message", "claim", "fact"):
        conn.execute(
            f"update taisce.{table} set retention_until = '2100-01-01Z' "
            f"where project_id = %s".encode(),
            (project,),
        )
    assert conn.execute(state, (project,)).fetchone() == before


def test_dates_names_and_slashed_words_are_found(conn: Connection, told: tuple[str, int]) -> None:
    name, _ = told
    lisbon = "Ben: I will fly to Lisbon on 7 May 2026 and/or stay."
    assert passages(conn, name, "what is on 2026-05-07?") == [lisbon]
    assert passages(conn, name, "anything in March 2026") == [lisbon]
    assert passages(conn, name, "stay") == [lisbon]
    assert passages(conn, name, "who has Quizzle") == [
        "Marta: I adopted a greyhound called Quizzle."
    ]


def test_filters_apply_before_the_limit(conn: Connection, told: tuple[str, int]) -> None:
    name, project = told
    assert passages(conn, name, "rain") == []
    assert passages(conn, name, "rain", roles=["tool"]) == ["weather: rain"]
    assert passages(conn, name, "Lisbon", subject="s1") == []
    row = conn.execute(
        "select array_agg(entity_id) from taisce.entity where project_id = %s "
        "and canonical_name = 'Quizzle'",
        (project,),
    ).fetchone()
    assert row is not None
    assert len(passages(conn, name, "marta ben", entities=row[0])) == 1
    conn.execute(
        "update taisce.message set retention_until = now() - interval '1 s' where project_id = %s",
        (project,),
    )
    assert passages(conn, name, "Lisbon greyhound") == []


def test_neighbours_and_facts_lead_to_passages(conn: Connection, told: tuple[str, int]) -> None:
    name, _ = told
    found = conn.execute(
        "select quote, why from memory_v1.passage_search('How old is the dog of Marta?', "
        "project => %s)",
        (name,),
    ).fetchall()
    said = [row[0] for row in found]
    assert "Marta: Four years, and quite calm." in said
    assert "Marta: I adopted a greyhound called Quizzle." in said
    by_fact = conn.execute(
        "select quote, why from memory_v1.passage_search('Portugal', project => %s)", (name,)
    ).fetchall()
    assert by_fact[0] == ("Ben: I will fly to Lisbon on 7 May 2026 and/or stay.", "fact")


def test_recalled_passages_keep_to_the_characters_left(
    conn: Connection, told: tuple[str, int]
) -> None:
    _, project = told
    statement = (
        "select (r).items, (r).characters, (r).truncated from taisce.recall_passages(%s, "
        "'dog called Quizzle', null, null, null, '{user}', "
        "taisce.time_scope(%s, null, %s, '5 min'), %s) as r"
    )
    items, used, truncated = (
        conn.execute(statement, (project, project, None, 1000)).fetchone() or ()
    )
    assert len(items) > 1
    assert not truncated
    assert used == sum(len(item["quote"]) + len(item["role"]) for item in items)
    first = len(items[0]["quote"]) + len(items[0]["role"])
    items, used, truncated = (
        conn.execute(statement, (project, project, None, first)).fetchone() or ()
    )
    assert (len(items), used, truncated) == (1, first, True)
    items, _, _ = conn.execute(statement, (project, project, "2001-01-01Z", 1000)).fetchone() or ()
    assert items == []


@pytest.mark.parametrize(
    ("configuration", "text", "query"),
    [
        ("english", "The cats were running.", "run cat"),
        ("german", "Die Häuser wurden verkauft.", "Haus verkauft"),
        ("french", "Les chevaux mangeaient des pommes.", "pomme manger"),
        ("spanish", "Los gatos corrían por las calles.", "gato calle"),
        ("simple", "The cats were running.", "the running"),
    ],
)
def test_a_project_has_its_language(
    conn: Connection, configuration: str, text: str, query: str
) -> None:
    name = f"in {configuration}"
    load_lines(
        conn,
        name,
        [
            json.dumps({"type": "project", "word_configuration": configuration}),
            json.dumps(
                {"type": "observation", "key": "a", "messages": [{"role": "user", "content": text}]}
            ),
        ],
    )
    for word in query.split():
        assert passages(conn, name, word) == [text], word


def test_another_language_reads_everything_anew(conn: Connection, told: tuple[str, int]) -> None:
    name, project = told
    assert passages(conn, name, "adopt")
    conn.execute(
        "update taisce.project set word_configuration = 'simple' where project_id = %s", (project,)
    )
    assert not passages(conn, name, "adopt")
    assert passages(conn, name, "adopted")
    check_index(conn, project)


def test_a_refresh_packs_and_keeps_every_score(
    conn: Connection, crowd: tuple[int, list[str]]
) -> None:
    _, words = crowd
    query = " ".join(words[150:153])
    ask = "select passage_id, score from memory_v1.lexical_passages(%s, 50, 'crowd')"
    before = conn.execute(ask, (query,)).fetchall()
    spaces = conn.execute("select * from memory_v1.refresh_words('crowd')").fetchall()
    assert [(row[0], row[1]) for row in spaces] == [("message", DOCUMENTS)]
    assert [row[1] for row in conn.execute(ask, (query,)).fetchall()] == pytest.approx(
        [row[1] for row in before], rel=1e-12
    )


def test_writers_do_not_wait_for_each_other(module_database: Database, conn: Connection) -> None:
    one, two = use_project(conn, "writer one"), use_project(conn, "writer two")
    with module_database.connect() as first, module_database.connect() as second:
        second.execute("set lock_timeout = '2s'")
        with first.transaction():
            store(first, one, [{"content": "the same word"}])
            # The same project and word, by another transaction that does not see the first.
            second.execute(
                "insert into taisce.observation (project_id, observation_id, log_offset, kind, "
                "source_role, ingested_at, lineage, message_count, characters) values "
                "(%s, gen_random_uuid(), 7, 'turn', 'user', now(), '', 1, 1)",
                (one,),
            )
            second.execute(
                "insert into taisce.message (project_id, observation_id, ordinal, passage_id, "
                "log_offset, role, content, characters, octets, content_digest) "
                "select project_id, observation_id, 0, gen_random_uuid(), log_offset, 'user', "
                "'the same word', 13, 13, sha256('x') from taisce.observation "
                "where project_id = %s and log_offset = 7",
                (one,),
            )
            store(second, two, [{"content": "the same word"}])
    check_index(conn, one)
    assert len(passages(conn, "writer one", "word")) == 2


def test_another_project_is_never_found(conn: Connection, told: tuple[str, int]) -> None:
    use_project(conn, "empty beside it")
    assert passages(conn, "empty beside it", "Quizzle Lisbon Marta") == []


@pytest.mark.parametrize("query", ["", "   ", "x" * 8193])
def test_a_query_out_of_range_is_refused(
    conn: Connection, told: tuple[str, int], query: str
) -> None:
    with pytest.raises(psycopg.Error) as caught:
        passages(conn, told[0], query)
    assert caught.value.sqlstate == "TS005"
