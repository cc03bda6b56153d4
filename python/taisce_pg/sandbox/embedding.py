"""Ask the embedder for the vectors of a query's texts: blocking, and asynchronous."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from taisce_pg import errors
from taisce_pg.sandbox.session import Embed

if TYPE_CHECKING:
    from taisce_pg.client.questions import Questions
    from taisce_pg.embed.port import Vector

_WORDS = "Try again, or search by words."


def embed(questions: Questions, step: Embed) -> list[Vector]:
    """Return a vector for each text; raise `Unavailable` if the embedder has none in time."""
    left = questions.limit(step.seconds * 2)
    vectors, new = questions.known_of(step.texts)
    if new:
        try:
            vectors |= zip(new, questions.asked_together(new, left).result(left), strict=True)
        except Exception as exc:
            raise _failed(exc) from exc
    return [vectors[text] for text in step.texts]


async def aembed(questions: Questions, step: Embed, stop: asyncio.Event) -> list[Vector]:
    """Do the same without holding up the loop; `stop` ends the waiting."""
    left = questions.limit(step.seconds * 2)
    vectors, new = questions.known_of(step.texts)
    if new:
        stopped: asyncio.Future[Any] = asyncio.ensure_future(stop.wait())
        try:
            made = asyncio.wrap_future(questions.asked_together(new, left))
            made.add_done_callback(_seen)
            both: set[asyncio.Future[Any]] = {made, stopped}
            await asyncio.wait(both, timeout=left, return_when=asyncio.FIRST_COMPLETED)
            if not made.done():
                raise TimeoutError
            vectors |= zip(new, made.result(), strict=True)
        except Exception as exc:
            raise _failed(exc) from exc
        finally:
            stopped.cancel()
    return [vectors[text] for text in step.texts]


def _seen(made: asyncio.Future[list[Vector]]) -> None:
    """Take note of a failure that comes after nobody waits any more."""
    if not made.cancelled():
        made.exception()


def _failed(exc: Exception) -> errors.Unavailable:
    from taisce_pg.client.questions import why

    return errors.Unavailable(why(exc), _WORDS)
