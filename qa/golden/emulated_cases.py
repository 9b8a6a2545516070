# SPDX-License-Identifier: Apache-2.0
"""The cases replay/emulated and replay/emulated-without: what versions of PCP answer to the requests of all other cases of
replay.interp, their deviations included, and what they would answer without one: `golden generate`.

What is expected is what is known of real PCP: the expectation of the case, which real PCP is held against, and where the case
declares a deviation the answer that the ledger recorded. Without the deviations that a case declares the answer is the one that
the case expects.
"""

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from qa.adapters.pcp_versions import rule_of
from qa.golden import cases, ledger, packed
from qa.golden.cases import Case, Json, Request
from qa.golden.pdu_cases import text_of

ID = "replay/emulated"
WITHOUT = "replay/emulated-without"
# A number of values is read as an error, for which some versions happen to have a name.
_COUNT_AS_ERROR = ("DEV-18",)


def write(program: Path, golden: Path) -> list[Path]:
    """Only what the emulation models: `program` is asked for that alone."""
    written = []
    for case in (case_of(golden, list(_modelled(program, golden, list(known(golden))))), case_without(golden, list(_modelled(program, golden, list(known_without(golden)))))):
        path = golden / case["id"] / "case.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text_of(case), encoding="utf-8")
        written.append(path)
    return written


def known(golden: Path) -> Iterator[tuple[str, Json]]:
    """Where each comes from, and the request."""
    entries = {entry.case: entry for entry in ledger.load(golden / "ledger/ledger.json") if entry.case is not None}
    for case in cases.load_all(golden, checked=False):
        entry = entries.get(case.id)
        if case.id in (ID, WITHOUT) or (entry is not None and entry.id in _COUNT_AS_ERROR):
            continue
        told = json.loads((case.folder / "case.json").read_text(encoding="utf-8"))["requests"]
        for number, request in enumerate(case.requests, start=1):
            if request.operation == "replay.interp" and "result" in request.expect:
                for versions, result in _answers(request, number, entry):
                    yield f"{case.id}#{number}", _request(case, number, told[number - 1], versions, result, golden)


def known_without(golden: Path) -> Iterator[tuple[str, Json]]:
    """Likewise, of the cases that declare deviations which the emulation has and names: all requests of these cases, and
    that real PCP has these deviations."""
    named = {entry.id for entry in ledger.load(golden / "ledger/ledger.json") if entry.emulation == "named"}
    for case in cases.load_all(golden, checked=False):
        left_out = sorted({deviation.id for request in case.requests for deviation in request.deviations if deviation.id in named})
        if not left_out or case.id in (ID, WITHOUT):
            continue
        told = json.loads((case.folder / "case.json").read_text(encoding="utf-8"))["requests"]
        for number, request in enumerate(case.requests, start=1):
            versions = [version for version in ledger.VERSIONS if rule_of(version) in request.rules]
            if request.operation != "replay.interp" or "result" not in request.expect or not versions or any(one.id not in named for one in request.deviations):
                continue
            made = _request(case, number, told[number - 1], versions, request.expect["result"], golden)
            made["args"] = {**made["args"], "without": left_out}
            if request.deviations:
                made["deviations"] = told[number - 1]["deviations"]
            yield f"{case.id}#{number}", made


def _answers(request: Request, number: int, entry: ledger.Entry | None) -> Iterator[tuple[Sequence[str], Json]]:
    """What is known of versions that answer alike."""
    found: dict[str, tuple[list[str], Json]] = {}
    for version in ledger.VERSIONS:
        if rule_of(version) not in request.rules:
            continue
        recorded = None if entry is None else entry.answer(number, version)
        if recorded is None and request.deviation_of(version) is not None:
            continue  # what comes then is not known
        result = request.expect["result"] if recorded is None else recorded
        found.setdefault(json.dumps(result), ([], result))[0].append(version)
    yield from found.values()


def _request(case: Case, number: int, told: Json, versions: Sequence[str], result: Json, golden: Path) -> Json:
    def moved(path: str) -> str:
        return os.path.relpath(case.folder / path, golden / ID)

    source = told["input"]
    moved_source = {key: [moved(path) for path in of] if key == "paths" else moved(of) for key, of in source.items()}
    applies = {key: of for key, of in told["applies"].items() if key != "rules"}
    return {
        "title": f"{case.id}#{number}",
        "op": told["op"],
        "input": moved_source,
        "args": told["args"],
        "applies": {**applies, "emulates": list(versions)},
        "expect": {"result": result},
    }


def _modelled(program: Path, golden: Path, requests: Sequence[tuple[str, Json]]) -> Iterator[Json]:
    """Those that the emulation does not refuse, and whose answers are not undefined."""
    with packed.plain(golden) as plain:
        asked = [(request, version) for _, request in requests for version in request["applies"]["emulates"]]
        lines = [_line(request, version, plain / ID) for request, version in asked]
        done = subprocess.run([program, "testee"], input="".join(lines), capture_output=True, text=True, check=True)
    answers = iter(done.stdout.splitlines())
    for _, request in requests:
        told = [json.loads(next(answers)) for _ in request["applies"]["emulates"]]
        if all("result" in one and not any("undefined" in fetch for fetch in one["result"]["fetches"]) for one in told):
            yield request


def _line(request: Json, version: str, folder: Path) -> str:
    def absolute(path: str) -> str:
        return os.path.normpath(folder / path)

    source = request["input"]
    paths = {key: [absolute(path) for path in of] if key == "paths" else absolute(of) for key, of in source.items()}
    args = {**request["args"], "emulate": version}
    return json.dumps({"cmd": "run", "seq": 1, "op": request["op"], "input": paths, "args": args}) + "\n"


def case_of(golden: Path, requests: Sequence[Json]) -> Json:
    clauses = {"INT-1202", *(entry.clause for entry in ledger.load(golden / "ledger/ledger.json") if entry.clause and entry.answers)}
    return {
        "schema": "pmproof-case/1",
        "id": ID,
        "title": "What versions of PCP answer, deviations included",
        "clauses": sorted(clauses),
        "level": "must",
        "why": "Who emulates a version of PCP has to answer as it does, and where it deviates no other way.",
        "provenance": {
            "kind": "specification",
            "where": "the requests of the cases that the titles name; where these declare a deviation, the answer of real PCP that the ledger recorded",
            "note": "Real PCP is held against all of them by golden_pcp_test and ledger_pcp_test.",
        },
        "requests": list(requests),
    }


def case_without(golden: Path, requests: Sequence[Json]) -> Json:
    numbered = {one for request in requests for one in request["args"]["without"]}
    clauses = {"INT-1202", *(entry.clause for entry in ledger.load(golden / "ledger/ledger.json") if entry.clause and entry.id in numbered)}
    return {
        "schema": "pmproof-case/1",
        "id": WITHOUT,
        "title": "What versions of PCP would answer without a deviation of theirs",
        "clauses": sorted(clauses),
        "level": "must",
        "why": "Why PCP answers something else is found by leaving out one deviation at a time; whoever leaves it out has to answer what is right.",
        "provenance": {
            "kind": "specification",
            "where": "section 13; the requests of the cases that the titles name, which declare these deviations and no other",
            "note": "What is expected is what these cases expect. Real PCP has the deviations, as they declare.",
        },
        "requests": list(requests),
    }
