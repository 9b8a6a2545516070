# SPDX-License-Identifier: Apache-2.0
"""Where pmproof is."""

import os
import shutil
from pathlib import Path

from qa.fleet.error import USAGE, FleetError

_ROOT = Path(__file__).resolve().parents[2]


def checker(named: str | None, elsewhere: bool = False) -> str:
    """As the workers find it: the name itself, where they are not on this machine."""
    if elsewhere:
        return named or "pmproof"
    built = _ROOT / "bazel-bin/validator/pmproof"
    program = shutil.which(named or (str(built) if built.is_file() else "pmproof"))
    if program is None:
        raise FleetError(f"{named or 'pmproof'}: no such program (--checker names it)", USAGE)
    return os.path.abspath(program)
