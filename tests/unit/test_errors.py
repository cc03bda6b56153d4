from __future__ import annotations

import pickle

import psycopg
import pytest

from taisce_pg import errors


class FakeDiag:
    def __init__(self, state: str) -> None:
        self.sqlstate = state
        self.message_primary = "invalid_question"
        self.message_detail = "9000 bytes, at most 8192"
        self.message_hint = "Ask less."


class FakeError(psycopg.DatabaseError):
    def __init__(self, state: str) -> None:
        super().__init__("from the server")
        self.sqlstate = state

    @property
    def diag(self) -> FakeDiag:  # type: ignore[override]
        return FakeDiag(self.sqlstate or "")


def test_every_code_of_the_contract_has_one_class_of_its_own() -> None:
    assert list(errors.CLASSES) == [f"TS{number:03}" for number in range(1, 17)]
    assert len({cls.word for cls in errors.CLASSES.values()}) == 16


def test_only_the_three_transient_codes_may_be_tried_again() -> None:
    assert [code for code, cls in errors.CLASSES.items() if cls.retryable] == [
        "TS014",
        "TS015",
        "TS016",
    ]


@pytest.mark.parametrize("code", errors.CLASSES)
def test_an_error_of_the_server_becomes_the_class_of_its_code_with_all_its_parts(
    code: str,
) -> None:
    error = errors.from_psycopg(FakeError(code))
    assert type(error) is errors.CLASSES[code]
    assert error.to_dict() == {
        "code": code,
        "message": "invalid_question",
        "detail": "9000 bytes, at most 8192",
        "hint": "Ask less.",
        "retryable": errors.CLASSES[code].retryable,
    }
    assert str(error) == "invalid_question: 9000 bytes, at most 8192 (Ask less.)"


def test_a_code_of_a_newer_server_is_a_plain_error_that_keeps_its_code() -> None:
    error = errors.from_psycopg(FakeError("TS099"))
    assert type(error) is errors.TaisceError
    assert error.code == "TS099"


@pytest.mark.parametrize("state", ["57014", "42501", "08006", "P0001"])
def test_time_outs_privileges_and_lost_connections_stay_psycopgs(state: str) -> None:
    original = FakeError(state)
    assert errors.from_psycopg(original) is original
    with pytest.raises(FakeError) as caught, errors.translated():
        raise original
    assert caught.value is original


def test_an_error_of_something_else_is_left_alone() -> None:
    original = ValueError("x")
    assert errors.from_psycopg(original) is original


def test_a_translated_error_keeps_psycopgs_as_its_cause() -> None:
    original = FakeError("TS003")

    @errors.translated()
    def call() -> None:
        raise original

    with pytest.raises(errors.UnknownProject) as caught:
        call()
    assert caught.value.__cause__ is original


def test_an_error_survives_pickling() -> None:
    error = errors.NotFound("fact", "Check the id.")
    again = pickle.loads(pickle.dumps(error))
    assert type(again) is errors.NotFound
    assert again.to_dict() == error.to_dict()
