# SPDX-License-Identifier: Apache-2.0
"""What the writers of the matrix write is read by every command of pmproof without a complaint."""

import os
import re
from pathlib import Path

import pytest

from qa.dev.matrix import decoded, originals, writers
from qa.peers.peers import SUITES
from qa.peers.testing import library_peer

PMPROOF = Path(os.environ["PMPROOF"]).resolve()
ORIGINALS = ["marks-v2", "volumes-v3", "types-v2", "events-v3", "labels-v3"]


@pytest.mark.parametrize("name", ORIGINALS)
@pytest.mark.parametrize("version", SUITES)
def test_no_command_complains(version: str, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    peer = library_peer(version)
    [original] = [one for one in originals.ORIGINALS if one.id == name]
    folder = tmp_path / "made"
    folder.mkdir()
    made = originals.make(original, PMPROOF, folder)
    metric = next(iter(made.truth.descs.values())).names[0].decode()
    several = [one for one in writers.ours(PMPROOF) + writers.of_peer(peer) if not one.takes(made)]
    read = 0
    for number, writer in enumerate(several):
        for file in folder.glob("out*"):
            file.unlink()
        written = writer.write(made, folder)
        if written.refused:
            continue
        commands: list[list[str | Path]] = [
            ["info", written.base],
            ["dump", written.base],
            ["rewrite", written.base, tmp_path / f"again-{number}"],
            ["replay", "--raw", "--metric", metric, written.base],
        ]
        for command in commands:
            done = decoded.run(PMPROOF, *command)
            says = rf".*/again-{number}: \d+ files written\n" if command[0] == "rewrite" else ""
            assert done.returncode == 0 and re.fullmatch(says, done.stderr), (writer.name, command[0], done.stderr)
        read += 1
    assert read >= len(several) - 2, "nearly every writer takes each of these"
