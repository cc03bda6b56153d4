"""Where the SQL files of the package lie."""

from pathlib import Path


def db_root() -> Path:
    """Return the folder holding migrations/, functions/ and views/.

    A wheel carries them inside the package; a checkout keeps them at the top level.
    """
    inside = Path(__file__).parent / "_db"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "db"
