from __future__ import annotations

import inspect
from datetime import UTC, date, datetime, timedelta, timezone
from typing import Any

import pytest

from taisce_pg import AsyncMemory, Memory, errors
from taisce_pg.client import calls

RECALL = calls.OPERATIONS["recall"]


class Vector:
    def tolist(self) -> list[float]:
        return [1.0, 0.5]


def build(**values: Any) -> calls.Call:
    return calls.build(RECALL, {"question": "Who?", **values})


@pytest.mark.parametrize("client", [Memory, AsyncMemory])
@pytest.mark.parametrize("operation", calls.OPERATIONS.values(), ids=calls.OPERATIONS)
def test_methods_take_the_arguments_of_the_table_in_its_order(
    client: type, operation: calls.Operation
) -> None:
    parameters = inspect.signature(getattr(client, operation.name)).parameters
    assert list(parameters)[1:] == [argument.name for argument in operation.arguments]
    for argument in operation.arguments:
        parameter = parameters[argument.name]
        assert parameter.default is (inspect.Parameter.empty if argument.required else None)
        assert (parameter.kind is inspect.Parameter.KEYWORD_ONLY) is not argument.required


def test_both_clients_have_the_same_methods_and_the_same_words() -> None:
    names = [name for name in dir(Memory) if not name.startswith("_")]
    assert {"open", "close", "recall", "recall_many", "query", *calls.OPERATIONS} <= set(names)
    for name in names:
        method, twin = getattr(Memory, name), getattr(AsyncMemory, name)
        assert inspect.signature(twin) == inspect.signature(method)
        # Only one of the two queries is cancelled with its task.
        if name != "query":
            assert inspect.getdoc(twin) == inspect.getdoc(method)


def test_only_what_is_given_is_passed_so_that_the_servers_defaults_rule() -> None:
    call = build()
    assert call.query == b"select memory_v1.recall(question => %(question)s::text)"
    assert call.parameters == {"question": "Who?"}
    assert build(hops=None, project=None) == call


def test_what_can_be_read_once_is_kept_for_a_second_call() -> None:
    once = calls.given({"source_roles": iter(["user"]), "hops": None, "self": object()})
    assert once == {"source_roles": ["user"]}


def test_false_and_zero_are_given() -> None:
    assert build(themes=False, hops=0).parameters == {
        "question": "Who?",
        "themes": False,
        "hops": 0,
    }


def test_all_controls_are_named_and_typed() -> None:
    call = build(
        project="demo",
        data_subject_id="u1",
        max_characters=10,
        source_roles=("user", "tool"),
        hops=2,
        surfaces=["facts"],
        themes=True,
        as_of="2024-03-01T00:00Z",
        as_known_at=datetime(2024, 3, 1, tzinfo=UTC),
        evidence_per_fact=2,
        query_embedding=Vector(),
        embedding_model="m",
    )
    text = call.query.decode()
    assert "source_roles => %(source_roles)s::text[]" in text
    assert "as_of => %(as_of)s::timestamptz" in text
    assert "query_embedding => %(query_embedding)s," in text
    assert call.parameters["source_roles"] == ["user", "tool"]
    assert call.parameters["as_of"] == call.parameters["as_known_at"]
    assert call.parameters["query_embedding"] == "[1.0,0.5]"
    assert list(call.parameters) == [argument.name for argument in RECALL.arguments]


def test_an_unknown_argument_is_a_mistake_of_the_program() -> None:
    with pytest.raises(TypeError, match="limit"):
        build(limit=3)


@pytest.mark.parametrize("question", ["a\0b", "\ud800", "\udfff x"])
def test_text_no_database_can_hold_is_an_invalid_question_that_is_not_echoed(
    question: str,
) -> None:
    with pytest.raises(errors.InvalidQuestion) as caught:
        build(question=question)
    assert caught.value.code == "TS001"
    assert caught.value.message == "invalid_question"
    assert caught.value.detail
    assert caught.value.hint
    assert question not in str(caught.value)


@pytest.mark.parametrize(
    ("values", "error"),
    [
        ({"project": "a\0"}, errors.UnknownProject),
        ({"data_subject_id": "a\0"}, errors.InvalidRecallControls),
        ({"source_roles": ["a\0"]}, errors.InvalidRecallControls),
        ({"query_embedding": []}, errors.InvalidRecallControls),
        ({"query_embedding": [float("nan")]}, errors.InvalidRecallControls),
        ({"query_embedding": [1e300]}, errors.InvalidRecallControls),
        ({"query_embedding": [10**400]}, errors.InvalidRecallControls),
        ({"query_embedding": "[1]"}, errors.InvalidArgument),
        ({"query_embedding": ["x"]}, errors.InvalidArgument),
        ({"question": 3}, errors.InvalidArgument),
        ({"question": b"bytes"}, errors.InvalidArgument),
        ({"question": None}, errors.InvalidArgument),
        ({"source_roles": "user"}, errors.InvalidArgument),
        ({"source_roles": [None]}, errors.InvalidArgument),
        ({"source_roles": {"user": 1}}, errors.InvalidArgument),
        ({"hops": True}, errors.InvalidArgument),
        ({"hops": "1"}, errors.InvalidArgument),
        ({"hops": 1.5}, errors.InvalidArgument),
        ({"themes": 1}, errors.InvalidArgument),
        ({"as_of": 1700000000}, errors.InvalidArgument),
        ({"as_of": datetime(2024, 3, 1)}, errors.InvalidArgument),
        ({"as_of": date(2024, 3, 1)}, errors.InvalidArgument),
        ({"as_of": "2024-03-01"}, errors.InvalidArgument),
        ({"as_of": "2024-03-01T00:00"}, errors.InvalidArgument),
        ({"as_of": "yesterday"}, errors.InvalidArgument),
        ({"as_of": "infinity"}, errors.InvalidArgument),
    ],
)
def test_what_cannot_be_sent_is_refused_by_name(
    values: dict[str, Any], error: type[errors.TaisceError]
) -> None:
    with pytest.raises(error) as caught:
        build(**values)
    assert next(iter(values)) in (caught.value.detail or "")


def test_a_number_outside_the_servers_integers_is_sent_as_the_nearest() -> None:
    assert build(hops=10**12).parameters["hops"] == 2**31 - 1
    assert build(hops=-(10**12)).parameters["hops"] == -(2**31)


def test_a_zone_may_be_written_in_any_iso_way() -> None:
    expected = datetime(2024, 3, 1, 12, tzinfo=UTC)
    for text in ("2024-03-01T12:00Z", "2024-03-01 14:00:00+02:00", " 20240301T120000Z "):
        assert build(as_of=text).parameters["as_of"] == expected
    aware = datetime(2024, 3, 1, 14, tzinfo=timezone(timedelta(hours=2)))
    assert build(as_of=aware).parameters["as_of"] == expected


def test_given_drops_what_was_left_out() -> None:
    assert calls.given({"self": 1, "a": None, "b": False, "c": 0}) == {"b": False, "c": 0}
