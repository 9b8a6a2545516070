# SPDX-License-Identifier: Apache-2.0
"""The one kind of error that this package raises for its callers."""


class PeerError(Exception):
    """What went wrong with a peer, as one line for a person."""
