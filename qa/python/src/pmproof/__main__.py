# SPDX-License-Identifier: Apache-2.0
"""The command `pmproof`, and `python3 -m pmproof`: becomes the program, with its arguments."""

from __future__ import annotations

import os
import sys

from pmproof.errors import ProgramNotFound
from pmproof.program import Program


def main() -> None:
    try:
        program = Program.find()
        os.execv(program.path, ["pmproof", *sys.argv[1:]])
    except (ProgramNotFound, OSError) as error:
        sys.exit(f"pmproof: {error}")


if __name__ == "__main__":
    main()
