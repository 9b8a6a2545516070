# SPDX-License-Identifier: Apache-2.0
"""The peers that were fetched here, run for real; each test of one that was not is skipped and says so."""

import dataclasses
import os
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

from qa.peers.launchers import Bubblewrap, Loader
from qa.peers.peers import SUITES, Peer

_SCRIPT = Path(__file__).with_name("peers")


@pytest.fixture(params=SUITES, name="peer")
def _peer(request: pytest.FixtureRequest) -> Peer:
    if not os.environ.get("PMPROOF_PEERS") and "HOME" not in os.environ:
        pytest.skip("where are the peers? set PMPROOF_PEERS")
    peer = Peer.find(request.param)
    if peer is None:
        pytest.skip(f"PCP {request.param} is not there: run qa/peers/peers fetch {request.param}")
    return peer


@pytest.fixture(name="boxed")
def _boxed(peer: Peer) -> Peer:
    """A peer in bubblewrap, for what only that gives."""
    if isinstance(peer.launcher, Loader):
        pytest.skip(f"bubblewrap cannot be used: {peer.launcher.reason}")
    return peer


@pytest.fixture(name="archives")
def _archives() -> Path:
    beside = Path(__file__).resolve().parents[3] / "shared"
    folder = Path(os.environ.get("PMPROOF_SHARED") or beside) / "archives/archives"
    if not folder.is_dir():
        pytest.skip("no recorded archives: set PMPROOF_SHARED, or put them into ../shared beside the workspace")
    return folder


class TestTools:
    def test_pmval_says_the_version_on_record(self, peer: Peer) -> None:
        done = peer.run(["pmval", "--version"], timeout=60)
        assert f"pmval version {peer.version}\n" in done.stdout + done.stderr

    def test_pmlogcheck_passes_a_sound_archive_and_fails_a_damaged_one(self, peer: Peer, archives: Path) -> None:
        sound = peer.run(["pmlogcheck", archives / "ok-foo/ok-foo"], [archives], timeout=60)
        assert (sound.returncode, sound.stdout, sound.stderr) == (0, "", "")
        damaged = peer.run(["pmlogcheck", archives / "badlabel-1/badlabel-1"], [archives], timeout=60)
        assert damaged.returncode == 1 and "badlabel-1" in damaged.stdout + damaged.stderr

    def test_pmdumplog_shows_the_label(self, peer: Peer, archives: Path) -> None:
        done = peer.run(["pmdumplog", "-l", archives / "ok-foo/ok-foo"], [archives], timeout=60)
        assert done.returncode == 0
        assert "Performance metrics from host gonzo" in done.stdout
        assert "Thu Aug  6 18:34:32.257504 1998" in done.stdout

    def test_a_compressed_archive_is_read(self, boxed: Peer, archives: Path) -> None:
        folder = archives.parent / "compressed/coverage"
        done = boxed.run(["pmlogcheck", folder / "coverage"], [folder], timeout=60)
        assert done.returncode == 0, done.stderr

    def test_the_python_binding_is_there(self, boxed: Peer) -> None:
        program = "from pcp import pmapi; print(pmapi.pmContext.pmErrStr(-12357))"
        done = boxed.run(["python3", "-c", program], timeout=60)
        assert done.returncode == 0 and "Unknown metric name" in done.stdout

    def test_the_loader_gives_the_same_dump(self, boxed: Peer, archives: Path) -> None:
        command: list[str | Path] = ["pmdumplog", "-a", archives / "ok-foo/ok-foo"]
        loaded = dataclasses.replace(boxed, launcher=Loader("compared with bubblewrap"))
        dumps = [peer.run(command, [archives], timeout=60) for peer in (boxed, loaded)]
        assert dumps[0].returncode == 0 and len(dumps[0].stdout) > 1000
        assert dumps[0].stdout == dumps[1].stdout

    def test_the_loader_takes_every_library_from_the_peer(self, peer: Peer) -> None:
        loaded = dataclasses.replace(peer, launcher=Loader("asked what it loads"))
        done = loaded.run(["pmdumplog"], environment={"LD_TRACE_LOADED_OBJECTS": "1"}, timeout=60)
        places = [line.split()[2] for line in done.stdout.splitlines() if "=>" in line]
        assert any("/libpcp.so." in place for place in places), done.stdout
        assert all(place.startswith(f"{peer.folder}/") for place in places), done.stdout


