# SPDX-License-Identifier: Apache-2.0
"""The plug-in, in tests of people who write archives."""

import os
import sys

import pytest

from qa.python.testing import PMPROOF

pytest_plugins = ["pytester"]

_HEAD = """
import os, subprocess
import pytest

def generate(base, *more):
    subprocess.run([os.environ["PMPROOF"], "generate", "--seed", "7", "--scenario", "marks", "--records", "12",
                    "--metrics", "2", "--no-truth", *more, base], check=True)

def mutated(rule, base):
    good = os.fspath(base) + "-good"
    generate(good)
    subprocess.run([os.environ["PMPROOF"], "mutate", "--rule", rule, good, base], check=True)
    for part in ("meta", "index", "0"):
        os.remove(f"{good}.{part}")
"""


# Before pytester changes the folder.
_PATHS = os.pathsep.join(os.path.abspath(path) for path in sys.path)


def run(pytester: pytest.Pytester, body: str, *options: str) -> pytest.RunResult:
    """In a process of its own, as people run it."""
    os.environ["PMPROOF"] = str(PMPROOF)
    pytester.makepyfile(test_writer=_HEAD + body)
    environment = pytest.MonkeyPatch()
    environment.setenv("PYTHONPATH", _PATHS)
    environment.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    try:
        return pytester.runpytest_subprocess("-p", "pmproof.pytest_plugin", "-p", "no:cacheprovider", "--strict-markers", *options)
    finally:
        environment.undo()


def test_a_sound_archive_passes(pytester: pytest.Pytester) -> None:
    body = """
def test_my_writer(pmproof_archive):
    generate(pmproof_archive)
"""
    run(pytester, body).assert_outcomes(passed=1)


def test_a_broken_one_fails_and_shows_what_check_prints(pytester: pytest.Pytester) -> None:
    body = """
def test_my_writer(pmproof_archive):
    mutated("ARC-1104", pmproof_archive)
"""
    done = run(pytester, body)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(
        [
            "pmproof: archive is not readable, and should be conformant",
            "*/pmproof/archive: not readable, not conformant (1 fatal)",
            "*fatal    ARC-1104  archive.0 offset *: the length words differ*",
            "What ARC-1104 means and what to do: pmproof explain ARC-1104",
        ]
    )
    done.stdout.no_fnmatch_line("*Traceback*")


def test_a_warning_fails_on_demand(pytester: pytest.Pytester) -> None:
    body = """
def test_by_default(pmproof_archive):
    mutated("ARC-1825", pmproof_archive)

@pytest.mark.pmproof(fail_on="warning")
def test_warnings(pmproof_archive):
    mutated("ARC-1825", pmproof_archive)

@pytest.mark.pmproof(fail_on="warning", leave_out=["ARC-1825"])
def test_without_the_rule(pmproof_archive):
    mutated("ARC-1825", pmproof_archive)

@pytest.mark.pmproof("conformant", ["ARC-1825"], "warning")
def test_just_this_warning(pmproof_archive):
    mutated("ARC-1825", pmproof_archive)

@pytest.mark.pmproof(fail_on="info", leave_out=["ARC-1825"])
def test_all_but(pmproof_archive):
    mutated("ARC-1825", pmproof_archive)
"""
    done = run(pytester, body)
    done.assert_outcomes(passed=4, failed=1)
    done.stdout.fnmatch_lines(["pmproof: found ARC-1825 of severity warning or graver, and should find nothing", "*counter plain.reads*"])


def test_a_writer_of_broken_archives_is_held_to_what_it_says(pytester: pytest.Pytester) -> None:
    body = """
@pytest.mark.pmproof(verdict="not readable", rules=["ARC-1104"])
def test_as_it_says(pmproof_archive):
    mutated("ARC-1104", pmproof_archive)

@pytest.mark.pmproof(verdict="not conformant")
def test_any_rule(pmproof_archive):
    mutated("ARC-1104", pmproof_archive)

@pytest.mark.pmproof(verdict="not readable", rules=["ARC-1918"])
def test_another_verdict(pmproof_archive):
    mutated("ARC-1918", pmproof_archive)

@pytest.mark.pmproof(verdict="readable")
def test_readable(pmproof_archive):
    mutated("ARC-1918", pmproof_archive)

@pytest.mark.pmproof(verdict="not conformant", rules=["ARC-1918", "ARC-1104"])
def test_a_rule_that_it_does_not_break(pmproof_archive):
    mutated("ARC-1918", pmproof_archive)

@pytest.mark.pmproof(verdict="not conformant")
def test_a_sound_one(pmproof_archive):
    generate(pmproof_archive)
"""
    done = run(pytester, body)
    done.assert_outcomes(passed=3, failed=3)
    done.stdout.fnmatch_lines(
        [
            "pmproof: archive is readable, not conformant, and should be not readable",
            "pmproof: found ARC-1918 of severity error or graver, and should find ARC-1104, ARC-1918",
            "pmproof: archive is conformant, and should be not conformant",
        ]
    )


