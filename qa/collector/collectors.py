"""Real collectors to check: pmcd of a peer, started as `pmproof collector config` says.

    with Collectors(peer, pmproof, folder) as collectors:
        report = collectors.check()
"""

import json
import os
import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from qa.peers.peers import Peer

# A safety net: nothing takes that long.
PATIENCE = 120.0


def copy_program(pmproof: Path, folder: Path) -> Path:
    """A copy of pmproof that runs in any peer: with this machine's loader and libraries beside it."""
    folder.mkdir()
    told = subprocess.run(["ldd", pmproof], capture_output=True, text=True, check=True).stdout
    libraries = [Path(path) for path in re.findall(r"(?:=> )?(/\S+) \(0x", told)]
    loader = next(path for path in libraries if path.name.startswith("ld-linux"))
    for path in [pmproof, *libraries]:
        shutil.copy(path.resolve(), folder / path.name)
    start = folder / "start"
    start.write_text(
        "#!/bin/sh\n"
        f'exec {folder}/{loader.name} --library-path {folder} {folder}/{pmproof.name} "$@"\n'
    )
    start.chmod(0o755)
    return start


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
        program = copy_program(self.pmproof, self.base / "program")
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
