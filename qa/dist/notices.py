# SPDX-License-Identifier: Apache-2.0
"""The licences of what is linked into the program, which have to go with it."""

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


def notices(licence: Path) -> str:
    """Returns pmproof's licence and those of all that is in the program.

    Raises DistError if one is not on this machine.
    """
    parts = [licence.read_text(encoding="utf-8")]
    for package in LINKED:
        path = Path("/usr/share/doc", package, "copyright")
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise DistError(f"{path}: {error.strerror}; it has to go with the program") from error
        parts.append(f"{'=' * 78}\nThe program contains code of what Debian packages as {package}:\n\n{text}")
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)
