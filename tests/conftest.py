"""Settings of all Python tests."""

from hypothesis import HealthCheck, settings

from tests.support.sizes import FAST

settings.register_profile(
    "taisce",
    deadline=None,
    derandomize=True,
    max_examples=20 if FAST else 100,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("taisce")
