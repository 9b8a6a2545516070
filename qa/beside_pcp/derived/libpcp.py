# SPDX-License-Identifier: Apache-2.0
"""Some PCP version's libpcp, asked of expressions by qa.beside_pcp.libpcp."""

import json
import os
import select
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from types import TracebackType
from typing import Any

from qa.beside_pcp.libpcp import in_peer
from qa.peers.peers import Peer

Json = dict[str, Any]

_LIMIT = 300.0  # seconds, of one batch; each of its children has less


class LibpcpError(Exception):
    """The program itself failed, not a child of it."""


class Libpcp:
    """A process that answers batch after batch. A resource: to be closed."""

    def __init__(self, peer: Peer, folder: Path) -> None:
        """It sees the archives in `folder`."""
        self._copy = Path(tempfile.mkdtemp(prefix="pmproof-derived-"))
        command = in_peer.command(self._copy, "expressions")
        self._log = open(self._copy / "log", "wb")
        self._process = subprocess.Popen(
            peer.argv(command, [self._copy, folder], environment=in_peer.environment(self._copy)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )

    def __enter__(self) -> "Libpcp":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def ask(self, request: Json) -> list[Json]:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the answer says it
        told: list[Json] = json.loads(self._line())
        return told

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            assert stream is not None
            try:
                stream.close()
            except BrokenPipeError:
                pass
        shutil.rmtree(self._copy, ignore_errors=True)

    def _line(self) -> bytes:
        assert self._process.stdout is not None
        end = time.monotonic() + _LIMIT
        pipe = self._process.stdout.fileno()
        parts: list[bytes] = []
        while not parts or not parts[-1].endswith(b"\n"):
            ready, _, _ = select.select([pipe], [], [], max(end - time.monotonic(), 0))
            part = os.read(pipe, 1 << 20) if ready else b""
            if not part:
                log = (self._copy / "log").read_text(encoding="utf-8", errors="replace")
                raise LibpcpError(f"no answer{'' if ready else ' in time'}: {log[-2000:]}")
            parts.append(part)
        return b"".join(parts)
