from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import jsonschema
import pydantic
import pytest

import taisce_pg
from taisce_pg.client.contracts import CONTRACTS
from taisce_pg.client.models import Bundle, Evidence
from taisce_pg.schemas import file_name, generated_text, schema
from tests.unit import samples


def test_an_answer_comes_out_as_it_came_in() -> None:
    for answer in (samples.bundle(), samples.empty()):
        assert Bundle.model_validate(answer).to_dict() == answer


def test_fields_of_a_newer_server_are_kept_at_every_depth() -> None:
    answer = samples.bundle()
    answer["new"] = {"a": [1]}
    answer["facts"][0]["new"] = 1
    answer["facts"][0]["evidence"][0]["new"] = None
    bundle = Bundle.model_validate(answer)
    assert bundle.to_dict() == answer
    assert bundle.facts[0].new == 1  # type: ignore[attr-defined]


def test_instants_carry_their_zone() -> None:
    fact = Bundle.model_validate(samples.bundle()).facts[0]
    assert fact.valid_from == datetime(2024, 3, 1, tzinfo=UTC)
    assert isinstance(fact.known_from, datetime)
    assert fact.known_from.utcoffset() == timedelta(hours=1)
    assert fact.valid_until is None


def test_an_instant_that_python_cannot_hold_stays_text() -> None:
    answer = samples.bundle()
    answer["facts"][0]["valid_from"] = "0044-03-15T00:00:00+00:00 BC"
    answer["facts"][0]["valid_until"] = "12024-03-15T00:00:00+00:00"
    bundle = Bundle.model_validate(answer)
    assert bundle.facts[0].valid_from == "0044-03-15T00:00:00+00:00 BC"
    assert bundle.to_dict() == answer


def test_an_answer_cannot_be_changed() -> None:
    bundle = Bundle.model_validate(samples.bundle())
    with pytest.raises(pydantic.ValidationError):
        bundle.facts[0].statement = "other"  # type: ignore[misc]
    assert isinstance(bundle.facts, tuple)


@pytest.mark.parametrize("name", ["facts", "reach", "cut", "degraded", "freshness"])
def test_a_field_of_the_contract_cannot_be_missing(name: str) -> None:
    answer = samples.bundle()
    del answer[name]
    with pytest.raises(pydantic.ValidationError):
        Bundle.model_validate(answer)


def test_a_quote_is_found_inside_its_context_by_bytes() -> None:
    one = Bundle.model_validate(samples.bundle()).facts[0].evidence[0]
    assert one.parts() == ("– ", "Marta works at Äcme", " now.")


@pytest.mark.parametrize("change", [{"context": ""}, {"context_start": None}, {"context_start": 3}])
def test_a_context_that_is_gone_or_does_not_fit_leaves_the_bare_quote(
    change: dict[str, object],
) -> None:
    raw = samples.bundle()["facts"][0]["evidence"][0]
    one = Evidence.model_validate({**raw, **change})
    assert one.parts() == ("", "Marta works at Äcme", "")


@pytest.mark.parametrize("contract", CONTRACTS)
def test_the_shipped_schema_is_the_one_the_models_make(contract: str) -> None:
    shipped = Path(taisce_pg.__file__).parent / "schemas" / file_name(contract)
    assert shipped.read_text(encoding="utf-8") == generated_text(contract)


def test_the_schema_accepts_answers_and_refuses_what_is_not_one() -> None:
    validator = jsonschema.Draft202012Validator(schema("recall/v1"))
    validator.validate(samples.bundle())
    validator.validate(samples.empty())
    validator.validate({**samples.bundle(), "new": 1})
    assert not validator.is_valid({**samples.bundle(), "facts": None})
    assert not validator.is_valid({**samples.bundle(), "degraded": ["tired"]})


def test_an_unknown_contract_has_no_schema() -> None:
    with pytest.raises(KeyError):
        schema("recall/v0")
