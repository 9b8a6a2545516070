# SPDX-License-Identifier: Apache-2.0
"""`pmproof derive diff`: which definitions change their meaning between two versions or implementations."""

import json
import os
import re
import shlex
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF
from validator.testing.run import pmproof as run

SCHEMA = json.loads(Path(os.environ["DERIVE_DIFF_SCHEMA"]).read_text(encoding="utf-8"))
BASE = Path("golden/archive/base-v3/base")
SIDES = ("--baseline", "6.0.3", "--candidate", "7.2.2")


def diff(*words: str | Path, status: int = 1) -> dict[str, Any]:
    done = run("derive", "diff", "--format", "json", *words)
    assert done.returncode == status, done.stdout + done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(found)
    return found


def test_what_one_side_refuses_is_told_by_file_line_and_clause(tmp_path: Path) -> None:  # DER-104
    config = tmp_path / "derived.conf"
    config.write_text("# a comment\nsame = m.cnt\nnewer = delta(m.cnt * 2)\n", encoding="utf-8")
    found = diff(*SIDES, "--derived-config", config, BASE)
    assert [definition["name"] for definition in found["definitions"]] == ["same", "newer"]
    (finding,) = found["findings"]
    assert (finding["name"], finding["kind"], finding["clause"]) == ("newer", "refused", "DER-104")
    assert (finding["file"], finding["line"]) == (str(config), 3)
    assert finding["baseline"].startswith("PM_ERR_") and finding["candidate"].startswith("type ")


def test_nothing_changes_between_a_version_and_itself() -> None:
    found = diff("--baseline", "7.2.2", "--candidate", "7.2.2", "--derive", "x = rate(m.cnt)", BASE, status=0)
    assert found["findings"] == [] and found["values"] > 0


def test_an_implementation_is_a_side_and_the_clause_is_found_all_the_same() -> None:
    testee = "exec:" + shlex.join([str(Path(PMPROOF).absolute()), "testee"])  # which answers in the language of 7.2.2
    found = diff("--baseline", "6.0.3", "--candidate", testee, "--derive", "x = delta(m.cnt * 2)", BASE)
    (finding,) = found["findings"]
    assert (finding["kind"], finding["clause"], finding["file"]) == ("refused", "DER-104", None)


def test_what_both_refuse_is_no_change() -> None:
    found = diff(*SIDES, "--derive", "x = 1 +", "--derive", "y = m.cnt", BASE, status=0)
    assert found["refused"] == ["x"]


def test_formulas_of_pmrep_are_compared_section_by_section(tmp_path: Path) -> None:  # DER-342, DER-344
    config = tmp_path / "pmrep.conf"
    config.write_text("[one]\nl = d.a\nl.formula = m.cnt\n[two]\nl = d.a\nl.formula = delta(m.cnt * 2)\nr = %%rr\nr.formula = delta(m.cnt * 3)\n", encoding="utf-8")
    found = diff(*SIDES, "--pmrep-config", config, "--derive", "own = m.inst", BASE)
    assert [definition["name"] for definition in found["definitions"]] == ["own", "d.a", "d.a", "%rr"]
    assert found["archives"] == [str(BASE.absolute())]
    first, second = found["findings"]
    assert (first["name"], first["kind"], first["file"], first["line"]) == ("d.a", "refused", str(config), 6)
    assert (second["name"], second["kind"], second["line"]) == ("%rr", "refused", 8)  # no name that a configuration file takes


def test_a_directory_that_leads_back_to_itself_ends(tmp_path: Path) -> None:  # DER-301
    (tmp_path / "derived.conf").write_text("x.y = m.cnt\n", encoding="utf-8")
    for name in ("loop", "loop.conf"):
        (tmp_path / name).symlink_to(".")
    found = diff(*SIDES, "--derived-config", tmp_path, BASE, status=0)
    assert [definition["name"] for definition in found["definitions"]] == ["x.y"]


def test_the_text_names_both() -> None:
    done = run("derive", "diff", *SIDES, "--derive", "x = delta(m.cnt * 2)", str(BASE))
    assert done.returncode == 1
    assert done.stdout.startswith("baseline 6.0.3, candidate 7.2.2\n1 of 1 definition changes its meaning over 1 archive")
    assert "one side refuses it [DER-104]" in done.stdout


def test_the_page_has_every_definition_and_takes_no_text_for_markup(tmp_path: Path) -> None:
    config = tmp_path / "<b>.conf"
    config.write_text("same = m.cnt\nnewer = delta(m.cnt * 2)\n\nboth = 1 +\n", encoding="utf-8")
    done = run("derive", "diff", *SIDES, "--baseline-name", "<i>", "--format", "html", "--derived-config", config, BASE)
    assert done.returncode == 1 and "1 of 3 definitions changes its meaning over 1 archive" in done.stdout
    kinds = re.findall(r'<tr data-kind="([a-z ]+)"(?: data-again)?><td>(?:<a href="#definition-1">)?(\w+)<', done.stdout)
    assert kinds == [("same", "same"), ("refused", "newer"), ("both", "both")]
    assert "&lt;b&gt;.conf:2" in done.stdout and "<b>.conf" not in done.stdout and "<i>" not in done.stdout
    assert done.stdout.count("DER-104") == 2 and "http:" not in done.stdout


def test_the_page_says_what_was_not_compared() -> None:
    done = run("derive", "diff", *SIDES, "--derive", "x = 1", "--format", "html", "/no/such/archive")
    assert done.returncode == 4
    assert '<p class="verdict fatal">' in done.stdout and '<li class="fatal">/no/such/archive' in done.stdout


def test_derive_itself_is_as_it_was() -> None:
    assert run("derive", "x = 1").returncode == 0
    assert "derive diff" in run("help").stdout


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        ([*SIDES, str(BASE)], 2, "give --derived-config"),
        (["--baseline", "7.2.2", "--derive", "x = 1", str(BASE)], 2, "--candidate is required"),
        (["--baseline", "7.2", "--candidate", "6.0.3", "--derive", "x = 1", str(BASE)], 2, "there is no dialect 7.2"),
        ([*SIDES, "--derive", "x = 1"], 2, "no ARCHIVE given"),
        ([*SIDES, "--derive", "x = 1", "/no/such/archive"], 4, "/no/such/archive"),
        ([*SIDES, "--derived-config", "/no/such/file", str(BASE)], 4, "/no/such/file"),
        (["--baseline", "exec:/no/such/adapter", "--candidate", "6.0.3", "--derive", "x = 1", str(BASE)], 3, "/no/such/adapter"),
    ],
)
def test_refusals(words: list[str], status: int, said: str) -> None:
    done = run("derive", "diff", *words)
    assert done.returncode == status, done.stdout
    assert said in done.stderr
