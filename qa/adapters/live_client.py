# SPDX-License-Identifier: Apache-2.0
"""libpcp as a client of a collector that says what it is told to (live_fake.py): what live_sends.py and live_reads.py share.

One process for each request: contexts stay.
"""

import ctypes
import os

from pcp import pmapi

from qa.adapters import live_octets
from qa.adapters.live_fake import FakeCollector
from qa.adapters.pcp_library import PCP, Skip

NULL = 0xFFFFFFFF
UNHEARD = live_octets.error(pmapi.c_api.PM_ERR_GENERIC)
LABELS = {2: "pmGetDomainLabels", 4: "pmGetInDomLabels", 8: "pmGetClusterLabels", 16: "pmGetItemLabels", 32: "pmGetInstancesLabels"}

_MOST_CONTEXTS = 16


def connect(fake: FakeCollector) -> int:
    return int(PCP.pmNewContext(pmapi.c_api.PM_CONTEXT_HOST, fake.host))


def connected(fake: FakeCollector, context: int = 0) -> None:
    """The context of that number."""
    if not 0 <= context < _MOST_CONTEXTS:
        raise Skip("libpcp numbers its contexts from 0, and so many are not made here")
    for number in range(context + 1):
        if connect(fake) != number:
            raise OSError("libpcp does not connect to the collector of the adapter")


def pointer() -> ctypes.c_void_p:
    return ctypes.c_void_p()


def words(told: list[str]) -> "ctypes.Array[ctypes.c_uint]":
    return (ctypes.c_uint * max(1, len(told)))(*(int(word, 16) for word in told))


def clean() -> None:
    """What the environment would make libpcp do besides (OUT-101)."""
    os.environ["PCP_DERIVED_CONFIG"] = ""
    os.environ["PMCD_REQUEST_TIMEOUT"] = "5"
    os.environ["PMCD_CONNECT_TIMEOUT"] = "5"
