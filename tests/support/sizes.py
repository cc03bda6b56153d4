"""How much a test does: TAISCE_TEST_SIZE is fast (no slow tests), usual, or full (larger draws)."""

import os

SIZE = os.environ.get("TAISCE_TEST_SIZE", "usual")
if SIZE not in ("fast", "usual", "full"):
    raise ValueError(f"TAISCE_TEST_SIZE is fast, usual or full, not {SIZE}")


def size(usual: int, full: int) -> int:
    """Choose a number by the size of this run."""
    return full if SIZE == "full" else usual
