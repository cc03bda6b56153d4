"""What the checker lets through of statements at random changes nothing and shows no secret."""

from __future__ import annotations

import json

import pytest

from taisce_pg import errors
from taisce_pg.sandbox import Refusal, check
from taisce_pg.sandbox.session import Query
from tests.support.analysts import SECRETS, build, snapshot
from tests.support.databases import Database
from tests.support.sandbox_fuzz import Fuzzer
from tests.support.sizes import size

ACCEPTED = size(60, 1_000)
SEED = 77
LONGEST = 4_000
"""Milliseconds that one may take: its second, and what it takes to stop it."""


@pytest.mark.slow
def test_what_is_accepted_has_no_effect(module_database: Database) -> None:
    stage = build(module_database)
    analyst = stage.analyst()
    ran = 0
    with stage.database.connect() as conn:
        before = snapshot(conn)
        for sql in Fuzzer(SEED).statements(ACCEPTED * 60):
            try:
                check(sql)
            except Refusal:
                continue
            try:
                result = analyst.run(Query(sql, project="north", seconds=1.0))
            except errors.Unavailable:
                continue  # A semantic call, and there is no embedder.
            told = json.dumps(result.to_dict())
            assert not any(secret in told for secret in SECRETS if secret not in sql), sql
            assert result.elapsed_ms < LONGEST, sql
            assert result.error is None or result.error.code != "internal_error", sql
            ran += result.error is None
            if ran >= ACCEPTED:
                break
        assert snapshot(conn) == before
    analyst.close()
    assert ran >= ACCEPTED, "too few ran for this to mean much"
