# SPDX-License-Identifier: Apache-2.0
"""pmproof's simple beside the same metrics on PCP's own library, and beside the floor: all answer alike."""

import os
from pathlib import Path

import pytest

from qa.beside_pcp.agent_bench import measuring
from qa.peers.testing import library_peer


@pytest.mark.parametrize("theirs", [measuring.LIBRARY, measuring.FLOOR])
@pytest.mark.parametrize("version", ["6.0.3", "7.2"])
def test_both_answer_alike(version: str, theirs: str) -> None:
    programs = {
        measuring.LIBRARY: Path(os.environ["LIBPCP_SIMPLE"]),
        measuring.FLOOR: Path(os.environ["BARE_PIPE"]),
    }
    words = ["--count", "100", "--warm-up", "10", "--metrics", "1,5", "--clients", "1,2"]
    pairs = measuring.measure(Path(os.environ["PMPROOF"]), programs, library_peer(version), theirs, words)
    assert [(one.clients, one.metrics) for one in pairs] == [(1, 1), (1, 5), (2, 1), (2, 5)]
    for one in pairs:
        for line in (one.our_line, one.their_line):
            assert line["fetches"] == 100
            assert line["cpu_nanoseconds_a_fetch"] > 0
            assert line["metrics_without_value"] == 0
            assert line["values"] == {1: 1, 5: 9}[one.metrics]
        assert one.our_line["answer_bytes"] == one.their_line["answer_bytes"]
