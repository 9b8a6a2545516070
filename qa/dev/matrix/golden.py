# SPDX-License-Identifier: Apache-2.0
"""The golden cases put to implementations by the suite, as a part of the matrix."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from qa.dev.matrix.results import Failure, Json, Results
from qa.peers.peers import Peer
from qa.suite import cli, implementations, journal
from qa.suite.implementations import NotThereError, UsageError
from qa.suite.reports.text import chapter_of, why_not
from qa.suite.session import FAILED, OK, slug_of


EXPECTED = Path(implementations.__file__).with_name("expected")


class SuiteError(Exception):
    """The suite could not be run to its end."""


def names_of(peers: Sequence[Peer], cases: Path) -> list[str]:
    """The reference, and each version of PCP in each way that the suite has adapters for."""
    found = ["reference"]
    for kind in ("pcp", "tool", "live"):
        for peer in peers:
            try:
                implementations.find(f"{kind}:{peer.version}", cases)
            except (UsageError, NotThereError):
                continue
            found.append(f"{kind}:{peer.version}")
    return found


def run(names: Sequence[str], cases: Path, globs: Sequence[str], jobs: int, folder: Path) -> journal.Run:
    """Each with the list of expected failures that the suite has of it. Leaves journals and the suite's own page in the folder.

    Raises SuiteError.
    """
    folder.mkdir(parents=True, exist_ok=True)
    journals = [folder / f"{slug_of(name)}.jsonl" for name in names]
    common = ["--quiet", "--cases", str(cases), "--jobs", str(jobs), *(word for glob in globs for word in ("--case", glob))]
    for name, path in zip(names, journals):
        expected = EXPECTED / f"{name.replace(':', '-')}.txt"
        declared = ["--expect", str(expected)] if expected.exists() else []
        status = cli.main(["run", name, *common, *declared, "--journal", str(path)])
        if status not in (OK, FAILED) and not _asked_nothing(path):
            raise SuiteError(f"{name}: the suite ended with status {status}")
    cli.main(["report", *map(str, journals), "--html", str(folder / "suite.html")])
    return journal.merged([(path, journal.load(path)) for path in journals])


def _asked_nothing(path: Path) -> bool:
    """No case that was selected has a request for the implementation: the suite calls that wrong usage."""
    if not path.exists():
        return False
    found = journal.load(path).implementations
    return bool(found) and all(one.hello and {verdict["status"] for verdict in one.verdicts} <= {"skip"} for one in found)


def add(results: Results, run_: journal.Run, entries: Mapping[str, object]) -> None:
    """`entries`: the IDs of the ledger."""
    for one in run_.implementations:
        for verdict in one.verdicts:
            results.golden.setdefault((one.name, chapter_of(verdict)), Counter())[verdict["status"]] += 1
            if verdict["status"] not in ("pass", "skip"):
                results.failures.append(_failure(one.name, run_, verdict, entries))


def _named(verdict: Json) -> list[str]:
    """What may be an entry: the case names one, a list of expected failures does so in its reason."""
    told = verdict.get("declared", {})
    return re.findall(r"\b[A-Z]{3}-[0-9]+(?:-[a-z]+)?\b", f"{told.get('by', '')} {told.get('reason', '')}")


def _failure(name: str, run_: journal.Run, verdict: Json, entries: Mapping[str, object]) -> Failure:
    case = run_.cases[verdict["case"]]
    known = verdict["status"] == "deviation"
    declared = next((name for name in _named(verdict) if name in entries), None)
    message = verdict.get("message", "") if verdict["status"] == "deviation" else why_not(verdict)
    return Failure(
        name, verdict["id"], case["title"], tuple(case["clauses"]), verdict["outcome"], message[:300], declared if known else None
    )
