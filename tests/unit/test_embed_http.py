"""The HTTP embedder against an endpoint that stalls, errs, lies and cuts connections."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest

from taisce_pg.embed import EmbedderFailed, HttpEmbedder, waiting
from taisce_pg.embed import http as module
from taisce_pg.problem import Problem
from tests.support import embedders
from tests.support.embedders import DIMENSIONS, Endpoint, vector_of

KEY = "sk-secret-4711"
TEXT = "the patient's name is Marta"


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with embedders.endpoint() as made:
        yield made


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Waits are noted, not waited."""
    noted: list[float] = []
    monkeypatch.setattr(waiting, "sleep", noted.append)
    return noted


def embedder(endpoint: Endpoint, **options: Any) -> HttpEmbedder:
    return HttpEmbedder(endpoint.url, "m", **{"key": KEY, "dimensions": DIMENSIONS, **options})


def near(one: list[float], other: list[float]) -> bool:
    return one == pytest.approx(other)


def test_vectors_come_in_the_order_of_the_texts_whatever_that_of_the_answer(
    endpoint: Endpoint,
) -> None:
    texts = ["a b", "c", "d e f"]
    assert embedder(endpoint).embed(texts) == [pytest.approx(vector_of(one)) for one in texts]
    asked = endpoint.asked[0]
    assert asked == {"model": "m", "input": texts, "encoding_format": "float"}
    assert endpoint.headers[0]["authorization"] == f"Bearer {KEY}"


def test_nothing_is_asked_for_no_texts(endpoint: Endpoint) -> None:
    assert embedder(endpoint).embed([]) == []
    assert endpoint.asked == []


def test_texts_are_sent_in_batches_by_count_and_by_size(
    endpoint: Endpoint, monkeypatch: pytest.MonkeyPatch
) -> None:
    embedder(endpoint, batch=2).embed(["a", "b", "c", "d", "e"])
    assert [len(asked["input"]) for asked in endpoint.asked] == [2, 2, 1]
    endpoint.asked.clear()
    monkeypatch.setattr(module, "BATCH_CHARACTERS", 10)
    embedder(endpoint).embed(["a" * 6, "b" * 6, "c" * 2, "d" * 3])
    assert [len(asked["input"]) for asked in endpoint.asked] == [1, 2, 1]


def test_the_dimensions_are_learnt_or_asked_for(endpoint: Endpoint) -> None:
    learning = embedder(endpoint, dimensions=None)
    learning.embed(["a"])
    assert learning.dimensions == DIMENSIONS
    assert len(embedder(endpoint, dimensions=7, shorten=True).embed(["a"])[0]) == 7
    assert endpoint.asked[1]["dimensions"] == 7


def test_prefixes_tell_questions_from_texts_and_change_the_input_version(
    endpoint: Endpoint,
) -> None:
    prefixed = embedder(endpoint, question_prefix="query: ", text_prefix="passage: ")
    prefixed.embed(["a"])
    prefixed.embed(["a"], question=True)
    assert [asked["input"] for asked in endpoint.asked] == [["passage: a"], ["query: a"]]
    assert prefixed.input_version != "1"
    assert embedder(endpoint, question_prefix="query: ").input_version == "1"


@pytest.mark.parametrize(
    "answer",
    [
        embedders.status(500),
        embedders.status(503),
        embedders.status(429, "rate_limit_exceeded"),
        embedders.cut,
    ],
    ids=["500", "503", "429", "cut"],
)
def test_what_may_pass_is_asked_again(
    endpoint: Endpoint, waits: list[float], answer: Callable[..., None]
) -> None:
    endpoint.script += [answer, answer]
    assert len(embedder(endpoint).embed(["a"])) == 1
    assert len(endpoint.asked) == 3
    assert len(waits) == 2
    assert 0.25 <= waits[0] <= 0.5 <= waits[1] <= 1.0


def test_the_wait_that_the_endpoint_asks_for_is_kept(
    endpoint: Endpoint, waits: list[float]
) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=9), usegmt=True)
    endpoint.script += [
        embedders.status(429, Retry_After="7"),
        embedders.status(503, Retry_After=date),
        embedders.status(429, retry_after_ms="1500"),
    ]
    embedder(endpoint).embed(["a"])
    assert waits[0] == 7
    assert 7 <= waits[1] <= 9
    assert waits[2] == 1.5


def test_used_up_limits_make_the_next_request_wait(endpoint: Endpoint, waits: list[float]) -> None:
    def spent(handler: Any, body: Any) -> None:
        data = [{"index": 0, "embedding": vector_of("a")}]
        limits = {"x_ratelimit_remaining_requests": "0", "x_ratelimit_reset_requests": "1m2s"}
        handler.reply(200, {"data": data}, **limits)

    endpoint.script.append(spent)
    asking = embedder(endpoint)
    asking.embed(["a"])
    asking.embed(["b"])
    assert len(waits) == 1
    assert 61 <= waits[0] <= 62
    assert waiting.room_after({"x-ratelimit-remaining-tokens": "0"}) == 0
    assert waiting.room_after(
        {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "20ms"}
    ) == pytest.approx(0.02)


def test_it_gives_up_when_the_wait_would_pass_the_deadline(
    endpoint: Endpoint, waits: list[float]
) -> None:
    endpoint.script.append(embedders.status(429, Retry_After="600"))
    with pytest.raises(EmbedderFailed, match="no time") as failed:
        embedder(endpoint).embed(["a"], seconds=5)
    assert failed.value.retryable
    assert waits == []


