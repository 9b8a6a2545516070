# SPDX-License-Identifier: Apache-2.0
"""`pmproof derive` as a user meets it. On the base archive of ARC-1000."""

import json
from pathlib import Path

import pytest

from validator.testing.run import pmproof

BASE = Path("golden/archive/base-v3")


def answers(*arguments: str | Path) -> list[dict[str, object]]:
    done = pmproof("derive", "--format", "json", *arguments)
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_a_definition_over_an_archive() -> None:  # DER-804
    done = pmproof("derive", "--archive", BASE, "my.rate = rate(m.cnt)", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout) == {
        "name": "my.rate",
        "ok": True,
        "descriptor": {"type": "double", "semantics": "instant", "indom": None, "units": "count / sec"},
    }


def test_a_descriptor_as_pcp_prints_it() -> None:  # MET-135
    done = pmproof("derive", "--archive", BASE, "x = m.inst * 2")
    assert done.stdout == (
        "x\n"
        "    Data Type: 32-bit unsigned int  InDom: 29.1 0x7400001\n"
        "    Semantics: instant  Units: Kbyte\n"
    )


def test_a_syntax_error_has_a_caret_under_it() -> None:  # DER-216, 631
    done = pmproof("derive", "my.y =   a + b c")
    assert done.returncode == 1
    assert done.stdout == (
        "my.y: syntax error\n"
        "a + b c\n"
        "      ^\n"
        "Arithmetic or relational or boolean operator expected to follow NAME [DER-631]\n"
    )
    assert answers("my.y =   a + b c") == [
        {
            "name": "my.y",
            "ok": False,
            "stage": "syntax",
            "position": 6,
            "message": "Arithmetic or relational or boolean operator expected to follow NAME",
            "clause": "DER-631",
        }
    ]


def test_an_error_without_a_message_of_pcp_still_has_one() -> None:  # DER-621
    assert pmproof("derive", "x = 1 2").stdout == "x: syntax error\n1 2\n  ^\nthis cannot stand here [DER-621]\n"


def test_a_semantic_error_says_where() -> None:  # DER-709, 824
    done = pmproof("derive", "--archive", BASE, "x = m.cnt > m.str")
    assert done.returncode == 1
    assert done.stdout == (
        "x: semantic error\nm.cnt > m.str\nm.cnt > m.str: Non-arithmetic type for right operand [DER-824]\n"
    )
    (answer,) = answers("--archive", BASE, "x = m.cnt > m.str")
    assert (answer["stage"], answer["position"]) == ("bind", None)
    assert answer["message"] == "Non-arithmetic type for right operand"


def test_unknown_operands_are_errors_where_there_is_an_archive() -> None:  # DER-701
    (answer,) = answers("--archive", BASE, "x = no.such")
    assert answer["message"] == "Unknown operand metric"
    (answer,) = answers("x = no.such")
    assert (answer["ok"], answer["descriptor"]) == (True, None)
    assert pmproof("derive", "x = no.such").stdout == "x: the syntax is right; not bound without --archive\n"


def test_what_needs_no_metric_is_bound_without_an_archive() -> None:  # DER-842, 845
    (answer,) = answers('x = 1 + mkconst(2.5, units="sec") / 2')
    assert answer["message"] == "Dimensions are not the same"
    (answer,) = answers('x = mkconst(2.5, units="sec") / 2')
    assert answer["descriptor"] == {"type": "double", "semantics": "discrete", "indom": None, "units": "nanosec"}


@pytest.mark.parametrize(
    ("dialect", "ok"), [("seed", False), ("6.0.3", False), ("6.3.8", True), ("7.2.2", True)]
)
def test_dialects(dialect: str, ok: bool) -> None:  # DER-104
    (answer,) = answers("--dialect", dialect, "x = delta(a + b)")
    assert answer["ok"] == ok


def test_definitions_know_each_other() -> None:  # DER-203, 702
    first, second, third = answers("--archive", BASE, "x = y", "y = m.cnt", "z = y + 1")
    assert first["descriptor"] == second["descriptor"]
    assert third["message"] == "Illegal nested derived metric"
    _, again = answers("x = 1", "x = 2")
    assert (again["message"], again["position"]) == ("Duplicate global derived metric name", 0)


def test_a_name_of_the_archive_is_hidden() -> None:  # DER-204
    (answer,) = answers("--archive", BASE, "m.cnt = 1")
    assert (answer["ok"], answer["clause"]) == (False, "DER-204")


