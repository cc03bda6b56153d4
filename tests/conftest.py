"""Settings of all Python tests."""

import signal

from hypothesis import HealthCheck, settings

from tests.support.sizes import size

settings.register_profile(
    "taisce",
    deadline=None,
    derandomize=True,
    max_examples=size(20, 100),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
settings.load_profile("taisce")

# A shell starts what runs in the background with SIGINT ignored, and programs inherit that: those
# which tests interrupt would go on for ever.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
