# SPDX-License-Identifier: Apache-2.0
"""The divergence ledger (golden/ledger/ledger.json) as typed values, and as a page for people."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.golden import compare
from qa.golden.cases import Case, Json, Request

VERSIONS = ("6.0.3", "6.3.8", "7.2.2")

# Whose fault it is, by the verdict.
CLASSES = {"defect": "theirs", "undefined": "theirs", "profile": "specification", "quirk": "specification", "allowed": "specification"}

_HEAD = """\
# Divergence ledger

Where Performance Co-Pilot does not answer what the specification says, or what anybody would expect, with the smallest input that shows it.
Written by `qa/golden/golden ledger` from `ledger.json` and the cases; a test compares this page with it.

Inputs that crash PCP, that corrupt its memory or that it never returns from are described, not shipped.

Each has a class: **theirs**, a fault of PCP; **specification**, what the specification says that PCP does, or leaves open. What is **ours** is mended, and
does not stand here.

- [Value interpolation](#value-interpolation): DEV-
- [Archives](#archives): ARC-
- [Derived metrics](#derived-metrics): DER-
- [Value interpolation, by clause](#value-interpolation-by-clause): INT-
- [Metadata](#metadata): MET-
- [Tool output](#tool-output): OUT-
- [Agents](#agents): PDU-
"""

_INTERPOLATION = """\
## Value interpolation

- *Verdict*: **defect**, the reference does otherwise; **profile**, the profiles `pcp-legacy` and `pcp-6.3.2` do so, too, and `documented` does not.
- *Emulation* (`pmproof replay --emulate VERSION --reason`): **named**, it answers as PCP does and names the deviation; **answered**, it answers so, and
  so does the rule of the version; **undefined**, it says from where on nothing is known of PCP; **none**, it does not model this.
- Up to DEV-26 the numbers are those of section 13 of the specification (DEV-nn is INT-DEV-nn). Those after it this project found.
"""

_CHAPTERS = {
    "ARC": """\
## Archives

What writers and readers of archives do; found by [the matrix](../matrix/README.md), which makes the inputs.

- *Verdict*: **defect**, something is lost or wrong; **allowed**, the specification says that PCP does it, or leaves it open.
- The numbers are those of the clauses.
""",
    "DER": """\
## Derived metrics

- *Verdict*: **quirk**, a clause marked [Q]: PCP does it whenever asked, and so does the reference in the dialects of these versions
  (`pmproof derive --dialect`); **undefined**, a clause marked [U]: what comes of it depends on PCP's memory, or nothing comes at all;
  **defect**, the reference does otherwise.
- The numbers are those of the clauses; a word after one names one of several things that its clause says.
""",
    "INT": """\
## Value interpolation, by clause

What the specification leaves to PCP. Verdicts as those of archives.
""",
    "MET": """\
## Metadata

Verdicts as above.
""",
    "OUT": """\
## Tool output

What PCP's tools print. Verdicts as those of archives.
""",
    "PDU": """\
## Agents

What libpcp and pmcd read and write on their connections. Verdicts as those of archives.
""",
}


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


@dataclass(frozen=True)
class Quirk:
    """What PCP does of which a clause says that it is a quirk [Q] or undefined [U]."""

    id: str
    title: str
    versions: tuple[str, ...]
    trigger: str
    effect: str
    reference: str
    clauses: tuple[str, ...]
    verdict: str  # quirk | undefined | allowed | defect
    dialects: tuple[str, ...]  # in which the reference does the same
    evidence: str
    case: str | None
    without_input: str
    examples: tuple[str, ...]  # expressions of the case
    arguments: tuple[Json, ...]  # of requests of the case
    requests: tuple[str, ...]  # titles of the case's

    @property
    def chapter(self) -> str:
        return self.id.partition("-")[0]


def load_quirks(path: Path) -> list[Quirk]:
    """The quirks of a ledger that its schema accepts."""
    return [
        Quirk(
            told["id"],
            told["title"],
            tuple(told["versions"]),
            told["trigger"],
            told["effect"],
            told["reference"],
            tuple(told["clauses"]),
            told["verdict"],
            tuple(told["dialects"]),
            told["evidence"],
            told["case"],
            told.get("without_input", ""),
            tuple(told.get("examples", ())),
            tuple(told.get("arguments", ())),
            tuple(told.get("requests", ())),
        )
        for told in json.loads(path.read_text(encoding="utf-8"))["quirks"]
    ]


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


def anchor_of(name: str, title: str) -> str:
    """As the page's reader makes it of the heading."""
    kept = "".join(c for c in f"{name} {title}".lower() if c.isalnum() or c in " -_")
    return kept.replace(" ", "-")


def _anchor(entry: Entry | Quirk) -> str:
    return anchor_of(entry.id, entry.title)


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
    yield f"### {entry.id} {entry.title}"
    yield ""
    yield f"- When: {entry.trigger}"
    yield f"- PCP ({', '.join(entry.versions)}): {entry.effect}"
    yield f"- The reference ({', '.join(entry.clauses)}): {entry.reference}"
    yield f"- Verdict: {entry.verdict} (class: {CLASSES[entry.verdict]}). Emulation: {entry.emulation}."
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


def answer_of(case: Case, expression: str, version: str) -> str | None:
    """What the case expects of an expression in the dialect of this version; None: it is not asked there."""
    for request in case.requests:
        defined = request.args.get("derived", request.args.get("definitions", []))
        names = [one["name"] for one in defined if one["expression"] == expression]
        if version not in request.dialects or not names:
            continue
        result = request.expect["result"]
        if "definitions" in result:
            (told,) = [one for one in result["definitions"] if one["name"] == names[0]]
            return compare.entry_text(told).removeprefix(names[0]).strip()
        found = [
            next(one for one in fetch["metrics"] if one["metric"] == names[0])
            for fetch in result["fetches"]
            if any(one["metric"] == names[0] for one in fetch["metrics"])
        ]
        return ", then ".join(compare.metric_text(metric) for metric in found)
    return None


def answer_to(case: Case, arguments: Json, version: str) -> str | None:
    """What the case expects of a request with these arguments; None: it is not asked in the dialect of this version."""
    for request in case.requests:
        if version in request.dialects and request.args == arguments:
            refused = request.expect.get("reject")
            return f"refused: {refused['class']}" if refused else json.dumps(request.expect["result"])
    return None


def answers_of(quirk: Quirk, case: Case, version: str) -> list[str | None]:
    """To its examples, in their order."""
    return [answer_of(case, expression, version) for expression in quirk.examples] + [
        answer_to(case, arguments, version) for arguments in quirk.arguments
    ]


def _examples(quirk: Quirk, case: Case) -> Iterator[str]:
    if quirk.requests:
        for title in quirk.requests:
            numbers = [str(n) for n, request in enumerate(case.requests, start=1) if request.title == title]
            yield f"- Request {', '.join(numbers)} of the case: {title}."
    asked = [*quirk.examples, *map(json.dumps, quirk.arguments)]
    if asked:
        yield ""
        columns = [answers_of(quirk, case, version) for version in VERSIONS]
        rows = []
        for text, *told in zip(asked, *columns, strict=True):
            rows.append([f"`{text}`".replace("|", "\\|"), *(answer or "not asked" for answer in told)])
        yield from _table(["expression" if quirk.examples else "asked", *VERSIONS], rows)
    yield ""


def _quirk(quirk: Quirk, cases: Mapping[str, Case]) -> Iterator[str]:
    yield f"### {quirk.id} {quirk.title}"
    yield ""
    yield f"- When: {quirk.trigger}"
    yield f"- PCP ({', '.join(quirk.versions)}): {quirk.effect}"
    dialects = f" Dialects {', '.join(quirk.dialects)}." if quirk.dialects else ""
    yield f"- The reference ({', '.join(quirk.clauses)}): {quirk.reference}{dialects}"
    yield f"- Verdict: {quirk.verdict} (class: {CLASSES[quirk.verdict]})."
    yield f"- Seen: {quirk.evidence}."
    if quirk.case is None:
        yield f"- Input: none. {quirk.without_input}"
        yield ""
        return
    yield f"- Input: the case {_link(quirk.case)}."
    yield from _examples(quirk, cases[quirk.case])


def page(entries: Sequence[Entry], quirks: Sequence[Quirk], cases: Mapping[str, Case]) -> str:
    """golden/ledger/README.md. `cases`: by ID, those that the entries name."""
    lines = [_HEAD, _INTERPOLATION]
    rows = []
    for entry in entries:
        name = f"[{entry.id}](#{_anchor(entry)})"
        where = "none" if entry.case is None else _link(entry.case)
        rows.append([name, entry.title, ", ".join(entry.versions), entry.verdict, entry.emulation, where])
    lines += _table(["", "what", "versions", "verdict", "emulation", "smallest input"], rows)
    lines.append("")
    for entry in entries:
        lines += _section(entry, cases)
    for chapter, head in _CHAPTERS.items():
        lines.append(head)
        chosen = [quirk for quirk in quirks if quirk.chapter == chapter]
        rows = []
        for quirk in chosen:
            name = f"[{quirk.id}](#{_anchor(quirk)})"
            where = "none" if quirk.case is None else _link(quirk.case)
            rows.append([name, quirk.title.replace("|", "\\|"), ", ".join(quirk.versions), quirk.verdict, where])
        lines += _table(["", "what", "versions", "verdict", "input"], rows)
        lines.append("")
        for quirk in chosen:
            lines += _quirk(quirk, cases)
    return "\n".join(lines).rstrip("\n") + "\n"
