# SPDX-License-Identifier: Apache-2.0
"""`pmproof mutate` as a user meets it: what is broken and told, what is refused, and with which exit status."""

import json
import os
import re
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from validator.testing.run import PMPROOF, pmproof

WRITE_EXAMPLE = os.environ["WRITE_EXAMPLE"]


def write_archive(path: Path, version: int = 3) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run([WRITE_EXAMPLE, "base", str(version), path], check=True)
    return path


def contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}


def findings(where: Path) -> set[str]:
    """The rules that check finds in all archives of a directory, without what the base archive has itself."""
    report = json.loads(pmproof("check", "--format", "json", where).stdout)
    rules = {finding["rule"] for archive in report["archives"] for finding in archive["findings"]}
    return rules - {"ARC-2008", "ARC-2009"}


@pytest.fixture(name="base", params=[2, 3])
def fixture_base(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_archive(tmp_path / "in/base", request.param)


@pytest.fixture(name="out")
def fixture_out(tmp_path: Path) -> Path:
    (tmp_path / "out").mkdir()
    return tmp_path / "out/new"


SAMPLE = {
    "ARC-1003": {"ARC-1003"},
    "ARC-1004": {"ARC-1004"},
    "ARC-1008": {"ARC-1008"},
    "ARC-1011": {"ARC-1011"},
    "ARC-1013": {"ARC-1013"},
    "ARC-1016": {"ARC-1016"},
    "ARC-1102:1": {"ARC-1102"},
    "ARC-1104": {"ARC-1104"},
    "ARC-1206": {"ARC-1206"},
    "ARC-1220:1": {"ARC-1220"},
    "ARC-1310": {"ARC-1310"},
    "ARC-1408": {"ARC-1408"},
    "ARC-1701": {"ARC-1701"},
    "ARC-1801": {"ARC-1801"},
    "ARC-1917": {"ARC-1917"},
    "ARC-2002": {"ARC-2002"},
}


@pytest.mark.parametrize("rule", SAMPLE)
def test_exactly_the_rule_is_found(base: Path, out: Path, rule: str) -> None:
    before = contents(base.parent)
    result = pmproof("mutate", "--rule", rule, base, out)
    assert (result.returncode, result.stdout) == (0, ""), result.stderr
    first, *_, last = result.stderr.splitlines()
    assert first.startswith(rule.split(":", maxsplit=1)[0] + ": ")
    assert last == "check finds: " + ", ".join(sorted(SAMPLE[rule]))
    assert findings(out.parent) == SAMPLE[rule]
    assert contents(base.parent) == before


def test_what_was_edited_is_told(base: Path, out: Path) -> None:
    result = pmproof("mutate", "--rule", "arc-1104:1", base, out)
    lines = result.stderr.splitlines()
    assert lines[0] == "ARC-1104: the trailing length of a record is other"
    told = re.fullmatch(r"  new\.(meta|0): offset (\d+), record \d+: ([0-9a-f]+) instead of ([0-9a-f]+)", lines[1])
    assert told
    suffix, offset, now, before = told.groups()
    place = slice(int(offset), int(offset) + len(now) // 2)
    assert out.with_name(f"new.{suffix}").read_bytes()[place].hex() == now
    assert base.with_name(f"base.{suffix}").read_bytes()[place].hex() == before


def test_the_seed_says_what_is_done(base: Path, tmp_path: Path) -> None:
    written: list[dict[str, bytes]] = []
    for seed in ("7", "7", "8"):
        out = tmp_path / f"out-{len(written)}/new"
        out.parent.mkdir()
        assert pmproof("mutate", "--rule", "ARC-1101", "--seed", seed, base, out).returncode == 0
        written.append(contents(out.parent))
    assert written[0] == written[1] != written[2]


def test_quiet_says_nothing(base: Path, out: Path) -> None:
    result = pmproof("--quiet", "mutate", "--rule", "ARC-1003", base, out)
    assert (result.returncode, result.stdout, result.stderr) == (0, "", "")


def test_several_rules_and_damage_by_chance(base: Path, out: Path) -> None:
    result = pmproof("mutate", "--rule", "ARC-1221", "--rule", "ARC-1218", base, out)
    assert result.returncode == 0, result.stderr
    assert findings(out.parent) == {"ARC-1218", "ARC-1221"}
    result = pmproof("mutate", "--force", "--flip", "3", "--damage", "2", base, out)
    assert result.returncode == 0, result.stderr
    assert len(result.stderr.splitlines()) == 6
    assert result.stderr.count(" is inverted\n") >= 3


def test_in_may_be_compressed(base: Path, out: Path) -> None:
    subprocess.run(["gzip", base.with_name("base.0")], check=True)
    assert pmproof("mutate", "--rule", "ARC-1222", base, out).returncode == 0
    assert findings(out.parent) == {"ARC-1222"}
    assert "new.0" in contents(out.parent)


def test_the_list_has_an_edit_for_every_rule() -> None:
    rules = json.loads(pmproof("list", "--format", "json").stdout)["rules"]
    result = pmproof("mutate", "--list")
    assert result.returncode == 0
    listed = re.findall(r"^(ARC-\d+):(\d+) ", result.stdout, flags=re.MULTILINE)
    assert {rule["id"] for rule in rules if not rule["covered_by"]} <= {rule for rule, _ in listed}
    for rule in {rule for rule, _ in listed}:
        numbers = [int(number) for listed_rule, number in listed if listed_rule == rule]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("rule", ["ARC-1001", "ARC-1010", "ARC-1011", "ARC-1016"])
def test_what_exists_is_replaced_only_by_force(base: Path, out: Path, rule: str) -> None:
    assert pmproof("mutate", "--rule", rule, base, out).returncode == 0
    before = contents(out.parent)
    result = pmproof("mutate", "--rule", "ARC-1003", base, out)
    assert result.returncode == 2
    assert contents(out.parent) == before
    if rule == "ARC-1016":
        assert "is a directory, which mutate does not replace" in result.stderr
        return
    assert "--force" in result.stderr
    assert pmproof("mutate", "--force", "--rule", "ARC-1003", base, out).returncode == 0
    assert findings(out.parent) == {"ARC-1003"}


def test_in_is_never_written_to(base: Path, tmp_path: Path) -> None:
    before = contents(base.parent)
    for name in (base, base.parent / "../in/base"):
        result = pmproof("mutate", "--force", "--rule", "ARC-1104", base, name)
        assert result.returncode == 2
        assert "IN and OUT must differ" in result.stderr
    (tmp_path / "link.0").symlink_to(base.with_name("base.0"))
    assert pmproof("mutate", "--force", "--rule", "ARC-1104", base, tmp_path / "link").returncode == 2
    assert contents(base.parent) == before


def test_an_unknown_rule_gets_the_nearest(base: Path, out: Path) -> None:
    result = pmproof("mutate", "--rule", "ARC-1140", base, out)
    assert result.returncode == 2
    assert result.stderr.startswith("pmproof: --rule: there is no rule ARC-1140; nearest: ARC-")
    assert pmproof("mutate", "--rule", "", base, out).returncode == 2


def test_an_edit_that_is_not_there_is_refused(base: Path, out: Path) -> None:
    for number in ("0", "9", "x", ""):
        result = pmproof("mutate", "--rule", f"ARC-1104:{number}", base, out)
        assert result.returncode == 2
        assert "ARC-1104 has the edits 1 to 2" in result.stderr


def test_what_the_archive_lacks_is_said(out: Path, tmp_path: Path) -> None:
    base = write_archive(tmp_path / "in/base", 2)
    result = pmproof("mutate", "--rule", "ARC-1212", base, out)
    assert result.returncode == 2
    assert result.stderr == "pmproof: the archive cannot be changed so: it is not of version 3 [ARC-1212]\n"
    assert contents(out.parent) == {}


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--rule", "ARC-1104"],
        ["--rule", "ARC-1104", "IN"],
        ["IN", "OUT"],
        ["--list", "IN", "OUT"],
        ["--list", "--rule", "ARC-1104"],
        ["--flip", "0", "IN", "OUT"],
        ["--rule", "ARC-1104", "--seed", "-1", "IN", "OUT"],
        ["--rule", "ARC-1104", "IN", "OUT", "MORE"],
    ],
)
def test_wrong_usage(base: Path, out: Path, arguments: list[str]) -> None:
    given = [{"IN": str(base), "OUT": str(out)}.get(argument, argument) for argument in arguments]
    result = pmproof("mutate", *given)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr
    assert contents(out.parent) == {}


