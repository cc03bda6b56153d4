"""What every part of the blocking client stands on: one call, its answer read as models."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from taisce_pg.client.models import Model
from taisce_pg.halt import Halt

_Result = TypeVar("_Result", bound=Model)
_Given = TypeVar("_Given")


class Asking(ABC):
    """Calls of operations; what is a call, and where slow work is done, the client says."""

    @abstractmethod
    def _answers(self, name: str, batch: Sequence[dict[str, Any]]) -> list[Any]:
        """Call an operation for each of a batch in one pipeline; an error stands in its place.

        An answer is JSON, or that of each of its rows. What is not of one call but of the
        connection is raised.
        """

    @abstractmethod
    def _away(self, work: Callable[[Halt], _Given]) -> _Given:
        """Do work that keeps a thread busy; it looks whether it is asked to stop."""

    def _answer(self, name: str, values: dict[str, Any]) -> Any:
        """Call an operation and return its answer as JSON, or that of each of its rows."""
        [answer] = self._answers(name, [values])
        if isinstance(answer, Exception):
            raise answer
        return answer

    def _ask(self, name: str, result: type[_Result], values: dict[str, Any]) -> _Result:
        """Call an operation and read its answer as a model."""
        return result.model_validate_json(self._answer(name, values))

    def _rows(self, name: str, values: dict[str, Any]) -> list[Any]:
        """Call an operation that gives rows and return them as plain values."""
        return [json.loads(row) for row in self._answer(name, values)]

    def _list(
        self, name: str, result: type[_Result], values: dict[str, Any]
    ) -> tuple[_Result, ...]:
        """Call an operation that gives rows and read each as a model."""
        return tuple(result.model_validate_json(row) for row in self._answer(name, values))
