# SPDX-License-Identifier: Apache-2.0
"""One archive, read by one PCP version in three ways, beside its truth."""

import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.beside_pcp.generate import compare_dump, compare_libpcp, dumplog, libpcp
from qa.beside_pcp.generate.difference import Comparison, Difference, short, unexplained
from qa.beside_pcp.generate.expectations import Quirks, complaint_clause, refusal
from qa.beside_pcp.generate.truth import Truth
from qa.peers.peers import Peer

# pmdumplog stops there of its own accord (ARC-504).
_LAST_SECOND_OF_32_BITS = 2**31 - 1
_FAR_FUTURE = ("-T", "@Fri Dec 31 23:59:59 9999")


@dataclass
class Outcome:
    """`records` and `values` count what was compared, by all ways together."""

    archive: str
    version: str
    records: int = 0
    values: int = 0
    differences: list[Difference] = field(default_factory=list)

    @property
    def faults(self) -> list[Difference]:
        return unexplained(self.differences)


def check(peer: Peer, archive: Path, truth: Truth, timeout: float = 120) -> Outcome:
    """Reads `archive` by pmlogcheck, by libpcp and by pmdumplog, each at most `timeout` seconds."""
    outcome = Outcome(archive.name, peer.version)
    if not _can_read(truth, outcome):
        return outcome
    _check_by_pmlogcheck(peer, archive, truth, outcome, timeout)
    reading = _check_by_libpcp(peer, [archive], truth, outcome, timeout)
    if reading is not None:
        _check_by_pmdumplog(peer, archive, truth, reading.errors, outcome, timeout)
    return outcome


def check_set(peer: Peer, archives: Sequence[Path], truth: Truth, timeout: float = 120) -> Outcome:
    """Reads archives that are opened together by libpcp; `truth` is that of all (truth.merge)."""
    outcome = Outcome(" and ".join(archive.name for archive in archives), peer.version)
    if _can_read(truth, outcome):
        _check_by_libpcp(peer, archives, truth, outcome, timeout)
    return outcome


def _can_read(truth: Truth, outcome: Outcome) -> bool:
    quirks = Quirks.of(outcome.version)
    if truth.head["compression"] == "zstd" and not quirks.zstd:
        outcome.differences.append(Difference("file", "compressed by zstd", "read", "not read", "ARC-033"))
    elif truth.archives > 1 and not quirks.deltas_in_sets and truth.has_deltas():
        outcome.differences.append(Difference("file", "a set with deltas", "read", "not tried", "6.0.3 crashes"))
    return not outcome.differences


def _check_by_libpcp(
    peer: Peer, archives: Sequence[Path], truth: Truth, outcome: Outcome, timeout: float
) -> libpcp.Reading | None:
    try:
        reading = libpcp.read(peer, archives, compare_libpcp.questions(truth), timeout)
    except libpcp.RefusedError as error:
        clause = "ARC-307" if error.status == refusal(truth) else ""
        outcome.differences.append(Difference("libpcp", "as a whole", "read", f"status {error.status}", clause))
        return None
    except (libpcp.LibpcpError, subprocess.TimeoutExpired) as error:
        outcome.differences.append(Difference("libpcp", "as a whole", "read", short(str(error))))
        return None
    if (expected := refusal(truth)) is not None:
        outcome.differences.append(Difference("libpcp", "as a whole", f"status {expected}", "read"))
    _add(outcome, compare_libpcp.compare(truth, reading, Quirks.of(outcome.version)))
    return reading


def _check_by_pmlogcheck(peer: Peer, archive: Path, truth: Truth, outcome: Outcome, timeout: float) -> None:
    try:
        done = peer.run(["pmlogcheck", archive], [archive.parent], timeout=timeout, environment=libpcp.ENVIRONMENT)
    except subprocess.TimeoutExpired as error:
        outcome.differences.append(Difference("pmlogcheck", "as a whole", "no complaint", short(str(error))))
        return
    said = (done.stdout + done.stderr).replace(str(archive), archive.name).strip()
    if done.returncode != 0 or said:
        clause = complaint_clause(truth, said)
        actual = short(f"status {done.returncode}: {said}")
        outcome.differences.append(Difference("pmlogcheck", "as a whole", "no complaint", actual, clause))


def _check_by_pmdumplog(
    peer: Peer, archive: Path, truth: Truth, errors: dict[int, str], outcome: Outcome, timeout: float
) -> None:
    beyond = truth.end // 10**9 >= _LAST_SECOND_OF_32_BITS
    try:
        dump = dumplog.dump(peer, archive, _FAR_FUTURE if beyond else (), timeout)
    except (dumplog.DumpError, subprocess.TimeoutExpired) as error:
        outcome.differences.append(Difference("pmdumplog", "as a whole", "read", short(str(error))))
        return
    _add(outcome, compare_dump.compare(truth, dump, errors, Quirks.of(peer.version)))


def _add(outcome: Outcome, comparison: Comparison) -> None:
    outcome.records += comparison.records
    outcome.values += comparison.values
    outcome.differences += comparison.differences
