# SPDX-License-Identifier: Apache-2.0
"""`suite explore`: who is sound disagrees about nothing, who is wrong is found and his mistake made small."""

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from qa.adapters.process import Stop
from qa.adapters.protocol import Messages
from qa.adapters.testee import Limits, Outcome, Testee
from qa.golden import cases, packed
from qa.suite.cli import main
from qa.suite.explore import archive_scenes, command, difference
from qa.suite.explore.scene import Variants
from qa.suite.explore.shrinking import simpler
from qa.suite.testing import small_golden

PMPROOF = os.path.abspath(os.environ["PMPROOF"])

# The reference but for `told`, a statement that may change an answer.
WRONG = """\
import json, subprocess, sys
reference = subprocess.Popen([sys.argv[1], "testee"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
for line in sys.stdin.buffer:
    request = json.loads(line)
    reference.stdin.write(line)
    reference.stdin.flush()
    if request["cmd"] == "bye":
        break
    answer = json.loads(reference.stdout.readline())
    values = [
        value
        for fetch in answer.get("result", {}).get("fetches", ())
        for metric in fetch.get("metrics", ())
        for value in metric["values"]
    ]
    {told}
    print(json.dumps(answer), flush=True)
"""
NEAR_THE_WRAP = 'for value in values: value["value"] = str(int(value["value"]) - (value["type"] == "u32" and int(value["value"]) > 1 << 31)) if value["type"][-2:] in ("32", "64") else value["value"]'


