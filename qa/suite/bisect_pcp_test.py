# SPDX-License-Identifier: Apache-2.0
"""`suite rules bisect` names the version of a real libpcp, and that it has all deviations of it."""

import json
import subprocess
import sys

import pytest

from qa.peers.peers import SUITES
from qa.peers.testing import library_peer

_SUITE = "import sys; from qa.suite.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.mark.parametrize("version", SUITES)
def test_real_pcp_is_named(version: str) -> None:
    known = library_peer(version).version
    command = [sys.executable, "-c", _SUITE, "rules", "bisect", f"pcp:{version}", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads(done.stdout)
    assert found["behaves_like"] == f"PCP {known}"
    assert [entry["version"] for entry in found["versions"]] == [known]
    assert found["versions"][0]["off"] == found["versions"][0]["undecided"] == []
    assert found["values"]["differing"] == 0 and found["witnesses"] == []
    assert found["unanswered"] == []
