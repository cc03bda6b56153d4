"""Plugins for all tests: those in tests/ and the pgTAP files in db/tests/."""

pytest_plugins = [
    "tests.support.answers",
    "tests.support.servers",
    "tests.support.databases",
    "tests.support.package",
    "tests.support.pgtap",
]
