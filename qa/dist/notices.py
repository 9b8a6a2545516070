# SPDX-License-Identifier: Apache-2.0
"""The licences of what is linked into the program, which have to go with it."""

from collections.abc import Sequence
from pathlib import Path

from qa.dist.error import DistError

# The packages of Debian whose code is in the program: libraries, and headers that are all there is of one.
LINKED = (
    "libbz2-dev",
    "libcli11-dev",
    "libexpected-dev",
    "liblzma-dev",
    "libssl-dev",
    "libstdc++6",
    "libxxhash-dev",
    "libzstd-dev",
    "nlohmann-json3-dev",
    "zlib1g-dev",
)

_DEBIAN = """\
pmproof, copyright the pmproof developers, is licensed under the Apache License, version 2.0.
On Debian systems its text is in /usr/share/common-licenses/Apache-2.0.
"""


def notices(licence: Path, linked: Sequence[str] = LINKED) -> str:
    """Returns pmproof's licence and those of all that is in the program, or in what else has code of `linked`.

    Raises DistError if one is not on this machine.
    """
    return _with_linked(licence.read_text(encoding="utf-8"), linked)


def of_debian() -> str:
    """Returns the same for a package of Debian, which has pmproof's licence already.

    Raises DistError.
    """
    return _with_linked(_DEBIAN, LINKED)


def _with_linked(own: str, linked: Sequence[str]) -> str:
    parts = [own]
    for package in linked:
        path = Path("/usr/share/doc", package, "copyright")
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise DistError(f"{path}: {error.strerror}; it has to go with the program") from error
        parts.append(f"{'=' * 78}\nIt contains code of what Debian packages as {package}:\n\n{text}")
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)
