# SPDX-License-Identifier: Apache-2.0
"""What ends a run, with an exit status of README.md."""


class FleetError(Exception):
    """Said in one line on standard error."""

    def __init__(self, text: str, status: int) -> None:
        super().__init__(text)
        self.status = status


USAGE = 2
MISSING = 4
INTERNAL = 5
