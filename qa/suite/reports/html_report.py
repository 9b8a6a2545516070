# SPDX-License-Identifier: Apache-2.0
"""One HTML page (shell.py): matrix of chapters and implementations, and each case with what was asked, expected and answered
(page.suite.jinja)."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from qa.golden import compare
from qa.golden.cases import Json
from qa.suite import claims
from qa.suite.journal import Implemented, Run, actual_of
from qa.suite.reports import shell
from qa.suite.reports.plot import plot
from qa.suite.reports.text import STATUS_TEXT, chapter_of, claim_of, counts_text, notes, why_not
from qa.suite.verdicts import STATUSES

_MARKS = {"pass": "✓", "fail": "✗", "surprise": "!", "deviation": "≈", "skip": "–"}
_STYLES = {"pass": "good", "fail": "error", "surprise": "error", "deviation": "warning", "skip": "faint"}
_GRAVEST = ("fail", "surprise", "deviation", "skip", "pass")
_LEGEND = {
    "pass": "the expected answer",
    "fail": "another answer, or none (crash, timeout, broken protocol)",
    "surprise": "the expected answer, though a failure is declared: the declaration is stale",
    "deviation": "another answer, as the case or the list of expected failures declares",
    "skip": "not asked, or not answered: nothing is known",
}
_MOST_LINES = 300


def _facts(told: str | list[str] | Json) -> str:
    """Of provenance: a text, names, or what suite explore found."""
    if isinstance(told, dict):
        return f"{told['times']} times, {told['implementation']} beside {told['right']}; again by: {told['command']}"
    return told if isinstance(told, str) else ", ".join(told)


def _verdict(run: Run) -> tuple[str, str]:
    """What can be said of all implementations together, and its style."""
    found = Counter(claim_of(one) for one in run.implementations)
    gravest = claims.worst(list(found))
    style = {claims.NOT_CONFORMANT: "error", claims.UNDETERMINED: "warning"}.get(gravest, "good")
    if len(run.implementations) == 1:
        told = f"{run.implementations[0].name}: {gravest}"
    else:
        told = f"{len(run.implementations)} implementations: {', '.join(f'{number} {claim}' for claim, number in sorted(found.items()))}"
    return (told, style) if run.is_complete else (f"{told}; the run is not complete", "fatal")


def _gravest(statuses: set[str]) -> str:
    return next(status for status in _GRAVEST if status in statuses)


class _Page:
    """What page.suite.jinja shows."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._by_case: dict[str, list[tuple[Implemented, Json]]] = defaultdict(list)
        for one in run.implementations:
            for verdict in one.verdicts:
                self._by_case[verdict["case"]].append((one, verdict))
        self._chapters = sorted({case.partition("/")[0] for case in self._by_case})

    def render(self) -> str:
        header = self._run.header
        verdict, style = _verdict(self._run)
        head = shell.Head(
            "suite", "Conformance of PCP implementations", verdict, style, header["tool"].get("version", ""), header["started"].replace("+00:00", "Z")
        )
        return shell.render(
            "page.suite.jinja",
            head,
            header=header,
            complete=self._run.is_complete,
            marks=_MARKS,
            styles=_STYLES,
            status_text=STATUS_TEXT,
            status_text_of_cases={status: STATUS_TEXT[status] for status in _GRAVEST},
            legend=_LEGEND,
            most_lines=_MOST_LINES,
            implementations=[self._implementation(one) for one in self._run.implementations],
            matrix=[(chapter, [self._cell(one, chapter) for one in self._run.implementations]) for chapter in self._chapters],
            chapters=((chapter, self._cases(chapter)) for chapter in self._chapters),
        )

    def _cell(self, one: Implemented, chapter: str) -> Json | None:
        counts = Counter(verdict["status"] for verdict in one.verdicts if chapter_of(verdict) == chapter)
        if not counts:
            return None
        return {
            "status": _gravest(set(counts)),
            "title": counts_text({status: counts[status] for status in STATUSES}),
            "text": " ".join(f"{_MARKS[status]}\u202f{counts[status]}" for status in STATUSES if counts[status]),
        }

    def _implementation(self, one: Implemented) -> Json:
        hello = one.hello.get("implementation", {})
        failed = Counter(verdict["case"] for verdict in one.verdicts if verdict["status"] in ("fail", "surprise"))
        return {
            "name": one.name,
            "claim": claim_of(one),
            "is": ", ".join(str(hello[key]) for key in ("name", "version", "language", "os") if key in hello),
            "notes": [{"text": note, "grave": note in one.problems or note == one.end.get("because")} for note in notes(self._run, one)],
            "claims": [{**claim, "checks": counts_text(claim["counts"])} for claim in one.claims],
            "failed": sorted(failed.items()),
        }

    def _cases(self, chapter: str) -> Iterator[Json]:
        for name in sorted(case for case in self._by_case if case.startswith(f"{chapter}/")):
            yield self._case(name)

    def _case(self, name: str) -> Json:
        case, verdicts = self._run.cases[name], self._by_case[name]
        provenance = case["provenance"].items()
        marks = []
        for one in self._run.implementations:
            of_one = {verdict["status"] for other, verdict in verdicts if other is one}
            if of_one:
                marks.append((_gravest(of_one), one.name if len(self._run.implementations) > 1 else ""))
        return {
            "name": name,
            "title": case["title"],
            "why": case["why"],
            "level": case["level"],
            "clauses": ", ".join(case["clauses"]),
            "provenance": ", ".join(f"{key}: {_facts(text)}" for key, text in provenance),
            "statuses": {verdict["status"] for _, verdict in verdicts},
            "marks": marks,
            "requests": [
                _request(case["requests"][number - 1], number, _alike(verdicts, number))
                for number in sorted({verdict["request"] for _, verdict in verdicts})
            ],
        }


