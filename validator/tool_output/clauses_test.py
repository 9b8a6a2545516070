# SPDX-License-Identifier: Apache-2.0
"""Every clause of tool-output.md is named by a test of the parsers or of the comparison, or it is said here why not."""

import re
from pathlib import Path

CHAPTER = Path("reference/spec/tool-output.md").read_text(encoding="utf-8")
SOURCES = [*Path("validator/tool_output").glob("*_test.cc"), *Path("validator/tool_output/compare").glob("*_test.*")]

# What no output shows, or what the whole of a test is about.
WITHOUT_A_TEST = {
    "OUT-101": "how a harness runs the tools: qa/beside_pcp/tool_output does",
    "OUT-107": "exit statuses of the tools",
    "OUT-211": "widths by type, which are found from the table",
    "OUT-219": "on standard error alone",
    "OUT-220": "on the exit status alone",
    "OUT-322": "order, which is not a difference",
    "OUT-323": "an option that prints nothing",
    "OUT-426": "which records a window has",
    "OUT-506": "which metrics are shown",
    "OUT-701": "how a harness runs pmrep: qa/beside_pcp/tool_output does",
    "OUT-733": "which rows -u has",
    "OUT-801": "which stream",
    "OUT-1205": "what the sizes count",
    "OUT-1309": "what the percentages are of",
    "OUT-1310": "which time a heading has",
    "OUT-1010": "a finding that one version has: told as a difference",
    "OUT-1012": "units that one version has no text for: told as a difference",
}


def named(text: str) -> set[str]:
    """ "OUT-812..819" names all between."""
    found = set()
    for first, last in re.findall(r"\bOUT-(\d+)(?:\.\.(\d+))?", text):
        found |= {f"OUT-{number}" for number in range(int(first), int(last or first) + 1)}
    return found


def test_every_clause_is_named_by_a_test() -> None:
    clauses = set(re.findall(r"^(?:- |\| )(OUT-\d+)\b", CHAPTER, re.M))
    assert len(clauses) > 100
    tests = named("".join(path.read_text(encoding="utf-8") for path in SOURCES))
    assert clauses - tests - set(WITHOUT_A_TEST) == set()
    assert set(WITHOUT_A_TEST) <= clauses


def test_every_clause_that_is_named_is_there() -> None:
    clauses = set(re.findall(r"^(?:- |\| )(OUT-\d+)\b", CHAPTER, re.M))
    for path in SOURCES:
        assert named(path.read_text(encoding="utf-8")) <= clauses, path
