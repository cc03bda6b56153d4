"""Every answer that any test reads is held against its published JSON Schema.

A plugin: psycopg reads jsonb through it in all connections that tests make, and the clients, which
take the text of an answer, make their models of it through it too. What names a contract must be
valid under the schema that the package ships.
"""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from typing import Any

import jsonschema
import psycopg
import pytest
from psycopg.types.json import JsonbBinaryLoader, JsonbLoader

from taisce_pg import schema
from taisce_pg.client.contracts import CONTRACTS
from taisce_pg.client.models import Model

checked: Counter[str] = Counter()
"""How many answers of each contract were held against its schema in this process."""


def closed(part: Any) -> Any:
    """Return a schema that refuses what it does not describe.

    The shipped ones let readers meet newer fields; the server beside them has none.
    """
    if isinstance(part, list):
        return [closed(one) for one in part]
    if not isinstance(part, dict):
        return part
    made = {key: closed(value) for key, value in part.items()}
    if isinstance(part.get("properties"), dict) and part.get("type") == "object":
        made["additionalProperties"] = False
    return made


@cache
def validator(contract: str) -> jsonschema.Draft202012Validator:
    """Return the validator of a contract, its schema checked itself."""
    shipped = schema(contract)
    jsonschema.Draft202012Validator.check_schema(shipped)
    return jsonschema.Draft202012Validator(closed(shipped))


def check(value: Any) -> Any:
    """Return a value as it is; an answer that its contract's schema refuses fails the test."""
    if isinstance(value, dict) and value.get("contract") in CONTRACTS:
        contract = value["contract"]
        checked[contract] += 1
        for fault in validator(contract).iter_errors(value):
            pytest.fail(f"an answer is not {contract}: {fault.json_path}: {fault.message[:400]}")
    return value


class _Text(JsonbLoader):
    def load(self, data: Any) -> Any:
        return check(super().load(data))


class _Binary(JsonbBinaryLoader):
    def load(self, data: Any) -> Any:
        return check(super().load(data))


for _loader in (_Text, _Binary):
    psycopg.adapters.register_loader("jsonb", _loader)

_MODELS = set(CONTRACTS.values())
_read = Model.model_validate_json.__func__  # type: ignore[attr-defined]


def _read_checked(cls: type[Model], text: Any, **more: Any) -> Any:
    if cls in _MODELS:
        check(json.loads(text))
    return _read(cls, text, **more)


Model.model_validate_json = classmethod(_read_checked)  # type: ignore[assignment, method-assign]
