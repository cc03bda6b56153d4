"""What an embedder is, and what its answers must be before anything is done with them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol, runtime_checkable

Vector = list[float]

FLOAT4 = 3.4028234663852886e38
"""The largest number that a stored vector can hold."""


class EmbedderFailed(Exception):
    """No vectors came: the embedder is down, late, or answered something else.

    The message never holds a text that was to be embedded, nor a key. `retryable` says whether
    the same call may succeed later.
    """

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        """Keep what happened, in one line."""
        super().__init__(message)
        self.retryable = retryable


@runtime_checkable
class Embedder(Protocol):
    """Turns texts into vectors of one model.

    `model` and `revision` name it ("" if it has no revision): vectors of different names are
    never compared. `dimensions` is the length of its vectors, None until the first answer tells.
    `input_version` names how a text is prepared before the model sees it; "1" is as the database
    gives it.
    """

    model: str
    revision: str
    dimensions: int | None
    input_version: str

    def embed(
        self, texts: Sequence[str], *, seconds: float | None = None, question: bool = False
    ) -> list[Vector]:
        """Return one vector for each text, in order.

        `seconds` is all the time there is; `question` says that these are questions and no
        stored texts, for models that tell them apart. Raises `EmbedderFailed`.
        """
        ...


def identity(model: str, revision: str) -> str:
    """Return the name of a model as the database writes it: model, or model@revision."""
    return f"{model}@{revision}" if revision else model


def identity_of(embedder: Embedder) -> str:
    """Return the name of an embedder's model as the database writes it."""
    return identity(embedder.model, embedder.revision)


def checked(vectors: Sequence[Sequence[float]], count: int, dimensions: int | None) -> list[Vector]:
    """Return the vectors as lists of floats, or say what is wrong with them.

    They must be `count`, each of `dimensions` numbers (all of one length if None), finite, and
    not all zero. Raises `EmbedderFailed`.
    """
    if len(vectors) != count:
        raise EmbedderFailed(f"the embedder gave {len(vectors)} vectors for {count} texts")
    found = []
    for vector in vectors:
        try:
            numbers = [float(number) for number in vector]
        except (TypeError, ValueError):
            raise EmbedderFailed("the embedder gave a vector that holds no numbers") from None
        dimensions = len(numbers) if dimensions is None else dimensions
        if len(numbers) != dimensions or not numbers:
            raise EmbedderFailed(
                f"the embedder gave a vector of {len(numbers)} dimensions, not {dimensions}"
            )
        if not all(math.isfinite(number) and abs(number) <= FLOAT4 for number in numbers):
            raise EmbedderFailed("the embedder gave a vector with a number that is not finite")
        if not any(numbers):
            raise EmbedderFailed("the embedder gave a vector of nothing but zeros")
        found.append(numbers)
    return found
