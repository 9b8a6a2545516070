# SPDX-License-Identifier: Apache-2.0
"""The packages for Debian: no maintainer scripts; what lintian says of them is said to be meant, or mended."""

import datetime
import hashlib
import os
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from qa.dist import notices
from qa.dist.error import DistError
from qa.dist.executable import Executable
from qa.dist.tree import File, Tree, gzipped, write_folder

# The project has no address. It is a name that can have none.
_MAINTAINER = "The pmproof developers <pmproof@invalid>"
_CONTROL = """\
Package: {name}
Source: pmproof
Version: {version}
Architecture: {architecture}
Maintainer: {maintainer}
Installed-Size: {size}
{relations}
Section: utils
Priority: optional
Description: {description}
"""
_CHANGELOG = """\
pmproof ({version}) unstable; urgency=medium

  * Release {version}: see /usr/share/doc/{name}/CHANGELOG.md.gz.

 -- {maintainer}  {date}
"""


@dataclass(frozen=True)
class Package:
    """`relations` and `description` as control files have them. `meant`: the tags of lintian that are no mistake, with the reason."""

    name: str
    relations: str
    description: str
    meant: dict[str, str]


_NO_ADDRESS = {tag: "The project has no address" for tag in ("bogus-mail-host", "bogus-mail-host-in-debian-changelog")}
_ONE_FILE = {"embedded-library": "One executable runs wherever there is a libc; the licences go with it"}


def pmproof(executable: Executable) -> Package:
    return Package(
        "pmproof",
        f"Depends: libc6 (>= {executable.glibc_text})\nRecommends: tzdata\nSuggests: pmproof-suite, pcp",
        "conformance checks for Performance Co-Pilot\n"
        " pmproof says what is wrong with an archive, an agent or a collector of\n"
        " Performance Co-Pilot (PCP), at which byte, by which clause of the\n"
        " specification, and what to do about it. It needs no part of PCP.",
        _NO_ADDRESS | _ONE_FILE,
    )


def suite(executable: Executable) -> Package:
    return Package(
        "pmproof-suite",
        f"Depends: pmproof (= {executable.version}), libc6 (>= {executable.glibc_text}), python3 (>= 3.11), python3-jinja2, python3-jsonschema, python3-markupsafe\nSuggests: pcp",
        "conformance suite for implementations of Performance Co-Pilot\n"
        " pmproof-suite puts any reader of archives, interpolation, derived metrics\n"
        " or agent protocol of Performance Co-Pilot (PCP) through golden cases, and\n"
        " compares it with pmproof, libpcp or PCP's tools on archives made at random.",
        _NO_ADDRESS | _ONE_FILE,
    )


def make(package: Package, tree: Tree, executable: Executable, folder: Path, time: int) -> Path:
    """Returns the package of files by their paths below /usr, in `folder`.

    Raises DistError.
    """
    path = folder / f"{package.name}_{executable.version}_{executable.architecture}.deb"
    files = {**tree, **_of_debian(package, executable.version, time)}
    control = _CONTROL.format(
        name=package.name,
        version=executable.version,
        architecture=executable.architecture,
        maintainer=_MAINTAINER,
        size=sum((len(file.content) + 1023) // 1024 for file in files.values()),
        relations=package.relations,
        description=package.description,
    )
    with tempfile.TemporaryDirectory(prefix="pmproof-deb-") as temporary:
        root = Path(temporary, "root")
        root.mkdir()
        write_folder({f"usr/{name}": file for name, file in files.items()}, root, time)
        (root / "DEBIAN").mkdir(mode=0o755)
        (root / "DEBIAN").chmod(0o755)
        digests = "".join(f"{hashlib.md5(file.content).hexdigest()}  usr/{name}\n" for name, file in sorted(files.items()))
        for name, text in (("control", control), ("md5sums", digests)):
            (root / "DEBIAN" / name).write_text(text, encoding="utf-8")
            (root / "DEBIAN" / name).chmod(0o644)
        # One thread: the bytes of xz depend on their number.
        command = ["dpkg-deb", "--root-owner-group", "-Zxz", "--threads-max=1", "--build", str(root), str(path)]
        environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LC_ALL": "C.UTF-8", "SOURCE_DATE_EPOCH": str(time)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise DistError(f"dpkg-deb made no package: {done.stderr.strip()}")
    return path


def _of_debian(package: Package, version: str, time: int) -> dict[str, File]:
    date = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%a, %d %b %Y %H:%M:%S +0000")
    changes = _CHANGELOG.format(name=package.name, version=version, maintainer=_MAINTAINER, date=date)
    overrides = "".join(f"# {reason}.\n{package.name}: {tag}\n" for tag, reason in package.meant.items())
    return {
        f"share/doc/{package.name}/copyright": File(notices.of_debian().encode()),
        f"share/doc/{package.name}/changelog.gz": File(gzipped(changes.encode())),
        f"share/lintian/overrides/{package.name}": File(overrides.encode()),
    }