@pytest.mark.parametrize("name", ["", "x.meta", "x.index", "x.xz", "a,b", "missing/x"])
def test_an_out_that_can_not_be_is_refused(base: Path, tmp_path: Path, name: str) -> None:
    result = pmproof("mutate", "--rule", "ARC-1104", base, f"{tmp_path}/{name}")
    assert result.returncode == 2
    assert result.stderr.startswith(f"pmproof: {tmp_path}/{name}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


def test_what_readers_refuse_is_refused_with_its_finding(base: Path, out: Path) -> None:
    volume = base.with_name("base.0")
    volume.write_bytes(volume.read_bytes()[:-5])
    result = pmproof("mutate", "--rule", "ARC-1003", base, out)
    assert result.returncode == 1
    assert result.stderr.startswith("pmproof: base.0: offset ")
    assert result.stderr.endswith("[ARC-1102]\n")
    assert contents(out.parent) == {}


def test_what_is_no_archive_is_unreadable(out: Path, tmp_path: Path) -> None:
    assert pmproof("mutate", "--rule", "ARC-1003", tmp_path / "nothing", out).returncode == 4
    for suffix in ("0", "meta", "index"):
        (tmp_path / f"text.{suffix}").write_text("no archive at all")
    assert pmproof("mutate", "--rule", "ARC-1003", tmp_path / "text", out).returncode == 4


def test_a_directory_with_two_archives_is_refused(base: Path, out: Path) -> None:
    write_archive(base.with_name("second"))
    result = pmproof("mutate", "--rule", "ARC-1003", base.parent, out)
    assert result.returncode == 2
    assert "2 archives: mutate takes one at a time" in result.stderr


def test_an_archive_that_is_too_large_is_refused(base: Path, out: Path) -> None:
    with base.with_name("base.0").open("ab") as volume:
        volume.truncate(300 << 20)
    result = pmproof("mutate", "--rule", "ARC-1003", base, out)
    assert result.returncode == 6
    assert "is too large to be held in memory several times" in result.stderr
    assert "--memory raises the limit on memory, which is 512M" in result.stderr


def test_a_full_disk_leaves_nothing(base: Path, out: Path) -> None:
    # A limit on the size of files stands for the disk; Python ignores the signal, and so does what it starts here.
    result = subprocess.run(
        [PMPROOF, "mutate", "--rule", "ARC-1016", base, out],
        capture_output=True,
        text=True,
        check=False,
        restore_signals=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (500, 500)),
    )
    assert result.returncode == 5
    assert result.stderr.endswith(": File too large\n")
    assert list(out.parent.iterdir()) == []


def test_a_file_that_can_not_be_read_is_said(base: Path, out: Path) -> None:
    volume = base.with_name("base.0")
    volume.unlink()
    volume.mkdir()
    result = pmproof("mutate", "--rule", "ARC-1003", base, out)
    assert result.returncode == 1
    assert "[ARC-1016]" in result.stderr
    shutil.rmtree(volume)
