# SPDX-License-Identifier: Apache-2.0
"""`pmproof shrink` as a user meets it: what is written, said and refused, and with which exit status."""

import json
import lzma
import os
import resource
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from validator.testing.run import PMPROOF, pmproof

WRITE_EXAMPLE = os.environ["WRITE_EXAMPLE"]


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def rules_of(archive: Path) -> set[str]:
    report = json.loads(pmproof("check", "--format", "json", archive).stdout)
    return {finding["rule"] for one in report["archives"] for finding in one["findings"]}


@pytest.fixture(name="cut", params=[2, 3])
def fixture_cut(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """An archive whose volume ends inside its last record."""
    base = tmp_path / "in/base"
    base.parent.mkdir()
    subprocess.run([WRITE_EXAMPLE, "base", str(request.param), base], check=True)
    volume = base.with_name("base.0")
    volume.write_bytes(volume.read_bytes()[:-30])
    return base


def test_the_finding_stays_and_nearly_all_else_goes(cut: Path, tmp_path: Path) -> None:
    before = files_in(cut.parent)
    result = pmproof("shrink", "--rule", "ARC-1102", cut, tmp_path / "out")
    assert (result.returncode, result.stdout) == (0, "")
    first, second = result.stderr.splitlines()
    assert first.startswith("ARC-1102 kept: from ") and " records to " in first and first.endswith(" checks")
    assert second.startswith("also found in it: ARC-")
    assert "ARC-1102" in rules_of(tmp_path / "out")
    assert files_in(cut.parent) == before
    labels = 3 * (132 if before["base.meta"][7] == 2 else 808)
    assert sum(path.stat().st_size for path in tmp_path.glob("out.*")) <= labels + 150
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out.0", "out.index", "out.meta"]


def test_quiet_says_nothing_and_lower_case_is_understood(cut: Path, tmp_path: Path) -> None:
    result = pmproof("shrink", "--quiet", "--rule", "arc-1102", cut, tmp_path / "out")
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_any_file_of_the_archive_and_its_directory_name_it(cut: Path, tmp_path: Path) -> None:
    for number, name in enumerate([cut.with_name("base.0"), cut.with_name("base.index"), cut.parent]):
        out = tmp_path / f"out{number}"
        assert pmproof("shrink", "--rule", "ARC-1102", name, out).returncode == 0
        assert "ARC-1102" in rules_of(out)


def test_a_compressed_archive_comes_out_plain(cut: Path, tmp_path: Path) -> None:
    volume = cut.with_name("base.0")
    cut.with_name("base.0.xz").write_bytes(lzma.compress(volume.read_bytes()))
    volume.unlink()
    assert pmproof("shrink", "--rule", "ARC-1102", cut, tmp_path / "out").returncode == 0
    assert (tmp_path / "out.0").exists() and "ARC-1102" in rules_of(tmp_path / "out")


def test_a_directory_in_place_of_a_file_is_written_as_one(cut: Path, tmp_path: Path) -> None:
    cut.with_name("base.1").mkdir()
    assert pmproof("shrink", "--rule", "ARC-1016", cut, tmp_path / "out").returncode == 0
    assert (tmp_path / "out.1").is_dir() and "ARC-1016" in rules_of(tmp_path / "out")


def test_an_archive_without_the_finding_says_what_it_has(cut: Path, tmp_path: Path) -> None:
    result = pmproof("shrink", "--rule", "ARC-1901", cut, tmp_path / "out")
    assert result.returncode == 2
    assert result.stderr == f"pmproof: {cut}: no finding of ARC-1901; found: ARC-1102, ARC-1111, ARC-2008\n"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


def test_out_that_exists_is_replaced_only_by_force(cut: Path, tmp_path: Path) -> None:
    (tmp_path / "out.7").write_bytes(b"mine")
    result = pmproof("shrink", "--rule", "ARC-1102", cut, tmp_path / "out")
    assert result.returncode == 2
    assert result.stderr == f"pmproof: {tmp_path}/out.7: exists; give another OUT, or --force to replace that archive\n"
    assert pmproof("shrink", "--force", "--rule", "ARC-1102", cut, tmp_path / "out").returncode == 0
    assert not (tmp_path / "out.7").exists()


def test_in_is_never_written_to(cut: Path) -> None:
    before = files_in(cut.parent)
    result = pmproof("shrink", "--force", "--rule", "ARC-1102", cut, cut)
    assert result.returncode == 2 and "IN and OUT must differ" in result.stderr
    assert files_in(cut.parent) == before


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rule", "ARC-9999"], "--rule: there is no rule ARC-9999; nearest: ARC-"),
        (["--rule", "nonsense"], "--rule: there is no rule nonsense"),
        (["--rule", "ARC-2101"], "1 archive; ARC-2101 is about archives that are opened together: give a list"),
        (["--rule", "ARC-1102", "--budget", "-1"], "--budget"),
        ([], "--rule or --ask is needed"),
        (["--rule", "ARC-1102", "--ask"], "--ask excludes --rule"),
    ],
)
def test_wrong_usage_has_status_2(cut: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    result = pmproof("shrink", *arguments, cut, tmp_path / "out")
    assert result.returncode == 2 and said in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


def test_a_name_that_no_archive_can_have_is_refused(cut: Path, tmp_path: Path) -> None:
    for name, said in (("a.meta", "ARC-039"), ("nowhere/a", "its directory is not there"), ("in", "is a directory")):
        result = pmproof("shrink", "--rule", "ARC-1102", cut, tmp_path / name)
        assert result.returncode == 2 and said in result.stderr


class Asked:
    """`shrink --ask` and who answers it."""

    def __init__(self, archive: Path, out: Path) -> None:
        self.out, self.status, self.said = out, -1, ""
        command = [PMPROOF, "shrink", "--ask", str(archive), str(out)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def answer(self, keeps: Callable[[Path], bool]) -> None:
        with self._process as process:
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            for line in process.stdout:
                process.stdin.write("yes\n" if keeps(Path(line.rstrip("\n"))) else "no\n")
                process.stdin.flush()
            self.said = process.stderr.read()
        self.status = process.returncode


def test_who_is_asked_sees_each_candidate_and_decides(cut: Path, tmp_path: Path) -> None:
    asked = Asked(cut, tmp_path / "out")
    label = 132 if cut.with_name("base.meta").read_bytes()[7] == 2 else 808
    seen: list[Path] = []

    def has_a_volume_with_a_record(archive: Path) -> bool:
        seen.append(archive)
        volume = archive.with_name(archive.name + ".0")
        return volume.exists() and volume.stat().st_size > label

    asked.answer(has_a_volume_with_a_record)
    assert asked.status == 0 and asked.said.startswith("what was asked for kept: from ")
    assert set(seen) == {tmp_path / "out"}
    assert label < (tmp_path / "out.0").stat().st_size < label + 100  # one record


def test_what_is_refused_at_once_leaves_no_finding_to_keep(cut: Path, tmp_path: Path) -> None:
    asked = Asked(cut, tmp_path / "out")
    asked.answer(lambda archive: False)
    assert asked.status == 2 and "the answer is no" in asked.said


def test_several_archives_are_refused(cut: Path, tmp_path: Path) -> None:
    subprocess.run([WRITE_EXAMPLE, "base", "3", cut.with_name("other")], check=True)
    result = pmproof("shrink", "--rule", "ARC-1102", cut.parent, tmp_path / "out")
    assert result.returncode == 2 and "2 archives: shrink takes one at a time" in result.stderr


def test_of_a_set_two_archives_are_left(tmp_path: Path) -> None:
    folder = tmp_path / "set"
    folder.mkdir()
    for name in ("a", "b", "c"):
        subprocess.run([WRITE_EXAMPLE, "base", "3", folder / name], check=True)
    listed = ",".join(str(folder / name) for name in ("a", "b", "c"))
    for out, archives in (("listed", listed), ("folder", str(folder))):
        result = pmproof("shrink", "--rule", "ARC-2103", archives, tmp_path / out)
        assert result.returncode == 0, result.stderr
        assert len(list(tmp_path.glob(f"{out}*"))) == 6
        both = pmproof("check", f"{tmp_path / out},{tmp_path / out}-2")
        assert both.returncode == 1 and "ARC-2103" in both.stdout
    (tmp_path / "other-2.0").write_bytes(b"mine")
    result = pmproof("shrink", "--rule", "ARC-2103", folder, tmp_path / "other")
    assert result.returncode == 2 and "other-2.0: exists" in result.stderr


def test_an_archive_that_is_not_there_has_status_4(tmp_path: Path) -> None:
    result = pmproof("shrink", "--rule", "ARC-1102", tmp_path / "nothing", tmp_path / "out")
    assert result.returncode == 4 and "no such archive" in result.stderr


def test_without_time_the_whole_archive_is_written_and_it_is_said(cut: Path, tmp_path: Path) -> None:
    result = pmproof("shrink", "--budget", "0", "--rule", "ARC-1102", cut, tmp_path / "out")
    assert result.returncode == 0 and "the budget ran out" in result.stderr
    assert (tmp_path / "out.0").read_bytes() == cut.with_name("base.0").read_bytes()


def test_on_a_full_disk_nothing_is_left_behind(cut: Path, tmp_path: Path) -> None:
    command = [PMPROOF, "shrink", "--budget", "0", "--rule", "ARC-1102", str(cut), str(tmp_path / "out")]
    done = subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=False,
        restore_signals=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )
    assert done.returncode == 5 and done.stderr.endswith(": File too large\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in"]


def test_progress_is_drawn_where_it_is_asked_for(cut: Path, tmp_path: Path) -> None:
    result = pmproof("shrink", "--progress", "always", "--rule", "ARC-1102", cut, tmp_path / "out")
    assert result.returncode == 0 and "\r[" in result.stderr
