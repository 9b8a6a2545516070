# SPDX-License-Identifier: Apache-2.0
"""The tables of golden/: coverage of the specification, real defects, test ideas, and what is generated from the specification."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest

from qa.golden import cases, coverage, emulated_cases, limit_cases, packed, pdu_cases, places, regressions, rule_cases, seeds, set_limits
from qa.golden.place_choice import place_of

HERE = Path()
GOLDEN = Path("golden")
# Test files are named, most of which are not among the data of this test: the workspace is where the links lead.
WORKSPACE = (GOLDEN / "without_case.json").resolve().parents[1]
CHAPTERS = coverage.chapters_of(HERE)
DEFECTS = regressions.defects(GOLDEN / "real-defects.json")
IDEAS = regressions.ideas(GOLDEN / "test-ideas.json")
SEEDS = seeds.load(GOLDEN / "seeds.json")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_each_clause_has_a_case_or_something_that_shows_it_instead(chapter: str) -> None:
    assert len(CHAPTERS[chapter]) > 50
    assert [clause.id for clause in CHAPTERS[chapter] if not clause.is_shown] == []


def test_reasons_name_tests_that_are_there() -> None:
    told = json.loads((GOLDEN / "without_case.json").read_text(encoding="utf-8"))["entries"]
    for entry in told:
        assert entry["kind"] in coverage.KINDS
        assert len(entry["because"]) > 10
        assert entry["kind"] != "reference-test" or entry["tests"], entry["clauses"]
    assert [test for entry in told for test in entry.get("tests", []) if not (WORKSPACE / test).is_file()] == []


def test_no_reason_is_left_over() -> None:
    """Each entry is the reason of a clause."""
    used = {(clause.kind, clause.because) for clauses in CHAPTERS.values() for clause in clauses if clause.kind}
    told = json.loads((GOLDEN / "without_case.json").read_text(encoding="utf-8"))["entries"]
    assert [entry["clauses"] for entry in told if (entry["kind"], entry["because"]) not in used] == []


def test_the_clauses_of_a_chapter_are_found() -> None:
    text = "## 1\n\nARC-001 Integers\nMUST be big.\n\n- MET-601 x\n| PDU-003 | `len` MUST |\n## 2 MUST\nnot ARC-009\n| INT-405a | row |\n"
    found = coverage.clauses_of(text)
    assert [(clause.id, clause.must) for clause in found] == [
        ("ARC-001", True), ("MET-601", False), ("PDU-003", True), ("INT-405", False),
    ]  # fmt: skip


def test_the_page_of_coverage_is_made_from_it() -> None:
    assert (GOLDEN / "coverage.md").read_text(encoding="utf-8") == coverage.page(HERE)


def test_the_page_of_real_defects_is_made_from_them() -> None:
    assert (GOLDEN / "real-defects.md").read_text(encoding="utf-8") == regressions.page(HERE)


def test_what_catches_defects_and_shows_ideas_is_there() -> None:
    entries = [*DEFECTS, *(entry for chapter in IDEAS.values() for entry in chapter)]
    assert list(regressions.unknown(entries, WORKSPACE)) == []


def test_each_real_defect_is_caught() -> None:
    assert [entry.id for entry in DEFECTS] == [f"REG-{number:02d}" for number in range(1, 42)]
    assert [entry.id for entry in DEFECTS if not entry.caught_by] == []


@pytest.mark.parametrize("chapter", IDEAS)
def test_each_test_idea_has_an_entry(chapter: str) -> None:
    text = (HERE / "reference/spec" / chapter).read_text(encoding="utf-8")
    assert len(IDEAS[chapter]) > 30
    assert {entry.id for entry in IDEAS[chapter]} == regressions.ideas_in(text)
    assert [entry.id for entry in IDEAS[chapter] if not entry.caught_by and not entry.note] == []


@pytest.mark.parametrize("document", SEEDS, ids=[document.name for document in SEEDS])
def test_each_statement_of_a_seed_has_clauses_and_code_that_names_them(document: seeds.Document) -> None:
    assert len(document.statements) > 20
    assert list(seeds.wrong([document], HERE, WORKSPACE)) == []
    says = [statement.says for section in document.sections for statement in section.statements]
    assert len(set(says)) == len(says)


def test_the_page_of_seeds_is_made_from_them() -> None:
    assert (GOLDEN / "seeds.md").read_text(encoding="utf-8") == seeds.page(HERE)


def test_what_does_not_hold_of_a_seed_is_found(tmp_path: Path) -> None:
    (tmp_path / "a.cc").write_text("// ARC-001..003, 005\n")
    assert seeds.named("// ARC-001..003, 005; DER-1501") == {"ARC-001", "ARC-002", "ARC-003", "ARC-005", "DER-1501"}
    statements = (
        seeds.Statement("right", ("ARC-002",), ("a.cc",), ""),
        seeds.Statement("unknown", ("ARC-9999",), (), ""),
        seeds.Statement("elsewhere", ("ARC-006",), ("a.cc", "b.cc"), ""),
        seeds.Statement("nothing", (), (), ""),
    )
    broken = seeds.Document("x", "X", (seeds.Section("1", statements),))
    assert list(seeds.wrong([broken], HERE, tmp_path)) == [
        "unknown: there is no clause ARC-9999",
        "elsewhere: a.cc names none of its clauses",
        "elsewhere: there is no file b.cc",
        "nothing: it needs clauses, or a reason for having none",
    ]


def test_what_is_not_there_is_found() -> None:
    broken = [regressions.Entry("REG-00", "x", ("case:no/such", "rule:ARC-9999", "check:CKA-999", "test:no.cc", "idea:1"), "")]
    assert len(list(regressions.unknown(broken, WORKSPACE))) == 5


def test_the_vectors_of_the_specification_are_cases() -> None:
    vectors = pdu_cases.load(HERE / "reference/pmda/pdu/vectors")
    assert len(vectors) == 233
    for case in pdu_cases.cases_of(vectors):
        assert (GOLDEN / case["id"] / "case.json").read_text(encoding="utf-8") == pdu_cases.text_of(case)


def test_the_verdicts_on_broken_archives_are_those_of_the_tables() -> None:
    rows = rule_cases.rows_of((HERE / "reference/spec/archive.md").read_text(encoding="utf-8"))
    found = cases.load_all(GOLDEN, ["archive/rules-*"])
    asked = [request for case in found for request in case.requests]
    assert len(asked) > 300
    for request in asked:
        rule = request.title.partition(":")[0]
        rule = rule_cases.REPORTED_AS.get(rule, rule)
        (finding,) = [one for one in request.expect["result"]["findings"] if one["rule"] == rule]
        assert finding["severity"] in rows[rule].severities, request.title


def _asked_of_one_archive() -> Iterator[tuple[str, cases.Request]]:
    """The name of the input, and what is asked."""
    for case in cases.load_all(GOLDEN, ["archive/rules-*"], checked=False):
        for request in case.requests:
            if "path" in request.source:
                yield Path(request.source["path"]).parent.name, request


def test_places_of_findings_are_those_of_the_specification_and_of_the_edit() -> None:
    known = places.rows_of((HERE / "reference/spec/archive.md").read_text(encoding="utf-8"))
    pack = GOLDEN / "archive/inputs/packed-rules.json"
    of = {name: one["of"] for name, one in json.loads(pack.read_text(encoding="utf-8"))["inputs"].items()}
    files = dict(packed.inputs_of(pack))
    placed = 0
    for name, request in _asked_of_one_archive():
        edit = places.Edit(name, packed.files_in(pack.parent / of[name]), files[name], "base")
        for finding in request.expect["result"]["findings"]:
            if "offset" in finding:
                assert place_of(edit, finding["rule"], known) == places.Place(finding["part"], finding["offset"]), name
                placed += 1
            else:
                with pytest.raises(places.UnclearError):
                    place_of(edit, finding["rule"], known)
    assert placed > 400


def test_findings_without_a_place_are_those_that_the_list_gives_a_reason_for() -> None:
    told = json.loads((GOLDEN / rule_cases.LEFT_OUT).read_text(encoding="utf-8"))["places"]
    listed = {(one["rule"], name) for one in told for name in one["inputs"]}
    without = {
        (finding["rule"], Path(_paths(request)[0]).parent.name)
        for case in cases.load_all(GOLDEN, ["archive/rules-*"], checked=False)
        for request in case.requests
        for finding in request.expect["result"]["findings"]
        if "offset" not in finding
    }
    assert without == listed
    assert all(len(one["because"]) > 10 for one in told)


def _paths(request: cases.Request) -> list[str]:
    return list(request.source.get("paths") or [request.source["path"]])


def test_what_versions_of_pcp_answer_is_what_the_cases_and_the_ledger_say() -> None:
    known = [request for _, request in emulated_cases.known(GOLDEN)]
    (case,) = cases.load_all(GOLDEN, [emulated_cases.ID], checked=False)
    told = json.loads((case.folder / "case.json").read_text(encoding="utf-8"))
    assert told == emulated_cases.case_of(GOLDEN, told["requests"])
    assert [request for request in known if request in told["requests"]] == told["requests"]
    alone = [request for request in known if "path" in request["input"]]  # the emulation does not model sets
    assert len(alone) * 0.95 < len(told["requests"]) < len(known)


def test_without_its_deviations_a_version_answers_what_the_case_expects() -> None:
    known = [request for _, request in emulated_cases.known_without(GOLDEN)]
    (case,) = cases.load_all(GOLDEN, [emulated_cases.WITHOUT], checked=False)
    told = json.loads((case.folder / "case.json").read_text(encoding="utf-8"))
    assert told == emulated_cases.case_without(GOLDEN, told["requests"])
    assert [request for request in known if request in told["requests"]] == told["requests"]
    left_out = {one for request in told["requests"] for one in request["args"]["without"]}
    assert left_out == {one for request in known for one in request["args"]["without"]}
    assert len(known) * 0.8 < len(told["requests"]) <= len(known)


def test_cases_at_the_limits_are_the_changes_that_their_table_says() -> None:
    for case in limit_cases.cases(GOLDEN):
        assert (GOLDEN / case["id"] / "case.json").read_text(encoding="utf-8") == pdu_cases.text_of(case)
    limits = [limit for table in limit_cases.TABLES for limit in table.limits]
    files = dict(packed.inputs_of(GOLDEN / "archive/inputs/packed-limits.json"))
    assert files == {f"limit-{limit.name}": limit_cases.changed(GOLDEN, limit) for limit in limits}
    assert len(files) == len(limits)
    assert dict(packed.inputs_of(GOLDEN / "archive/inputs/packed-limit-sets.json")) == set_limits.inputs(GOLDEN)


def test_each_rule_has_a_place_or_is_named_as_one_without() -> None:
    text = (HERE / "reference/spec/archive.md").read_text(encoding="utf-8")
    without = {"ARC-1110", "ARC-1305", "ARC-1803", "ARC-1824", "ARC-1925"}  # no case: rules_left_out.json
    by_others = {*rule_cases.REPORTED_AS, "ARC-2006"}  # "see there"
    open_ = {"ARC-1009", "ARC-1010", "ARC-1011", "ARC-1013", "ARC-1016", "ARC-1223", *(f"ARC-{n}" for n in range(2101, 2110))}
    assert set(rule_cases.rows_of(text)) - set(places.rows_of(text)) == without | by_others | open_


def test_packed_inputs_are_by_their_schema_and_come_out_as_they_went_in(tmp_path: Path) -> None:
    schema = json.loads((GOLDEN / "schema/packed.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    paths = sorted(GOLDEN.rglob(packed.NAMES))
    assert len(paths) == 6
    for path in paths:
        jsonschema.Draft202012Validator(schema).validate(json.loads(path.read_text(encoding="utf-8")))
        for name, files in packed.inputs_of(path):
            assert files, name
    packed.unpack_all(GOLDEN, tmp_path)
    assert (tmp_path / "archive/inputs/base-v3/base.0").read_bytes() == (GOLDEN / "archive/base-v3/base.0").read_bytes()


def test_only_inputs_that_are_wanted_are_unpacked_and_none_before() -> None:
    with packed.copied(GOLDEN) as copy:
        inputs = copy.folder / "archive/inputs"
        plain = set(inputs.iterdir())
        assert copy.folder != GOLDEN and inputs / "base-v3" not in plain
        copy.unpack({inputs / "base-v3", copy.folder / "replay"})
        assert set(inputs.iterdir()) - plain == {inputs / "base-v3"}
        assert (inputs / "base-v3/base.0").read_bytes() == (GOLDEN / "archive/base-v3/base.0").read_bytes()
    assert not copy.folder.exists()


def test_a_folder_without_packed_inputs_is_not_copied() -> None:
    with packed.copied(GOLDEN / "metadata") as copy:
        copy.unpack()
        assert copy.folder == GOLDEN / "metadata"


@pytest.mark.parametrize(
    ("base", "files"),
    [
        ({"a.0": b"abcdefgh"}, {"a.0": b"abcdefgh"}),
        ({"a.0": b"abcdefghijkl"}, {"a.0": b"abXdefghijYl"}),
        ({"a.0": b"abcdefgh"}, {"a.0": b"abcd"}),
        ({"a.0": b"abcdefgh"}, {"a.0": b""}),
        ({"a.0": b"abab"}, {"a.0": b"ababab"}),
        ({"a.0": b"ab", "a.1": b"x"}, {"a.0": b"ab"}),
        ({"a.0": b"x" * 100}, {"a.0": b"x" * 100, "b.0": b"x" * 50 + b"yy" + b"x" * 50, "c.meta": b"\0"}),
    ],
)
def test_what_is_packed_is_unpacked(base: packed.Files, files: packed.Files) -> None:
    told = json.loads(json.dumps(packed.pack(base, files)))
    assert packed.unpack(base, told) == files


def test_a_pack_on_another_base_is_broken() -> None:
    told = packed.pack({"a.0": b"abcdefgh"}, {"a.0": b"abcdefgX"})
    with pytest.raises(packed.BrokenPack):
        packed.unpack({"a.0": b"Xbcdefgh"}, told)


def test_ids_of_the_page_are_links() -> None:
    page = (GOLDEN / "coverage.md").read_text(encoding="utf-8")
    assert all((GOLDEN / link).is_file() for link in re.findall(r"\]\(([^)]*case\.json)\)", page))
