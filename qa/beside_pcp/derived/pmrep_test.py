# SPDX-License-Identifier: Apache-2.0
"""Real pmrep takes configuration files as DER-341 to DER-345 say: what it refuses, `pmproof derive --pmrep-config`
refuses, and what it registers has the values that pmrep prints."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from qa.peers.peers import SUITES, Peer
from qa.peers.testing import any_peer

PMPROOF = os.environ["PMPROOF"]

# Each formula has an operand: pmrep may die of a fetch that has constants alone. Each file has the metric set x, whose metrics are shown. None: pmrep ends before it shows anything. Else the numbers of the first line.
FILES: dict[str, tuple[str, list[float] | None]] = {
    "a formula": ("[x]\nlab = d.a\nlab.formula = 3 + 0 * plain.load\nlab.label = L\n", [3]),
    "a longer key": ("[x]\nlab = d.a,,,\nlab.formula = 3 + 0 * plain.load\n", [3]),
    "a colon": ("[x]\nlab: d.a\nlab.formula: 3 + 0 * plain.load\n", [3]),
    "quotes": ('[x]\nlab = d.a\nlab.formula = "3 + 0 * plain.load"\n', [3]),
    "lines": ("[x]\nlab = d.a\nlab.formula = 3 +\n\n  # comment\n   0 * plain.load\n", [3]),
    "indented": ("[x]\n lab = d.a\n lab.formula = 3 + 0 * plain.load\n", [3]),
    "capitals": ("[x]\nLab = d.a\nLab.formula = 3 + 0 * plain.load\n", [3]),
    "comments": ("[x] ; c\n# lab = b\n; also = c\nlab = d.a\nlab.formula = 3 + 0 * plain.load\n", [3]),
    "no dot": ("[x]\nlab = da\nlab.formula = 3 + 0 * plain.load\n", [3]),
    "global": ("[global]\nq = d.q\nq.formula = 5 + 0 * plain.load\n[x]\nlab = d.a\nlab.formula = 3 + 0 * plain.load\n", [5, 3]),
    "default": ("[DEFAULT]\nq = d.q\nq.formula = 5 + 0 * plain.load\n[x]\nlab = d.a\nlab.formula = 3 + 0 * plain.load\n", [5, 3]),
    "one name in two sections": ("[y]\nlab = d.a\nlab.formula = 7 + 0 * plain.load\n[x]\nlab = d.a\nlab.formula = 3 + 0 * plain.load\n", [3]),
    "options": ("[options]\nderived = d.z = 3 + 0 * plain.load, d.y = 4 + 0 * plain.load\n[x]\nlab = d.z\nl2 = d.y\n", [3, 4]),
    "a name with a sign": ("[x]\nlab = %%rr\nlab.formula = 3 + 0 * plain.load\n", [3]),
    "a name that begins with a digit": ("[x]\nlab = 9rr\nlab.formula = 3 + 0 * plain.load\n", [3]),
    "the formula first": ("[x]\nlab.formula = 3 + 0 * plain.load\nlab = d.a\n", None),
    "no key": ("[x]\nlab.formula = 3 + 0 * plain.load\n", None),
    "no section": ("lab = d.a\n[x]\nl2 = d.b\nl2.formula = 1\n", None),
    "a section twice": ("[x]\nlab = d.a\nlab.formula = 1\n[x]\nl2 = d.b\nl2.formula = 1\n", None),
    "a key twice": ("[x]\nlab = d.a\nlab.formula = 1\nlab = d.b\n", None),
    "a percent sign": ("[x]\nlab = d.a,%x\nlab.formula = 1\n", None),
    "two percent signs": ("[x]\nlab = d.a\nlab.formula = 100 %% 3\n", None),
    "a wrong formula": ("[x]\nlab = d.a\nlab.formula = 2 *\n", None),
    "a definition as formula": ("[x]\nlab = d.a\nlab.formula = d.a = 2\n", None),
    "a comma in a list": ("[options]\nderived = d.m = matchinst(/a/, m.inst)\n[x]\nlab = d.m\n", None),
    "no value": ("[x]\nlab d.a\n", None),
}


@pytest.fixture(name="archive", scope="module")
def fixture_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    archive = tmp_path_factory.mktemp("in") / "a"
    command = [PMPROOF, "generate", "--no-truth", "--seed", "7", "--records", "12", "--metrics", "4", "--instances", "2", str(archive)]
    subprocess.run(command, capture_output=True, check=True)
    return archive


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return any_peer(request.param)


@pytest.mark.parametrize("what", FILES)
def test_pmrep_takes_what_derive_takes(peer: Peer, archive: Path, what: str) -> None:
    text, shown = FILES[what]
    config = archive.parent / "pmrep.conf"
    config.write_text(text, encoding="utf-8")
    words = ["pmrep", "-c", str(config), "-a", str(archive), "-s", "2", "-t", "2", "-u", "-H", "-l", " ", ":x"]
    done = peer.run(words, [archive.parent], timeout=60)
    printed = [[float(word) for word in line.split()] for line in done.stdout.splitlines() if line.strip()]
    assert (printed[0] if printed else None) == shown, done.stdout + done.stderr

    own = subprocess.run([PMPROOF, "derive", "--format", "json", "--archive", archive, "--pmrep-config", config], capture_output=True, text=True, check=False)
    if shown is None:
        assert own.returncode in (1, 4), own.stdout
        return
    found = [json.loads(line) for line in own.stdout.splitlines()]
    assert own.returncode == 0 and found and all(one["ok"] for one in found), own.stdout + own.stderr
