# SPDX-License-Identifier: Apache-2.0
"""What differs from version to version of PCP, as the specification names it."""


def rule_of(version: str) -> str:
    """INT-1202: which profile of interpolation a version has."""
    return "pcp-6.3.2" if tuple(map(int, version.split("."))) >= (6, 3, 2) else "pcp-legacy"


def dialect_of(version: str) -> str | None:
    """Of derived metrics and units (V60, V63, V72 of the specification); None: nobody looked at this version."""
    return "7.2.2" if version.startswith("7.2.") else version if version in ("6.0.3", "6.3.8") else None
