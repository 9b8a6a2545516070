# SPDX-License-Identifier: Apache-2.0
"""Programs of ours within a peer, which has its own C library and not all the libraries that they need."""

import re
import shutil
import subprocess
from pathlib import Path

from qa.peers.peers import Peer

_FOLDERS = ("usr/lib/x86_64-linux-gnu", "usr/lib64", "usr/lib", "lib/x86_64-linux-gnu", "lib64", "lib")


def carry(program: Path, folder: Path, peer: Peer) -> Path:
    """Makes `folder` with a copy of the program and of what the peer lacks; the script in it that starts it there."""
    folder.mkdir()
    told = subprocess.run(["ldd", program], capture_output=True, text=True, check=True).stdout
    libraries = [Path(path) for path in re.findall(r"=> (/\S+) \(0x", told)]
    lacking = [path for path in libraries if not any((peer.folder / place / path.name).exists() for place in _FOLDERS)]
    for path in [program, *lacking]:
        shutil.copy(path.resolve(), folder / path.name)
    # What PCP's own libraries and agents do not free, where the program was built with LeakSanitizer and loads them.
    (folder / "leaks").write_text("leak:libpcp_pmda.so\nleak:libpcp.so\nleak:/usr/lib/pcp/pmdas/\n")
    start = folder / "start"
    environment = f"LD_LIBRARY_PATH={folder} LSAN_OPTIONS=suppressions={folder}/leaks:print_suppressions=0"
    start.write_text(f'#!/bin/sh\n{environment} exec {folder}/{program.name} "$@"\n')
    start.chmod(0o755)
    return start
