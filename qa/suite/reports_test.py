# SPDX-License-Identifier: Apache-2.0
"""All reports are made of one event stream; each says the same in its own form."""

import json
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import jsonschema
import pytest

from qa.suite import journal
from qa.suite.cli import main
from qa.suite.reports.formats import FORMATS
from qa.suite.reports.plot import plot
from qa.suite.reports.text import claim_of
from qa.suite.testing import small_golden

_LIST = "metadata/semantics | wrong | | known\n"


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Journals of adapters that are right, wrong (in part as expected), and do not start."""
    folder = tmp_path_factory.mktemp("reports")
    golden = small_golden(folder / "golden")
    (folder / "list").write_text(_LIST, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        for name, status in (("right", 0), ("wrong", 1), ("lacks-all", 2), ("dies-at-start", 3)):
            arguments = ["run", f"fake:{name}", "--cases", str(golden), "--journal", str(folder / name)]
            arguments += ["--expect", str(folder / "list")] if name == "wrong" else []
            assert main([*arguments, "--quiet", "--jobs", "2"]) == status
    return folder


def report(form: str, *journals: Path, capsys: pytest.CaptureFixture[str]) -> str:
    assert main(["report", *map(str, journals), f"--{form}", "-"]) == 0
    return capsys.readouterr().out


def test_the_schemas_are_schemas() -> None:
    for path in Path("qa/suite/schema").glob("*.json"):
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


def test_json_is_by_its_schema(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    events = json.loads(journal.SCHEMA_FILE.read_text(encoding="utf-8"))
    schema = json.loads(journal.SCHEMA_FILE.with_name("report.schema.json").read_text(encoding="utf-8"))
    validator = jsonschema.Draft202012Validator({**schema, "$defs": events["$defs"]})
    for name in ("right", "wrong", "lacks-all", "dies-at-start"):
        told = json.loads(report("json", folder / name, capsys=capsys))
        validator.validate(told)
        told["implementations"][0]["verdicts"] += [{"id": "x"}]
        assert not validator.is_valid(told)


def test_junit_counts_what_it_lists(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = ElementTree.fromstring(report("junit", folder / "right", folder / "wrong", folder / "dies-at-start", capsys=capsys))
    right, wrong, dead = root
    assert [suite.get("name") for suite in root] == ["fake:right", "fake:wrong", "fake:dies-at-start"]
    assert int(right.get("tests", "")) == len(right) > 50
    assert [right.get(key) for key in ("failures", "errors", "skipped")] == ["0", "0", "0"]
    assert int(wrong.get("failures", "")) == len(wrong.findall("testcase/failure")) > 0
    assert int(wrong.get("skipped", "")) == len(wrong.findall("testcase/skipped")) == 21
    assert "actual" in (wrong.findall("testcase/failure")[0].text or "")
    assert [dead.get(key) for key in ("tests", "errors")] == ["1", "1"]
    assert root.get("tests") == str(sum(len(suite) for suite in root))


def test_tap_is_read_by_a_tap_reader(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, passes in (("right", True), ("wrong", False), ("lacks-all", True), ("dies-at-start", False)):
        text = report("tap", folder / name, capsys=capsys)
        assert text.startswith("TAP version 13\n1..")
        (tmp_path / "tap").write_text(text, encoding="utf-8")
        done = subprocess.run(["prove", "-e", "cat", str(tmp_path / "tap")], capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == passes or "NOTESTS" in done.stdout, done.stdout + done.stderr
    assert "# TODO wrong: " in report("tap", folder / "wrong", capsys=capsys)
    assert "# SKIP " in report("tap", folder / "lacks-all", capsys=capsys)
    assert "\nBail out! fake:dies-at-start does not start" in report("tap", folder / "dies-at-start", capsys=capsys)


def test_markdown_has_matrix_claims_and_failures(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = report("markdown", folder / "right", folder / "wrong", capsys=capsys)
    assert "| chapter | fake:right | fake:wrong |\n|---|---|---|\n| derived | " in text
    assert "### fake:right: conformant\n" in text
    assert "### fake:wrong: not conformant\n" in text
    assert "| value.format | conformant with 1 declared deviation | 21 failed as declared |" in text
    assert "more failures, which are not shown here" in text


@pytest.mark.parametrize(
    ("name", "message", "color"),
    [
        ("right", "conformant", "brightgreen"),
        ("wrong", "not conformant", "red"),
        ("lacks-all", "undetermined", "lightgrey"),
        ("dies-at-start", "undetermined", "lightgrey"),
    ],
)
def test_a_badge_says_the_claim(name: str, message: str, color: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = json.loads(report("badge", folder / name, capsys=capsys))
    assert told == {"schemaVersion": 1, "label": "pmproof", "message": message, "color": color}


@pytest.mark.parametrize("form", FORMATS)
def test_a_run_that_was_stopped_is_no_success(form: str, folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "right").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "cut").write_text("".join(lines[:-5]) + lines[-5][:20], encoding="utf-8")
    text = report(form, tmp_path / "cut", capsys=capsys)
    sign = {
        "json": '"complete": false',
        "junit": "<error",
        "tap": "Bail out!",
        "markdown": "**The run is not complete.**",
        "html": "The run is not complete",
        "badge": "undetermined",
    }[form]
    assert sign in text


def test_a_journal_that_is_none_is_refused(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = (folder / "right").read_text(encoding="utf-8").splitlines(keepends=True)
    broken = {
        "empty": "",
        "no JSON": lines[0] + "nonsense\n",
        "another event": lines[0] + '{"event": "dance"}\n',
        "no header": "".join(lines[1:]),
        "two headers": lines[0] + lines[0],
        "no start": lines[0] + next(line for line in lines if '"event":"verdict"' in line),
        "after the footer": "".join(lines) + lines[-1],
        "deep": lines[0] + "[" * 100_000 + "\n",
    }
    for what, text in broken.items():
        (tmp_path / "broken").write_text(text, encoding="utf-8")
        assert main(["report", str(tmp_path / "broken"), "--json", "-"]) == 4, what
        assert capsys.readouterr().err.count("\n") == 1, what


def test_journals_of_other_cases_are_not_joined(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (folder / "right").read_text(encoding="utf-8").replace('"digest":"sha256:', '"digest":"sha256:0', 1)
    (tmp_path / "other").write_text(text[: text.index('"},"selection')][:-1] + text[text.index('"},"selection') :], encoding="utf-8")
    assert main(["report", str(folder / "wrong"), str(tmp_path / "other"), "--json", "-"]) == 4
    assert "of other cases than" in capsys.readouterr().err


def test_what_an_implementation_says_is_nothing_but_text(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Names, answers and messages cannot become markup, directives or movements of the cursor."""
    evil = "</pre><script>alert(1)</script>\\u001b[2J\\u0000]]>\\n# SKIP | ``` <b>"
    text = (folder / "wrong").read_text(encoding="utf-8")
    text = text.replace('"name":"fake"', f'"name":"{evil}"').replace('"message":"', f'"message":"{evil}')
    (tmp_path / "evil").write_text(text.replace('"class":"fake"', f'"class":"{evil}"'), encoding="utf-8")
    page = report("html", tmp_path / "evil", capsys=capsys)
    assert "alert(1)" in page and "<script>alert" not in page
    ElementTree.fromstring(report("junit", tmp_path / "evil", capsys=capsys))
    assert "<script>" not in report("markdown", tmp_path / "evil", capsys=capsys)
    tap = report("tap", tmp_path / "evil", capsys=capsys)
    assert "\x1b" not in tap
    assert not [line for line in tap.splitlines() if line.startswith("not ok") and " # SKIP" in line]