def _alike(verdicts: Sequence[tuple[Implemented, Json]], number: int) -> list[tuple[str, Json]]:
    """Of one request: each verdict once, with the implementation and all rules that came to it."""
    first: dict[str, tuple[Implemented, Json]] = {}
    under: dict[str, list[str]] = defaultdict(list)
    for one, verdict in verdicts:
        if verdict["request"] != number:
            continue
        same = {key: verdict.get(key) for key in ("status", "outcome", "message", "declared", "answer")}
        key = json.dumps([id(one), same], sort_keys=True)
        first.setdefault(key, (one, verdict))
        under[key] += verdict["under"].values()
    return [(one.name + (f" ({', '.join(under[key])})" if under[key] else ""), verdict) for key, (one, verdict) in first.items()]


def _request(request: Json, number: int, verdicts: Sequence[tuple[str, Json]]) -> Json:
    different = [verdict for _, verdict in verdicts if verdict["status"] not in ("pass", "skip")]
    fetches = request["expect"].get("result", {}).get("fetches")
    actual = next((actual_of(verdict).fetches for verdict in different if "answer" in verdict), None)
    return {
        "number": number,
        "title": request.get("title"),
        "asked": " ".join([request["op"], *(json.dumps(request[key], ensure_ascii=False) for key in ("input", "args"))]),
        "statuses": {verdict["status"] for _, verdict in verdicts},
        "plot": plot(fetches, actual) if fetches else "",
        "answers": [_answer(request, who, verdict) for who, verdict in verdicts],
        "expected": compare.expected_lines(request["expect"]) if len(different) < len(verdicts) or not different else None,
    }


def _answer(request: Json, who: str, verdict: Json) -> Json:
    shows_sides = verdict["status"] in ("fail", "deviation")
    return {
        "status": verdict["status"],
        "who": who,
        "why": "" if verdict["status"] == "pass" else why_not(verdict),
        "rows": compare.rows(request["expect"], actual_of(verdict), request.get("tolerance", {})) if shows_sides else None,
    }


def render(run: Run) -> str:
    return _Page(run).render()
