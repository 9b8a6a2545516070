# SPDX-License-Identifier: Apache-2.0
"""Many archives, each read by each PCP version: what was compared and what differs."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from qa.beside_pcp.generate import truth
from qa.beside_pcp.generate.archives import GenerateError, Plan
from qa.beside_pcp.generate.difference import Difference
from qa.beside_pcp.generate.reading import Outcome, check, check_set
from qa.peers.peers import Peer


@dataclass
class Read:
    """What came of one plan: outcomes for each of its archives and versions, or why there is none."""

    plan: Plan
    outcomes: list[Outcome] = field(default_factory=list)
    refused: str = ""


@dataclass
class Line:
    """The sum of a version's outcomes."""

    archives: int = 0
    records: int = 0
    values: int = 0
    explained: Counter[str] = field(default_factory=Counter)  # by clause: archives that show it
    faulty: int = 0  # archives


def read_plan(plan: Plan, pmproof: Path, peers: Sequence[Peer]) -> Read:
    """Raises GenerateError unless the arguments were refused."""
    with tempfile.TemporaryDirectory(prefix="pmproof-") as name:
        folder = Path(name)
        try:
            archives = plan.make(pmproof, folder)
        except GenerateError as error:
            if error.refused():
                return Read(plan, refused=error.message)
            raise
        return Read(plan, read_archives(archives, peers))


def read_archives(archives: Sequence[Path], peers: Sequence[Peer]) -> list[Outcome]:
    """Each by itself and, where there are several, all together."""
    truths = []
    for archive in archives:
        try:
            truths.append(truth.load(Path(f"{archive}.truth.json")))
        except (OSError, ValueError, KeyError) as error:
            fault = Difference("truth", "as a whole", "what can be compared", repr(error))
            return [Outcome(archive.name, peer.version, differences=[fault]) for peer in peers]
    outcomes = [check(peer, *each) for peer in peers for each in zip(archives, truths)]
    if len(archives) > 1:
        merged = truth.merge(truths)
        outcomes += [check_set(peer, archives, merged) for peer in peers]
    return outcomes


def read_all(plans: Iterable[Plan], pmproof: Path, peers: Sequence[Peer], jobs: int) -> Iterator[Read]:
    """In the order of the plans."""
    with ThreadPoolExecutor(jobs) as pool:
        waiting: list[Future[Read]] = []
        for plan in plans:
            waiting.append(pool.submit(read_plan, plan, pmproof, peers))
            if len(waiting) > 4 * jobs:
                yield waiting.pop(0).result()
        for future in waiting:
            yield future.result()


def summarize(results: Iterable[Read], on_fault: Callable[[Read, Outcome], None]) -> tuple[dict[str, Line], list[Read]]:
    """A line for each version, and the plans that were refused."""
    lines: dict[str, Line] = {}
    refused: list[Read] = []
    for result in results:
        if result.refused:
            refused.append(result)
        for outcome in result.outcomes:
            line = lines.setdefault(outcome.version, Line())
            line.archives += 1
            line.records += outcome.records
            line.values += outcome.values
            clauses = ", ".join(each.clause for each in outcome.differences if each.clause)
            line.explained.update(set(filter(None, clauses.split(", "))))
            if outcome.faults:
                line.faulty += 1
                on_fault(result, outcome)
    return lines, refused


def table(lines: dict[str, Line]) -> str:
    """Markdown."""
    rows = [
        "| PCP | archives | records | values | archives with a fault | known differences (archives) |",
        "|---|---:|---:|---:|---:|---|",
    ]
    for version, line in sorted(lines.items()):
        known = ", ".join(f"{clause} ({count})" for clause, count in sorted(line.explained.items())) or "none"
        numbers = f"{line.archives} | {line.records} | {line.values} | {line.faulty}"
        rows.append(f"| {version} | {numbers} | {known} |")
    return "\n".join(rows)
