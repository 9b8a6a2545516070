# SPDX-License-Identifier: Apache-2.0
"""The writer of the tables refuses data that are not as their schema says. What it writes, catalogue_test.cc looks at."""

import json
from pathlib import Path
from typing import Any

import pytest

from validator.catalogue.write_table import literal, table

_RULE = {
    "id": "ARC-1001",
    "title": "t",
    "severity": "info",
    "part": "files",
    "clauses": ["ARC-030"],
    "what": "w",
    "why": "y",
    "remedy": "r",
}
_CHECK = {"id": "CKA-001", "title": "t", "severity": "info", "clauses": [], "what": "w", "why": "y", "remedy": "r"}


def rules(folder: Path, *each: dict[str, Any]) -> str:
    """The table of files with one rule each."""
    files = [folder / f"{number}.json" for number in range(len(each))]
    for file, rule in zip(files, each):
        file.write_text(json.dumps({"rules": [rule]}), encoding="utf-8")
    return table("rules", files)


def test_a_rule_without_live_and_ingest_has_its_severity_there(tmp_path: Path) -> None:
    text = rules(tmp_path, _RULE)
    assert ".live = Severity::kInfo," in text
    assert ".ingest = Severity::kInfo," in text


def test_a_rule_can_be_off(tmp_path: Path) -> None:
    assert ".live = std::nullopt," in rules(tmp_path, _RULE | {"live": "off"})


def test_rules_are_ordered_by_number(tmp_path: Path) -> None:
    text = rules(tmp_path, _RULE | {"id": "ARC-1002"}, _RULE | {"id": "ARC-999"})
    assert text.index('.id = "ARC-999"_clause') < text.index('.id = "ARC-1002"_clause')


def test_the_digest_does_not_depend_on_the_order_of_the_arguments(tmp_path: Path) -> None:
    text = rules(tmp_path, _RULE, _RULE | {"id": "ARC-1002"})
    assert table("rules", [tmp_path / "1.json", tmp_path / "0.json"]) == text


def test_the_digest_tells_other_rules_apart(tmp_path: Path) -> None:
    assert rules(tmp_path, _RULE)[-60:] != rules(tmp_path, _RULE | {"severity": "error"})[-60:]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"severity": None}, "0.json: ARC-1001: has no 'severity'"),
        ({"title": None, "what": None}, "0.json: ARC-1001: has no 'title'"),
        ({"id": None}, "0.json: an entry without id: has no 'id'"),
        ({"severity": "bad"}, "0.json: ARC-1001: 'bad' is none of info, warning, error, fatal"),
        ({"live": "never"}, "0.json: ARC-1001: 'never' is none of info, warning, error, fatal"),
        ({"part": "x"}, "0.json: ARC-1001: 'x' is none of files, label, metadata, data, index, set"),
        ({"also": "error"}, '0.json: ARC-1001: "also" and "also_when" go together'),
        ({"follows": [{"of": ["ARC-1002"], "in": "x"}]}, "0.json: ARC-1001: 'x' is none of place, record"),
        ({"follows": [{"in": "file"}]}, "0.json: ARC-1001: has no 'of'"),
    ],
)
def test_a_broken_rule_is_an_error_that_names_file_and_rule(
    tmp_path: Path, wrong: dict[str, Any], message: str
) -> None:
    with pytest.raises(SystemExit) as error:
        rules(tmp_path, {key: value for key, value in (_RULE | wrong).items() if value is not None})
    assert str(error.value).startswith(message)


def test_a_broken_check_is_an_error_too(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_text(json.dumps({"section": "16", "title": "t", "subject": "archives", "checks": [_CHECK]}))
    with pytest.raises(SystemExit, match="a.json: CKA-001: 'archives' is none of agent, files, collector"):
        table("checks", [file])


def test_an_identifier_that_occurs_twice_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SystemExit, match="1.json: ARC-1001: occurs twice"):
        rules(tmp_path, _RULE, _RULE)


def test_a_literal_is_plain_ascii() -> None:
    assert literal('a "b" \\ ?? \u00e9\n1') == r'"a \042b\042 \134 \077\077 \303\251\0121"'
