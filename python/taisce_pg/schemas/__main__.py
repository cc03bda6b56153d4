"""Write the schema files again: `python -m taisce_pg.schemas`."""

from pathlib import Path

from taisce_pg.client.contracts import CONTRACTS
from taisce_pg.schemas import file_name, generated_text

for name in CONTRACTS:
    Path(__file__).with_name(file_name(name)).write_text(generated_text(name), encoding="utf-8")
