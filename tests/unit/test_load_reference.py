"""The reference of the load format in the docs is the table that checks lines."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from taisce_pg.load.parse import InvalidLine, check_line
from taisce_pg.load.reference import renewed

DOCS = Path(__file__).parents[2] / "docs" / "storage-and-load.md"


def test_the_reference_is_up_to_date() -> None:
    page = DOCS.read_text()
    assert renewed(page) == page


def test_the_error_shown_is_the_error_given() -> None:
    match = re.search(r"<!-- example: error -->.*?\nerror: (.*?)\n", DOCS.read_text(), re.DOTALL)
    assert match is not None
    line = (
        '{"type":"fact","subject":"A","statement":"b","evidence":[{"observation":"c","quote":""}]}'
    )
    with pytest.raises(InvalidLine) as caught:
        check_line(line, 2, "broken.ndjson")
    assert str(caught.value) == match[1]
