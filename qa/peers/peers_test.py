# SPDX-License-Identifier: Apache-2.0
"""What asks nothing of the network nor of a fetched peer: sources, folders, argument lists, errors."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from qa.peers import cli, fetch
from qa.peers.error import PeerError
from qa.peers.launchers import Bubblewrap, Job, Loader, choose
from qa.peers.peers import RECORD, Peer, is_version, suite_of
from qa.peers.private_apt import Mirror, UnknownKeyError, find_mirrors, run_tool

_SCRIPT = Path(__file__).with_name("peers")


def _apt_options(folder: Path, one_line: str = "", deb822: str = "") -> list[str]:
    """Makes apt-get see these sources and none of this machine's."""
    (folder / "parts").mkdir(parents=True)
    (folder / "sources.list").write_text(one_line)
    (folder / "parts/some.sources").write_text(deb822)
    settings = {"Dir::Etc::sourcelist": "sources.list", "Dir::Etc::sourceparts": "parts", "Dir::State::lists": "lists"}
    return [word for key, name in settings.items() for word in ("-o", f"{key}={folder / name}")]


def _peer_folder(root: Path, suite: str = "bookworm", version: str = "6.0.3") -> Path:
    """A folder that looks like a fetched peer: a compiled tool, a script, a loader."""
    folder = root / suite
    for path in ("usr/bin/pmlogcheck", "usr/bin/true", "usr/lib64/ld-linux-x86-64.so.2"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(b"\x7fELF")
    (folder / "usr/bin/pmrep").write_text("#!/usr/bin/python3\n")
    (folder / RECORD).write_text(json.dumps({"suite": suite, "version": version, "bytes": 1000000}))
    return folder


def _one_line(capsys: pytest.CaptureFixture[str]) -> str:
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1, lines
    return lines[0]


class TestFindMirrors:
    def test_reads_one_line_sources(self, tmp_path: Path) -> None:
        text = "# deb http://off.example/debian sid main\ndeb [arch=amd64] http://mirror.example/debian trixie main\n"
        assert find_mirrors(_apt_options(tmp_path, text)) == [Mirror("http://mirror.example/debian/", "trixie")]

    def test_reads_deb822_sources(self, tmp_path: Path) -> None:
        text = "Types: deb\nURIs: http://mirror.example/debian\nSuites: bookworm bookworm-updates\nComponents: main\n"
        text += "\nTypes: deb\nURIs: http://off.example/debian\nSuites: sid\nComponents: main\nEnabled: no\n"
        assert find_mirrors(_apt_options(tmp_path, "", text)) == [Mirror("http://mirror.example/debian/", "bookworm")]

    def test_leaves_out_what_is_not_debians_main_archive(self, tmp_path: Path) -> None:
        text = "deb-src http://a.example/debian bookworm main\ndeb http://b.example/debian bookworm contrib\n"
        text += "deb http://c.example/debian-security bookworm-security main\ndeb http://d.example/x nodistro main\n"
        text += "deb cdrom:[Debian]/ bookworm main\ndeb http://e.example/flat ./\n"
        assert not find_mirrors(_apt_options(tmp_path, text))

    def test_puts_the_likeliest_first_and_names_each_once(self, tmp_path: Path) -> None:
        text = "deb http://vendor.example/apt stable main\ndeb http://mirror.example/debian stable main contrib\n"
        uris = [mirror.uri for mirror in find_mirrors(_apt_options(tmp_path, text))]
        assert uris == ["http://mirror.example/debian/", "http://vendor.example/apt/"]


class TestFetch:
    def test_says_when_the_sources_name_no_mirror(self, tmp_path: Path) -> None:
        options = _apt_options(tmp_path / "apt", "deb http://vendor.example/apt nodistro main\n")
        with pytest.raises(PeerError, match="apt sources name no mirror of Debian"):
            fetch.fetch("bookworm", tmp_path / "peers", apt_options=options)

    def test_says_where_nothing_answers_and_leaves_nothing_behind(self, tmp_path: Path) -> None:
        options = _apt_options(tmp_path / "apt", f"deb file:{tmp_path}/nowhere/debian bookworm main\n")
        with pytest.raises(PeerError) as caught:
            fetch.fetch("trixie", tmp_path / "peers", apt_options=options)
        assert str(caught.value).startswith(f"cannot get trixie from file:{tmp_path}/nowhere/debian/: ")
        assert "\n" not in str(caught.value)
        assert [entry.name for entry in (tmp_path / "peers").iterdir()] == [".trixie.lock"]

    def test_clears_away_what_an_interrupted_one_left(self, tmp_path: Path) -> None:
        leftover = tmp_path / "peers/.sid.abc.partial"
        leftover.mkdir(parents=True)
        with pytest.raises(PeerError):
            fetch.fetch("sid", tmp_path / "peers", apt_options=_apt_options(tmp_path / "apt"))
        assert not leftover.exists()

    def test_does_nothing_where_the_peer_is(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        _peer_folder(tmp_path)
        monkeypatch.setenv("PATH", "/nonexistent")
        said: list[str] = []
        assert fetch.fetch("bookworm", tmp_path, said.append).version == "6.0.3"
        assert not said

    def test_refuses_a_folder_that_is_no_peer(self, tmp_path: Path) -> None:
        (tmp_path / "sid").mkdir()
        with pytest.raises(PeerError, match="is not a peer: remove it"):
            fetch.fetch("sid", tmp_path)

    def test_says_when_there_is_no_place_for_the_folder(self, tmp_path: Path) -> None:
        (tmp_path / "file").touch()
        with pytest.raises(PeerError, match="cannot make the peer in .*Not a directory"):
            fetch.fetch("sid", tmp_path / "file/peers")


class TestRunTool:
    def test_tells_an_unknown_key_from_other_failures(self) -> None:
        text = "W: GPG error: x InRelease: NO_PUBKEY 0123456789ABCDEF\nE: The repository is not signed.\n"
        with pytest.raises(UnknownKeyError, match="^cannot get it: it is signed with a key"):
            run_tool(["sh", "-c", 'printf "%s" "$1" >&2; exit 100', "sh", text], "get it")

    def test_reports_the_first_error_and_no_warning(self) -> None:
        with pytest.raises(PeerError, match="^cannot get it: no answer$"):
            run_tool(["sh", "-c", "printf 'W: old\\nE: no answer\\nE: more\\n' >&2; exit 1"], "get it")

    def test_names_the_tool_that_the_machine_lacks(self) -> None:
        with pytest.raises(PeerError, match="^cannot get it: this machine has no no-such-tool"):
            run_tool(["no-such-tool"], "get it")


class TestUnpack:
    @pytest.fixture()
    def folder(self, tmp_path: Path) -> Path:
        tree = tmp_path / "tree"
        for name in ("bin/su", "usr/bin/gawk", "usr/include/x.h", "var/lib/agent/agent.c", "usr/share/doc/x", "etc/x"):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(name)
        (tree / "bin/su").chmod(0o4755)
        (tree / "etc/link").symlink_to("/bin/su")
        (tree / "DEBIAN").mkdir()
        (tree / "DEBIAN/control").write_text(
            "Package: x\nVersion: 1\nArchitecture: all\nMaintainer: X <x@mirror.example>\nDescription: x\n"
        )
        package = tmp_path / "x_1_all.deb"
        subprocess.run(["dpkg-deb", "--build", "--root-owner-group", tree, package], check=True, capture_output=True)
        fetch.unpack([package], tmp_path / "peer")
        return tmp_path / "peer"

    def test_puts_bin_into_usr(self, folder: Path) -> None:
        assert (folder / "bin").is_symlink() and (folder / "usr/bin/su").read_text() == "bin/su"

    def test_leaves_headers_sources_and_documents_packed(self, folder: Path) -> None:
        names = {path.name for path in folder.rglob("*")}
        assert "x" in names and not names & {"x.h", "agent.c", "include", "doc"}

    def test_keeps_no_set_user_id(self, folder: Path) -> None:
        assert (folder / "usr/bin/su").stat().st_mode & 0o7777 == 0o755

    def test_makes_links_stay_in_the_folder(self, folder: Path) -> None:
        assert (folder / "etc/link").resolve() == (folder / "usr/bin/su").resolve()

    def test_gives_awk_a_name(self, folder: Path) -> None:
        assert (folder / "usr/bin/awk").read_text() == "usr/bin/gawk"

    def test_names_a_damaged_package(self, tmp_path: Path) -> None:
        (tmp_path / "bad_1_all.deb").write_bytes(b"!<arch>\n")
        with pytest.raises(PeerError, match="^cannot unpack bad_1_all.deb: "):
            fetch.unpack([tmp_path / "bad_1_all.deb"], tmp_path / "peer")


class TestFind:
    def test_knows_versions_loosely_and_exactly(self) -> None:
        assert is_version("7.2.2", "7.2") and is_version("7.2.2", "7.2.2")
        assert not is_version("7.2.2", "7.2.1") and not is_version("7.20.1", "7.2")
        assert [suite_of(asked) for asked in ("6.0.3", "6.3.8", "7.2", "7.2.9", "sid")] == [
            "bookworm", "trixie", "sid", "sid", "sid",
        ]  # fmt: skip

    def test_finds_by_the_true_version_or_the_suite(self, tmp_path: Path) -> None:
        _peer_folder(tmp_path, "sid", "7.2.2")
        found = [Peer.find(asked, tmp_path) for asked in ("7.2", "7.2.2", "sid")]
        assert [peer.version for peer in found if peer] == ["7.2.2"] * 3
        assert Peer.find("7.2.1", tmp_path) is None

    def test_does_not_take_what_a_moving_suite_has_now_for_what_was_asked(self, tmp_path: Path) -> None:
        _peer_folder(tmp_path, "sid", "7.3.0")
        assert Peer.find("7.2", tmp_path) is None
        assert Peer.find("sid", tmp_path) is not None

    def test_is_none_where_nothing_was_fetched(self, tmp_path: Path) -> None:
        assert Peer.find("6.0.3", tmp_path / "nowhere") is None

    @pytest.mark.parametrize("text", ["", "[]", '{"version": "6.0.3"}', "\xff"])
    def test_says_that_a_record_is_damaged(self, tmp_path: Path, text: str) -> None:
        (_peer_folder(tmp_path) / RECORD).write_text(text, encoding="latin-1")
        with pytest.raises(PeerError, match="peer.json is damaged .*fetch it again"):
            Peer.find("6.0.3", tmp_path)

    def test_looks_where_the_variable_says(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        folder = _peer_folder(tmp_path)
        monkeypatch.setenv("PMPROOF_PEERS", str(tmp_path))
        peer = Peer.find("6.0.3")
        assert peer is not None and peer.folder == folder

    def test_asks_for_the_variable_where_there_is_no_home(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.delenv("PMPROOF_PEERS", raising=False)
        monkeypatch.delenv("HOME", raising=False)
        with pytest.raises(PeerError, match="set PMPROOF_PEERS"):
            Peer.find("6.0.3")


class TestBubblewrap:
    def _argv(self, root: Path, *binds: Path, **job: object) -> list[str]:
        fields = {"command": ["pmlogcheck", "-w"], "cwd": root, "binds": binds} | job
        return Bubblewrap("/usr/bin/bwrap").argv(_peer_folder(root / "peers"), Job(**fields))  # type: ignore[arg-type]

    def test_has_the_peer_as_root_and_ends_with_the_command(self, tmp_path: Path) -> None:
        argv = self._argv(tmp_path)
        text = " ".join(argv)
        assert argv[0] == "/usr/bin/bwrap" and argv[-3:] == ["--", "pmlogcheck", "-w"]
        assert f"--ro-bind {tmp_path}/peers/bookworm/usr /usr" in text
        assert "--die-with-parent" in argv and "--unshare-user" in argv and "--clearenv" in argv
        assert f"--chdir {tmp_path}" in text

    def test_shares_the_network_only_when_asked(self, tmp_path: Path) -> None:
        assert "--unshare-net" in self._argv(tmp_path / "a")
        assert "--unshare-net" not in self._argv(tmp_path / "b", network=True)

    def test_binds_what_a_link_leads_to_under_the_links_name(self, tmp_path: Path) -> None:
        (tmp_path / "real").mkdir()
        (tmp_path / "link").symlink_to("real")
        assert f"--ro-bind {tmp_path}/real {tmp_path}/link" in " ".join(self._argv(tmp_path, tmp_path / "link"))

    def test_binds_for_writing_only_what_was_said(self, tmp_path: Path) -> None:
        (tmp_path / "out").mkdir()
        text = " ".join(self._argv(tmp_path, writable=[tmp_path / "out"]))
        assert f" --bind {tmp_path}/out {tmp_path}/out" in text

    @pytest.mark.parametrize("place", ["/", "/usr/share", "/etc", "/var/lib/dpkg"])
    def test_refuses_to_cover_what_is_the_peers(self, tmp_path: Path, place: str) -> None:
        with pytest.raises(PeerError, match=f"^cannot bind {place}: the peer has its own there"):
            self._argv(tmp_path, Path(place))

    def test_says_that_what_is_to_be_bound_is_absent(self, tmp_path: Path) -> None:
        with pytest.raises(PeerError, match="^cannot bind .*/nowhere: no such file or folder$"):
            self._argv(tmp_path, tmp_path / "nowhere")

    @pytest.mark.parametrize("word", ["no-such-tool", "/usr/bin/no-such-tool", "./no-such-tool"])
    def test_says_that_there_is_no_such_tool(self, tmp_path: Path, word: str) -> None:
        with pytest.raises(PeerError, match="^the peer bookworm has no program '.*no-such-tool'$"):
            self._argv(tmp_path, command=[word])

    def test_does_not_take_a_program_of_this_machine_for_the_peers(self, tmp_path: Path) -> None:
        with pytest.raises(PeerError, match="has no program '/usr/bin/env'"):
            self._argv(tmp_path, command=["/usr/bin/env"])


class TestLoader:
    def test_names_both_library_folders_lest_this_machines_libpcp_be_loaded(self, tmp_path: Path) -> None:
        folder = _peer_folder(tmp_path)
        argv = Loader("x").argv(folder, Job(["pmlogcheck", "a"], cwd=tmp_path))
        libraries = argv[argv.index("--library-path") + 1].split(":")
        assert len(libraries) == 2 and libraries[1] == f"{folder}/usr/lib"
        assert Path(libraries[0]).parent == folder / "usr/lib"
        assert argv[-4:] == ["--argv0", "pmlogcheck", f"{folder}/usr/bin/pmlogcheck", "a"]
        assert f"PCP_CONF={folder}/etc/pcp.conf" in argv and f"PCP_DIR={folder}" in argv

    def test_refuses_a_script_and_says_why_there_is_no_bubblewrap(self, tmp_path: Path) -> None:
        job = Job(["pmrep"], cwd=tmp_path)
        with pytest.raises(PeerError, match="^pmrep is a script and needs bubblewrap to run: not allowed here$"):
            Loader("not allowed here").argv(_peer_folder(tmp_path), job)

    def test_stands_in_where_there_is_no_bubblewrap(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PATH", "/nonexistent")
        assert choose(_peer_folder(tmp_path)) == Loader("install the package bubblewrap")

    def test_stands_in_where_bubblewrap_fails(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (tmp_path / "bwrap").write_text("#!/bin/sh\necho 'bwrap: no user\n namespaces' >&2\nexit 1\n")
        (tmp_path / "bwrap").chmod(0o755)
        monkeypatch.setenv("PATH", str(tmp_path))
        assert choose(_peer_folder(tmp_path)) == Loader("bwrap: no user namespaces")


class TestCommandLine:
    @pytest.fixture(autouse=True)
    def _root(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PMPROOF_PEERS", str(tmp_path / "peers"))

    @pytest.mark.parametrize("command", [["fetch", "5.9"], ["run", "5.9", "pmval"]])
    def test_calls_an_unknown_version_wrong_usage(self, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
        with pytest.raises(SystemExit) as caught:
            cli.main(command)
        assert caught.value.code == 2
        assert "unknown version '5.9'; known: 6.0.3 (bookworm), 6.3.8 (trixie), 7.2" in capsys.readouterr().err

    def test_says_how_to_get_a_peer_that_is_not_there(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert cli.main(["run", "6.0.3", "--", "pmval"]) == 3
        assert _one_line(capsys) == "peers: PCP 6.0.3 is not there: run `peers fetch 6.0.3`"

    def test_says_that_a_suite_moved_on(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        _peer_folder(tmp_path / "peers", "sid", "7.3.0")
        assert cli.main(["fetch", "7.2"]) == 3
        assert "no 7.2 to be had: Debian sid has PCP 7.3.0 by now" in _one_line(capsys)
        assert cli.main(["fetch", "sid"]) == 0

    def test_lists_what_is_there_and_what_is_not(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        _peer_folder(tmp_path / "peers")
        assert cli.main(["list"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert lines[1].split()[:4] == ["6.0.3", "bookworm", "1", "MB"] and lines[3].endswith("not fetched")

    def test_lists_why_only_compiled_tools_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        _peer_folder(tmp_path / "peers")
        monkeypatch.setenv("PATH", "/nonexistent")
        assert cli.main(["list"]) == 0
        assert _one_line(capsys).endswith("for want of bubblewrap: install the package bubblewrap")

    def test_works_as_a_program_from_any_folder(self, tmp_path: Path) -> None:
        done = subprocess.run([_SCRIPT, "list"], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
        assert "not fetched" in done.stdout

    def test_hands_all_after_the_dashes_to_the_tool(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        class Started(Exception):
            """Stands for the process having become the tool."""

        def start(_: str, argv: list[str]) -> None:
            raise Started(argv)

        _peer_folder(tmp_path / "peers")
        monkeypatch.setattr(os, "execv", start)
        with pytest.raises(Started) as caught:
            cli.main(["run", "6.0.3", "--env", "A=b=c", "--", "pmlogcheck", "--bind", "x"])
        argv = caught.value.args[0]
        assert argv[-2:] == ["--bind", "x"] and "A=b=c" in argv

    def test_ends_quietly_when_interrupted(
        self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
    ) -> None:
        def interrupted(*_: object, **__: object) -> None:
            raise KeyboardInterrupt

        monkeypatch.setattr(cli, "fetch", interrupted)
        assert cli.main(["fetch", "6.0.3"]) == 130
        assert _one_line(capsys) == "peers: interrupted"
