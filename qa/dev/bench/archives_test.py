# SPDX-License-Identifier: Apache-2.0
"""Each kind of archive is what it says, in both versions."""

import functools
import json
import os
import subprocess
from pathlib import Path

import pytest

from qa.dev.bench.archive_walk import Walk, walk
from qa.dev.bench.archives import COMPRESSIONS, Archive, Store, Wanted
from qa.dev.bench.recorded import Recorded
from qa.dev.bench.replay import span_of
from qa.dev.bench.results import Unmeasured
from qa.peers.peers import Peer

_MAKER = Path(os.environ["MAKE_ARCHIVE"]).absolute()
_REPEATER = Path(os.environ["REPEAT_ARCHIVE"]).absolute()
_BARE_WALK = Path(os.environ["BARE_WALK"]).absolute()
_VERSIONS = (2, 3)
_MEGABYTE = 1_000_000
_INDOM = {2: 2, 3: 5}
_DELTA = 6


def _silent(line: str) -> None:
    pass


@pytest.fixture(name="store", scope="module")
def _store(tmp_path_factory: pytest.TempPathFactory) -> Store:
    """One folder for all tests that only look."""
    return Store(tmp_path_factory.mktemp("archives"), _MAKER, _REPEATER, _silent)


@pytest.fixture(name="own_store")
def _own_store(tmp_path: Path) -> Store:
    return Store(tmp_path, _MAKER, _REPEATER, _silent)


def _name(wanted: Wanted) -> str:
    return wanted.name


_walk = functools.cache(walk)


def _every(version: int) -> list[Wanted]:
    sized = [Wanted(kind, version, _MEGABYTE, True) for kind in ("host", "small")]
    return sized + [Wanted(kind, version, 2000) for kind in ("marks", "indoms", "index", "findings")]


def _made(store: Store, wanted: Wanted) -> tuple[Archive, Walk]:
    archive = store.get(wanted)
    seen = _walk(archive.base)
    assert seen.version == wanted.version
    return archive, seen


@pytest.mark.parametrize("wanted", [w for v in _VERSIONS for w in _every(v)], ids=_name)
class TestEveryKind:
    def test_the_maker_counts_what_is_there(self, store: Store, wanted: Wanted) -> None:
        archive, seen = _made(store, wanted)
        assert archive.made["records"] == seen.records - seen.marks
        assert archive.made["marks"] == seen.marks
        assert archive.made["index_entries"] == len(seen.entries)
        assert archive.made["indom_records"] == seen.metadata[_INDOM[wanted.version]] + seen.metadata[_DELTA]

    def test_time_goes_on(self, store: Store, wanted: Wanted) -> None:
        _, seen = _made(store, wanted)
        assert all(early < late for early, late in zip(seen.times, seen.times[1:]))

    def test_index_entries_are_on_record_boundaries_in_order(self, store: Store, wanted: Wanted) -> None:
        _, seen = _made(store, wanted)
        assert all(entry[4] in seen.boundaries for entry in seen.entries)
        assert all(early < late for early, late in zip(seen.entries, seen.entries[1:]))
        label = 132 if wanted.version == 2 else 808
        assert seen.entries[0][2:] == (0, label, label)
        assert seen.entries[-1][:2] == seen.times[-1]

    def test_the_bare_walk_sees_every_value(self, store: Store, wanted: Wanted) -> None:
        archive, seen = _made(store, wanted)
        done = subprocess.run([_BARE_WALK, archive.volume], capture_output=True, check=True)
        told = json.loads(done.stdout)
        assert told["bytes"] == archive.volume.stat().st_size
        assert (told["records"], told["sets"], told["values"]) == (seen.records, seen.sets, seen.values)
        assert told["sum"] == seen.total

    def test_the_same_request_gives_the_same_bytes(self, store: Store, wanted: Wanted, tmp_path: Path) -> None:
        again = Store(tmp_path / "again", _MAKER, _REPEATER, _silent).get(wanted)
        assert again.digest == store.get(wanted).digest

    def test_pmlogcheck_has_nothing_to_say_unless_there_are_findings(self, store: Store, wanted: Wanted) -> None:
        if not os.environ.get("PMPROOF_PEERS"):
            pytest.skip("where are the peers? set PMPROOF_PEERS")
        peer = Peer.find("6.0.3")
        if peer is None:
            pytest.skip("PCP 6.0.3 is not there: run qa/peers/peers fetch 6.0.3")
        archive = store.get(wanted)
        done = peer.run(["pmlogcheck", archive.base], [store.folder], timeout=60)
        assert (done.returncode, bool(done.stdout + done.stderr)) == (0, wanted.kind == "findings")


