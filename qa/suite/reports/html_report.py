"""One HTML page that needs nothing else: matrix of chapters and implementations, and each case with what was asked,
expected and answered. It works without its script."""

import html
import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.golden import compare
from qa.golden.cases import Json
from qa.suite.journal import Implemented, Run, actual_of
from qa.suite.reports.plot import plot
from qa.suite.reports.text import STATUS_TEXT, chapter_of, claim_of, counts_text, notes, why_not
from qa.suite.verdicts import STATUSES

_FOLDER = Path(__file__).parent
_MARKS = {"pass": "✓", "fail": "✗", "surprise": "!", "deviation": "≈", "skip": "–"}
_GRAVEST = ("fail", "surprise", "deviation", "skip", "pass")
_LEGEND = {
    "pass": "the expected answer",
    "fail": "another answer, or none (crash, timeout, broken protocol)",
    "surprise": "the expected answer, though a failure is declared: the declaration is stale",
    "deviation": "another answer, as the case or the list of expected failures declares",
    "skip": "not asked, or not answered: nothing is known",
}
_MOST_LINES = 300
HEAD = """\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>{title}</title>
"""


def style() -> str:
    return (_FOLDER / "page.css").read_text(encoding="utf-8")


def script() -> str:
    """Opens what a link points to; of the checkbox it wants that there is one (id "failing")."""
    return (_FOLDER / "page.js").read_text(encoding="utf-8")


def _e(text: object) -> str:
    return html.escape(str(text))


def _mark(status: str, text: str = "") -> str:
    return f'<span class="mark {status}" title="{_e(STATUS_TEXT[status])}">{_MARKS[status]}{_e(f" {text}" if text else "")}</span>'


def _gravest(statuses: Sequence[str] | set[str]) -> str:
    return next(status for status in _GRAVEST if status in statuses)


def _anchor(case: str) -> str:
    return f"case-{case}"


@dataclass(frozen=True)
class _Told:
    """What one implementation has of one request, under all rules that came to the same."""

    one: Implemented
    verdict: Json
    under: tuple[str, ...]


