#!/usr/bin/python3 -B
# SPDX-License-Identifier: Apache-2.0
"""A starter: an interpolation rule of one's own, tried on archives (docs/change-a-rule.md):

pmproof rules diff --baseline pcp-6.3.2 --candidate exec:qa/suite/starter/rule.py ARCHIVE
"""

import sys
from pathlib import Path

# In place of this folder: modules are named by their path from the workspace. A copy elsewhere says where that is.
sys.path[0] = str(Path(__file__).resolve().parents[3])

from qa.suite.rule_adapter import Series, Value, serve

LONGEST = 60 * 10**9  # nanoseconds


def rule(series: Series, time: int) -> Value | None:
    """Between two observations a number lies on the line through them, unless they are more than a minute apart."""
    before, after = series.around(time)
    if before is None or after is None or after.time - before.time > LONGEST:
        return None
    if before.time == time:
        return before.value
    if isinstance(before.value, str) or isinstance(after.value, str):
        return before.value
    part = (time - before.time) / (after.time - before.time)
    return before.value + (after.value - before.value) * part


if __name__ == "__main__":
    serve(rule, "line-within-a-minute")
