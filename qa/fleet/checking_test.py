# SPDX-License-Identifier: Apache-2.0
"""A checker that dies, hangs or talks nonsense over one archive of a chunk: that one has its outcome, the others their report."""

import json
import os
import resource
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import xxhash

from qa.fleet.checking import check_changed, check_chunk
from qa.fleet.testing import NET, PMPROOF, asked, checker, flip_a_byte, small_archives


@pytest.fixture(scope="module", name="chunk")
def fixture_chunk(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return list(map(str, small_archives(tmp_path_factory.mktemp("chunk"), records=1)))[:9]


def check(program: Path, paths: list[str], *options: str, limit: float = NET) -> list[dict[str, Any]]:
    answer = check_chunk(str(program), options, limit, paths)
    assert "refused" not in answer, answer
    found: list[dict[str, Any]] = [read(result) for result in answer["results"]]
    assert len(found) == len(paths)
    return found


def read(result: dict[str, Any]) -> dict[str, Any]:
    """Its report as JSON says it."""
    return {**result, "report": result["report"] and json.loads(result["report"])}


def test_a_chunk_is_one_run_of_the_program(chunk: list[str], tmp_path: Path) -> None:
    found = check(checker(tmp_path), chunk)
    assert [result["report"]["archive"] for result in found] == chunk
    assert [path for _, path in asked(tmp_path)] == chunk


def test_a_report_is_that_of_check_without_spaces(chunk: list[str]) -> None:
    command: list[str | Path] = [PMPROOF, "check", "--triage", "--format", "json", *chunk]
    done = subprocess.run(command, capture_output=True, timeout=NET, check=False)
    expected = [json.dumps(each, separators=(",", ":")) for each in json.loads(done.stdout)["archives"]]
    found = check_chunk(str(PMPROOF), (), NET, chunk)["results"]
    assert [result["report"] for result in found] == expected
    assert [result["counts"] for result in found] == [json.loads(each)["counts"] for each in expected]


@pytest.mark.parametrize(
    ("what", "outcome", "because"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "checker_died", "pmproof was ended by SIGSEGV"),
        ("sys.exit(3)", "garbled", "pmproof ended with status 3 and no report"),
        ("print('{}'); sys.exit(0)", "garbled", "pmproof ended with status 0 and no report"),
    ],
)
def test_an_archive_over_which_the_program_fails(
    what: str, outcome: str, because: str, chunk: list[str], tmp_path: Path
) -> None:
    found = check(checker(tmp_path, f"if {chunk[3]!r} in paths: {what}"), chunk)
    assert found[3] == {"outcome": outcome, "because": because, "counts": None, "report": None}
    assert found[:3] + found[4:] == check(PMPROOF, chunk[:3] + chunk[4:])


_TAMPERING = """
    import subprocess
    sys.path.append("/usr/lib/python3/dist-packages")
    import xxhash
    done = subprocess.run([{pmproof!r}, *sys.argv[1:]], stdout=subprocess.PIPE)
    head, *lines, end, nothing = done.stdout.split(b"\\n")
    place = paths.index({path!r})
    line = lines[place]
    {how}
    sys.stdout.buffer.write(b"\\n".join([head, *lines, end, nothing]))
    sys.stdout.flush()
    os._exit(done.returncode)
"""


@pytest.mark.parametrize(
    "how",
    [
        "lines[place] = line[:-9]",  # it is cut short
        "lines[place] = line.replace(b'conformant', b'conformanT')",
        "lines[place] = b'nonsense' + line[8:]",
        "lines[place] = line[:-1] + b';'",
        "lines[place] = b''",
        "lines[place] = line.replace(b'\"findings\"', b'\\xff\"findings\"')",
        "del lines[place]",
        "lines.insert(place, line)",
        "end = end[:-1]",
        "end, nothing = end[:100], b''",
        "nothing = b'x'",
        "end = end.replace(b'\"complete\":true', b'\"complete\":false')",
        "end = end.replace(b'\"fatal\":', b'\"fatal\":null,\"other\":')",
        "end = end.replace(b'\"batch\"', b'\"other\"')",
        "end = end.replace(b'\"files\":[', b'\"files\":[7,')",
        # The line of another archive, whole, in its place.
        "other = line.rstrip(b',').replace(b'/v2', b'/v3'); "
        "end = end.replace(xxhash.xxh3_64_hexdigest(line.rstrip(b',')).encode(), xxhash.xxh3_64_hexdigest(other).encode()); "
        "lines[place] = other + line[len(other):]",
    ],
)
def test_a_report_that_is_not_what_the_program_writes_is_no_result(how: str, chunk: list[str], tmp_path: Path) -> None:
    tampering = _TAMPERING.format(pmproof=str(PMPROOF), path=chunk[3], how=how)
    found = check(checker(tmp_path, f"if {chunk[3]!r} in paths:{tampering}"), chunk)
    status = 0 if check(PMPROOF, chunk[3:4])[0]["outcome"] == "conformant" else 1
    because = f"pmproof ended with status {status} and no report"
    assert found[3] == {"outcome": "garbled", "because": because, "counts": None, "report": None}
    assert found[:3] + found[4:] == check(PMPROOF, chunk[:3] + chunk[4:])


