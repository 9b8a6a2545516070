# SPDX-License-Identifier: Apache-2.0
"""What goes wrong while packages are made."""


class DistError(Exception):
    """Said to whoever runs qa/dist/build."""
