# SPDX-License-Identifier: Apache-2.0
import json
import os
import shutil
from pathlib import Path

import pytest

from qa.golden import cases, new, show

PMPROOF = Path(os.environ["PMPROOF"])


@pytest.fixture(name="root")
def golden_folder(tmp_path: Path) -> Path:
    shutil.copytree("golden/replay/inputs/marks", tmp_path / "golden/replay/inputs/marks")
    return tmp_path / "golden"


def wanted(**other: object) -> new.Wanted:
    told = {
        "id": "replay/a-new-one",
        "title": "A counter between two marks",
        "clauses": ["INT-601"],
        "operation": "replay.interp",
        "args": {"metrics": ["m.c"], "start": "1700000005.0", "interval": "1", "count": 1},
        "source": "../inputs/marks/archive",
    }
    return new.Wanted(**(told | other))  # type: ignore[arg-type]


def test_a_new_case_has_the_answer_but_is_refused_until_its_provenance_is_told(root: Path) -> None:
    path = new.write(root, PMPROOF, wanted())
    told = json.loads(path.read_text(encoding="utf-8"))
    assert told["requests"][0]["expect"]["result"]["fetches"][0]["metrics"][0]["values"][0]["value"] == "15"
    with pytest.raises(cases.BrokenCase, match="why|provenance"):
        cases.load(path)
    told |= {"why": "What goes wrong without it.", "provenance": {"kind": "hand", "note": "half of 10 .. 20"}}
    path.write_text(json.dumps(told), encoding="utf-8")
    shown = "\n".join(show.lines(cases.load(path), root))
    assert "replay/a-new-one  A counter between two marks" in shown
    assert "  expects   1700000005.000000000  m.c  15" in shown
    assert "hand; half of 10 .. 20" in shown


def test_a_case_that_exists_is_not_overwritten(root: Path) -> None:
    new.write(root, PMPROOF, wanted())
    with pytest.raises(cases.CaseError, match="exists already"):
        new.write(root, PMPROOF, wanted())


@pytest.mark.parametrize("identifier", ["../../x", "replay", "Replay/x", "replay/a b"])
def test_a_case_lies_in_a_chapter(root: Path, identifier: str) -> None:
    with pytest.raises(cases.CaseError, match="CHAPTER/NAME"):
        new.write(root, PMPROOF, wanted(id=identifier))


def test_what_the_reference_does_not_answer_leaves_nothing(root: Path) -> None:
    with pytest.raises(cases.CaseError, match="does not answer"):
        new.write(root, PMPROOF, wanted(operation="replay.nothing"))
    assert not (root / "replay/a-new-one").exists()
    with pytest.raises(cases.CaseError):
        new.write(root, Path("/does/not/exist"), wanted())
    assert not (root / "replay/a-new-one").exists()


def test_a_refusal_is_expected_by_its_class(root: Path) -> None:
    path = new.write(root, PMPROOF, wanted(operation="units.parse", args={"text": "furlongs"}, source=None))
    request = json.loads(path.read_text(encoding="utf-8"))["requests"][0]
    assert request["expect"] == {"reject": {"class": "units.unknown"}}
    assert request["applies"] == {"dialects": ["6.0.3", "6.3.8", "7.2.2"]}
