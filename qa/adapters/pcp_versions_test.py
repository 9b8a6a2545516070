# SPDX-License-Identifier: Apache-2.0
from qa.adapters.pcp_versions import dialect_of, rule_of


def test_which_rule_a_version_has() -> None:  # INT-1202
    assert [rule_of(version) for version in ("6.0.3", "6.3.1", "6.3.2", "6.3.8", "7.2.2")] == [
        "pcp-legacy",
        "pcp-legacy",
        "pcp-6.3.2",
        "pcp-6.3.2",
        "pcp-6.3.2",
    ]


def test_which_dialect_a_version_has() -> None:
    versions = ("6.0.3", "6.3.8", "7.2.0", "7.2.2")
    assert [dialect_of(version) for version in versions] == ["6.0.3", "6.3.8", "7.2.2", "7.2.2"]
    assert [dialect_of(version) for version in ("6.0.4", "7.1.5", "7.20.1")] == [None, None, None]