@pytest.mark.parametrize("version", _VERSIONS)
class TestKinds:
    def test_the_host_has_as_many_bytes_as_asked_for_and_many_values_a_record(self, store: Store, version: int) -> None:
        archive, seen = _made(store, Wanted("host", version, 4 * _MEGABYTE, True))
        assert 3.9 * _MEGABYTE < archive.volume.stat().st_size <= 4 * _MEGABYTE
        assert 1500 < seen.values / seen.records < 4000
        assert 50 <= seen.sets / seen.records <= 70

    def test_processes_of_the_host_come_and_go(self, store: Store, version: int) -> None:
        _, seen = _made(store, Wanted("host", version, 8 * _MEGABYTE, True))
        # Four domains of the host and that of pmlogger at first; then only the one of processes changes.
        changes = seen.metadata[_DELTA] if version == 3 else seen.metadata[2] - 5
        assert changes == (seen.records - 3) // 60

    def test_the_host_has_an_index_entry_for_every_100_kB_or_so(self, store: Store, version: int) -> None:
        archive, seen = _made(store, Wanted("host", version, 4 * _MEGABYTE, True))
        distances = [late[4] - early[4] for early, late in zip(seen.entries[1:], seen.entries[2:])]
        assert max(distances) < 200_000 and archive.size / len(seen.entries) > 80_000

    def test_small_records_have_one_value(self, store: Store, version: int) -> None:
        _, seen = _made(store, Wanted("small", version, _MEGABYTE, True))
        assert seen.values == (seen.records - 2) + 2 * 5

    def test_there_are_as_many_marks_as_asked_for(self, store: Store, version: int) -> None:
        assert _made(store, Wanted("marks", version, 2000))[1].marks == 2000

    def test_there_are_as_many_changes_of_a_domain_as_asked_for(self, store: Store, version: int) -> None:
        _, seen = _made(store, Wanted("indoms", version, 2000))
        if version == 3:
            assert seen.metadata[_DELTA] == 2000
        else:
            # The domain of pmlogger, and what the changes begin from.
            assert seen.metadata[2] == 2 + 2000

    def test_there_are_as_many_index_entries_as_asked_for(self, store: Store, version: int) -> None:
        assert len(_made(store, Wanted("index", version, 2000))[1].entries) == 2000


class TestStore:
    def test_an_archive_that_is_there_is_not_made_again(self, own_store: Store) -> None:
        first = own_store.get(Wanted("marks", 3, 100))
        before = first.volume.stat().st_mtime_ns
        assert own_store.get(Wanted("marks", 3, 100)) == first
        assert first.volume.stat().st_mtime_ns == before

    @pytest.mark.parametrize("version", _VERSIONS)
    def test_the_span_of_an_archive_is_that_of_its_records(self, store: Store, version: int) -> None:
        archive = store.get(Wanted("host", version, _MEGABYTE, True))
        times = walk(archive.base).times
        assert span_of(archive) == (times[0][0], times[-1][0])

    def test_an_archive_that_was_left_halfway_is_made_again(self, own_store: Store) -> None:
        first = own_store.get(Wanted("marks", 3, 100))
        Path(f"{first.base}.made.json").unlink()
        first.volume.write_bytes(b"half")
        assert walk(own_store.get(Wanted("marks", 3, 100)).base).marks == 100

    def test_another_maker_makes_its_own(self, own_store: Store, tmp_path: Path) -> None:
        first = own_store.get(Wanted("marks", 3, 100))
        first.volume.write_bytes(b"by the old maker")
        other = tmp_path / "other_maker"
        other.write_bytes(_MAKER.read_bytes() + b"\n")
        other.chmod(0o755)
        assert walk(Store(tmp_path, other, _REPEATER, _silent).get(Wanted("marks", 3, 100)).base).marks == 100

    @pytest.mark.parametrize("method", COMPRESSIONS)
    def test_compressed_files_hold_the_same_bytes(self, store: Store, method: str) -> None:
        plain = store.get(Wanted("host", 3, _MEGABYTE, True))
        packed = store.compressed(plain, method)
        if not isinstance(packed, Archive):
            pytest.skip(packed.because)
        for compressed, original in ((packed.volume, plain.volume), (packed.meta, plain.meta)):
            done = subprocess.run([*COMPRESSIONS[method].decompress, compressed], capture_output=True, check=True)
            assert done.stdout == original.read_bytes() and compressed.stat().st_size < original.stat().st_size

    def test_one_xz_has_blocks_and_the_other_is_a_single_block(self, store: Store) -> None:
        plain = store.get(Wanted("host", 3, 24 * _MEGABYTE, True))
        for method, many in (("xz", True), ("xz-single", False)):
            packed = store.compressed(plain, method)
            if not isinstance(packed, Archive):
                pytest.skip(packed.because)
            done = subprocess.run(["xz", "--robot", "-l", packed.volume], capture_output=True, text=True, check=True)
            blocks = int(next(line for line in done.stdout.splitlines() if line.startswith("file")).split("\t")[2])
            assert (blocks > 1) is many


