"""Every JSON contract and the model that reads it."""

from taisce_pg.client import inspected, models

CONTRACTS: dict[str, type[models.Model]] = {**models.CONTRACTS, **inspected.CONTRACTS}