def test_it_gives_up_after_some_attempts(endpoint: Endpoint) -> None:
    endpoint.script += [embedders.status(500)] * 20
    with pytest.raises(EmbedderFailed, match="500"):
        embedder(endpoint).embed(["a"])
    assert len(endpoint.asked) == module.ATTEMPTS


def test_a_request_that_stalls_is_given_up_and_asked_again(endpoint: Endpoint) -> None:
    endpoint.script.append(embedders.stall(3))
    assert len(embedder(endpoint, seconds=0.3).embed(["a"])) == 1
    assert len(endpoint.asked) == 2


@pytest.mark.parametrize("answer", [embedders.stall(3), embedders.trickle], ids=["stalls", "drips"])
def test_a_late_answer_ends_with_the_deadline(
    endpoint: Endpoint, answer: Callable[..., None]
) -> None:
    endpoint.script.append(answer)
    begun = time.monotonic()
    with pytest.raises(EmbedderFailed, match="time") as failed:
        embedder(endpoint).embed(["a"], seconds=0.3)
    assert time.monotonic() - begun < 2
    assert failed.value.retryable


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        (embedders.rows(), "0 vectors for 2"),
        (embedders.rows([1.0] * DIMENSIONS), "1 vectors for 2"),
        (embedders.rows([1.0] * DIMENSIONS, [1.0] * 3), "3 dimensions, not 32"),
        (embedders.rows([1.0] * DIMENSIONS, [float("nan")] * DIMENSIONS), "not finite"),
        (embedders.rows([1.0] * DIMENSIONS, [1e300] * DIMENSIONS), "not finite"),
        (embedders.rows([1.0] * DIMENSIONS, [0.0] * DIMENSIONS), "zeros"),
        (embedders.rows([1.0] * DIMENSIONS, ["x"] * DIMENSIONS), "no numbers"),
        (embedders.raw(b"<html>"), "no list of embeddings"),
        (embedders.raw(b'{"data": null}'), "no list of embeddings"),
        (embedders.raw(b'{"data": [{"index": 0}]}'), "no list of embeddings"),
        (
            embedders.raw(
                b'{"data": [{"index": 0, "embedding": []}, {"index": 0, "embedding": []}]}'
            ),
            "which texts",
        ),
    ],
)
def test_a_wrong_answer_is_refused(
    endpoint: Endpoint, answer: Callable[..., None], what: str
) -> None:
    endpoint.script.append(answer)
    with pytest.raises(EmbedderFailed, match=what) as failed:
        embedder(endpoint).embed([TEXT, "b"])
    assert TEXT not in str(failed.value)
    assert len(endpoint.asked) == 1


@pytest.mark.parametrize(
    ("code", "what"),
    [(400, "400: bad_model"), (401, "refuses the key"), (404, "404"), (307, "a redirect")],
)
def test_what_cannot_pass_is_not_asked_again(endpoint: Endpoint, code: int, what: str) -> None:
    told = "bad_model" if code == 400 else ""
    endpoint.script.append(embedders.status(code, told, location="http://127.0.0.1:1/"))
    with pytest.raises(EmbedderFailed, match=what) as failed:
        embedder(endpoint).embed([TEXT])
    assert len(endpoint.asked) == 1
    assert TEXT not in str(failed.value)


def test_a_batch_too_large_is_halved_and_a_text_too_long_is_cut(endpoint: Endpoint) -> None:
    def narrow(handler: Any, body: Any) -> None:
        if sum(map(len, body["input"])) > 1000:
            embedders.status(400, "context_length_exceeded")(handler, body)
        else:
            embedders.right(handler, body)

    endpoint.script += [narrow] * 50
    made = embedder(endpoint).embed(["a " * 300, "b " * 1500, "c"])
    assert made == [
        pytest.approx(vector_of("a " * 300)),
        pytest.approx(vector_of("b " * 300)),
        pytest.approx(vector_of("c")),
    ]


def test_the_key_and_the_texts_are_in_no_error_no_log_and_no_repr(
    endpoint: Endpoint, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    asking = HttpEmbedder(f"{endpoint.url}?api-version=hidden", "m", key=KEY)
    endpoint.script += [embedders.status(401), embedders.status(500), embedders.raw(b"x")]
    said = [repr(asking), str(asking)]
    for _ in range(2):
        with pytest.raises(EmbedderFailed) as failed:
            asking.embed([TEXT])
        said.append(str(failed.value))
        said += [str(one) for one in (failed.value.__cause__, failed.value.__context__) if one]
    for text in [*said, caplog.text]:
        assert KEY not in text
        assert TEXT not in text
    assert all("hidden" not in text for text in said)


def test_nobody_listening_is_said_in_a_line() -> None:
    asking = HttpEmbedder("http://127.0.0.1:9/v1", "m")
    with pytest.raises(EmbedderFailed, match=r"127\.0\.0\.1:9/v1/embeddings cannot be reached"):
        asking.embed(["a"], seconds=1)


@pytest.mark.parametrize("url", ["", "localhost:8080", "ftp://x/", "http://", "http://[::1"])
def test_a_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(Problem, match="http"):
        HttpEmbedder(url, "m")


@pytest.mark.parametrize("url", ["http://me:hidden@x/v1", "http://x/v1?api_key=hidden"])
def test_a_secret_in_a_url_is_refused_without_showing_it(url: str) -> None:
    with pytest.raises(Problem, match="TAISCE_EMBEDDER_KEY") as refused:
        HttpEmbedder(url, "m")
    assert "hidden" not in str(refused.value)


def test_a_key_that_no_header_can_hold_is_refused_without_showing_it() -> None:
    with pytest.raises(Problem) as refused:
        HttpEmbedder("http://127.0.0.1/v1", "m", key="gehéim\u2026")
    assert "geh" not in str(refused.value)