class _Page:
    def __init__(self, run: Run) -> None:
        self._run = run
        self._by_case: dict[str, list[tuple[Implemented, Json]]] = defaultdict(list)
        for one in run.implementations:
            for verdict in one.verdicts:
                self._by_case[verdict["case"]].append((one, verdict))

    def parts(self) -> Iterator[str]:
        yield f"{HEAD.format(title='pmproof suite')}<style>\n{style()}</style>\n<script>\n{script()}</script>\n</head>\n<body>\n"
        yield from self._top()
        yield from self._matrix()
        for one in self._run.implementations:
            yield from self._implementation(one)
        yield '<h2>Cases</h2>\n<p><label><input type="checkbox" id="failing"> only what did not pass</label></p>\n'
        for chapter in self._chapters():
            yield f'<section id="chapter-{_e(chapter)}">\n<h3>{_e(chapter)}</h3>\n'
            for case in sorted(case for case in self._by_case if case.startswith(f"{chapter}/")):
                yield from self._case(case)
            yield "</section>\n"
        yield "</body>\n</html>\n"

    def _chapters(self) -> list[str]:
        return sorted({case.partition("/")[0] for case in self._by_case})

    def _top(self) -> Iterator[str]:
        header = self._run.header
        yield "<h1>pmproof suite</h1>\n"
        yield f'<p class="faint">{_e(header["started"])}; {header["cases"]["count"]} cases, <code>{header["cases"]["digest"][:19]}</code></p>\n'
        if not self._run.is_complete:
            yield '<p class="warning">The run is not complete: what is missing here was not asked.</p>\n'

    def _matrix(self) -> Iterator[str]:
        implementations = self._run.implementations
        yield '<h2>Chapters and implementations</h2>\n<div class="scroll"><table class="matrix" id="matrix">\n<tr><th>chapter</th>'
        yield "".join(f"<th>{_e(one.name)}</th>" for one in implementations) + "</tr>\n"
        for chapter in self._chapters():
            yield f'<tr><th><a href="#chapter-{_e(chapter)}">{_e(chapter)}</a></th>'
            for one in implementations:
                counts = Counter(verdict["status"] for verdict in one.verdicts if chapter_of(verdict) == chapter)
                if not counts:
                    yield '<td class="none">not asked</td>'
                    continue
                text = " ".join(f"{_MARKS[status]}&#8239;{counts[status]}" for status in STATUSES if counts[status])
                told = _e(counts_text({status: counts[status] for status in STATUSES}))
                yield f'<td class="{_gravest(set(counts))}" title="{told}"><a href="#chapter-{_e(chapter)}">{text}</a></td>'
            yield "</tr>\n"
        yield "<tr><th>claim</th>" + "".join(f"<td>{_e(claim_of(one))}</td>" for one in implementations) + "</tr>\n</table></div>\n"
        yield '<h3>Legend</h3>\n<ul id="legend">\n'
        yield "".join(f"<li>{_mark(status, STATUS_TEXT[status])} {_e(told)}</li>\n" for status, told in _LEGEND.items())
        yield "</ul>\n<p class=\"faint\">A number counts requests, each under each rule or dialect that the implementation has.</p>\n"

    def _implementation(self, one: Implemented) -> Iterator[str]:
        yield f"<h2>{_e(one.name)}: {_e(claim_of(one))}</h2>\n"
        told = one.hello.get("implementation", {})
        if told:
            yield f'<p class="faint">{_e(", ".join(str(told[key]) for key in ("name", "version", "language", "os") if key in told))}</p>\n'
        for note in notes(self._run, one):
            grave = note in one.problems or note == one.end.get("because")
            yield f'<p class="{"warning" if grave else "faint"}">{_e(note)}</p>\n'
        if one.claims:
            yield '<div class="scroll"><table>\n<tr><th>capability</th><th>claim</th><th>checks</th></tr>\n'
            for claim in one.claims:
                counts = _e(counts_text(claim["counts"]))
                yield f"<tr><td>{_e(claim['capability'])}</td><td>{_e(claim['claim'])}</td><td>{counts}</td></tr>\n"
            yield "</table></div>\n"
        failed = Counter(verdict["case"] for verdict in one.verdicts if verdict["status"] in ("fail", "surprise"))
        if failed:
            links = (f'<a href="#{_e(_anchor(case))}">{_e(case)}</a> ({number})' for case, number in sorted(failed.items()))
            yield f"<p>Failed: {', '.join(links)}</p>\n"

    def _case(self, name: str) -> Iterator[str]:
        case, verdicts = self._run.cases[name], self._by_case[name]
        statuses = {verdict["status"] for _, verdict in verdicts}
        quiet = " quiet" if statuses <= {"pass"} else ""
        yield f'<details class="case{quiet}" id="{_e(_anchor(name))}"><summary>'
        for one in self._run.implementations:
            of_one = {verdict["status"] for other, verdict in verdicts if other is one}
            if of_one:
                yield _mark(_gravest(of_one), one.name if len(self._run.implementations) > 1 else "") + " "
        yield f"<code>{_e(name)}</code> {_e(case['title'])}</summary>\n<div class=\"inside\">\n"
        yield f"<p>{_e(case['why'])}</p>\n"
        provenance = ", ".join(f"{key}: {told if isinstance(told, str) else ', '.join(told)}" for key, told in case["provenance"].items())
        yield f'<p class="faint">{_e(case["level"])}; {_e(", ".join(case["clauses"]))}; {_e(provenance)}</p>\n'
        for number in sorted({verdict["request"] for _, verdict in verdicts}):
            yield from self._request(case["requests"][number - 1], number, self._told(verdicts, number))
        yield "</div></details>\n"

    def _told(self, verdicts: Sequence[tuple[Implemented, Json]], number: int) -> list[_Told]:
        groups: dict[str, _Told] = {}
        for one, verdict in verdicts:
            if verdict["request"] != number:
                continue
            # `seconds` and the rule apart, is it the same?
            same = {key: verdict.get(key) for key in ("status", "outcome", "message", "declared", "answer")}
            key = json.dumps([id(one), same], sort_keys=True)
            before = groups.get(key)
            under = tuple(verdict["under"].values())
            groups[key] = _Told(one, verdict, (before.under if before else ()) + under)
        return list(groups.values())

    def _request(self, request: Json, number: int, told: Sequence[_Told]) -> Iterator[str]:
        quiet = " quiet" if {one.verdict["status"] for one in told} <= {"pass"} else ""
        title = f": {request['title']}" if request.get("title") else ""
        yield f'<div class="request{quiet}"><b>{number}{_e(title)}</b> '
        yield f"<pre>{_e(request['op'])} {_e(json.dumps(request['input'], ensure_ascii=False))} {_e(json.dumps(request['args'], ensure_ascii=False))}</pre>\n"
        different = [one for one in told if one.verdict["status"] not in ("pass", "skip")]
        fetches = request["expect"].get("result", {}).get("fetches")
        actual = next((actual_of(one.verdict).fetches for one in different if "answer" in one.verdict), None)
        if fetches:
            yield plot(fetches, actual)
        for one in told:
            under = f" ({', '.join(one.under)})" if one.under else ""
            why = "" if one.verdict["status"] == "pass" else f" {why_not(one.verdict)}"
            yield f"<p>{_mark(one.verdict['status'], one.one.name + under)}{_e(why)}</p>\n"
            if one in different and one.verdict["status"] != "surprise":
                yield from _sides(compare.rows(request["expect"], actual_of(one.verdict), request.get("tolerance", {})))
        if len(different) < len(told) or not different:
            lines = compare.expected_lines(request["expect"])
            cut = f"\n... and {len(lines) - _MOST_LINES} more lines" if len(lines) > _MOST_LINES else ""
            text = "\n".join(lines[:_MOST_LINES]) + cut
            yield f"<details{' open' if len(lines) < 5 else ''}><summary>expected</summary><pre>{_e(text)}</pre></details>\n"
        yield "</div>\n"


def _sides(rows: Sequence[compare.Row]) -> Iterator[str]:
    yield '<div class="sides"><code class="head">expected</code><code class="head">actual</code>\n'
    for expected, actual, same in rows[:_MOST_LINES]:
        differs = "" if same else " differs"
        yield f'<code class="left{differs}"><span class="side">expected </span>{_e(expected)}</code>'
        yield f'<code class="right{differs}"><span class="side">actual </span>{_e(actual)}</code>\n'
    yield "</div>\n"
    if len(rows) > _MOST_LINES:
        yield f"<p>and {len(rows) - _MOST_LINES} more lines</p>\n"


def render(run: Run) -> str:
    return "".join(_Page(run).parts())
