# SPDX-License-Identifier: Apache-2.0
"""A small part of the matrix, with real PCP."""

import json
from pathlib import Path

import jsonschema
import pytest

from qa.dev.matrix import classes, cli, results
from qa.dev.matrix.results import Results
from qa.peers.peers import SUITES
from qa.peers.testing import library_peer

GOLDEN = ["--case", "replay/worked-counter-25", "--case", "ledger/dev-18"]
WRITERS = ["--original", "marks-v2", "--writer", "pmproof generate", "--writer", "pmlogreduce *", "--writer", "import *"]


@pytest.fixture(name="peer", params=SUITES)
def fixture_peer(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return library_peer(request.param).version


def run(peer: str, folder: Path, *more: str) -> tuple[int, Results]:
    status = cli.main(["run", "--peer", peer, *more, "--jobs", "2", "--output", str(folder)])
    return status, results.load(folder / "results.jsonl")


def test_what_does_not_agree_has_a_class(peer: str, tmp_path: Path) -> None:
    status, found = run(peer, tmp_path, *GOLDEN, *WRITERS)
    assert (status, found.footer) == (0, {"complete": False, "unclassified": 0})
    assert found.golden["reference", "ledger"]["pass"] > 0
    assert {one.entry for one in found.failures if one.implementation == f"pcp:{peer}"} == {"DEV-18"}
    assert [one["name"] for one in found.header["writers"]] == ["pmproof generate", f"pmlogreduce {peer}", f"import {peer}"]
    of_writer = {archive.writer: archive for archive in found.archives}
    assert [len(archive.readings) for archive in found.archives] == [4, 4, 4]
    assert all(reading.compared > 0 for reading in of_writer["pmproof generate"].readings.values())
    assert all(one.entry == "DEV-01" for reading in of_writer["pmproof generate"].readings.values() for one in reading.disagreements)
    reduced = of_writer[f"pmlogreduce {peer}"].readings
    assert "ARC-1724" in {one.entry for one in reduced["pmproof check"].disagreements}
    assert "ARC-500" in {one.entry for one in reduced[f"libpcp {peer}"].disagreements}
    schema = json.loads((Path(results.__file__).parent / "schema/results.schema.json").read_text(encoding="utf-8"))
    for line in (tmp_path / "results.jsonl").read_text(encoding="utf-8").splitlines():
        jsonschema.Draft202012Validator(schema).validate(json.loads(line))
    assert f"`pmlogreduce {peer}`" in (tmp_path / "README.md").read_text(encoding="utf-8")


def test_what_has_none_fails_the_run(peer: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(classes, "load", lambda _: {})
    status, found = run(peer, tmp_path, "--only", "golden", "--case", "ledger/dev-18")
    asked = (f"pcp:{peer}", f"tool:{peer}")
    assert (status, found.footer) == (1, {"complete": False, "unclassified": len(asked)})
    told = capsys.readouterr().err
    for implementation in asked:
        assert f"without class: {implementation}: ledger/dev-18#" in told


def test_an_original_that_is_not_there_is_refused(peer: str, tmp_path: Path) -> None:
    assert cli.main(["run", "--peer", peer, "--original", "no-such", "--output", str(tmp_path / "out")]) == 2
    assert not (tmp_path / "out").exists()
