# SPDX-License-Identifier: Apache-2.0
"""Asks an installed libpcp, for the comparisons of qa/beside_pcp: run by that PCP's own Python, with its binding.

    python3 -m qa.beside_pcp.libpcp.program SUBJECT [ARGUMENT...]

SUBJECT is a module of this folder, which says what its arguments and answers are: archive, configuration, expressions,
metadata, names. Beside the files that in_peer copies nothing of pmproof can be imported where it runs.
"""

import importlib
import sys

if __name__ == "__main__":
    importlib.import_module(f"qa.beside_pcp.libpcp.{sys.argv[1]}").main(sys.argv[2:])
