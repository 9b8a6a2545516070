# SPDX-License-Identifier: Apache-2.0
"""The writer of the tables refuses data that are not as their schema says. What it writes, catalogue_test.cc looks at."""

import json
from pathlib import Path
from typing import Any

import pytest

from validator.catalogue.write_table import literal, table, xxh64

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


@pytest.mark.parametrize(
    ("data", "digest"),
    [
        (b"", 0xEF46DB3751D8E999),
        (b"a", 0xD24EC4F1A98C6E5B),
        (b"abc", 0x44BC2CF5AD770999),
    ],
)
def test_the_digest_is_xxh64(data: bytes, digest: int) -> None:
    assert xxh64(data) == digest


# Lengths on both sides of those from which on it takes 4, 8 and 32 bytes at once, as libxxhash digests them.
@pytest.mark.parametrize(
    ("length", "digest"),
    [
        (3, 0xA332F962652E10B2),
        (4, 0xB1B1767CE9ACE05A),
        (7, 0xE4878BBF72F59115),
        (8, 0x8F9FA96FB44DD3AF),
        (31, 0x91B83CDB3CF8A6B6),
        (32, 0x41B3C5F0583FB5B8),
        (39, 0xDE12A2E2517D5396),
        (64, 0x5E4004B275A9B649),
        (100, 0x9C502A83DCB7C69E),
    ],
)
def test_the_digest_goes_on_from_that_of_the_file_before(length: int, digest: int) -> None:
    assert xxh64(bytes(range(length)), 5) == digest
