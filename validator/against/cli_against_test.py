# SPDX-License-Identifier: Apache-2.0
"""`check --against`: may the original go?"""

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing import small_archive as small
from validator.testing.run import pmproof

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))
METRIC, DOMAIN = small.pmid(29, 0, 1), small.indom(29, 1)


def made(path: Path, *words: str) -> Path:
    done = pmproof("generate", "--seed", "7", "--scenario", "marks,labels,texts", "--records", "12", "--no-truth", *words, path)
    assert done.returncode == 0, done.stderr
    return path


def tiny(path: Path, value: int = 5, name: bytes = b"m.x", seconds: tuple[int, ...] = (0, 1, 2)) -> Path:
    """One metric with one instance."""
    meta = [small.desc(METRIC, [name], domain=DOMAIN), small.instances(DOMAIN, {0: b"i0"})]
    values = {second: value if second == 1 else 5 for second in seconds}
    return small.write(path, meta, [[small.result(small.START + at, {METRIC: {0: number}}) for at, number in values.items()]])


def recorded(path: Path, seconds: tuple[int, ...]) -> Path:
    """One metric, whose value is always the same."""
    meta = [small.desc(METRIC, [b"m.x"], domain=DOMAIN), small.instances(DOMAIN, {0: b"i0"})]
    return small.write(path, meta, [[small.result(small.START + at, {METRIC: {0: 5}}) for at in seconds]])


