"""The divergence ledger (golden/ledger/ledger.json) as typed values, and as a page for people."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.golden import compare
from qa.golden.cases import Case, Json, Request

VERSIONS = ("6.0.3", "6.3.8", "7.2.2")

_HEAD = """\
# Divergence ledger

Where Performance Co-Pilot does not answer what the specification says, with the smallest input that shows it. Written by
`qa/golden/golden ledger` from `ledger.json` and the cases beside it; a test compares this page with it.

- *Verdict*: **defect**, the reference does otherwise; **profile**, the profiles `pcp-legacy` and `pcp-6.3.2` do so, too, and `documented` does not.
- *Emulation* (`pmproof replay --emulate VERSION --reason`): **named**, it answers as PCP does and names the deviation; **answered**, it answers so, and
  so does the rule of the version; **undefined**, it says from where on nothing is known of PCP; **none**, it does not model this.
- Up to DEV-26 the numbers are those of section 13 of the specification (DEV-nn is INT-DEV-nn). Those behind it this project found.
- Inputs that crash PCP, that corrupt its memory or that it never returns from are described, not shipped.
"""


@dataclass(frozen=True)
class Answer:
    """What some versions of real PCP answer to a request of the entry's case, where that is not what it expects."""

    request: int  # from 1
    versions: tuple[str, ...]
    result: Json


@dataclass(frozen=True)
class Entry:
    id: str
    clause: str | None
    title: str
    versions: tuple[str, ...]
    trigger: str
    effect: str
    reference: str
    clauses: tuple[str, ...]
    verdict: str
    emulation: str
    evidence: str
    case: str | None
    without_input: str
    answers: tuple[Answer, ...]

    def answer(self, request: int, version: str) -> Json | None:
        """None: what the case expects."""
        found = [answer.result for answer in self.answers if answer.request == request and version in answer.versions]
        return found[0] if found else None


def load(path: Path) -> list[Entry]:
    """The entries of a ledger that its schema accepts."""
    return [
        Entry(
            told["id"],
            told["clause"],
            told["title"],
            tuple(told["versions"]),
            told["trigger"],
            told["effect"],
            told["reference"],
            tuple(told["clauses"]),
            told["verdict"],
            told["emulation"],
            told["evidence"],
            told["case"],
            told.get("without_input", ""),
            tuple(Answer(a["request"], tuple(a["versions"]), a["result"]) for a in told["answers"]),
        )
        for told in json.loads(path.read_text(encoding="utf-8"))["entries"]
    ]


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield _row(head)
    yield "|" + "---|" * len(head)
    yield from map(_row, rows)


def _anchor(entry: Entry) -> str:
    """As the page's reader makes it of the heading."""
    kept = "".join(c for c in f"{entry.id} {entry.title}".lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _link(case: str) -> str:
    return f"[{case}]({case.removeprefix('ledger/') if case.startswith('ledger/') else f'../{case}'}/case.json)"


def _answers(fetch: Json) -> str:
    """What one fetch answers, without its time."""
    return compare.fetch_text(fetch).partition(" ")[2]


def _requests(entry: Entry, number: int, request: Request) -> Iterator[str]:
    yield f"Request {number}{f', {request.title}' if request.title else ''}: `{json.dumps(request.args)}`"
    yield ""
    columns = [entry.answer(number, version) for version in VERSIONS]
    rows = []
    for i, fetch in enumerate(request.expect["result"]["fetches"]):
        row = [fetch["time"], _answers(fetch)]
        for column in columns:
            told = fetch if column is None else column["fetches"][i]
            same = compare.fetch_matches(fetch, told, {})
            row.append("the same" if same else f"**{_answers(told)}**")
        rows.append(row)
    yield from _table(["time", f"reference ({', '.join(request.rules)})", *VERSIONS], rows)
    yield ""


def _section(entry: Entry, cases: Mapping[str, Case]) -> Iterator[str]:
    yield f"## {entry.id} {entry.title}"
    yield ""
    yield f"- When: {entry.trigger}"
    yield f"- PCP ({', '.join(entry.versions)}): {entry.effect}"
    yield f"- The reference ({', '.join(entry.clauses)}): {entry.reference}"
    yield f"- Verdict: {entry.verdict}. Emulation: {entry.emulation}."
    yield f"- Seen: {entry.evidence}."
    if entry.case is None:
        yield f"- Input: none. {entry.without_input}"
        yield ""
        return
    yield f"- Input: the case {_link(entry.case)}, described in `archive.json` beside it."
    yield ""
    numbers = sorted({answer.request for answer in entry.answers})
    for number in numbers:
        yield from _requests(entry, number, cases[entry.case].requests[number - 1])


def page(entries: Sequence[Entry], cases: Mapping[str, Case]) -> str:
    """golden/ledger/README.md. `cases`: by ID, those that the entries name."""
    lines = [_HEAD]
    rows = []
    for entry in entries:
        name = f"[{entry.id}](#{_anchor(entry)})"
        where = "none" if entry.case is None else _link(entry.case)
        rows.append([name, entry.title, ", ".join(entry.versions), entry.verdict, entry.emulation, where])
    lines += _table(["", "what", "versions", "verdict", "emulation", "smallest input"], rows)
    lines.append("")
    for entry in entries:
        lines += _section(entry, cases)
    return "\n".join(lines).rstrip("\n") + "\n"

