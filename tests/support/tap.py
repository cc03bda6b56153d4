"""Reading what a pgTAP file printed: the Test Anything Protocol, no more of it than pgTAP uses."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_RESULT = re.compile(r"^(not )?ok\b(?: (\d+))?(?: -)? ?(.*)$")
_PLAN = re.compile(r"^1\.\.(\d+)(?:\s*#\s*skip\b\s*(.*))?$", re.IGNORECASE)
_DIRECTIVE = re.compile(r"^(.*?)\s*(?<!\\)#\s*(TODO|SKIP)\b\s*(.*)$", re.IGNORECASE)


@dataclass
class Assertion:
    """One line `ok` or `not ok`, with the remarks printed after it."""

    number: int
    passed: bool
    text: str
    directive: str = ""
    reason: str = ""
    remarks: list[str] = field(default_factory=list)

    @property
    def failed(self) -> bool:
        """Tell whether this breaks the run; a failure marked TODO or SKIP does not."""
        return not self.passed and not self.directive


@dataclass
class Report:
    """All that one file printed."""

    planned: int | None = None
    assertions: list[Assertion] = field(default_factory=list)
    skipped: str | None = None
    bail_out: str | None = None
    faults: list[str] = field(default_factory=list)

    @property
    def failures(self) -> list[Assertion]:
        """Return the assertions that break the run."""
        return [assertion for assertion in self.assertions if assertion.failed]

    @property
    def surprises(self) -> list[Assertion]:
        """Return the assertions marked TODO that passed."""
        return [a for a in self.assertions if a.passed and a.directive == "TODO"]


def parse(output: str) -> Report:
    """Read the output of one file; what contradicts its plan becomes a fault."""
    report = Report()
    for line in output.splitlines():
        if plan := _PLAN.match(line):
            if report.planned is not None:
                report.faults.append(f"a second plan: {line}")
            report.planned = int(plan.group(1))
            if report.planned == 0:
                report.skipped = plan.group(2) or "no reason given"
        elif result := _RESULT.match(line):
            report.assertions.append(_assertion(report, result))
        elif line.startswith("Bail out!"):
            report.bail_out = line.removeprefix("Bail out!").strip()
        elif line.startswith("#") and report.assertions:
            report.assertions[-1].remarks.append(line)
    _check_plan(report)
    return report


def _assertion(report: Report, result: re.Match[str]) -> Assertion:
    expected = len(report.assertions) + 1
    number = int(result.group(2) or expected)
    if number != expected:
        report.faults.append(f"assertion {number} where {expected} was due")
    made = Assertion(number, result.group(1) is None, result.group(3))
    if directive := _DIRECTIVE.match(result.group(3)):
        made.text = directive.group(1)
        made.directive = directive.group(2).upper()
        made.reason = directive.group(3)
    return made


def _check_plan(report: Report) -> None:
    ran = len(report.assertions)
    if report.planned is None:
        report.faults.append("no plan: neither plan(n) nor finish() was reached")
    elif report.planned != ran:
        report.faults.append(f"planned {report.planned} assertions, ran {ran}")