def against(original: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return pmproof("check", "--against", original, *words)


def said(text: str) -> str:
    """Without the breaks of lines, which depend on how long the names of folders are."""
    return " ".join(text.split())


def report(original: Path, *words: str | Path) -> tuple[int, Any]:
    done = against(original, "--format", "json", *words)
    found = json.loads(done.stdout)
    jsonschema.validate(found, SCHEMA)
    return done.returncode, found


@pytest.mark.parametrize("words", [("--compress", "xz"), ("--compress", "zstd"), ("--compress", "gz"), ()])
def test_of_what_rewrite_compresses_or_copies_nothing_is_lost(tmp_path: Path, words: tuple[str, ...]) -> None:
    archive = made(tmp_path / "a")
    assert pmproof("rewrite", *words, archive, tmp_path / "b").returncode == 0
    done = against(archive, tmp_path / "b")
    assert done.returncode == 0
    assert done.stdout.startswith(f"{tmp_path / 'b'} against {archive}: nothing lost\n")
    assert done.stderr == ""


def test_of_what_rewrite_makes_of_version_3_out_of_2_nothing_is_lost(tmp_path: Path) -> None:
    archive = made(tmp_path / "a", "--archive-version", "2")
    assert pmproof("rewrite", "--archive-version", "3", archive, tmp_path / "b").returncode == 0
    status, found = report(archive, tmp_path / "b")
    assert (status, found["outcome"], found["differences"]) == (0, "nothing lost", [])
    assert found["original"]["totals"] == found["replacement"]["totals"]
    assert found["original"]["archives"][0]["version"] == 2


def test_a_value_that_is_other_is_a_loss_with_metric_instance_and_time(tmp_path: Path) -> None:
    original, copy = tiny(tmp_path / "a"), tiny(tmp_path / "b", value=6)
    done = against(original, copy)
    assert done.returncode == 1
    assert "  changed  values       m.x (29.0.1): 1 of 3 values at 2023-11-14T22:13:21.000000000Z\n" in done.stdout
    assert '                        0 "i0": 5, now 6\n' in done.stdout
    assert done.stdout.endswith("\nloss: 1 difference\n")
    status, found = report(original, copy)
    assert status == 1
    assert found["differences"] == [
        {
            "kind": "values",
            "change": "changed",
            "declared": False,
            "subject": "m.x",
            "pmid": "29.0.1",
            "count": 1,
            "of": 3,
            "first": "1700000001.000000000",
            "last": "1700000001.000000000",
            "examples": [{"time": "1700000001.000000000", "item": '0 "i0"', "was": "5", "is": "6"}],
        }
    ]


def test_what_is_declared_is_no_loss(tmp_path: Path) -> None:
    original, copy = tiny(tmp_path / "a"), tiny(tmp_path / "b", seconds=(0, 2))
    assert against(original, copy).returncode == 1
    done = against(original, "--allow", "labels,values", copy)
    assert done.returncode == 0
    assert done.stdout.startswith(f"{copy} against {original}: lossy as declared\n")
    assert "(declared)\n" in done.stdout
    status, found = report(original, "--allow", "values", "--allow", "added", copy)
    assert (status, found["outcome"], found["allowed"]) == (0, "lossy as declared", ["values", "added"])


@pytest.mark.parametrize("seconds", [(0, 2, 2), (0, 1, 5_000_000)], ids=["repeated", "scattered"])
def test_records_at_no_common_interval_are_no_reduction(tmp_path: Path, seconds: tuple[int, ...]) -> None:
    original = tiny(tmp_path / "a", seconds=(0, 1, 5_000_000))
    done = against(original, "--allow", "reduce", recorded(tmp_path / "b", seconds))
    assert done.returncode == 1
    assert "no reduction has such a record" in said(done.stdout)


def test_times_of_a_reduction_at_which_nothing_was_recorded_since_have_no_record(tmp_path: Path) -> None:
    """ARC-657: the interval is not the shortest distance of two records."""
    original = recorded(tmp_path / "a", (0, 8, 10, 21, 25, 26))
    status, found = report(original, "--allow", "reduce", recorded(tmp_path / "b", (0, 10, 25)))
    assert (status, found["reduction"]["interval_ns"], found["reduction"]["times"]) == (0, 5_000_000_000, 6)
    assert found["differences"] == []


def test_a_value_after_the_last_record_of_a_reduction_is_lost_if_a_record_was_due(tmp_path: Path) -> None:
    reduced = recorded(tmp_path / "b", (0, 5, 10))
    at_the_end = recorded(tmp_path / "a", (0, 5, 10, 17))
    assert report(at_the_end, "--allow", "reduce", reduced)[1]["differences"] == []
    due = recorded(tmp_path / "c", (0, 5, 10, 13, 17))
    status, found = report(due, "--allow", "reduce", reduced)
    assert (status, found["outcome"]) == (1, "loss")
    (difference,) = found["differences"]
    assert (difference["change"], difference["kind"], difference["count"]) == ("lost", "values", 1)
    assert difference["first"] == f"{small.START + 13}.000000000"


@pytest.mark.parametrize("after_a_gap", [True, False])
def test_what_the_index_of_the_original_leads_past_after_a_gap_may_be_missing_in_a_reduction(tmp_path: Path, after_a_gap: bool) -> None:
    """ARC-657: the record of 23 s is not seen by who looks for it by the index."""
    seconds = (0, 5, 10, 23, 30) if after_a_gap else (0, 5, 10, 15, 20, 23, 30)
    original = recorded(tmp_path / "a", seconds)
    size = (original.with_name("a.0").stat().st_size - small.LABEL_SIZE) // len(seconds)
    meta = original.with_name("a.meta").stat().st_size
    entries = [small.entry(small.START, 0, small.LABEL_SIZE, small.LABEL_SIZE)]
    place = small.LABEL_SIZE + size * (seconds.index(23) + 1)
    entries.append(small.entry(small.START + 23, 0, meta, place))
    original.with_name("a.index").write_bytes(small.label(small.INDEX) + b"".join(entries))
    reduced = recorded(tmp_path / "b", tuple(second for second in seconds if second != 23))
    _, found = report(original, "--allow", "reduce", reduced)
    lost = [(each["change"], each["kind"], each["first"]) for each in found["differences"]]
    assert lost == ([] if after_a_gap else [("lost", "values", f"{small.START + 25}.000000000")])


def test_windows_are_compared_together_and_the_seam_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "windows"
    folder.mkdir()
    original = tiny(tmp_path / "a")
    one = tiny(folder / "one", seconds=(0, 1))
    # The label of the second begins with its first record.
    two = tiny(folder / "two", seconds=(2,))
    for suffix in ("meta", "0", "index"):
        file = folder / f"two.{suffix}"
        octets = bytearray(file.read_bytes())
        octets[12:16] = (small.START + 2).to_bytes(4, "big")
        file.write_bytes(octets)
    asked: list[list[str | Path]] = [[one, two], [two, one], [folder], [f"{one},{two}"]]
    for words in asked:
        status, found = report(original, *words)
        assert [(each["kind"], each["change"]) for each in found["differences"]] == [("seams", "added")], found
        assert status == 1
        assert report(original, "--allow", "seams", *words)[0] in (0, 1)
    # The other way round: what was two is one, and nothing marks where they met.
    status, found = report(folder, original)
    assert [(each["kind"], each["change"]) for each in found["differences"]] == [("seams", "lost")]
    assert [archive["archive"] for archive in found["original"]["archives"]] == [str(one), str(two)]


def test_originals_may_be_several(tmp_path: Path) -> None:
    done = pmproof("generate", "--scenario", "set", "--records", "5", "--no-truth", tmp_path / "s")
    assert done.returncode == 0
    names = [tmp_path / f"s-{number}" for number in (1, 2, 3)]
    out = tmp_path / "copies"
    out.mkdir()
    for name in names:
        assert pmproof("rewrite", "--compress", "xz", name, out / name.name).returncode == 0
    words: list[str | Path] = [word for name in names for word in ("--against", str(name))]
    done = pmproof("check", *words, out)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("3 archives against 3 archives: nothing lost\n")


def test_damage_on_either_side_is_no_answer(tmp_path: Path) -> None:
    archive = made(tmp_path / "a")
    damaged = made(tmp_path / "b")
    volume = tmp_path / "b.0"
    volume.write_bytes(volume.read_bytes()[:-30])
    for words in ((archive, damaged), (damaged, archive)):
        done = against(*words)
        assert done.returncode == 4
        assert ": no answer\n" in done.stdout and "nothing lost" not in done.stdout
        assert "not readable, not conformant" in said(done.stdout)
        assert "readers do not open it, or do not get to its end" in done.stderr
        status, found = report(*words)
        assert (status, found["outcome"], found["failure"]["kind"]) == (4, "no answer", "damaged")


def test_what_is_missing_or_junk_is_no_answer(tmp_path: Path) -> None:
    archive = made(tmp_path / "a")
    (tmp_path / "junk.meta").write_bytes(b"junk")
    (tmp_path / "junk.0").write_bytes(b"junk")
    for other in ("gone", "junk"):
        for words in ((archive, tmp_path / other), (tmp_path / other, archive)):
            status, found = report(*words)
            assert (status, found["outcome"]) == (4, "no answer"), words


def test_what_check_says_of_either_side_is_said(tmp_path: Path) -> None:
    """A replacement that is not conformant ends with 1 even if nothing is lost."""
    archive = made(tmp_path / "a")
    done = pmproof("mutate", "--rule", "ARC-1902", archive, tmp_path / "b")
    assert done.returncode == 0
    done = against(archive, tmp_path / "b")
    assert done.stdout.splitlines()[0].endswith(": nothing lost")
    assert f"replacement {tmp_path / 'b'}: readable, not conformant (1 error)" in said(done.stdout)
    assert done.returncode == 1
    assert against(tmp_path / "b", archive).returncode == 0
    assert f"original {tmp_path / 'b'}: readable, not conformant (1 error)" in said(against(tmp_path / "b", archive).stdout)
    assert report(archive, tmp_path / "b")[1]["replacement"]["archives"][0]["findings"][0]["rule"] == "ARC-1902"


def test_an_archive_that_is_its_own_replacement_is_pointed_out(tmp_path: Path) -> None:
    archive = made(tmp_path / "a")
    done = against(archive, archive)
    assert done.returncode == 0
    assert f" careful {archive} is on both sides: if the original goes, so does it " in said(done.stdout)


def test_reports_go_to_files_but_never_over_an_archive(tmp_path: Path) -> None:
    archive, copy = made(tmp_path / "a"), made(tmp_path / "b")
    out = tmp_path / "r.json"
    done = against(archive, "--output", "text:-", "--output", f"json:{out}", copy)
    assert done.returncode == 0 and ": nothing lost\n" in done.stdout
    jsonschema.validate(json.loads(out.read_text("ascii")), SCHEMA)
    before = (tmp_path / "a.0").read_bytes()
    done = against(archive, "--force", "--output", f"json:{tmp_path / 'a.0'}", copy)
    assert done.returncode == 2 and (tmp_path / "a.0").read_bytes() == before


@pytest.mark.parametrize(
    "words, told",
    [
        (("--allow", "marks", "A"), "--allow says what may be lost of an original: it needs --against"),
        (("--against", "A", "--allow", "mark", "A"), "'mark' is none of metrics, descriptors,"),
        (("--against", "A", "--allow", "reduce=60", "A"), "'reduce=60' is none of metrics, descriptors,"),
        (("--against", "A", "--format", "sarif", "A"), "what --against finds is written as text or json, not as sarif"),
        (("--against", "A", "--rule", "-ARC-1102", "A"), "--rule"),
        (("--against", "A", "--set", "A"), "--set"),
        (("--against", "A"), "no ARCHIVE given"),
    ],
)
def test_wrong_usage_is_said(tmp_path: Path, words: tuple[str, ...], told: str) -> None:
    archive = made(tmp_path / "a")
    done = pmproof("check", *(str(archive) if word == "A" else word for word in words))
    assert done.returncode == 2 and done.stdout == ""
    assert told in said(done.stderr)


def test_the_schema_is_that_of_the_report(tmp_path: Path) -> None:
    done = pmproof("check", "--against", tmp_path / "a", "--schema")
    assert json.loads(done.stdout) == SCHEMA
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_a_budget_that_does_not_suffice_is_no_answer(tmp_path: Path) -> None:
    archive, copy = made(tmp_path / "a", "--metrics", "200"), tmp_path / "b"
    for file in tmp_path.glob("a.*"):
        shutil.copy(file, copy.with_name("b" + file.suffix))
    done = against(archive, "--memory", "40K", copy)
    assert done.returncode == 6
    assert "nothing lost" not in done.stdout


def test_names_and_values_are_shown_without_acting_on_the_terminal(tmp_path: Path) -> None:
    evil = b"m.\x1b[31m\nx"
    done = against(tiny(tmp_path / "a", name=evil), tiny(tmp_path / "b", name=evil, value=7))
    assert "\x1b" not in done.stdout and "m.\\x1b[31m\\nx" in done.stdout
