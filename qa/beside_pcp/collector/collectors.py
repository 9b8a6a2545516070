# SPDX-License-Identifier: Apache-2.0
"""Real collectors to check: pmcd of a peer, started as `pmproof collector config` says.

    with Collectors(peer, pmproof, folder) as collectors:
        report = collectors.check()
"""

import json
import os
import shlex
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from qa.peers.carry import carry
from qa.peers.peers import Peer

# A safety net: nothing takes that long.
PATIENCE = 120.0


class Collectors:
    """The four collectors of a folder, each in a sandbox of its own; all end with the block."""

    def __init__(self, peer: Peer, pmproof: Path, folder: Path) -> None:
        self.peer = peer
        self.pmproof = pmproof
        self.base = folder
        self.folder = folder / "c"
        self.running: list[subprocess.Popen[bytes]] = []
        self.port = 0

    def __enter__(self) -> "Collectors":
        program = carry(self.pmproof, self.base / "program", self.peer)
        done = subprocess.run(
            [self.pmproof, "collector", "config", self.folder, "--pmproof", program, "--user", "root"],
            capture_output=True,
            text=True,
            check=True,
        )
        for line in done.stdout.splitlines():
            words = shlex.split(line)
            self.port = self.port or int(words[words.index("-p") + 1])
            argv = self.peer.argv(words, writable=[self.base], network=True)
            with (self.base / "started.log").open("ab") as log:
                self.running.append(subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=log, stderr=log))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self.running:
            process.terminate()
        for process in self.running:
            try:
                process.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def check(self, *arguments: str, setup: bool = True) -> dict[str, Any]:
        """The report, as JSON."""
        return self.report(["--setup", str(self.folder)] if setup else [], arguments)

    def check_by_inet(self, *arguments: str) -> dict[str, Any]:
        return self.report(["--port", str(self.port)], arguments)

    def report(self, where: Sequence[str], arguments: Sequence[str]) -> dict[str, Any]:
        # A busy machine is late, not wrong.
        timeouts = [f"--timeout={name}=60" for name in ("lateness", "patience")]
        command = [os.fspath(self.pmproof), "collector", "check", *where, *timeouts, "--format=json", *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=1200, check=False)
        assert done.returncode in (0, 1), f"status {done.returncode}\n{done.stderr}\n{self.logs()}"
        report: dict[str, Any] = json.loads(done.stdout)
        return report

    def logs(self) -> str:
        """What the collectors have written, for a message."""
        found = [self.base / "started.log", *sorted(self.folder.glob("*.log"))]
        return "\n".join(f"== {path.name}\n{path.read_text(errors='replace')[-2000:]}" for path in found)
