# SPDX-License-Identifier: Apache-2.0
"""Each rule of the catalogue is expected by a test of the whole check, and each clause that is named can be looked up.

Run as a program, or read the log of the test, for a table of the clauses that code and tests name.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

# Not resolved: under Bazel these are links in a folder that holds just what the test declares.
ROOT = Path(__file__).absolute().parents[2]

RULES: list[dict[str, Any]] = sorted(
    (
        rule
        for path in (ROOT / "validator" / "catalogue").glob("*.json")
        if path.name != "catalogue.schema.json"
        for rule in json.loads(path.read_text())["rules"]
    ),
    key=lambda rule: int(rule["id"][4:]),
)
CHAPTERS = sorted((ROOT / "reference" / "spec").glob("*.md"))

# Errata and open questions have a letter: DER-E06, DER-O2.
NUMBER = r"(?:[0-9]{3,4}|[EO][0-9]{1,2})"
CLAUSE = re.compile(rf"\b(?:ARC|DER|INT|MET)-{NUMBER}\b")
# What a clause begins with; a row of a table may stand for several: DER-864..868.
BEGINS = re.compile(rf"(ARC|DER|INT|MET)-({NUMBER})(?:\.\.([0-9]{{3,4}}))?\b")
# DER-1113, 1114, 1131..1139
SEVERAL = re.compile(rf"\b(ARC|DER|INT|MET)-({NUMBER}(?:\.\.[0-9]{{3,4}})?(?:, {NUMBER}(?:\.\.[0-9]{{3,4}})?)*)\b")
USED_AS_CLAUSE = re.compile(r'"((?:ARC|DER|INT|MET)-[0-9]{3,4})"_clause')
SEVERITY = "fatal|error|warning|info"
EXPECTED = re.compile(rf'"(ARC-[0-9]{{4}})(?: ({SEVERITY}))?"')
# What RulesWithSeverity() gives: also where a table of cases or a helper has it.
EXPECTED_WITH_SEVERITY = re.compile(rf'"(ARC-[0-9]{{4}}) ({SEVERITY})"')
# Comments and strings, so that neither is taken for the other.
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


def sources(*suffixes: str) -> list[Path]:
    folders = [ROOT / "reference", ROOT / "validator", ROOT / "generators"]
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in suffixes)


def name_of(path: Path) -> str:
    return path.name


def is_test(path: Path) -> bool:
    return path.stem.endswith("_test") or bool({"tests", "testing", "fuzz"} & set(path.relative_to(ROOT).parts))


CODE = [path for path in sources(".cc", ".h", ".py") if not is_test(path)]
TESTS = [path for path in sources(".cc", ".h", ".py") if is_test(path)]


def without_comments(text: str) -> str:
    return COMMENT_OR_STRING.sub(lambda match: match.group() if match.group().startswith('"') else "", text)


def expectations(text: str) -> Iterator[str]:
    """The statements of a C++ test that expect something, up to their semicolons."""
    text = without_comments(text)
    for match in re.finditer(r"\b(?:EXPECT|ASSERT)_[A-Z_]+\(", text):
        statement = re.compile(r'(?:[^;"]|"(?:\\.|[^"\\\n])*")*;').match(text, match.start())
        assert statement is not None, f"no end of the statement at {text[match.start():][:80]!r}"
        yield statement.group()


def expected_in(paths: list[Path]) -> set[tuple[str, str]]:
    """(rule, severity) of each finding that these tests expect; severity may be empty."""
    found: set[tuple[str, str]] = set()
    for text in (path.read_text() for path in paths):
        found.update(EXPECTED_WITH_SEVERITY.findall(without_comments(text)))
        for statement in expectations(text):
            # What is expected not to be there shows nothing.
            if "Not(" not in statement and "_FALSE(" not in statement and "_NE(" not in statement:
                found.update(EXPECTED.findall(statement))
    return found


WHOLE_CHECK = [path for path in TESTS if path.name.endswith("_test.cc") and path.parent.name == "tests"]
WHOLE_CHECK += [path for path in TESTS if path.name == "set_check_test.cc"]
EXPECTATIONS = expected_in(WHOLE_CHECK)
# Not by generators, which break rules.
CHECKING = [path for path in CODE if path.relative_to(ROOT).parts[0] != "generators"]
REPORTED = {clause for path in CHECKING for clause in USED_AS_CLAUSE.findall(without_comments(path.read_text()))}

RULE_IDS = {rule["id"] for rule in RULES}
# Of golden/, whose README says what they are.
CASES = sorted((ROOT / "golden").rglob("case.json"))

REPORTING = [rule for rule in RULES if "covered_by" not in rule]


def id_of(rule: dict[str, Any]) -> str:
    return str(rule["id"])


def test_the_sources_are_there() -> None:
    assert len(RULES) > 200 and len(CODE) > 50 and len(WHOLE_CHECK) > 5 and len(CHAPTERS) > 1


@pytest.mark.parametrize("rule", REPORTING, ids=id_of)
def test_each_rule_is_reported_by_the_code(rule: dict[str, Any]) -> None:
    assert rule["id"] in REPORTED


@pytest.mark.parametrize("rule", REPORTING, ids=id_of)
def test_each_rule_is_expected_by_a_test_of_the_whole_check(rule: dict[str, Any]) -> None:
    assert rule["id"] in {expected for expected, _ in EXPECTATIONS}


@pytest.mark.parametrize("rule", REPORTING, ids=id_of)
def test_each_severity_of_a_rule_is_expected_by_a_test_of_the_whole_check(rule: dict[str, Any]) -> None:
    expected = {severity for name, severity in EXPECTATIONS if name == rule["id"]}
    assert {rule["severity"], rule.get("also", rule["severity"])} <= expected


def test_no_test_expects_a_severity_that_the_catalogue_does_not_know() -> None:
    known = {
        (rule["id"], severity)
        for rule in RULES
        for severity in ["", rule["severity"], rule.get("also", ""), rule.get("live", ""), rule.get("ingest", "")]
    }
    assert EXPECTATIONS - known == set()


def test_what_the_code_reports_is_in_the_catalogue() -> None:
    rules = {rule["id"] for rule in RULES}
    assert {clause for clause in REPORTED if clause.startswith("ARC-") and int(clause[4:]) >= 1000} <= rules


def test_sums_are_not_reported_themselves() -> None:
    assert not REPORTED & {rule["id"] for rule in RULES if "covered_by" in rule}


@dataclass(frozen=True)
class Section:
    chapter: str
    title: str
    clauses: list[str]


def each_of(prefix: str, first: str, last: str | None) -> list[str]:
    """DER-864..868 are five clauses."""
    if last is None:
        return [f"{prefix}-{first}"]
    return [f"{prefix}-{number:03}" for number in range(int(first), int(last) + 1)]


def sections() -> list[Section]:
    """The clauses of the specification by section: what begins a paragraph, a list item or a row of a table."""
    found = []
    for path in CHAPTERS:
        clauses: list[str] = []
        title = before = ""
        for line in [*path.read_text().splitlines(), "## "]:
            if line.startswith("## "):
                if clauses:
                    found.append(Section(path.stem, title, clauses))
                title, clauses = line[3:], []
            at_start = line if before == "" or before.startswith("#") else ""
            item = line[2:] if line.startswith(("- ", "| ")) else ""
            if match := BEGINS.match(at_start) or BEGINS.match(item):
                clauses += each_of(*match.groups())
            before = line.strip()
    return found


def clauses_in(text: str) -> set[str]:
    """The clauses that a text names; of lists and ranges such as ARC-590..594, 597 each one that there is."""
    found = set(CLAUSE.findall(text))
    for prefix, several in SEVERAL.findall(text):
        for item in several.split(", "):
            first, _, last = item.partition("..")
            found |= set(each_of(prefix, first, last or None)) & DEFINED
    return found


def named_in(paths: list[Path]) -> dict[str, str]:
    """Each clause that is named, with a file that names it."""
    return {clause: str(path.relative_to(ROOT)) for path in paths for clause in clauses_in(path.read_text())}


DEFINED = {clause for section in sections() for clause in section.clauses}


def test_each_clause_that_the_code_names_can_be_looked_up() -> None:
    assert {clause: path for clause, path in named_in(CODE).items() if clause not in DEFINED} == {}


# Strings of tests may hold an ID that there is not, to see what happens with it.
@pytest.mark.parametrize("path", [path for path in TESTS if path.suffix != ".py"], ids=name_of)
def test_each_clause_that_a_comment_of_a_test_names_can_be_looked_up(path: Path) -> None:
    comments = [text for text in COMMENT_OR_STRING.findall(path.read_text()) if not text.startswith('"')]
    assert set(CLAUSE.findall("\n".join(comments))) <= DEFINED


def is_rule(clause: str) -> bool:
    return clause in RULE_IDS


def table() -> str:
    """How many of the clauses that are not rules code, rules, tests and golden cases name, and which none of them
    does."""
    named_by = [
        set(named_in(CODE)),
        {clause for rule in RULES for clause in rule["clauses"]},
        set(named_in(TESTS)),
        {clause for case in CASES for clause in json.loads(case.read_text())["clauses"]},
    ]
    rows = [f"{'clauses':>7} {'code':>5} {'rules':>5} {'tests':>5} {'cases':>5}  section"]
    unnamed = []
    total = [0, 0, 0, 0, 0]
    for section in sections():
        clauses = [clause for clause in section.clauses if not is_rule(clause)]
        if not clauses:
            continue
        counts = [len(clauses), *(len(named & set(clauses)) for named in named_by)]
        total = [a + b for a, b in zip(total, counts)]
        rows.append("{:7} {:5} {:5} {:5} {:5}  ".format(*counts) + f"{section.chapter} {section.title}")
        unnamed += [clause for clause in clauses if not any(clause in named for named in named_by)]
    rows.append("{:7} {:5} {:5} {:5} {:5}  all".format(*total))
    rows += ["", f"named by none ({len(unnamed)}):"]
    rows += [" ".join(unnamed[i : i + 12]) for i in range(0, len(unnamed), 12)]
    return "\n".join(rows)


def test_table_of_the_clauses_that_code_and_tests_name(capsys: pytest.CaptureFixture[str]) -> None:
    text = table()
    with capsys.disabled():
        print("\n" + text)
    # The rules on reading stand on these: a table that lost them counts something else.
    row = re.search(r"^(.*)  archive 5\. Data volume records$", text, re.MULTILINE)
    assert row is not None and len(row[1].split()) == 5 and "0" not in row[1].split()[:4]
    # And the cases on these.
    row = re.search(r"^(.*)  derived 11\. .*$", text, re.MULTILINE)
    assert row is not None and len(row[1].split()) == 5 and int(row[1].split()[4]) > 30


if __name__ == "__main__":
    print(table())
