"""An embedder behind an HTTP endpoint that answers as OpenAI's /embeddings does."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import Any

import httpx

from taisce_pg.embed import waiting
from taisce_pg.embed.port import EmbedderFailed, Vector, checked
from taisce_pg.problem import Problem

BATCH = 128
BATCH_CHARACTERS = 100_000
TEXT_CHARACTERS = 24_000
"""Most texts and characters of a request; what a text has beyond its limit is not embedded."""

SECONDS = 60.0
WITHOUT_LIMIT = 600.0
"""How long a request may take, and how long a batch of a call that has no limit of its own."""

ATTEMPTS = 8
_MOST_BYTES = 256 * 2**20
_SHORTEST = 256
_AGAIN = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_SECRET = re.compile(r"key|token|secret|password|^sig", re.I)
_TOO_LONG = re.compile(r"token|context|length|too (long|large|many)|maximum|exceed", re.I)


class HttpEmbedder:
    """Asks an endpoint for vectors; safe to share between threads.

    A text longer than 24,000 characters is embedded by its beginning, and by less of it if the
    endpoint finds that too long. The key is sent to this endpoint only and is never shown.
    """

    def __init__(
        self,
        url: str,
        model: str,
        *,
        key: str = "",
        dimensions: int | None = None,
        revision: str = "",
        shorten: bool = False,
        question_prefix: str = "",
        text_prefix: str = "",
        batch: int = BATCH,
        seconds: float = SECONDS,
    ) -> None:
        """Describe the endpoint: `url` is what stands before /embeddings.

        `dimensions` are checked in every answer; with `shorten` they are asked for, too. The
        prefixes are put before questions and stored texts for models that want them. `seconds`
        bounds a request. Raises `Problem` for a URL that
        is none.
        """
        self.model = model
        self.revision = revision
        self.dimensions = dimensions
        self.input_version = "1" if not text_prefix else f"1+{_short_digest(text_prefix)}"
        self._url = _checked_url(url)
        self._key = key
        self._shorten = shorten and dimensions is not None
        self._prefixes = {True: question_prefix, False: text_prefix}
        self._batch = max(1, batch)
        self._seconds = seconds
        self._free_at = 0.0
        headers = {"authorization": f"Bearer {key}"} if key else {}
        try:
            self._client = httpx.Client(headers=headers, follow_redirects=False)
        except (UnicodeEncodeError, ValueError):
            raise Problem(
                "the embedder's key holds a character that no HTTP header may hold",
                "set TAISCE_EMBEDDER_KEY to the key alone",
                2,
            ) from None

    def __repr__(self) -> str:
        """Show what is asked, never with what key."""
        return f"HttpEmbedder({self._shown!r}, {self.model!r})"

    def close(self) -> None:
        """Close the connections."""
        self._client.close()

    def embed(
        self, texts: Sequence[str], *, seconds: float | None = None, question: bool = False
    ) -> list[Vector]:
        """Return one vector for each text, asking again while there is time if it may help.

        Raises `EmbedderFailed`.
        """
        prefix = self._prefixes[question]
        prepared = [prefix + text[:TEXT_CHARACTERS] for text in texts]
        end = None if seconds is None else time.monotonic() + seconds
        found: list[Vector] = []
        for part in self._parts(prepared):
            found += self._embed(part, end)
        return found

    @property
    def _shown(self) -> str:
        """The address without what may be secret in it."""
        return str(self._url.copy_with(username=None, password=None, query=None))

    def _parts(self, texts: Sequence[str]) -> Iterator[list[str]]:
        part: list[str] = []
        size = 0
        for text in texts:
            if part and (len(part) >= self._batch or size + len(text) > BATCH_CHARACTERS):
                yield part
                part, size = [], 0
            part.append(text)
            size += len(text)
        if part:
            yield part

    def _embed(self, texts: list[str], end: float | None) -> list[Vector]:
        """Ask for the vectors of a batch; make it smaller if it is too large for the endpoint."""
        limit = time.monotonic() + WITHOUT_LIMIT if end is None else end
        try:
            vectors = self._ask(texts, limit)
        except _TooLong as exc:
            if len(texts) > 1:
                half = len(texts) // 2
                return self._embed(texts[:half], end) + self._embed(texts[half:], end)
            if len(texts[0]) <= _SHORTEST:
                raise EmbedderFailed(str(exc)) from None
            return self._embed([texts[0][: len(texts[0]) // 2]], end)
        if self.dimensions is None:
            self.dimensions = len(vectors[0])
        return vectors

    def _ask(self, texts: list[str], end: float) -> list[Vector]:
        """Ask until an answer comes, nothing can help, or the time is over."""
        self._rest(self._free_at - time.monotonic(), end, "its limits are used up")
        for attempt in range(ATTEMPTS):
            try:
                return self._request(texts, end)
            except _Again as exc:
                if attempt == ATTEMPTS - 1:
                    raise EmbedderFailed(exc.what, retryable=True) from None
                wait = waiting.backoff(attempt) if exc.wait is None else exc.wait
                self._rest(wait, end, exc.what)
        raise AssertionError("the last attempt returns or raises")

    def _rest(self, wait: float, end: float, why: str) -> None:
        if wait <= 0:
            return
        if time.monotonic() + wait >= end:
            raise EmbedderFailed(f"{why}; there is no time to ask again", retryable=True)
        waiting.sleep(wait)

    def _request(self, texts: list[str], end: float) -> list[Vector]:
        left = min(self._seconds, end - time.monotonic())
        if left <= 0:
            raise EmbedderFailed(f"{self._shown} did not answer in time", retryable=True)
        asked: dict[str, Any] = {"model": self.model, "input": texts, "encoding_format": "float"}
        if self._shorten:
            asked["dimensions"] = self.dimensions
        try:
            with self._client.stream(
                "POST", self._url, json=asked, timeout=httpx.Timeout(left)
            ) as answer:
                body = _read(answer, time.monotonic() + left)
        except httpx.TimeoutException:
            raise _Again(f"{self._shown} did not answer in time") from None
        except httpx.TransportError as exc:
            what = type(exc).__name__
            raise _Again(f"{self._shown} cannot be reached ({what})") from None
        except httpx.HTTPError as exc:
            raise EmbedderFailed(f"{self._shown}: {type(exc).__name__}") from None
        self._free_at = time.monotonic() + waiting.room_after(answer.headers)
        if answer.status_code != 200:
            self._refused(answer, body)
        return checked(_vectors(body, len(texts)), len(texts), self.dimensions)

    def _refused(self, answer: httpx.Response, body: bytes) -> None:
        status = answer.status_code
        what = f"{self._shown} answered {status}{self._reason(status, body)}"
        if status in _AGAIN:
            raise _Again(what, waiting.asked_to_wait(answer.headers))
        if status == 413 or (
            status in (400, 422) and _TOO_LONG.search(body.decode(errors="replace"))
        ):
            raise _TooLong(what)
        raise EmbedderFailed(what)

    def _reason(self, status: int, body: bytes) -> str:
        """Say what the endpoint says is wrong, by its code alone: a message may repeat a text."""
        if status in (401, 403):
            return ": it refuses the key" if self._key else ": it wants a key (TAISCE_EMBEDDER_KEY)"
        if 300 <= status < 400:
            return ": a redirect; give the address it leads to"
        try:
            told = json.loads(body)["error"]
            code = told.get("code") or told.get("type")
        except (ValueError, TypeError, KeyError, AttributeError):
            code = None
        if isinstance(code, str) and re.fullmatch(r"[a-z0-9_.-]{1,60}", code):
            return f": {code}"
        return ": is the URL right, and the model's name?" if status == 404 else ""


class _Again(Exception):
    """Asking again may help, after `wait` seconds if the endpoint said so."""

    def __init__(self, what: str, wait: float | None = None) -> None:
        super().__init__(what)
        self.what = what
        self.wait = wait


class _TooLong(Exception):
    """The endpoint finds the texts too long."""


def _read(answer: httpx.Response, end: float) -> bytes:
    """Read an answer; one that trickles in must not take longer than there is time."""
    parts = []
    size = 0
    for part in answer.iter_bytes():
        parts.append(part)
        size += len(part)
        if time.monotonic() > end:
            raise httpx.ReadTimeout("late")
        if size > _MOST_BYTES:
            raise EmbedderFailed("the embedder's answer is too large")
    return b"".join(parts)


def _vectors(body: bytes, count: int) -> list[Any]:
    """Take the vectors out of an answer, in the order of their index."""
    try:
        rows = json.loads(body)["data"]
        by_index = {row.get("index", place): row["embedding"] for place, row in enumerate(rows)}
    except (ValueError, TypeError, KeyError, AttributeError):
        raise EmbedderFailed("the embedder's answer is no list of embeddings") from None
    if len(rows) != count:
        raise EmbedderFailed(f"the embedder gave {len(rows)} vectors for {count} texts")
    if set(by_index) != set(range(count)):
        raise EmbedderFailed("the embedder's vectors do not say which texts they are of")
    return [by_index[place] for place in range(count)]


def _checked_url(url: str) -> httpx.URL:
    try:
        read = httpx.URL(url.strip())
    except (httpx.InvalidURL, TypeError):
        read = httpx.URL("")
    if read.scheme not in ("http", "https") or not read.host:
        raise Problem(
            "the embedder's URL is no http(s) address", "give one like http://127.0.0.1:8080/v1", 2
        )
    # Whatever stands in an address, somebody logs it.
    if read.userinfo or any(_SECRET.search(name) for name in read.params):
        raise Problem(
            "the embedder's URL holds a password or a key", "put it in TAISCE_EMBEDDER_KEY", 2
        )
    path = read.path.rstrip("/")
    return read.copy_with(path=path if path.endswith("/embeddings") else f"{path}/embeddings")


def _short_digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:8]