def test_lines_in_each_others_place_are_no_result(chunk: list[str], tmp_path: Path) -> None:
    tampering = _TAMPERING.format(
        pmproof=str(PMPROOF), path=chunk[3], how="lines[place], lines[place - 1] = lines[place - 1], lines[place]"
    )
    found = check(checker(tmp_path, f"if {chunk[3]!r} in paths and len(paths) > 1:{tampering}"), chunk)
    assert found == check(PMPROOF, chunk)


def test_an_archive_over_which_the_program_hangs(chunk: list[str], tmp_path: Path) -> None:
    # All others are checked, however slow the machine is, since a checker that hangs over them too would not be told
    # from this one: so all that is asked of the limit is that it ends.
    (hung,) = check(checker(tmp_path, "time.sleep(1e6)"), chunk[:1], limit=0.5)
    assert hung == {"outcome": "timeout", "because": "took longer than 0.5 s", "counts": None, "report": None}


def test_an_archive_that_is_gone_has_no_verdict(chunk: list[str], tmp_path: Path) -> None:
    found = check(PMPROOF, [chunk[0], str(tmp_path / "gone"), chunk[1]])
    assert [result["outcome"] for result in found][1] == "no_verdict"
    assert found[1]["because"] == "no such archive, file or directory"
    assert found[0]["report"]["archive"] == chunk[0] and found[2]["report"]["archive"] == chunk[1]


def test_a_name_that_is_no_text(chunk: list[str], tmp_path: Path) -> None:
    odd = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    for part in ("meta", "index", "0"):
        shutil.copy(f"{chunk[0]}.{part}", f"{odd}.{part}")
    first, second = check(PMPROOF, [odd, chunk[0]])
    assert first["report"]["summary"] == second["report"]["summary"]


def test_names_that_are_too_many_for_one_command_are_given_to_several(chunk: list[str], tmp_path: Path) -> None:
    gone = [str(tmp_path.joinpath(f"{number}", *["x" * 200] * 18)) for number in range(40)]
    before = resource.getrlimit(resource.RLIMIT_STACK)
    resource.setrlimit(resource.RLIMIT_STACK, (1 << 19, before[1]))  # of which a quarter is for arguments
    try:
        with pytest.raises(OSError, match="too long"):
            subprocess.run([PMPROOF, "check", *chunk, *gone], check=False)
        found = check(PMPROOF, [*chunk, *gone])
    finally:
        resource.setrlimit(resource.RLIMIT_STACK, before)
    assert found[: len(chunk)] == check(PMPROOF, chunk)
    assert {each["because"] for each in found[len(chunk) :]} == {"no such archive, file or directory"}


def test_what_reports_write_for_a_byte_is_a_name_too(chunk: list[str], tmp_path: Path) -> None:
    names = [os.fsdecode(b"\xff"), "\\xff", "\\x5cxff"]
    for source, name in zip(chunk, names):
        for file in Path(source).parent.glob(f"{Path(source).name}.*"):
            shutil.copy(file, tmp_path / f"{name}{file.suffix}")
    found = check(PMPROOF, [str(tmp_path / name) for name in names])
    assert [Path(result["report"]["archive"]).name for result in found] == ["\\xff", "\\x5cxff", "\\x5cx5cxff"]
    assert [result["report"]["summary"] for result in found] == [each["report"]["summary"] for each in check(PMPROOF, chunk[:3])]


def test_options_are_handed_on(chunk: list[str]) -> None:
    worst = check(PMPROOF, chunk[:1], "--rule=+ARC-1003")
    assert worst[0]["outcome"] == "conformant"


def test_options_that_pmproof_refuses_end_the_run_with_2(chunk: list[str]) -> None:
    answer = check_chunk(str(PMPROOF), ["--rule=-ARC-9999"], NET, chunk)
    assert answer["status"] == 2
    assert "there is no rule ARC-9999" in answer["refused"]


@pytest.mark.parametrize("program", ["/nowhere/pmproof", "/dev/null"])
def test_a_program_that_can_not_be_run_ends_the_run_with_5(program: str, chunk: list[str]) -> None:
    answer = check_chunk(program, [], NET, chunk)
    assert answer["status"] == 5
    assert f"{program} cannot be run on" in answer["refused"]