def test_what_is_no_definition() -> None:  # DER-321..324
    assert [answer["clause"] for answer in answers("x", " = 1", "1x = 1", "x =")] == [
        "DER-321",
        "DER-322",
        "DER-323",
        "DER-324",
    ]


def test_configuration_files(tmp_path: Path) -> None:  # DER-301..329
    file = tmp_path / "derived.conf"
    file.write_text("a.x = m.cnt\na.x(oneline) = mine\nb y\nc.z = 1 2\na.x(foo) = 1\n#control novalue=1\nlost = 1")
    done = pmproof("derive", "--archive", BASE, "--derived-config", file, "--format", "json", "d.w = a.x")
    assert done.returncode == 1
    first, second, third, fourth, last = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["name"], first["ok"], first["line"], first["oneline"]) == ("a.x", True, 1, "mine")
    assert (second["name"], second["file"], second["line"], second["clause"]) == ("", str(file), 3, "DER-321")
    assert (third["name"], third["position"], third["clause"]) == ("c.z", 2, "DER-621")
    assert fourth["message"] == "attribute (foo) is unknown for metric (a.x)"
    assert (last["name"], last["descriptor"]) == ("d.w", first["descriptor"])
    assert done.stderr == f"pmproof: {file}:6: warning: unknown derived metric control (novalue) [DER-403]\n"
    text = pmproof("derive", "--derived-config", file).stdout
    assert f"{file}:4: c.z: syntax error\n1 2\n  ^\n" in text
    assert pmproof("derive", "--derived-config", tmp_path / "none").returncode == 4


def test_wrong_usage_and_missing_archives() -> None:
    assert pmproof("derive").returncode == 2
    assert pmproof("derive", "--dialect", "5.0", "x = 1").returncode == 2
    assert pmproof("derive", "--archive", "/no/such", "x = 1").returncode == 4


def test_control_characters_do_not_reach_the_terminal() -> None:
    done = pmproof("derive", "x = a \x1b[31m b")
    assert "\x1b" not in done.stdout


def test_the_help_tells_what_positions_are() -> None:
    assert "Positions are offsets" in " ".join(pmproof("derive", "--help").stdout.split())


PMREP = """\
[options]
derived = o.a = 5, o.b = m.cnt +
[one]
lab = d.a,,,
lab.formula = 2 *
   m.cnt
[two]
lab = d.a
lab.formula = "3 * m.inst"
rr = %%rr
rr.formula = 7
"""


def test_formulas_of_pmrep_are_registered_section_by_section(tmp_path: Path) -> None:  # DER-342, 344, 345
    config = tmp_path / "pmrep.conf"
    config.write_text(PMREP, encoding="utf-8")
    done = pmproof("derive", "--format", "json", "--archive", BASE, "--pmrep-config", config)
    assert done.returncode == 1, done.stderr
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(one["name"], one["ok"], one["line"]) for one in found] == [("o.a", True, 2), ("o.b", False, 2), ("d.a", True, 5), ("d.a", True, 9), ("%rr", True, 11)]
    assert all(one["file"] == str(config) for one in found)
    assert found[2]["descriptor"]["semantics"] == "counter" and found[3]["descriptor"]["semantics"] == "instant"


def test_of_a_directory_of_pmrep_the_files_named_conf_are_read(tmp_path: Path) -> None:
    (tmp_path / "b.conf").write_text("[x]\nl = d.b\nl.formula = 1\n", encoding="utf-8")
    (tmp_path / "a.conf").write_text("[x]\nl = d.a\nl.formula = 1\n", encoding="utf-8")
    (tmp_path / "README").write_text("no section\n", encoding="utf-8")
    (tmp_path / "loop.conf").symlink_to(".")
    (tmp_path / "folder.conf").mkdir()
    assert [one["name"] for one in answers("--pmrep-config", tmp_path)] == ["d.a", "d.b"]


def test_what_ends_pmrep_is_told_by_file_and_line(tmp_path: Path) -> None:  # DER-341
    config = tmp_path / "pmrep.conf"
    config.write_text("[x]\nl = d.b\nl = d.c\n", encoding="utf-8")
    done = pmproof("derive", "--pmrep-config", config)
    assert done.returncode == 4 and done.stdout == ""
    assert done.stderr == f"pmproof: {config}: line 3: l was there before in its section [DER-341]\n"
