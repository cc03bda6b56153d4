"""Work that is asked to stop looks between two steps, and its statement is ended."""

from __future__ import annotations

import threading
from contextlib import nullcontext
from typing import Any

import psycopg
import pytest

from taisce_pg.communities import survey as surveying
from taisce_pg.halt import Halt, Halted


class Connected:
    """A connection that only knows whether its statement was ended."""

    def __init__(self, failure: psycopg.Error | None = None) -> None:
        self.ended = threading.Event()
        self.failure = failure

    def cancel(self) -> None:
        self.ended.set()
        if self.failure is not None:
            raise self.failure


def test_work_that_nobody_asks_to_stop_goes_on() -> None:
    halt = Halt()
    halt.check()
    conn: Any = Connected()
    with halt.connected(conn):
        halt.check()
    assert not conn.ended.is_set()


def test_once_asked_every_look_stops_it() -> None:
    halt = Halt()
    halt.ask()
    for _ in range(2):
        with pytest.raises(Halted):
            halt.check()
    halt.ask()
    with pytest.raises(Halted):
        halt.check()


@pytest.mark.parametrize("failure", [None, psycopg.OperationalError("gone")])
def test_the_statement_in_hand_is_ended(
    failure: psycopg.Error | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    failed: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", failed.append)
    halt = Halt()
    conn: Any = Connected(failure)

    def work() -> None:
        before = set(threading.enumerate())
        with halt.connected(conn):
            halt.ask()
            for thread in set(threading.enumerate()) - before:
                thread.join(20)
            raise psycopg.errors.QueryCanceled

    with pytest.raises(Halted):
        work()
    assert conn.ended.is_set()
    assert failed == []


def test_what_was_asked_to_stop_before_it_connects_does_nothing() -> None:
    halt = Halt()
    halt.ask()
    begun = []
    conn: Any = Connected()
    with pytest.raises(Halted), halt.connected(conn):
        begun.append("work")
    assert begun == []


def test_a_statement_that_somebody_else_ended_is_an_error() -> None:
    halt = Halt()
    conn: Any = Connected()
    with pytest.raises(psycopg.errors.QueryCanceled), halt.connected(conn):
        raise psycopg.errors.QueryCanceled


@pytest.mark.parametrize("fails", [False, True])
def test_a_connection_given_back_is_left_alone(fails: bool) -> None:
    halt = Halt()
    conn: Any = Connected()
    try:
        with halt.connected(conn):
            if fails:
                raise ValueError
    except ValueError:
        assert fails
    before = set(threading.enumerate())
    halt.ask()
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
    assert not conn.ended.is_set()


@pytest.mark.parametrize("asked", ["before", "meanwhile", None])
def test_communities_are_not_registered_for_nobody(
    asked: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    halt = Halt()
    done: list[str] = []

    def survey(*_: Any, **__: Any) -> None:
        done.append("survey")
        if asked == "meanwhile":
            halt.ask()

    monkeypatch.setattr(psycopg, "connect", lambda *_, **__: nullcontext(Connected()))
    monkeypatch.setattr(surveying, "survey", survey)
    monkeypatch.setattr(surveying, "register", lambda *_: done.append("register"))
    if asked == "before":
        halt.ask()
    with nullcontext() if asked is None else pytest.raises(Halted):
        surveying.survey_memory("", None, True, 2, 3, 10, None, halt)
    assert done == {"before": [], "meanwhile": ["survey"], None: ["survey", "register"]}[asked]
