# SPDX-License-Identifier: Apache-2.0
import json
from pathlib import Path

import pytest

from qa.golden import cases
from qa.golden.cases import BrokenCase, CaseError
from qa.golden.cli import main


def test_a_case_that_is_not_there_is_an_error() -> None:
    with pytest.raises(CaseError, match="no case is called replay/nothing"):
        cases.load_all(Path("golden"), ["replay/worked-*", "replay/nothing"])
    with pytest.raises(CaseError, match="no case.json"):
        cases.load_all(Path("golden/schema"))


@pytest.mark.parametrize("text", ["", "nonsense", "[]", "[" * 100_000, '{"schema": "pmproof-case/1"}', "\x00"])
def test_a_case_that_is_broken_is_named(text: str, tmp_path: Path) -> None:
    (tmp_path / "case.json").write_text(text, encoding="utf-8")
    with pytest.raises(BrokenCase, match="case.json: "):
        cases.load(tmp_path / "case.json")


def test_what_is_wrong_with_a_case_is_told(tmp_path: Path) -> None:
    told = json.loads(Path("golden/replay/worked-counter-25/case.json").read_text(encoding="utf-8"))
    told["requests"][0]["op"] = "dance"
    (tmp_path / "case.json").write_text(json.dumps(told), encoding="utf-8")
    with pytest.raises(BrokenCase, match=r"case.json: requests\[0\]"):
        cases.load(tmp_path / "case.json")


def test_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["list", "replay/set-*"]) == 0
    assert "replay/set-of-two" in capsys.readouterr().out
    assert main(["list", "--by-clause"]) == 0
    assert "INT-1501      replay/worked-counter-25, " in capsys.readouterr().out
    assert main(["list", "nothing"]) == 2
    assert main(["copy", str(tmp_path), "replay/worked-instant-4"]) == 0
    assert (tmp_path / "replay/inputs/worked/archive.meta").exists()
    assert [case.id for case in cases.load_all(tmp_path)] == ["replay/worked-instant-4"]


def test_all_cases_are_copied_as_plain_files(tmp_path: Path) -> None:
    assert main(["copy", str(tmp_path)]) == 0
    there = cases.load_all(tmp_path, checked=False)
    assert {case.id for case in there} == {case.id for case in cases.load_all(Path("golden"), checked=False)}
    chapters = {"archive", "derived", "ledger", "metadata", "pmda", "replay", "tool-output"}
    assert {case.id.partition("/")[0] for case in there} == chapters
    for case in there:
        for archive in case.archives:
            # A name may be one that opens nothing.
            assert case.id == "archive/context-names" or any(archive.parent.glob(f"{archive.name}.*")), archive
            assert tmp_path.resolve() in archive.parents
    assert not list(tmp_path.rglob("packed-*"))
    for name in ("case", "testee", "description"):
        json.loads((tmp_path / f"schema/{name}.schema.json").read_text(encoding="utf-8"))
    assert "golden/CHAPTER/CASE/case.json" in (tmp_path / "README.md").read_text(encoding="utf-8")