class TestRepeated:
    @pytest.fixture(name="place")
    def _place(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
        monkeypatch.setenv("PMPROOF_SHARED", str(tmp_path / "shared"))
        return tmp_path / "shared/archives/archives"

    def _recorded(self, store: Store, place: Path, wanted: Wanted, volumes: int = 1) -> tuple[Recorded, Walk]:
        """An archive as if somebody had recorded it."""
        archive = store.get(wanted)
        (place / "some").mkdir(parents=True)
        for part in ("0", "meta", "index"):
            (place / f"some/some.{part}").write_bytes(Path(f"{archive.base}.{part}").read_bytes())
        return Recorded("any", "some", volumes), walk(archive.base)

    @pytest.mark.parametrize("version", _VERSIONS)
    def test_records_come_again_later_after_a_mark(self, own_store: Store, place: Path, version: int) -> None:
        recorded, once = self._recorded(own_store, place, Wanted("host", version, _MEGABYTE, True))
        archive = own_store.repeated(recorded, 3 * _MEGABYTE)
        assert isinstance(archive, Archive)
        seen = walk(archive.base)
        assert seen.records - seen.marks == 3 * once.records and seen.marks == 2
        assert seen.values == 3 * once.values and seen.total == 3 * once.total
        assert seen.times == sorted(set(seen.times))
        assert seen.metadata[1] == once.metadata[1]

    @pytest.mark.parametrize("version", _VERSIONS)
    def test_instance_domains_that_change_come_again(self, own_store: Store, place: Path, version: int) -> None:
        recorded, once = self._recorded(own_store, place, Wanted("indoms", version, 100))
        size = 2 * own_store.get(Wanted("indoms", version, 100)).volume.stat().st_size
        archive = own_store.repeated(recorded, size)
        assert isinstance(archive, Archive)
        seen = walk(archive.base)
        # One of the domains never changes.
        assert seen.metadata[_INDOM[version]] == 2 * once.metadata[_INDOM[version]] - 1
        assert seen.metadata[_DELTA] == 2 * once.metadata[_DELTA]

    def test_volumes_share_the_repetitions(self, own_store: Store, place: Path) -> None:
        recorded, once = self._recorded(own_store, place, Wanted("small", 3, _MEGABYTE, True), volumes=2)
        archive = own_store.repeated(recorded, 4 * _MEGABYTE)
        assert isinstance(archive, Archive)
        done = subprocess.run([_BARE_WALK, *archive.all_volumes], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["values"] == 4 * once.values
        first, second = (path.stat().st_size for path in archive.all_volumes)
        assert abs(first - second) < 100
        assert {entry[2] for entry in walk(archive.base).entries} == {0, 1}

    def test_without_the_collection_nothing_is_measured(self, own_store: Store, place: Path) -> None:
        missing = own_store.repeated(Recorded("any", "some"), _MEGABYTE)
        assert isinstance(missing, Unmeasured) and "PMPROOF_SHARED" in missing.because and not missing.failed
