# SPDX-License-Identifier: Apache-2.0
"""The program of every_agent.py: so short because Python compiles it anew with each start."""

import os
import sys

sys.path.insert(0, __file__.rsplit("/", 4)[0])

from qa.dev.agent_mutants import every_agent

os._exit(every_agent.main(sys.argv[1:]))
