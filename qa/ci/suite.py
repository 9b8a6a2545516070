# SPDX-License-Identifier: Apache-2.0
"""The suite as a program of Bazel's, which finds its cases beside it."""

import sys

from qa.suite.cli import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