def test_all_archives_of_the_folder_are_checked(pytester: pytest.Pytester) -> None:
    body = """
def test_names_of_its_own(pmproof_archive):
    generate(pmproof_archive.folder / "20260101")
    mutated("ARC-1918", pmproof_archive.folder / "20260102")
    assert not pmproof_archive.check().conformant
"""
    done = run(pytester, body)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["pmproof: 20260102 is readable, not conformant, and should be conformant", "*20260101: conformant"])


def test_a_test_that_writes_nothing_fails(pytester: pytest.Pytester) -> None:
    body = """
def test_nothing(pmproof_archive):
    pass

def test_no_archive(pmproof_archive):
    pmproof_archive.path.with_suffix(".0").write_bytes(b"junk")

def test_elsewhere(request):
    request.getfixturevalue("pmproof_archive")
"""
    done = run(pytester, body)
    done.assert_outcomes(failed=3)
    done.stdout.fnmatch_lines(["pmproof: the test wrote no archive to */pmproof/archive: nothing", "*no archive to */archive: archive.0"])


def test_the_archive_is_not_asked_for_where_the_test_fails_itself(pytester: pytest.Pytester) -> None:
    body = """
def test_fails(pmproof_archive):
    assert 1 == 2

def test_skips(pmproof_archive):
    pytest.skip("not here")

@pytest.mark.xfail(strict=True)
def test_known(pmproof_archive):
    mutated("ARC-1918", pmproof_archive)
"""
    done = run(pytester, body)
    done.assert_outcomes(failed=1, skipped=1, xfailed=1)
    done.stdout.fnmatch_lines(["E       assert 1 == 2"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("verdict='sound'", "verdict='sound' is none of 'conformant', 'readable', 'not conformant', 'not readable'"),
        ("fail_on='grave'", "fail_on='grave' is none of 'fatal', 'error', 'warning', 'info'"),
        ("rules='ARC-1918'", "rules is a list of words*"),
        ("severity='error'", "*unexpected keyword argument 'severity'"),
    ],
)
def test_a_marker_that_makes_no_sense(arguments: str, told: str, pytester: pytest.Pytester) -> None:
    body = f"""
@pytest.mark.pmproof({arguments})
def test_it(pmproof_archive):
    generate(pmproof_archive)
"""
    done = run(pytester, body)
    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([f"*the marker pmproof: {told}"])


def test_a_rule_that_is_unknown_is_no_pass(pytester: pytest.Pytester) -> None:
    body = """
@pytest.mark.pmproof(leave_out=["ARC-9999"])
def test_it(pmproof_archive):
    generate(pmproof_archive)
"""
    done = run(pytester, body)
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["pmproof: no verdict: --rule: there is no rule ARC-9999*"])


def test_a_marker_without_the_fixture_checks_nothing_and_is_refused(pytester: pytest.Pytester) -> None:
    done = run(pytester, "\n@pytest.mark.pmproof(fail_on='warning')\ndef test_it():\n    pass\n")
    assert done.ret == pytest.ExitCode.USAGE_ERROR
    done.stderr.fnmatch_lines(["*test_it: the marker pmproof needs the fixture pmproof_archive"])


def test_a_marker_of_a_module_is_for_its_tests_with_the_fixture(pytester: pytest.Pytester) -> None:
    body = """
pytestmark = pytest.mark.pmproof(fail_on="warning")

def test_without():
    pass

def test_with(pmproof_archive):
    mutated("ARC-1825", pmproof_archive)

@pytest.mark.pmproof()
def test_with_its_own(pmproof_archive):
    mutated("ARC-1825", pmproof_archive)
"""
    run(pytester, body).assert_outcomes(passed=2, failed=1)


def test_the_marker_is_listed(pytester: pytest.Pytester) -> None:
    done = run(pytester, "", "--markers")
    done.stdout.fnmatch_lines(["@pytest.mark.pmproof(verdict=*"])
