# SPDX-License-Identifier: Apache-2.0
"""PCP's own tools run as validator/tool_output/testdata/runs.json says."""

import json
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from qa.peers.peers import Peer

TESTDATA = Path("validator/tool_output/testdata")

# OUT-101: what would change the output otherwise. qa.peers sets TZ=UTC.
ENVIRONMENT = {"PCP_DERIVED_CONFIG": "", "PCP_STDERR": "", "LC_ALL": "C"}

Run = Mapping[str, Any]


def runs() -> dict[str, Run]:
    found: dict[str, Run] = json.loads((TESTDATA / "runs.json").read_text(encoding="utf-8"))
    return found


def make_archives(pmproof: str, folder: Path) -> None:
    """The archives that the runs are of: tools-v2, tools-v3, tools-stat and tools-events."""
    commands = [["--description", f"{TESTDATA}/archive-{name}.json", f"{folder}/tools-{name}"] for name in ("v2", "v3", "stat")]
    commands.append([*(TESTDATA / "archive-events.txt").read_text(encoding="utf-8").split(), f"{folder}/tools-events"])
    for words in commands:
        subprocess.run([pmproof, "generate", "--quiet", *words], check=True)


def output_of(peer: Peer, run: Run, folder: Path) -> bytes:
    """What the tool prints of one of the archives in `folder`; of pmlogcheck both streams."""
    archive = folder / f"tools-{run['archive']}"
    with tempfile.TemporaryDirectory(prefix="pmproof-tools.") as place:
        empty = Path(place) / "empty"  # OUT-701
        empty.touch()
        words = {"EMPTY": str(empty)}
        arguments = [words.get(word, word.replace("ARCHIVE", str(archive))) for word in run["arguments"]]
        done = peer.run([run["tool"], *arguments], [folder, place], timeout=120, environment=ENVIRONMENT)
    text = done.stderr + done.stdout if run["tool"] == "pmlogcheck" else done.stdout
    return text.encode("utf-8", "surrogateescape").replace(str(folder).encode(), b"/archives")
