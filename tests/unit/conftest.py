"""What unit tests share."""

import pytest

from tests.support.story import Story


@pytest.fixture
def story() -> Story:
    return Story()
