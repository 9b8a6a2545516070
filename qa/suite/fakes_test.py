# SPDX-License-Identifier: Apache-2.0
"""That the suite can fail: adapters that are wrong in every way in which an adapter is wrong, and what comes of each."""

import shutil
from pathlib import Path

import pytest

from qa.adapters.protocol import RULES
from qa.adapters.testee import Limits
from qa.golden import cases
from qa.suite import implementations, lint
from qa.suite.checks import checks_of
from qa.suite.cli import main
from qa.suite.fakes import FAKES
from qa.suite.testing import GOLDEN, small_golden, verdicts_in

# Who is wrong about places in archives alone.
_PLACES = ("shifts", "other-part")
# Whose answers never come, and those that do not leave.
_SILENT = {name for name, fake in FAKES.items() if fake.rule == "TST-104"}
_TINY = 0.2


@pytest.fixture(name="golden", scope="module")
def fixture_golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_golden(tmp_path_factory.mktemp("golden"))


@pytest.fixture(name="archives", scope="module")
def fixture_archives(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Those that break a rule each."""
    folder = tmp_path_factory.mktemp("archives")
    for path in (GOLDEN / "archive").iterdir():
        if path.name.startswith(("rules-", "base-", "worked-", "inputs")):
            shutil.copytree(path, folder / "archive" / path.name)
    return folder


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def run(name: str, golden: Path, events: Path, *more: str) -> int:
    limit = str(_TINY if name in _SILENT else 60)
    start_limit = str(_TINY if name == "silent-at-start" else 60)
    limits = ["--limit", limit, "--start-limit", start_limit]
    return main(["run", f"fake:{name}", "--cases", str(golden), "--journal", str(events), *limits, "--jobs", "1", *more])


def of_outcome(*outcomes: str) -> list[str]:
    return [name for name, fake in FAKES.items() if fake.outcome in outcomes]


def test_who_is_right_passes(golden: Path, tmp_path: Path) -> None:
    assert run("right", golden, tmp_path / "journal") == 0
    assert {verdict["status"] for verdict in verdicts_in(tmp_path / "journal")} == {"pass"}


@pytest.mark.parametrize("name", [one for one in of_outcome("wrong", "error", "crash", "timeout", "protocol") if one not in _PLACES])
def test_who_is_wrong_fails_with_the_outcome_that_is_its_own(name: str, golden: Path, tmp_path: Path) -> None:
    # Each failure starts it again.
    selected = ["--case", "replay/*#1@pcp-legacy", "--case", "derived/where#1@6.0.3", "--case", "metadata/semantics#*@7.2.2"]
    if name == "endless" or name in _SILENT:
        selected = ["--case", "metadata/semantics#[12]@7.2.2"]
    assert run(name, golden, tmp_path / "journal", *selected) == 1
    verdicts = verdicts_in(tmp_path / "journal")
    failed = [verdict for verdict in verdicts if verdict["status"] == "fail"]
    assert {verdict["outcome"] for verdict in failed} == {FAKES[name].outcome}
    if name not in ("off-by-one", "crashes-at-times", "repeats"):
        assert failed == verdicts
    if FAKES[name].outcome == "protocol":
        assert {verdict["message"][:7] for verdict in failed} == {FAKES[name].rule}


@pytest.mark.parametrize("name", ["right", *_PLACES])
def test_who_is_wrong_about_a_place_fails_wherever_one_is_expected(name: str, archives: Path, tmp_path: Path) -> None:
    status = run(name, archives, tmp_path / "journal", "--quiet")
    verdicts = {verdict["id"]: verdict["status"] for verdict in verdicts_in(tmp_path / "journal")}
    checks = checks_of(cases.load_all(archives, checked=False))
    placed = {check.id for check in checks if any("offset" in one for one in check.request.expect["result"]["findings"])}
    assert len(placed) > 300
    assert {id for id, status in verdicts.items() if status == "fail"} == (set() if name == "right" else placed)
    assert status == (0 if name == "right" else 1)


@pytest.mark.parametrize("name", of_outcome("start"))
def test_who_does_not_start_ends_the_run(
    name: str, golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(name, golden, tmp_path / "journal") == 3
    told = capsys.readouterr().err.splitlines()
    assert len(told) == 1
    assert told[0].startswith(f"suite: fake:{name}") and FAKES[name].rule in told[0]


@pytest.mark.parametrize("name", ["skips", "skips-derived"])
def test_who_lies_about_capabilities_fails(name: str, golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(name, golden, tmp_path / "journal") == 1
    out = capsys.readouterr().out
    assert "TST-308: it says that it has derive.parse, and skips all" in out
    assert "  undetermined" in out


@pytest.mark.parametrize("name", ["skips", "lacks-all"])
def test_who_skips_all_that_was_selected_has_shown_nothing(name: str, golden: Path, tmp_path: Path) -> None:
    assert run(name, golden, tmp_path / "journal", "--case", "metadata/semantics") == 2


@pytest.mark.parametrize("name", sorted(set(of_outcome("")) - {"stays"}))
def test_what_breaks_no_answer_passes(name: str, golden: Path, tmp_path: Path) -> None:
    assert run(name, golden, tmp_path / "journal", "--case", "metadata/semantics#1@7.2.2") == 0


@pytest.mark.parametrize("name", FAKES)
def test_the_rule_that_each_breaks_is_found_and_no_other(name: str, golden: Path) -> None:
    one = implementations.find(f"fake:{name}", golden)
    limits = Limits(
        _TINY if name in _SILENT else 60,
        _TINY if name == "silent-at-start" else 60,
        _TINY if name == "stays" else 60,
    )
    findings, _ = lint.findings_of(one, checks_of(cases.load_all(golden)), limits, None)
    assert {finding.rule for finding in findings} == ({FAKES[name].rule} - {""}), [str(one) for one in findings]


def test_each_rule_is_broken_by_one_of_them() -> None:
    # A program that is not there is no fake.
    assert {fake.rule for fake in FAKES.values()} - {""} == set(RULES) - {"TST-101"}


def test_a_program_that_is_not_there(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("run", "lint-adapter"):
        status = main([command, "exec:/no/such/program", "--cases", str(golden)])
        told = capsys.readouterr()
        assert status == (3 if command == "run" else 1)
        assert "TST-101" in told.out + told.err


def test_lint_says_which_message_breaks_which_rule(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lint-adapter", "fake:wrong-seq", "--cases", str(golden)]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("TST-301 An answer has the seq of its request, as it was.\n    the answer has seq \"x\", the request")
    assert '\n    asked: {"cmd": "run", "seq": ' in out
    assert "\n    hint: " in out
    assert "1 rule is broken" in err
    assert main(["lint-adapter", "fake:right", "--cases", str(golden)]) == 0
    assert "no rule is broken" in capsys.readouterr().err
