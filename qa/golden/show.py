# SPDX-License-Identifier: Apache-2.0
"""A golden case as a person reads it."""

import json
from collections.abc import Iterator
from pathlib import Path

from qa.golden.cases import Case, Json, Request, files_of, paths_of

# Longer answers are cut; case.json has all of them.
_LONGEST = 600


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … ({len(text)} characters; see case.json)"


def _fetches(fetches: list[Json]) -> Iterator[str]:
    for fetch in fetches:
        if fetch["status"] != 0:
            yield f"{fetch['time']}  {fetch['error']}"
        for metric in fetch.get("metrics", []):
            if metric["status"] != 0:
                values = metric["error"]
            else:
                values = ", ".join(
                    one["value"] if one["instance"] is None else f"[{one['instance']}] {one['value']}"
                    for one in metric["values"]
                ) or "no value"
            yield f"{fetch['time']}  {metric['metric']}  {values}"


def _expectation(expect: Json) -> Iterator[str]:
    if "reject" in expect:
        yield f"refused: {expect['reject']['class']}"
    elif set(expect["result"]) == {"fetches"}:
        yield from _fetches(expect["result"]["fetches"])
    else:
        yield _cut(json.dumps(expect["result"], ensure_ascii=True))


def _request(number: int, request: Request, root: Path) -> Iterator[str]:
    inputs = ", ".join(str(Path(path).relative_to(root.resolve().parent)) for path in paths_of(request.source) + files_of(request.source))
    yield f"request {number}: {request.operation}" + (f" of {inputs}" if inputs else "")
    if request.title:
        yield f"  {request.title}"
    yield f"  asked     {_cut(json.dumps(request.args, ensure_ascii=True))}"
    if variants := request.rules or request.dialects:
        yield f"  under     {', '.join(variants)}"
    if request.tolerance:
        yield f"  tolerance {json.dumps(request.tolerance)}"
    for deviation in request.deviations:
        yield f"  but       {deviation.id}: PCP {', '.join(deviation.versions)} answers otherwise, {deviation.differs}"
    for place, line in enumerate(_expectation(request.expect)):
        yield f"  {'expects' if place == 0 else '':9} {line}"


def lines(case: Case, root: Path) -> Iterator[str]:
    """`root` is the folder golden."""
    where = case.provenance
    facts = [where["kind"], where.get("where", ""), ", ".join(where.get("observed", [])), where.get("note", "")]
    yield f"{case.id}  {case.title}"
    yield f"clauses    {', '.join(case.clauses)} ({case.level})"
    yield f"why        {case.why}"
    yield f"provenance {'; '.join(fact for fact in facts if fact)}"
    yield f"file       {(case.folder / 'case.json').resolve().relative_to(root.resolve().parent)}"
    for number, request in enumerate(case.requests, 1):
        yield ""
        yield from _request(number, request, root)
    yield ""
    yield f"put it to an implementation: qa/suite/suite run reference --case '{case.id}'"