@pytest.fixture(name="golden", scope="module")
def fixture_golden(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_golden(tmp_path_factory.mktemp("golden"))


class Explore:
    def __init__(self, golden: Path, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.golden, self.folder, self._capsys = golden, folder, capsys
        self.out, self.journal = folder / "out", folder / "journal"
        self.printed = ""

    def __call__(self, implementation: str, *arguments: str) -> int:
        words = [implementation, "--cases", str(self.golden), "--out", str(self.out), "--journal", str(self.journal), *arguments]
        status = main(["explore", *words])
        told = self._capsys.readouterr()
        self.printed = told.out + told.err
        return status

    def wrong(self, told: str) -> str:
        program = self.folder / "wrong.py"
        program.write_text(WRONG.replace("{told}", told), encoding="utf-8")
        return f"exec:/usr/bin/python3 {program} {PMPROOF}"

    @property
    def witnesses(self) -> list[cases.Case]:
        return cases.load_all(self.out)

    @property
    def kinds(self) -> set[str]:
        lines = self.journal.read_text(encoding="utf-8").splitlines()[1:]
        return {one["kind"] for line in lines for one in json.loads(line)["disagreements"]}


@pytest.fixture(name="explore")
def fixture_explore(golden: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Explore:
    return Explore(golden, tmp_path, capsys)


def test_the_reference_disagrees_with_itself_about_nothing(explore: Explore) -> None:
    assert explore("reference", "--count", "1200", "--jobs", "2") == 0
    assert " right" in explore.printed and "wrong" not in explore.printed
    for operation in ("archive.decode", "archive.validate", "replay.interp", "derive.eval", "units.parse", "pdu.decode", "names.parse"):
        assert f"{operation:20}never" not in explore.printed
    assert not explore.out.exists()


def test_golden_cases_are_not_unpacked(explore: Explore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of files, about which nothing is asked."""
    monkeypatch.delattr(packed, "plain")
    assert explore("reference", "--op", "value.format", "--count", "3", "--jobs", "1") == 0


def test_a_value_that_is_one_off_near_a_wrap_is_found_in_an_archive_of_few_records(explore: Explore, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = explore.wrong(NEAR_THE_WRAP)
    assert explore(wrong, "--op", "replay.interp", "--count", "150", "--jobs", "2", "--shrink", "6") == 1
    assert explore.kinds == {"fetches[].metrics[].values[].value differs (type u32)"}
    witness = min(explore.witnesses, key=lambda case: sum(path.stat().st_size for path in case.folder.glob("archive*.[0-9]*")))
    assert witness.provenance["kind"] == "explored" and witness.clauses[0].startswith("INT-")
    request = witness.requests[0]
    assert len(request.args["metrics"]) == 1 and len(request.expect["result"]["fetches"]) == 1
    volumes = [path.stat().st_size for path in witness.folder.glob("archive.[0-9]*")]
    assert sum(volumes) < len(volumes) * 808 + 10 * 64  # each has a label
    # Found again by the command that it names, and by suite run; the reference passes.
    assert "--scene" in witness.provenance["found"]["command"]
    again = ["run", wrong, "--cases", str(explore.out), "--case", witness.id, "--quiet"]
    assert main(again) == 1
    assert main([*again[:1], "reference", *again[2:]]) == 0
    capsys.readouterr()


def test_a_wrong_reader_of_name_spaces_is_found_with_a_short_text(explore: Explore, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = explore.wrong('[one.update(pmid="1.1.1") for one in answer.get("result", {}).get("names", ()) if one["pmid"].endswith(".3")]')
    assert explore(wrong, "--op", "names.parse", "--count", "120", "--jobs", "2") == 1
    (witness,) = explore.witnesses
    text = (witness.folder / "text").read_text(encoding="latin-1")
    assert len(text) < 20, text  # root{a 1:1:3}
    again = ["run", wrong, "--cases", str(explore.out), "--case", witness.id, "--quiet"]
    assert main(again) == 1
    assert main([*again[:1], "reference", *again[2:]]) == 0
    capsys.readouterr()


def test_what_a_build_starts_outlives_it(explore: Explore, monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as Bazel's server, which whoever else builds here is using then."""
    started: list[int] = []

    def expressions() -> str:
        script = "import subprocess; print(subprocess.Popen(['sleep', '60'], stdin=-3, stdout=-3, stderr=-3, start_new_session=True).pid)"
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
        started.append(int(done.stdout))
        return "/no/such/generator"

    monkeypatch.setattr(command, "expressions", expressions)
    assert explore("reference", "--count", "1", "--op", "units.parse") == 0
    os.kill(started[0], signal.SIGTERM)  # raises where it is not there


def test_a_shape_that_the_scenarios_cannot_have_is_drawn_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    impossible = ["--records", "1", "--volumes", "2"]
    draws = iter([impossible, impossible, ["--records", "2", "--volumes", "2"]])
    monkeypatch.setattr(archive_scenes.Made, "_words", lambda _, factor: next(draws))  # noqa: SLF001
    wants = Variants(frozenset({"archive.describe"}), [], ["7.2.2"])
    scene = archive_scenes.sound(archive_scenes.Programs(PMPROOF, ""), "1", 1, wants, tmp_path)
    assert scene.recipe.startswith("pmproof generate --records 2 --volumes 2 a")
    assert {ask.operation for ask in scene.asks} == {"archive.describe"}


def test_scenarios_that_need_many_records_get_them(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Two volumes at least, each with more records than are drawn at first for one."""
    needy = ["index-disorder", "irregular", "multi-volume"]
    monkeypatch.setattr(archive_scenes.Made, "_chosen", lambda *_: list(needy))  # noqa: SLF001
    monkeypatch.setattr(archive_scenes, "_STORIES", 0)
    wants = Variants(frozenset({"archive.describe"}), [], ["7.2.2"])
    for number in range(12):
        (tmp_path / str(number)).mkdir()
        scene = archive_scenes.sound(archive_scenes.Programs(PMPROOF, ""), "1", number, wants, tmp_path / str(number))
        assert set(needy) <= set(scene.about)


def test_the_same_seed_finds_the_same_however_many_ask(explore: Explore) -> None:
    arguments = ("--op", "value.format", "--count", "30", "--shrink", "0.1")
    assert explore("fake:wrong", *arguments, "--jobs", "1") == 1
    one = explore.journal.read_bytes()
    explore.journal.unlink()
    assert explore("fake:wrong", *arguments, "--jobs", "3") == 1
    assert explore.journal.read_bytes() == one
    # One that was stopped in a line goes on, and comes to the same.
    explore.journal.write_bytes(one[: len(one) * 2 // 3])
    assert explore("fake:wrong", *arguments) == 1
    assert "goes on after scene" in explore.printed
    assert explore.journal.read_bytes() == one
    # A journal of something else is not added to.
    assert explore("fake:wrong", *arguments, "--seed", "2") == 4
    assert "seed is '1', not '2'" in explore.printed
    assert explore.journal.read_bytes() == one


@pytest.mark.parametrize(
    ("fake", "kind"),
    [
        ("crashes-at-times", "crash, but not when it is asked again"),
        ("hangs", "timeout"),
        ("babbles", "protocol TST-107"),
        ("fails", "error"),
        ("remembers", "another answer when it is asked again"),
    ],
)
def test_what_goes_wrong_is_a_finding_and_no_end(fake: str, kind: str, explore: Explore) -> None:
    limit = "0.5" if fake == "hangs" else "20"
    count = "8" if fake == "crashes-at-times" else "2"
    words = ("--op", "value.format", "--count", count, "--jobs", "1", "--limit", limit, "--shrink", "0.1")
    assert explore(f"fake:{fake}", *words) == 1
    assert explore.kinds == {kind}
    assert re.search(r"^\d+ disagreements of \d kinds, ", explore.printed, re.MULTILINE)


def test_kinds_of_disagreement_add_up_to_what_was_wrong(explore: Explore, capsys: pytest.CaptureFixture[str]) -> None:
    """Also those of a scene that are not kept, for there are enough like them."""
    longer = 'text = answer.get("result", {}).get("text", ""); answer.get("result", {}).update(text=text + "!")'
    refused = 'answer = {"seq": request["seq"], "reject": {"class": "value.type"}} if len(text) > 10 else answer'
    wrong = explore.wrong(f"{longer}; {refused}")
    words = (wrong, "--op", "value.format", "--count", "30", "--jobs", "1", "--shrink", "0.1")
    assert explore(*words) == 1
    told = re.search(r"(\d+) wrong", explore.printed)
    assert told is not None
    groups = [int(count) for count in re.findall(r"^ +(\d+)  value\.format \[MET-", explore.printed, re.MULTILINE)]
    assert max(groups) > 2 and sum(groups) == int(told[1])
    assert f"{told[1]} disagreements of {len(groups)} kinds" in explore.printed
    lines = [json.loads(line) for line in explore.journal.read_text(encoding="utf-8").splitlines()[1:]]
    assert sum(one["times"] for line in lines for one in line["disagreements"]) == int(told[1])
    for line in lines:
        assert max(Counter((one["clause"], one["kind"]) for one in line["disagreements"]).values()) <= 2
    assert sorted(case.provenance["found"]["times"] for case in explore.witnesses) == sorted(groups)


def test_who_skips_what_he_says_he_has_is_told_a_liar(explore: Explore) -> None:
    assert explore("fake:skips", "--op", "value.format", "--count", "5", "--jobs", "1") == 1
    assert "TST-308: it says that it has value.format, and skips all" in explore.printed


def test_two_implementations_against_each_other(explore: Explore) -> None:
    assert explore("fake:right", "--against", "reference", "--op", "value.format", "--count", "10", "--jobs", "1") == 0
    assert explore("fake:wrong", "--against", "fake:right", "--op", "value.format", "--count", "3", "--journal", str(explore.folder / "2")) == 1


def test_an_operation_shows_a_request_and_its_answers(golden: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["operation", "replay.interp", "--cases", str(golden)]) == 0
    told = capsys.readouterr().out
    assert '-> {"cmd": "run", "seq": "k1", "op": "replay.interp", "input": {"path": "golden/replay/' in told
    assert '<- {"seq": "k1", "result": {"fetches": [' in told and '"reject": {"class": "set.host"}' in told
    assert main(["operation", "replay", "--cases", str(golden)]) == 2
    assert "replay.interp" in capsys.readouterr().err


def test_copies_are_broken_by_edits_and_named_by_the_clause(tmp_path: Path) -> None:
    wants = Variants(frozenset({"archive.validate"}), (), ())
    scene = archive_scenes.broken(archive_scenes.Programs(PMPROOF, ""), "1", 0, wants, tmp_path)
    assert len({ask.source["path"] for ask in scene.asks}) == len(scene.asks) == 16
    assert all(re.fullmatch(r"[A-Z]{3}-\d+", clause) for ask in scene.asks for clause in ask.clauses)
    assert "ARC-1110:1" not in scene.recipe


def test_a_time_that_is_stored_with_too_many_nanoseconds_is_an_answer(tmp_path: Path) -> None:  # ARC-003
    subprocess.run([PMPROOF, "generate", "--quiet", "--seed", "7", "--scenario", "plain", "--records", "12", tmp_path / "a"], check=True)
    subprocess.run([PMPROOF, "mutate", "--quiet", "--rule", "ARC-1718:1", tmp_path / "a", tmp_path / "b"], check=True)
    stop = Stop()
    try:
        with Testee("reference", lambda: [PMPROOF, "testee"], Limits(), messages=Messages(), stop=stop) as testee:
            testee.start()
            answer = testee.run("archive.decode", {"path": str(tmp_path / "b")}, {})
    finally:
        stop.close()
    assert answer.kind == "result", answer.message
    assert re.search(r'"time": "\d+\.[+-]\d+"', json.dumps(answer.body))


def test_simpler_arguments_leave_out_most_first_and_keep_the_rule() -> None:
    args = {"metrics": ["a", "b"], "rule": "documented", "count": 4}
    found = list(simpler(args))
    assert found[0] == {"rule": "documented", "count": 4}
    assert {"metrics": ["b"], "rule": "documented", "count": 4} in found
    assert {"metrics": ["a", "b"], "rule": "documented", "count": 2} in found
    assert all(one.get("rule") == "documented" for one in found)
    assert "a + b" in list(simpler({"expression": "sum(a + b)"}))[1:][-1]["expression"]


def _values(of: dict[int, str]) -> Outcome:
    return Outcome("result", {"values": [{"instance": one, "type": "32", "value": value} for one, value in of.items()]})


@pytest.mark.parametrize(
    ("expected", "actual", "kind"),
    [
        (Outcome("result", {"value": "1"}), Outcome("crash", {}, "signal 11"), "crash"),
        (Outcome("result", {"value": "1"}), Outcome("reject", {"class": "value.sign"}), "refusal value.sign, not an answer"),
        (Outcome("reject", {"class": "a"}), Outcome("result", {}), "an answer, not refusal a"),
        (Outcome("result", {"type": "32", "value": "1"}), Outcome("result", {"type": "u32", "value": "1"}), "type is u32, not 32"),
        (Outcome("result", {"type": "32", "value": "1"}), Outcome("result", {"type": "32", "value": "2"}), "value differs (type 32)"),
        (Outcome("result", {"findings": [{"rule": "x"}]}), Outcome("result", {"findings": []}), "findings: fewer than expected"),
        (Outcome("result", {"a": 1}), Outcome("result", {}), "a missing"),
        (_values({1: "5", 2: "6"}), _values({2: "6", 1: "7"}), "values[].value differs (type 32)"),
    ],
)
def test_kinds_of_difference(expected: Outcome, actual: Outcome, kind: str) -> None:
    assert difference.kind_of(expected, actual) == kind


def _compressions(dialects: list[str], folder: Path) -> set[str]:
    wants = Variants(frozenset(), [], dialects)
    found = set()
    for number in range(1, 60):
        (folder / str(number)).mkdir(parents=True)
        scene = archive_scenes.sound(archive_scenes.Programs(PMPROOF, ""), "zstd", number, wants, folder / str(number))
        found |= {about for about in scene.about if about.startswith("compressed")}
    return found


def test_no_archive_compressed_by_zstd_is_put_to_a_version_that_has_none(tmp_path: Path) -> None:  # ARC-1012
    assert "compressed by zstd" in _compressions(["7.2.2"], tmp_path / "7")
    assert _compressions(["6.0.3"], tmp_path / "6") == {"compressed by xz", "compressed by gz", "compressed by bz2"}


def test_what_is_not_shown_is_no_kind_of_difference(explore: Explore) -> None:
    hidden = '"not_shown": [{"at": ["/pdus/0/from"], "because": "not told"}]'
    told = 'pdus = answer.get("result", {}).get("pdus", ()); [one.update({"from": 77}) or "code" in one and one.update(code=-2) for one in pdus[:1]]'
    wrong = explore.wrong(f"{told}; pdus and answer['result'].update({{{hidden}}})")
    assert explore(wrong, "--op", "pdu.decode", "--count", "300", "--jobs", "1", "--shrink", "0.1") == 1
    assert explore.kinds == {"pdus[].code differs"}
