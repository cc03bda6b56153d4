"""How the blocking client answers: vectors, calls in a pipeline, lost connections."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Sequence
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from taisce_pg import errors
from taisce_pg.client import calls, session
from taisce_pg.client.asking import Asking
from taisce_pg.client.questions import Questions, degraded, why
from taisce_pg.client.vectors import ActiveModel, Generation

if TYPE_CHECKING:
    from taisce_pg.embed.port import Vector

_LOG = logging.getLogger("taisce_pg.embed")


class Answering(Asking):
    """Calls with the vectors they need; how statements are run and waited for, the client says."""

    project: str | None
    deadline: float
    _questions: Questions

    @abstractmethod
    def _run(self, batch: Sequence[calls.Call], deadline: session.Deadline) -> list[Any]:
        """Set the time-out and run statements in one round trip and one transaction.

        Answers up to the first statement that fails, whose error is the last of them.
        """

    @abstractmethod
    def _drain(self) -> None:
        """Have the pool make its connections anew."""

    @abstractmethod
    def _wait(self, vectors: Future[list[Vector]], seconds: float) -> list[Vector]:
        """Wait for vectors that are being made; raise TimeoutError when they are late."""

    def _answers(self, name: str, batch: Sequence[dict[str, Any]]) -> list[Any]:
        """Call an operation for each of a batch in one pipeline; an error stands in its place.

        What is not of one call but of the connection is raised.
        """
        deadline = session.Deadline(self.deadline)
        plain = [calls.prepared(name, values, self.project) for values in batch]
        texts = [
            self._questions.text(name, values) if isinstance(one, calls.Call) else None
            for one, values in zip(plain, batch, strict=True)
        ]
        asked = [text for text in texts if text is not None]
        if not asked:
            return self._read(plain, deadline)
        vectors, helped = self._vectors(name, asked, batch[0].get("project"), deadline)
        model = self._questions.identity
        helpful = [
            {**values, "query_embedding": vectors[text], "embedding_model": model}
            if text in vectors
            else values
            for text, values in zip(texts, batch, strict=True)
        ]
        ready = [calls.prepared(name, values, self.project) for values in helpful]
        answers = self._read(ready, deadline)
        # Another model was made the active one in between, or is that of another space.
        again = [n for n, one in enumerate(answers) if isinstance(one, errors.EmbeddingMismatch)]
        by_words = self._read([plain[n] for n in again], deadline)
        for n, one in zip(again, by_words, strict=True):
            answers[n] = one
        for n, text in enumerate(texts):
            if n in again or not (helped or text is None or text in vectors):
                answers[n] = degraded(answers[n])
        return answers

    def _vectors(
        self, name: str, texts: list[str], project: str | None, deadline: session.Deadline
    ) -> tuple[dict[str | None, Vector], bool]:
        """Return the vectors of questions, and False if there should be more than there are.

        A text goes to the embedder only if the database says that its model is the active one.
        """
        asked = {} if project is None else {"project": project}
        active = self._one("active_model", dict(asked), deadline)
        usable = self._questions.usable(name, map(ActiveModel.model_validate_json, active))
        if usable is False:
            made = self._one("generations", dict(asked), deadline)
            usable = self._questions.usable_beside(name, map(Generation.model_validate_json, made))
        if not usable:
            return {}, usable is None
        vectors, new = self._questions.known_of(texts)
        if new:
            limit = self._questions.limit(deadline.left())
            try:
                found = self._wait(self._questions.asked_together(new, limit), limit)
                vectors |= zip(new, found, strict=True)
            except Exception as exc:
                _LOG.warning("answered by words: %s", why(exc))
                return vectors, False
        return vectors, True

    def _one(self, name: str, values: dict[str, Any], deadline: session.Deadline) -> Any:
        """Call an operation without a vector."""
        [answer] = self._read([calls.prepared(name, values, self.project)], deadline)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _read(
        self, batch: Sequence[calls.Call | errors.TaisceError], deadline: session.Deadline
    ) -> list[Any]:
        """Run calls, once more if their connection turns out to be dead before it was sent."""
        answers: list[Any] = list(batch)
        while left := [n for n, one in enumerate(answers) if isinstance(one, calls.Call)]:
            waiting = [answers[n] for n in left]
            try:
                got = self._run(waiting, deadline)
            except session.LostError as lost:
                self._drain()
                try:
                    got = self._run(waiting, deadline)
                except session.LostError as again:
                    raise again.cause from lost.cause
            for n, one in zip(left, got, strict=False):
                answers[n] = one
            # What is left has its own time.
            deadline = session.Deadline(deadline.seconds)
        return answers
