# SPDX-License-Identifier: Apache-2.0
"""The divergence ledger: by its schema, complete, what the emulation answers is what it records, and cases show the
quirks."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from qa.adapters.testee import Outcome, Testee
from qa.golden import cases, compare, ledger
from qa.golden.cases import Json, Request
from qa.golden.ledger import VERSIONS, Entry, Quirk
from validator.testing.run import PMPROOF

ROOT = Path("golden")
LEDGER = ROOT / "ledger/ledger.json"
ENTRIES = ledger.load(LEDGER)
QUIRKS = ledger.load_quirks(LEDGER)
CASES = {case.id: case for case in cases.load_all(ROOT)}
SCHEMA = json.loads(Path(os.environ["LEDGER_SCHEMA"]).read_text(encoding="utf-8"))
TESTEE = json.loads(Path(os.environ["TESTEE_SCHEMA"]).read_text(encoding="utf-8"))
EMULATED = [entry for entry in ENTRIES if entry.emulation in ("named", "answered") and entry.case is not None]


def name_of(entry: Entry | Quirk) -> str:
    return entry.id


@pytest.fixture(name="reference", scope="module")
def fixture_reference() -> Iterator[Testee]:
    with Testee("reference", lambda: [PMPROOF, "testee"]) as testee:
        yield testee


def requests_of(entry: Entry) -> list[tuple[int, Request]]:
    return [] if entry.case is None else list(enumerate(CASES[entry.case].requests, start=1))


def recorded(entry: Entry, number: int, request: Request, version: str) -> Json:
    answer = entry.answer(number, version)
    expected: Json = request.expect["result"] if answer is None else answer
    return expected


def by_code(result: Json) -> Json:
    """Without the names of errors: a version of PCP has one for the number that DEV-18 comes to by counting."""
    plain: Json = json.loads(json.dumps(result))
    for fetch in plain["fetches"]:
        for metric in fetch.get("metrics", []):
            metric.pop("error", None)
    return plain


def emulated(reference: Testee, request: Request, version: str) -> tuple[Outcome, set[str]]:
    """The answer, and the deviations that it names."""
    outcome = reference.run(request.operation, request.source, {**request.args, "emulate": version})
    named: set[str] = set()
    for fetch in outcome.fetches:
        for metric in fetch.get("metrics", []):
            named.update(metric.pop("deviations", []))
    return outcome, named


def test_it_is_by_its_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(LEDGER.read_text(encoding="utf-8")))


def test_it_has_every_deviation_of_the_specification_once_and_in_order() -> None:
    numbers = [int(entry.id.removeprefix("DEV-")) for entry in ENTRIES]
    assert numbers == list(range(1, len(numbers) + 1))
    text = Path("reference/spec/interpolation.md").read_text(encoding="utf-8")
    told = set(re.findall(r"^\| (DEV-[0-9]{2}) \|", text, re.MULTILINE))
    assert {entry.id for entry in ENTRIES if entry.clause is not None} == told
    assert all(entry.clause in (None, f"INT-{entry.id}") for entry in ENTRIES)


@pytest.mark.parametrize("entry", [*ENTRIES, *QUIRKS], ids=name_of)
def test_its_clauses_are_in_the_specification(entry: Entry | Quirk) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in Path("reference/spec").glob("*.md"))
    for clause in entry.clauses:
        assert re.search(rf"\b{clause}\b", text), clause


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.case is not None], ids=name_of)
def test_its_case_declares_the_same_versions(entry: Entry) -> None:
    assert entry.case in CASES
    of_result = jsonschema.Draft202012Validator(
        {**TESTEE, "$id": "urn:pmproof:testee:here", "oneOf": [{"$ref": "#/$defs/replay.interp.result"}]}
    )
    for answer in entry.answers:
        of_result.validate(answer.result)
        assert set(answer.versions) <= set(entry.versions)
        request = CASES[str(entry.case)].requests[answer.request - 1]
        expected, told = request.expect["result"]["fetches"], answer.result["fetches"]
        assert [fetch["time"] for fetch in expected] == [fetch["time"] for fetch in told]
        assert not all(compare.fetch_matches(one, other, {}) for one, other in zip(expected, told, strict=True))
        if entry.verdict == "defect":
            assert [(d.id, set(d.versions)) for d in request.deviations] == [(entry.id, set(answer.versions))]
    if entry.answers:
        assert {version for answer in entry.answers for version in answer.versions} == set(entry.versions)


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("entry", EMULATED, ids=name_of)
def test_the_emulation_answers_as_recorded_and_says_why(entry: Entry, version: str, reference: Testee) -> None:
    for number, request in requests_of(entry):
        outcome, named = emulated(reference, request, version)
        assert outcome.kind == "result", str(outcome)
        if entry.answers:
            expected = {"result": by_code(recorded(entry, number, request, version))}
            answer = Outcome("result", by_code(outcome.body))
            assert compare.matches(expected, answer, {}), "\n".join(compare.side_by_side(expected, answer, {}))
        deviates = entry.emulation == "named" and entry.answer(number, version) is not None
        assert named == ({entry.id} if deviates else set())


def test_what_is_not_modelled_is_not_emulated(reference: Testee) -> None:
    for entry in ENTRIES:
        if entry.emulation == "none" and entry.answers:
            for _, request in requests_of(entry):
                assert emulated(reference, request, "7.2.2")[0].kind == "skip", entry.id


def marked(chapter: str, mark: str) -> set[str]:
    """The clauses of a chapter that have this mark; a row of a table without number belongs to the clause above it."""
    found, clause = set(), ""
    for line in Path(f"reference/spec/{chapter}.md").read_text(encoding="utf-8").splitlines():
        if start := re.match(r"(?:- |\| )([A-Z]{3}-[A-Z]?[0-9]+)\b", line):
            clause = start[1]
        if mark in line and line.startswith(("- ", "| ")) and re.fullmatch(r"[A-Z]{3}-[0-9]+", clause):
            found.add(clause)
    return found


@pytest.mark.parametrize(("chapter", "prefix"), [("derived", "DER"), ("metadata", "MET")])
def test_every_quirk_of_a_chapter_is_listed(chapter: str, prefix: str) -> None:
    listed = {quirk.id for quirk in QUIRKS if quirk.chapter == prefix and quirk.verdict in ("quirk", "defect")}
    assert marked(chapter, "[Q]") == listed


def test_what_is_undefined_is_listed_and_never_shipped() -> None:
    undefined = [quirk for quirk in QUIRKS if quirk.verdict == "undefined"]
    assert marked("derived", "[U]") == {quirk.clauses[0] for quirk in undefined if quirk.chapter == "DER"}
    assert [quirk.id for quirk in undefined if quirk.case is not None] == []


def test_quirks_are_listed_once_and_in_the_order_of_clauses() -> None:
    def place(quirk: Quirk) -> tuple[str, int]:
        return quirk.chapter, int(quirk.id.split("-")[1])

    assert len({quirk.id for quirk in QUIRKS}) == len(QUIRKS)
    assert [place(quirk) for quirk in QUIRKS] == sorted(map(place, QUIRKS))
    assert all(re.match(rf"{quirk.clauses[0]}(-[a-z]+)?$", quirk.id) for quirk in QUIRKS)


@pytest.mark.parametrize("quirk", [quirk for quirk in QUIRKS if quirk.case is not None], ids=name_of)
def test_the_case_of_a_quirk_shows_it_in_its_dialects(quirk: Quirk) -> None:
    case = CASES[str(quirk.case)]
    assert quirk.clauses[0] in case.clauses
    answers = {version: ledger.answers_of(quirk, case, version) for version in quirk.versions}
    assert all(any(column) for column in zip(*answers.values(), strict=True))
    titles = [(request.title, request.dialects) for request in case.requests]
    assert set(quirk.requests) <= {title for title, _ in titles}
    shown = {version for version, told in answers.items() if any(told)}
    shown |= {version for title, dialects in titles for version in dialects if title in quirk.requests}
    assert set(quirk.dialects) == set(quirk.versions) <= shown


def test_the_page_is_made_from_it() -> None:
    assert (ROOT / "ledger/README.md").read_text(encoding="utf-8") == ledger.page(ENTRIES, QUIRKS, CASES)
