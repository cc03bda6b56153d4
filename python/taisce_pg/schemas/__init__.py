"""JSON Schemas of the contracts, shipped as files and made from the models."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from taisce_pg.client.contracts import CONTRACTS

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def file_name(contract: str) -> str:
    """Name the file that holds the schema of a contract."""
    return contract.replace("/", "_") + ".json"


def schema(contract: str) -> dict[str, Any]:
    """Return the shipped JSON Schema of a contract, for instance "recall/v1".

    Raises KeyError for a contract that this package does not know.
    """
    if contract not in CONTRACTS:
        raise KeyError(contract)
    text = files(__name__).joinpath(file_name(contract)).read_text(encoding="utf-8")
    loaded: dict[str, Any] = json.loads(text)
    return loaded


def generate(contract: str) -> dict[str, Any]:
    """Make the JSON Schema of a contract from its model."""
    return {"$schema": DIALECT, **CONTRACTS[contract].model_json_schema(mode="validation")}


def generated_text(contract: str) -> str:
    """Make the text of the file that ships a contract's schema."""
    return json.dumps(generate(contract), indent=2, sort_keys=True) + "\n"
