# SPDX-License-Identifier: Apache-2.0
"""The least that libpcp takes to replay: run by a PCP's own Python, with its binding.

    python3 fetch_with_libpcp.py ARCHIVE every SECONDS METRIC...     step by step from the start to the end
    python3 fetch_with_libpcp.py ARCHIVE random COUNT METRIC...      at times by chance, each set anew
    python3 fetch_with_libpcp.py ARCHIVE contexts COUNT METRIC...    the same, each in a context of its own

Values are fetched and freed, not looked at, but for the last ones; prints how many there were, as JSON. It stands
alone: nothing of pmproof can be imported where it runs.
"""

import ctypes
import json
import random
import sys
from collections.abc import Callable, Iterator
from typing import Any

import cpmapi
from pcp import pmapi

END_OF_LOG = -12370

PCP = ctypes.CDLL(pmapi.LIBPCP._name)
# Before 7.0, what has nanoseconds has other names.
HIGHRES = hasattr(pmapi, "pmHighResResult")
RESULT = pmapi.pmHighResResult if HIGHRES else pmapi.pmResult
FETCH = PCP.pmFetchHighRes if HIGHRES else PCP.pmFetch
FREE_RESULT = PCP.pmFreeHighResResult if HIGHRES else PCP.pmFreeResult
SET_MODE = PCP.pmSetModeHighRes if HIGHRES else PCP.pmSetMode
GET_LABEL = PCP.pmGetHighResArchiveLabel if HIGHRES else PCP.pmGetArchiveLabel
GET_END = PCP.pmGetHighResArchiveEnd if HIGHRES else PCP.pmGetArchiveEnd


class Timespec(ctypes.Structure):
    """As libpcp takes times."""

    _fields_ = [("seconds", ctypes.c_int64), ("nanoseconds", ctypes.c_int64)]


def set_mode(when: Timespec, step: Timespec) -> None:
    status = SET_MODE(cpmapi.PM_MODE_INTERP, ctypes.byref(when), ctypes.byref(step))
    if status < 0:
        raise SystemExit(f"pmSetMode: {status}")


def every(seconds: int) -> Iterator[None]:
    label = (pmapi.pmHighResLogLabel if HIGHRES else pmapi.pmLogLabel)()
    GET_LABEL(ctypes.byref(label))
    set_mode(Timespec(label.start.tv_sec, label.start.tv_nsec), Timespec(seconds, 0))
    while True:
        yield


def by_chance(count: int, chance: random.Random) -> Iterator[None]:
    label = (pmapi.pmHighResLogLabel if HIGHRES else pmapi.pmLogLabel)()
    GET_LABEL(ctypes.byref(label))
    end = Timespec()
    GET_END(ctypes.byref(end))
    still = Timespec(0, 0)
    for _ in range(count):
        second = chance.randrange(label.start.tv_sec + 1, end.seconds)
        set_mode(Timespec(second, chance.randrange(10**9)), still)
        yield


def count_values(result: Any, metrics: int) -> int:
    # The binding says that there is one value set; there are as many as metrics.
    kind = type(result.vset[0])
    vset = (kind * metrics).from_address(ctypes.addressof(result) + type(result).vset.offset)
    return sum(max(0, each.contents.numval) for each in vset)


def fetch(context: pmapi.pmContext, metrics: list[str], times: Callable[[], Iterator[None]]) -> tuple[int, int]:
    """How many fetches there were, and how many values one of them had."""
    pmids = [int(pmid) for pmid in context.pmLookupName(metrics)]
    request = (ctypes.c_uint * len(pmids))(*pmids)
    result = ctypes.POINTER(RESULT)()
    arguments = len(pmids), request, ctypes.byref(result)
    fetches = values = 0
    for _ in times():
        status = FETCH(*arguments)
        if status == END_OF_LOG:
            break
        if status < 0:
            raise SystemExit(f"pmFetch: {status}")
        fetches += 1
        if fetches == 1 or fetches % 1000 == 0:
            values = count_values(result.contents, len(pmids))
        FREE_RESULT(result)
    return fetches, values


def main() -> None:
    archive, how, amount, *metrics = sys.argv[1:]
    count = int(amount)
    fetches = values = 0
    if how == "contexts":
        chance = random.Random(1)
        for _ in range(count):
            context = pmapi.pmContext(cpmapi.PM_CONTEXT_ARCHIVE, archive)
            one, values = fetch(context, metrics, lambda: by_chance(1, chance))
            fetches += one
            del context
    else:
        context = pmapi.pmContext(cpmapi.PM_CONTEXT_ARCHIVE, archive)
        times = (lambda: every(count)) if how == "every" else (lambda: by_chance(count, random.Random(1)))
        fetches, values = fetch(context, metrics, times)
    if not fetches:
        raise SystemExit("nothing was fetched")
    print(json.dumps({"fetches": fetches, "values_of_one": values}))


if __name__ == "__main__":
    main()
