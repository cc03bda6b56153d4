"""How much a test does: TAISCE_TEST_SIZE=fast, or everything."""

import os

FAST = os.environ.get("TAISCE_TEST_SIZE") == "fast"


def size(fast: int, full: int) -> int:
    """Choose a number by the size of this run."""
    return fast if FAST else full
