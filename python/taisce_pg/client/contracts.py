"""Every JSON contract and the model that reads it."""

from taisce_pg.client import assuredmodels, inspected, models
from taisce_pg.sandbox import result

CONTRACTS: dict[str, type[models.Model]] = {
    **models.CONTRACTS,
    **inspected.CONTRACTS,
    **assuredmodels.CONTRACTS,
    **result.CONTRACTS,
}