def tasks(paths: list[str], known: dict[str, dict[str, str]]) -> list[dict[str, Any]]:
    return [
        {"path": path, "files": sorted(file.name for file in Path(path).parent.glob(f"{Path(path).name}.*")), "known": known.get(path)}
        for path in paths
    ]


def test_only_what_has_other_content_is_checked(chunk: list[str], tmp_path: Path) -> None:
    for path in chunk[:3]:
        for file in Path(path).parent.glob(f"{Path(path).name}.*"):
            shutil.copy2(file, tmp_path)
    paths = [str(tmp_path / Path(path).name) for path in chunk[:3]]
    program = checker(tmp_path / "checker")
    first = check_changed(str(program), (), NET, tasks(paths, {}))["results"]
    assert [{key: value for key, value in read(each).items() if key != "digests"} for each in first] == check(PMPROOF, paths)
    known = {path: each["digests"] for path, each in zip(paths, first)}
    assert all(len(digest) == 32 for digests in known.values() for digest in digests.values())
    (tmp_path / "checker/asked").unlink()
    assert check_changed(str(program), (), NET, tasks(paths, known))["results"] == [{"same": True}] * 3
    assert not (tmp_path / "checker/asked").exists()
    flip_a_byte(Path(f"{paths[1]}.0"))
    again = check_changed(str(program), (), NET, tasks(paths, known))["results"]
    assert again[0] == again[2] == {"same": True}
    assert {name for name, digest in again[1]["digests"].items() if digest != known[paths[1]][name]} == {f"{Path(paths[1]).name}.0"}
    assert [path for _, path in asked(tmp_path / "checker")] == [paths[1]]


def test_digests_are_those_of_the_files_as_they_lie_there(chunk: list[str], tmp_path: Path) -> None:
    """The program's and this library's are the same: the second run compares them."""
    for name, source in (("small", chunk[0]), ("packed", chunk[1])):
        for part in ("meta", "index", "0"):
            shutil.copy(f"{source}.{part}", tmp_path / f"{name}.{part}")
    generate: list[str | Path] = [PMPROOF, "generate", "--seed", "3", "--records", "2000", "--metrics", "4", "--instances", "3", "--no-truth", tmp_path / "large"]
    subprocess.run(generate, check=True, capture_output=True)
    assert (tmp_path / "large.0").stat().st_size > 1 << 17
    for part in ("meta", "0"):
        subprocess.run(["xz", tmp_path / f"packed.{part}"], check=True)
    paths = [str(tmp_path / name) for name in ("large", "packed", "small")]
    program = checker(tmp_path / "checker")
    found = check_changed(str(program), (), NET, tasks(paths, {}))["results"]
    assert [path for _, path in asked(tmp_path / "checker")] == paths
    for path, result in zip(paths, found):
        files = sorted(Path(path).parent.glob(f"{Path(path).name}.*"))
        assert result["digests"] == {file.name: xxhash.xxh3_128_hexdigest(file.read_bytes()) for file in files}
        assert list(result["digests"]) == [file.name for file in files]
    known = {path: each["digests"] for path, each in zip(paths, found)}
    assert check_changed(str(PMPROOF), (), NET, tasks(paths, known))["results"] == [{"same": True}] * 3


def test_an_archive_of_which_the_program_does_not_read_all_files_is_asked_for_alone(chunk: list[str], tmp_path: Path) -> None:
    for part in ("meta", "index", "0"):
        for name in ("twice", "whole"):
            shutil.copy(f"{chunk[0]}.{part}", tmp_path / f"{name}.{part}")
    subprocess.run(["xz", "-k", tmp_path / "twice.meta"], check=True)
    program = checker(tmp_path / "checker")
    paths = [str(tmp_path / "twice"), str(tmp_path / "whole")]
    twice, whole = check_changed(str(program), (), NET, tasks(paths, {}))["results"]
    assert [path for _, path in asked(tmp_path / "checker")] == [*paths, paths[0]]
    files = [tmp_path / f"twice.{part}" for part in ("0", "index", "meta", "meta.xz")]
    assert twice["digests"] == {file.name: xxhash.xxh3_128_hexdigest(file.read_bytes()) for file in files}
    assert len(whole["digests"]) == 3 and whole["outcome"] == check(PMPROOF, paths[1:])[0]["outcome"]


def test_what_cannot_be_read_is_told_from_what_can(chunk: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.0").symlink_to(tmp_path / "nowhere")
    os.mkfifo(tmp_path / "a.1")
    (tmp_path / "a.meta").mkdir()
    shutil.copy(f"{chunk[0]}.index", tmp_path / "a.index")
    (result,) = check_changed(str(PMPROOF), (), NET, tasks([str(tmp_path / "a")], {}))["results"]
    digest = result["digests"].pop("a.index")
    assert len(digest) == 32
    assert result["digests"] == {"a.0": "ENOENT", "a.1": "no file", "a.meta": "no file"}
