# SPDX-License-Identifier: Apache-2.0
"""Values of options, for argparse."""

import argparse


def positive(text: str) -> int:
    """A number of at least 1."""
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"not a number of at least 1: {text}")
    return number