class TestSandbox:
    @pytest.fixture(name="folder")
    def _folder(self, tmp_path: Path) -> Path:
        (tmp_path / "in").mkdir()
        (tmp_path / "in/file").write_text("content")
        return tmp_path / "in"

    def test_a_bound_folder_can_not_be_changed(self, boxed: Peer, folder: Path) -> None:
        done = boxed.run(["rm", folder / "file"], [folder], timeout=60)
        assert done.returncode != 0 and (folder / "file").exists()

    def test_a_folder_bound_for_writing_can_be_changed(self, boxed: Peer, folder: Path) -> None:
        assert boxed.run(["rm", folder / "file"], writable=[folder], timeout=60).returncode == 0
        assert not (folder / "file").exists()

    def test_what_was_not_bound_is_not_seen(self, boxed: Peer, folder: Path) -> None:
        assert boxed.run(["cat", folder / "file"], timeout=60).returncode == 1

    def test_a_file_bound_by_a_link_is_seen_under_the_links_name(self, boxed: Peer, folder: Path) -> None:
        (folder.parent / "link").symlink_to("in/file")
        link = folder.parent / "link"
        assert boxed.run(["cat", link], [link], timeout=60).stdout == "content"

    def test_relative_paths_keep_their_meaning(
        self, peer: Peer, folder: Path, monkeypatch: pytest.MonkeyPatch, archives: Path
    ) -> None:
        shutil.copytree(archives / "ok-foo", folder / "ok-foo")
        monkeypatch.chdir(folder.parent)
        assert peer.run(["pmdumplog", "-l", "in/ok-foo/ok-foo"], ["in"], timeout=60).returncode == 0

    def test_a_tool_that_hangs_is_ended(self, boxed: Peer) -> None:
        with pytest.raises(subprocess.TimeoutExpired):
            # The grandchild holds the output open: waiting for that would take the 60 seconds.
            boxed.run(["sh", "-c", "sleep 60 & sleep 60"], timeout=1)

    def test_a_tool_killed_by_a_signal_has_128_and_the_signal(self, peer: Peer) -> None:
        assert peer.run(["sh", "-c", "kill -SEGV $$"], timeout=60).returncode == 128 + 11

    def test_the_cpu_time_of_a_timed_tool_is_the_childs(self, peer: Peer) -> None:
        # A second of work; starting it takes some milliseconds.
        busy = ["timeout", "1", "sh", "-c", "while :; do :; done"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(peer.argv(busy, timed=True), capture_output=True, check=False)
        assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before > 0.1

    def test_nothing_of_the_callers_environment_gets_in(self, peer: Peer, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PCP_DERIVED_CONFIG", "/nonexistent")
        done = peer.run(["env"], environment={"TZ": "UTC+3"}, timeout=60)
        names = {line.split("=")[0] for line in done.stdout.splitlines()}
        assert "PCP_DERIVED_CONFIG" not in names and "TZ=UTC+3\n" in done.stdout

    def test_the_network_is_a_loopback_of_its_own(self, boxed: Peer) -> None:
        lines = boxed.run(["cat", "/proc/net/dev"], timeout=60).stdout.splitlines()
        assert [line.split(":")[0].strip() for line in lines if ":" in line] == ["lo"]


class TestCommandLine:
    def test_runs_a_tool_and_ends_with_its_status(self, peer: Peer, archives: Path) -> None:
        arguments: list[str | Path] = [_SCRIPT, "run", peer.suite, "--bind", archives, "--", "pmlogcheck"]
        environment = os.environ | {"PMPROOF_PEERS": str(peer.folder.parent)}
        sound, damaged = (
            subprocess.run([*arguments, archives / name / name], env=environment, capture_output=True, check=False)
            for name in ("ok-foo", "badlabel-1")
        )
        assert (sound.returncode, damaged.returncode) == (0, 1)

    def test_is_in_bubblewrap_wherever_that_runs(self, peer: Peer) -> None:
        if shutil.which("bwrap") is None:
            pytest.skip("bubblewrap is not installed")
        bare = ["bwrap", "--unshare-user", "--unshare-pid", "--unshare-net", "--ro-bind", "/", "/", "/usr/bin/true"]
        works = subprocess.run(bare, capture_output=True, check=False).returncode == 0
        assert isinstance(peer.launcher, Bubblewrap) == works
