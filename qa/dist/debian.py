# SPDX-License-Identifier: Apache-2.0
"""The package for Debian: no maintainer scripts, and it needs libc alone."""

import os
import subprocess
import tempfile
from pathlib import Path

from qa.dist.error import DistError
from qa.dist.executable import Executable
from qa.dist.tree import Tree, write_folder

_CONTROL = """\
Package: pmproof
Version: {version}
Architecture: {architecture}
Maintainer: The pmproof developers <pmproof@invalid>
Installed-Size: {size}
Depends: libc6 (>= {glibc})
Recommends: tzdata
Suggests: pcp
Section: utils
Priority: optional
Description: conformance checks for Performance Co-Pilot
 pmproof says what is wrong with an archive, an agent or a collector of
 Performance Co-Pilot (PCP), at which byte, by which clause of the
 specification, and what to do about it. It needs no part of PCP.
"""


def make(tree: Tree, executable: Executable, folder: Path, time: int) -> Path:
    """Returns the package of files by their paths below /usr, in `folder`.

    Raises DistError.
    """
    path = folder / f"pmproof_{executable.version}_{executable.architecture}.deb"
    size = sum((len(file.content) + 1023) // 1024 for file in tree.values())
    control = _CONTROL.format(
        version=executable.version, architecture=executable.architecture, size=size, glibc=executable.glibc_text
    )
    with tempfile.TemporaryDirectory(prefix="pmproof-deb-") as temporary:
        root = Path(temporary, "root")
        root.mkdir()
        write_folder({f"usr/{name}": file for name, file in tree.items()}, root, time)
        (root / "DEBIAN").mkdir(mode=0o755)
        (root / "DEBIAN").chmod(0o755)
        (root / "DEBIAN/control").write_text(control, encoding="utf-8")
        (root / "DEBIAN/control").chmod(0o644)
        # One thread: the bytes of xz depend on their number.
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", str(root), str(path)]
        environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": str(time)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise DistError(f"dpkg-deb made no package: {done.stderr.strip()}")
    return path
