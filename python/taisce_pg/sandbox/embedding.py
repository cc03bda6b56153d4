"""Ask the embedder for the vectors of a query's texts: blocking, and asynchronous."""

from __future__ import annotations

import asyncio
import time
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from taisce_pg import errors
from taisce_pg.sandbox.session import Embed

if TYPE_CHECKING:
    from taisce_pg.client.questions import Questions
    from taisce_pg.embed.port import Vector

_WORDS = "Try again, or search by words."


def embed(questions: Questions, step: Embed) -> list[Vector]:
    """Return a vector for each text; raise `Unavailable` if the embedder has none in time."""
    end = time.monotonic() + questions.limit(step.seconds * 2)
    waiting = _asked(questions, step, end)
    try:
        return [_left(found, end) for found in waiting]
    except Exception as exc:
        raise _failed(exc) from exc


async def aembed(questions: Questions, step: Embed, stop: asyncio.Event) -> list[Vector]:
    """Do the same without holding up the loop; `stop` ends the waiting."""
    end = time.monotonic() + questions.limit(step.seconds * 2)
    waiting: list[Vector | asyncio.Future[Vector]] = [
        found if isinstance(found, list) else asyncio.wrap_future(found)
        for found in _asked(questions, step, end)
    ]
    for found in waiting:
        if not isinstance(found, list):
            found.add_done_callback(_seen)
    stopped: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
    try:
        for found in waiting:
            if isinstance(found, list):
                continue
            both: set[asyncio.Future[Any]] = {found, stopped}
            await asyncio.wait(
                both,
                timeout=max(0.0, end - time.monotonic()),
                return_when=asyncio.FIRST_COMPLETED,
            )
            if not found.done():
                raise TimeoutError
        return [found if isinstance(found, list) else found.result() for found in waiting]
    except Exception as exc:
        raise _failed(exc) from exc
    finally:
        stopped.cancel()


def _asked(questions: Questions, step: Embed, end: float) -> list[Vector | Future[Vector]]:
    """Return what is known, and for the rest the answers to one call of the embedder."""
    known = {text: questions.known(text) for text in step.texts}
    unknown = [text for text, vector in known.items() if vector is None]
    asked: dict[str, Future[Vector]] = {}
    if unknown:
        asked = dict(
            zip(unknown, questions.asked_together(unknown, end - time.monotonic()), strict=True)
        )
    return [known[text] or asked[text] for text in step.texts]


def _seen(found: asyncio.Future[Vector]) -> None:
    """Take note of a failure that nobody asks for once another text has failed."""
    if not found.cancelled():
        found.exception()


def _left(found: Vector | Future[Vector], end: float) -> Vector:
    return found if isinstance(found, list) else found.result(max(0.0, end - time.monotonic()))


def _failed(exc: Exception) -> errors.Unavailable:
    from taisce_pg.client.questions import why

    return errors.Unavailable(why(exc), _WORDS)
