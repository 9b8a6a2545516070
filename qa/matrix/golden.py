"""The golden cases put to implementations by the suite, as a part of the matrix."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from qa.matrix.results import Failure, Json, Results
from qa.peers.peers import Peer
from qa.suite import cli, implementations, journal
from qa.suite.implementations import NotThereError, UsageError
from qa.suite.reports.text import chapter_of, why_not
from qa.suite.session import FAILED, OK


class SuiteError(Exception):
    """The suite could not be run to its end."""


def names_of(peers: Sequence[Peer], cases: Path) -> list[str]:
    """The reference, and each version of PCP in each way that the suite has adapters for."""
    found = ["reference"]
    for kind in ("pcp", "tool"):
        for peer in peers:
            try:
                implementations.find(f"{kind}:{peer.version}", cases)
            except (UsageError, NotThereError):
                continue
            found.append(f"{kind}:{peer.version}")
    return found


def run(names: Sequence[str], cases: Path, globs: Sequence[str], jobs: int, folder: Path) -> journal.Run:
    """Also writes the suite's own page there. Raises SuiteError."""
    path = folder / "suite.jsonl"
    words = ["run", *names, "--quiet", "--cases", str(cases), "--jobs", str(jobs), "--journal", str(path)]
    words += ["--html", str(folder / "suite.html"), *(word for glob in globs for word in ("--case", glob))]
    status = cli.main(words)
    if status not in (OK, FAILED):
        raise SuiteError(f"the suite ended with status {status}")
    return journal.load(path)


def add(results: Results, run_: journal.Run, entries: Mapping[str, object]) -> None:
    """`entries`: the IDs of the ledger."""
    for one in run_.implementations:
        for verdict in one.verdicts:
            results.golden.setdefault((one.name, chapter_of(verdict)), Counter())[verdict["status"]] += 1
            if verdict["status"] not in ("pass", "skip"):
                results.failures.append(_failure(one.name, run_, verdict, entries))


def _failure(name: str, run_: journal.Run, verdict: Json, entries: Mapping[str, object]) -> Failure:
    case = run_.cases[verdict["case"]]
    declared = verdict.get("declared", {}).get("by")
    known = verdict["status"] == "deviation" and declared in entries
    message = verdict.get("message", "") if verdict["status"] == "deviation" else why_not(verdict)
    return Failure(
        name, verdict["id"], case["title"], tuple(case["clauses"]), verdict["outcome"], message[:300], declared if known else None
    )
