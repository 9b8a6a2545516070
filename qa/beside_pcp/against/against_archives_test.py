# SPDX-License-Identifier: Apache-2.0
"""`pmproof check --against`: recorded archives (PMPROOF_SHARED), and what real PCP (PMPROOF_PEERS) makes of archives."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from qa.peers.peers import SUITES, Peer
from qa.peers.testing import any_peer
from validator.testing import small_archive
from validator.testing.run import pmproof

_BESIDE = Path(__file__).resolve().parents[4] / "shared"
SHARED = Path(os.environ.get("PMPROOF_SHARED") or _BESIDE) / "archives"


def against(original: Path, *words: str | Path) -> tuple[int, Any]:
    done = pmproof("check", "--against", original, "--format", "json", *words)
    return done.returncode, json.loads(done.stdout)


def kinds(report: Any) -> set[tuple[str, str]]:
    return {(each["change"], each["kind"]) for each in report["differences"]}


class TestRecorded:
    @pytest.fixture(name="archives")
    def fixture_archives(self) -> list[dict[str, Any]]:
        manifest = SHARED / "MANIFEST.json"
        if not manifest.is_file():
            pytest.skip("no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace")
        archives: list[dict[str, Any]] = json.loads(manifest.read_text(encoding="utf-8"))["archives"]
        return archives

    def test_of_each_archive_that_readers_read_nothing_is_lost_against_itself(self, archives: list[dict[str, Any]]) -> None:
        wrong, answered = [], 0
        for entry in archives:
            archive = SHARED / entry["path"]
            _, report = against(archive, archive)
            (judged,) = report["original"]["archives"]
            readable = judged["verdict"] in ("conformant", "not conformant")
            answered += readable
            if report["outcome"] != ("nothing lost" if readable else "no answer"):
                wrong.append((archive.name, judged["verdict"], report["outcome"], report["failure"], report["differences"]))
        assert wrong == []
        assert answered > 90

    def test_nothing_is_lost_on_the_way_to_version_3(self, archives: list[dict[str, Any]], tmp_path: Path) -> None:
        wrong, converted = [], 0
        for number, entry in enumerate(archives[::4]):
            archive, three = SHARED / entry["path"], tmp_path / str(number)
            if pmproof("rewrite", "--archive-version", "3", "--compress", "zstd", archive, three).returncode != 0:
                continue
            converted += 1
            _, report = against(archive, three)
            readable = report["original"]["archives"][0]["verdict"] != "not readable"
            if report["outcome"] != ("nothing lost" if readable else "no answer"):
                wrong.append((archive.name, report["outcome"], report["failure"], report["differences"]))
        assert wrong == []
        assert converted > 15


class TestMadeByPcp:
    @pytest.fixture(params=SUITES, name="peer")
    def fixture_peer(self, request: pytest.FixtureRequest) -> Peer:
        return any_peer(request.param)

    @pytest.fixture(name="original", params=["2", "3"])
    def fixture_original(self, request: pytest.FixtureRequest, tmp_path: Path) -> Path:
        return generate(tmp_path / "original", "--scenario", "texts,marks,indom-appear,errors", "--archive-version", request.param)

    def test_a_whole_extract_and_a_rewrite_lose_nothing(self, peer: Peer, original: Path, tmp_path: Path) -> None:
        for tool in ("pmlogextract", "pmlogrewrite"):
            made = run(peer, tmp_path / tool, tool, original)
            status, report = against(original, made)
            assert (status, report["outcome"], report["differences"]) == (0, "nothing lost", []), tool

    def test_windows_have_all_but_for_the_seam(self, peer: Peer, original: Path, tmp_path: Path) -> None:
        one = run(peer, tmp_path / "one", "pmlogextract", "-Z", "UTC", "-T", "@2023-11-14 22:13:40", original)
        two = run(peer, tmp_path / "two", "pmlogextract", "-Z", "UTC", "-S", "@2023-11-14 22:13:41", original)
        status, report = against(original, two, one, "--allow", "seams,labels")
        lost = kinds(report) - {("lost", "labels"), ("changed", "labels")}
        assert lost <= {("added", "seams"), ("lost", "seams")} | {("lost", "marks"), ("added", "marks")}, report["differences"]
        # Before 7.2 a window has the record after its end as well.
        values = report["original"]["totals"]["values"] + report["repeated"]
        assert report["replacement"]["totals"]["values"] == values
        assert status in (0, 1)

    def test_a_subset_of_the_metrics_loses_the_others(self, peer: Peer, original: Path, tmp_path: Path) -> None:
        (tmp_path / "config").write_text("plain.reads\n", encoding="ascii")
        made = run(peer, tmp_path / "subset", "pmlogextract", "-c", tmp_path / "config", original)
        _, report = against(original, made)
        assert kinds(report) <= {("lost", "metrics"), ("lost", "labels")}
        metrics = [each for each in report["differences"] if each["kind"] == "metrics"]
        assert len(metrics) == report["metrics"] - 1
        assert "plain.reads" not in [each["subject"] for each in metrics]
        status, report = against(original, made, "--allow", "metrics,labels")
        assert (status, report["outcome"]) == (0, "lossy as declared")

    def test_compressing_loses_nothing(self, peer: Peer, original: Path, tmp_path: Path) -> None:
        out = tmp_path / "packed"
        out.mkdir()
        made = run(peer, out / "copy", "pmlogextract", original)
        for volume in out.glob("copy.[0-9]*"):
            done = peer.run(["xz", "-9", volume], [], writable=[tmp_path], timeout=60)
            assert done.returncode == 0, done.stderr
        assert list(out.glob("copy.0.xz"))
        status, report = against(original, made, "--memory", "256M")
        assert (status, report["outcome"]) == (0, "nothing lost")

    def test_a_reduced_archive_is_a_loss_of_values(self, peer: Peer, original: Path, tmp_path: Path) -> None:
        """ARC-655, where reductions are not allowed for."""
        made = run(peer, tmp_path / "reduced", "pmlogreduce", "-t", "5sec", original)
        status, report = against(original, made)
        assert (status, report["outcome"]) == (1, "loss")
        found = kinds(report)
        assert ("lost", "values") in found and ("changed", "descriptors") in found and ("lost", "help") in found
        types = {example["was"]: example["is"] for each in report["differences"] if each["kind"] == "descriptors" for example in each["examples"]}
        assert types == {"u32": "u64"}

    def test_what_copying_spoils_in_events_is_found(self, peer: Peer, tmp_path: Path) -> None:
        """ARC-275, ARC-278, as the ledger has them."""
        original = generate(tmp_path / "original", "--scenario", "events")
        _, report = against(original, run(peer, tmp_path / "rewritten", "pmlogrewrite", original))
        assert {(each["change"], each["kind"], each["subject"]) for each in report["differences"]} == {
            ("changed", "values", "events.each"),
            ("changed", "values", "events.highres"),
        }
        _, report = against(original, run(peer, tmp_path / "extracted", "pmlogextract", original))
        lost = [each["subject"] for each in report["differences"] if each["kind"] == "metrics"]
        assert lost != [] and all(name.startswith("events.param_") for name in lost)

    def test_archives_that_were_merged_lose_the_seams_alone(self, peer: Peer, tmp_path: Path) -> None:
        """ARC-511: no mark is written, since the archives say that the collector was the same."""
        generate(tmp_path / "set", "--scenario", "set")
        parts = [tmp_path / f"set-{number}" for number in (1, 2, 3)]
        made = run(peer, tmp_path / "merged", "pmlogextract", *parts)
        originals = [word for part in parts[1:] for word in ("--against", str(part))]
        _, report = against(parts[0], *originals, made)
        assert kinds(report) - {("lost", "labels")} == {("lost", "seams")}


class TestReducedByPcp:
    """`--allow reduce`: what pmlogreduce writes are answers of replay (ARC-656 to ARC-658)."""

    SCENARIOS = (
        "plain", "marks", "mark-at-sample", "mark-end", "counter-wrap-32", "counter-wrap-64", "counter-reset", "indom-appear",
        "indom-vanish", "sparse-instances", "late-metrics", "once-logged", "errors", "irregular", "types,events", "texts,labels",
        "multi-volume", "nanoseconds",
    )  # fmt: skip

    @pytest.fixture(params=SUITES, name="peer")
    def fixture_peer(self, request: pytest.FixtureRequest) -> Peer:
        return any_peer(request.param)

    @pytest.mark.parametrize("scenario", SCENARIOS)
    def test_what_it_makes_of_a_generated_archive_is_as_declared(self, peer: Peer, scenario: str, tmp_path: Path) -> None:
        original = generate(tmp_path / "original", "--scenario", scenario)
        for interval in ("5sec", "1300msec"):
            made = run(peer, tmp_path / interval, "pmlogreduce", "-t", interval, original)
            _, report = against(original, made, "--allow", "reduce")
            assert (report["outcome"], undeclared(report)) == ("lossy as declared", []), interval
            assert report["reduction"]["times"] > 5

    # With gaps, marks, an index that leads past records (mark-bug), a mark at the end (dstat-diskfarm), instances that come and go.
    RECORDED = (
        "mark-bug", "dstat-diskfarm", "farm__farm_node80_20201124", "viewqa1", "dyninsts", "mmv-20250612", "19970807.09.54", "iopct",
        "gen-v3-merge-volumes", "ac15",
    )  # fmt: skip

    @pytest.mark.parametrize("name", RECORDED)
    def test_what_it_makes_of_a_recorded_archive_is_as_declared(self, peer: Peer, name: str, tmp_path: Path) -> None:
        manifest = SHARED / "MANIFEST.json"
        if not manifest.is_file():
            pytest.skip("no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace")
        (path,) = [each["path"] for each in json.loads(manifest.read_text(encoding="utf-8"))["archives"] if each["id"] == name]
        original = SHARED / path
        for interval in ("5sec", "30sec"):
            out = tmp_path / interval
            done = peer.run(["pmlogreduce", "-t", interval, original, out], [original.parent], writable=[tmp_path], timeout=100)
            assert done.returncode == 0, done.stderr
            _, report = against(original, out, "--allow", "reduce")
            assert (undeclared(report), report["failure"]) == ([], None), interval
            assert report["reduction"]["times"] > 0

    def test_of_a_gap_without_records_nothing_is_missing(self, peer: Peer, tmp_path: Path) -> None:
        """ARC-657: no record is written where no metric is, and the interval is still found."""
        metric = small_archive.pmid(29, 0, 1)
        seconds = [*range(0, 15, 2), 33, *range(47, 71, 2)]
        records = [small_archive.result(small_archive.START + at, {metric: {-1: at}}) for at in seconds]
        original = small_archive.write(tmp_path / "original", [small_archive.desc(metric, [b"m.a"])], [records])
        made = run(peer, tmp_path / "made", "pmlogreduce", "-t", "5sec", original)
        _, report = against(original, made, "--allow", "reduce")
        assert (undeclared(report), report["reduction"]["interval_ns"]) == ([], 5_000_000_000)

    def test_what_is_damaged_is_told(self, peer: Peer, tmp_path: Path) -> None:
        original = generate(tmp_path / "original", "--scenario", "plain")
        made = run(peer, tmp_path / "made", "pmlogreduce", "-t", "5sec", original)
        volume = made.with_name("made.0")
        content = bytearray(volume.read_bytes())
        # The value of plain.queue (29.100.9), stored in its set, in the fourth record that has one.
        places, at = [], -1
        while (at := content.find((29 << 22 | 100 << 10 | 9).to_bytes(4, "big") + (1).to_bytes(4, "big"), at + 1)) >= 0:
            places.append(at + 16)
        content[places[3] + 3] ^= 1
        volume.write_bytes(content)
        status, report = against(original, made, "--allow", "reduce")
        assert (status, report["outcome"]) == (1, "loss")
        assert undeclared(report) == [("changed", "values", "plain.queue", 1)]

    def test_a_part_of_it_is_a_loss(self, peer: Peer, tmp_path: Path) -> None:
        original = generate(tmp_path / "original", "--scenario", "plain")
        window = ("-Z", "UTC", "-S", "@2023-11-14 22:13:30", "-T", "@2023-11-14 22:13:50")
        made = run(peer, tmp_path / "part", "pmlogreduce", *window, "-t", "5sec", original)
        status, report = against(original, made, "--allow", "reduce")
        assert (status, report["outcome"]) == (1, "loss")
        assert {(change, kind) for change, kind, *_ in undeclared(report)} == {("lost", "values")}


def undeclared(report: Any) -> list[tuple[str, str, str, int]]:
    return [(each["change"], each["kind"], each["subject"], each["count"]) for each in report["differences"] if not each["declared"]]


def generate(path: Path, *words: str) -> Path:
    done = pmproof("generate", "--seed", "8", "--records", "40", "--no-truth", *words, path)
    assert done.returncode == 0, done.stderr
    return path


def run(peer: Peer, out: Path, tool: str, *words: str | Path) -> Path:
    done = peer.run([tool, *words, out], [], writable=[out.parent, *{Path(word).parent for word in words if isinstance(word, Path)}], timeout=100)
    assert done.returncode == 0, done.stderr
    return out