def test_claims_of_several_capabilities_together(folder: Path) -> None:
    claims = {name: claim_of(journal.load(folder / name).implementations[0]) for name in ("right", "wrong", "lacks-all")}
    assert claims == {"right": "conformant", "wrong": "not conformant", "lacks-all": "undetermined"}


def test_progress_is_drawn_over_and_wiped_away(folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
    arguments = ["run", "fake:right", "--cases", str(folder / "golden"), "--progress", "always", "--jobs", "1"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert "fake:right [" in err and err.endswith("\r") and "\n" not in err
    assert "\r" not in out


def fetch(time: str, value: str | None) -> dict[str, object]:
    values = [] if value is None else [{"instance": None, "type": "double", "value": value}]
    return {"time": time, "status": 0, "metrics": [{"metric": "m<", "status": 0, "values": values}]}


def test_a_plot_has_gaps_where_values_are_missing() -> None:
    expected = [fetch("1.0", "1"), fetch("2.0", "2"), fetch("3.0", None), fetch("4.0", "1e308"), fetch("5.0", "-1e308")]
    told = plot(expected, None)
    ElementTree.fromstring(told)
    assert told.count("<polyline") == 2
    assert "m&lt;" in told
    actual = [fetch("1.0", "nan"), fetch("2.0", "3"), fetch("x", "4"), fetch("4.0", "5")]
    assert plot(expected, actual).count('class="actual dot"') == 2


@pytest.mark.parametrize("values", [[], ["1"], ["nan", "inf"], ["x", "y"]])
def test_there_is_no_plot_of_fewer_than_two_numbers(values: list[str]) -> None:
    assert plot([fetch(f"{i}.0", value) for i, value in enumerate(values)], None) == ""
