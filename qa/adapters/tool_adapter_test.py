# SPDX-License-Identifier: Apache-2.0
"""How the adapter to PCP's tools runs them: clean, bounded, and as they are asked to run."""

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

import pytest

from qa.adapters import tool_run
from qa.adapters.scripted_tools import ARCHIVE, PMPROOF, Json, Scripts


@pytest.fixture(name="scripts")
def fixture_scripts(tmp_path: Path) -> Scripts:
    return Scripts(tmp_path)


class TestRunning:
    def test_the_environment_is_clean(self, scripts: Scripts, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PCP_COUNTER_WRAP", "")
        monkeypatch.setenv("PCP_SQUASH_NEWLINES", "")
        scripts.does("pmval", "env")
        done = tool_run.Tools(tool_run.of_folder(scripts.folder), "").run(["pmval"])
        found = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
        for unimportant in ("PWD", "_", "SHLVL", "OLDPWD"):
            found.pop(unimportant, None)
        fixed = {"PCP_DERIVED_CONFIG": "", "PCP_STDERR": "", "LC_ALL": "C", "TZ": "UTC"}
        assert found == {"PATH": os.defpath, "HOME": "/nonexistent", **fixed}

    def test_a_death_is_a_crash(self, scripts: Scripts) -> None:
        scripts.does("pmval", "kill -SEGV $$")
        error = scripts.replay()["error"]
        assert (error["outcome"], error["context"]) == ("crash", "pmval ended with signal 11")

    def test_silence_is_ended(self, scripts: Scripts) -> None:
        scripts.does("pmval", "exec sleep 1000")
        assert scripts.replay(limits=tool_run.Limits(seconds=1))["error"]["outcome"] == "timeout"

    def test_nothing_is_left_of_a_tool(self, scripts: Scripts, tmp_path: Path) -> None:
        scripts.does("pmval", f"sleep 1000 >/dev/null 2>&1 & echo $! > {tmp_path}/child")
        scripts.replay()
        child = (tmp_path / "child").read_text(encoding="utf-8").strip()
        end = time.monotonic() + 60
        while Path(f"/proc/{child}").exists() and not _is_dead(child):
            assert time.monotonic() < end
            time.sleep(0.05)

    def test_endless_output_is_ended(self, scripts: Scripts) -> None:
        scripts.does("pmval", "yes")
        assert "bytes and more" in scripts.replay(limits=tool_run.Limits(output=100_000))["error"]["context"]

    def test_a_tool_that_is_not_there(self, scripts: Scripts) -> None:
        (scripts.folder / "pmval").unlink()
        assert "no program 'pmval'" in scripts.replay()["error"]["context"]

    def test_as_a_program_it_speaks_the_protocol(self, scripts: Scripts) -> None:
        adapter = Path(tool_run.__file__).with_name("tool_adapter")
        argv = ["/usr/bin/python3", "-B", str(adapter), "--pmproof", PMPROOF, "--programs", str(scripts.folder)]
        lines = [
            '{"cmd": "hello", "protocol": 1}',
            '{"cmd": "hello", "protocol": 99}',
            "nonsense",
            '{"cmd": "run", "seq": 1, "op": "units.parse", "input": {}, "args": {"text": "sec"}}',
            '{"cmd": "run", "seq": 2, "op": "replay.interp", "input": {}, "args": {}}',
            '{"cmd": "bye"}',
        ]
        done = subprocess.run(argv, input="\n".join(lines), capture_output=True, text=True, timeout=120, check=True)
        hello, refused, unread, skipped, failed = map(json.loads, done.stdout.splitlines())
        assert hello["implementation"]["version"] == "6.0.3"
        assert refused["ok"] is False
        assert unread["seq"] is None and unread["error"]
        assert skipped["seq"] == 1 and skipped["skip"]["reason"]
        assert failed["seq"] == 2 and failed["error"]["context"]


class TestRunsAsTheyAre:
    """tool.run."""

    def run(self, scripts: Scripts, *arguments: str, tool: str = "pmval", source: Json = ARCHIVE, **more: Any) -> Json:
        return scripts.answer("tool.run", source, tool=tool, arguments=list(arguments), **more)

    def test_the_archive_and_an_empty_file_stand_in_the_arguments_and_their_names_in_the_lines(self, scripts: Scripts) -> None:
        scripts.does("pmval", 'test -f "$2" && test ! -s "$2" || exit 9\necho "$2 of $4"; echo "cannot open $4.0" >&2; exit 1')
        told = self.run(scripts, "-c", "{empty}", "-a", "{archive}", "m.x")
        assert told["result"] == {"status": 1, "stdout": ["{empty} of {archive}"], "stderr": ["cannot open {archive}.0"]}

    def test_archives_together_and_each_of_them(self, scripts: Scripts) -> None:
        scripts.does("pmstat", 'printf "%s\\n" "$@"')
        source = {"paths": ["/data/a", "/data/b"]}
        told = self.run(scripts, "{archive}", "{archive.2}", "{archive.1}.meta", tool="pmstat", source=source)
        assert told["result"]["stdout"] == ["{archive}", "{archive.2}", "{archive.1}.meta"]

    def test_what_is_no_placeholder_stays(self, scripts: Scripts) -> None:
        scripts.does("pmval", 'printf "%s\\n" "$@"')
        assert self.run(scripts, "{archive.7}", "{}", "{other}")["result"]["stdout"] == ["{archive.7}", "{}", "{other}"]

    def test_the_environment_is_that_of_out_101_and_what_is_asked_for(self, scripts: Scripts) -> None:
        scripts.does("pmval", 'echo "$TZ $LC_ALL ${PCP_STDERR-none} ${PCP_COUNTER_WRAP-none}"')
        assert self.run(scripts)["result"]["stdout"] == ["UTC C  none"]
        asked = {"TZ": "EST+5", "PCP_COUNTER_WRAP": "1"}
        assert self.run(scripts, environment=asked)["result"]["stdout"] == ["EST+5 C  1"]

    def test_bytes_that_are_no_utf_8_and_what_looks_like_them(self, scripts: Scripts) -> None:
        scripts.does("pmval", r"printf 'gr\303\274n \377 \\x41 \\d\n\nend'")
        assert self.run(scripts)["result"]["stdout"] == ["grün \\xff \\x5cx41 \\d", "", "end"]

    @pytest.mark.parametrize(
        ("args", "told"),
        [
            ({"tool": "pmlogger"}, "none of the tools"),
            ({"tool": "../../bin/sh"}, "none of the tools"),
            ({"environment": {"LD_PRELOAD": "x"}}, "none of the variables"),
        ],
    )
    def test_nothing_but_tools_is_run(self, scripts: Scripts, args: Json, told: str) -> None:
        assert told in self.run(scripts, **args)["error"]["context"]

    def test_a_crash_is_one(self, scripts: Scripts) -> None:
        scripts.does("pmval", "kill -SEGV $$")
        assert self.run(scripts)["error"]["outcome"] == "crash"


def _is_dead(pid: str) -> bool:
    """Nobody may have waited for it yet."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return True
