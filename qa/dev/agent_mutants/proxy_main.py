# SPDX-License-Identifier: Apache-2.0
"""The program of proxy.py: so short because Python compiles it anew with each start."""

import sys

sys.path.insert(0, __file__.rsplit("/", 4)[0])

from qa.dev.agent_mutants import proxy

proxy.run()
