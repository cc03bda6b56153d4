"""Vectors of questions: one call of the embedder for all of a query, remembered for a while."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from hashlib import sha256
from typing import Any, TypeVar

from taisce_pg.client.embedding import EMBEDDED
from taisce_pg.client.vectors import ActiveModel, Generation
from taisce_pg.embed.choose import Choice, open_embedder
from taisce_pg.embed.port import Embedder, EmbedderFailed, Vector, checked, identity_of

REMEMBERED = 256
"""How many questions a client remembers the vectors of."""

LOADING = 20.0
"""How many seconds a model of the machine's own is waited for the first time, while it is read."""

DEGRADED = "embedder"

_Value = TypeVar("_Value")


class Questions:
    """The embedder of a client and the vectors of its last questions; shared between threads."""

    def __init__(self, embedder: Embedder | str | None, seconds: float) -> None:
        """Take an embedder, the word for one, or None for that of TAISCE_EMBEDDER."""
        self.seconds = seconds
        self._chosen = embedder
        self._opened: Embedder | None = None
        self._settled = False
        self._lock = threading.Lock()
        self._recent: OrderedDict[tuple[str, bytes], Vector] = OrderedDict()

    @property
    def embedder(self) -> Embedder | None:
        """The embedder, None if none was chosen. Raises `Problem` if it cannot be had."""
        if not self._settled:
            with self._lock:
                if not self._settled:
                    self._opened = _open(self._chosen)
                    self._settled = True
        return self._opened

    def text(self, operation: str, values: Mapping[str, Any]) -> str | None:
        """Return the text of a call that a vector would help, None if there is none."""
        if operation not in EMBEDDED or values.get("query_embedding") is not None:
            return None
        if values.get("embedding_model") is not None or self.embedder is None:
            return None
        text = values.get(EMBEDDED[operation][0])
        if not isinstance(text, str) or not text.strip() or len(text.encode()) > 8192:
            return None
        return text

    def usable(self, operation: str, active: Iterable[ActiveModel]) -> bool | None:
        """Tell whether the embedder's model is the active one; None if no model is."""
        of_spaces = [one for one in active if one.space in EMBEDDED[operation][1]]
        return any(map(self._is_ours, of_spaces)) if of_spaces else None

    def usable_beside(self, operation: str, generations: Iterable[Generation]) -> bool:
        """Tell whether the embedder's model is active beside another one."""
        return any(
            one.state == "active" and one.space in EMBEDDED[operation][1] and self._is_ours(one)
            for one in generations
        )

    def _is_ours(self, one: ActiveModel | Generation) -> bool:
        embedder = self.embedder
        return (
            embedder is not None
            and one.embedding_model == identity_of(embedder)
            and embedder.dimensions in (None, one.dimensions)
        )

    @property
    def identity(self) -> str:
        """The name of the embedder's model."""
        embedder = self.embedder
        return identity_of(embedder) if embedder is not None else ""

    def known(self, text: str) -> Vector | None:
        """Return the vector of a question that was asked before."""
        with self._lock:
            key = self._key(text)
            if key in self._recent:
                self._recent.move_to_end(key)
            return self._recent.get(key)

    def known_of(self, texts: Iterable[str]) -> tuple[dict[str | None, Vector], list[str]]:
        """Return the vectors of questions that were asked before, and the other questions."""
        known: dict[str | None, Vector] = {}
        new: list[str] = []
        for text in dict.fromkeys(texts):
            vector = self.known(text)
            if vector is None:
                new.append(text)
            else:
                known[text] = vector
        return known, new

    def asked_together(self, texts: Sequence[str], seconds: float) -> Future[list[Vector]]:
        """Have questions embedded by one call in a thread; the answers are remembered."""
        embedder = self.embedder
        assert embedder is not None

        def embed() -> list[Vector]:
            made = embedder.embed(list(texts), seconds=seconds, question=True)
            vectors = checked(made, len(texts), embedder.dimensions)
            with self._lock:
                for text, vector in zip(texts, vectors, strict=True):
                    self._recent[self._key(text)] = vector
                while len(self._recent) > REMEMBERED:
                    self._recent.popitem(last=False)
            return vectors

        return _in_thread(embed)

    def limit(self, left: float) -> float:
        """Return how long to wait for the embedder when a call has `left` seconds."""
        loading = getattr(self._opened, "loaded", True) is False
        return min(max(self.seconds, LOADING) if loading else self.seconds, left / 2)

    def _key(self, text: str) -> tuple[str, bytes]:
        """Make the key of a question; what was asked is not kept."""
        opened = self._opened
        assert opened is not None
        return identity_of(opened), sha256(text.encode()).digest()


def degraded(sent: Any) -> Any:
    """Say in an answer, JSON as the server sent it, that the embedder did not help."""
    if not isinstance(sent, bytes):
        return sent
    raw = json.loads(sent)
    for part in (raw, raw.get("testimony"), raw.get("facts")) if isinstance(raw, dict) else ():
        words = part.get("degraded") if isinstance(part, dict) else None
        if isinstance(words, list) and DEGRADED not in words:
            words.append(DEGRADED)
    return json.dumps(raw).encode()


def why(failure: BaseException) -> str:
    """Say in one line why no vector came, without the text of a question."""
    if isinstance(failure, EmbedderFailed):
        return str(failure)
    if isinstance(failure, TimeoutError):
        return "the embedder did not answer in time"
    return f"the embedder failed ({type(failure).__name__})"


def _open(chosen: Embedder | str | None) -> Embedder | None:
    if chosen is not None and not isinstance(chosen, str):
        return chosen
    choice = Choice.of_environment()
    if chosen is not None:
        choice = choice.over({"kind": chosen})
    return open_embedder(choice) if choice.wanted else None


def _in_thread(function: Callable[[], _Value]) -> Future[_Value]:
    """Run a function in a thread that nobody has to wait for, not even at the end."""
    future: Future[_Value] = Future()

    def run() -> None:
        try:
            made = function()
        except BaseException as exc:
            future.set_exception(exc)
        else:
            future.set_result(made)

    future.set_running_or_notify_cancel()
    threading.Thread(target=run, name="taisce-embed", daemon=True).start()
    return future
