# SPDX-License-Identifier: Apache-2.0
"""An adapter is ended with all that it started, whatever becomes of who started it, and no limit is stretched."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from qa.adapters.guardian import orphans_ended
from qa.adapters.process import AdapterProcess, Dead, Silent, Stop, Stopped

_NET = 60.0  # seconds, for what should happen at once

# Starts a descendant in each way to get away, each of which writes down its number, and then says "ready".
_FAMILY = """
import os, signal, sys, time
folder = sys.argv[1]
def live(name):
    with open(f"{folder}/{name}.part", "w") as out:
        out.write(str(os.getpid()))
    os.rename(f"{folder}/{name}.part", f"{folder}/{name}")
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
        signal.signal(number, signal.SIG_IGN)
    time.sleep(600)
    os._exit(0)
if os.fork() == 0:
    live("child")
if os.fork() == 0:
    os.setsid()
    live("setsid")
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        live("daemon")
    os._exit(0)
if os.fork() == 0:
    os.setpgid(0, 0)
    os.closerange(0, 100)
    live("closed")
while sum("." not in name for name in os.listdir(folder)) < 4:
    time.sleep(0.01)
print("ready", flush=True)
"""
_STAYS = "time.sleep(600)\n"


def family(folder: Path, then: str = _STAYS) -> list[str]:
    folder.mkdir()
    return [sys.executable, "-c", _FAMILY + then, str(folder)]


def numbers_in(folder: Path) -> dict[str, int]:
    return {path.name: int(path.read_text(encoding="utf-8")) for path in folder.iterdir()}


def alive(number: int) -> bool:
    try:
        state = Path(f"/proc/{number}/stat").read_bytes().rpartition(b")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in b"ZX"


def alive_in(folder: Path) -> set[str]:
    return {name for name, number in numbers_in(folder).items() if alive(number)}


def test_all_that_it_started_has_ended_with_it(tmp_path: Path) -> None:
    process = AdapterProcess(family(tmp_path / "family"))
    assert process.line(_NET) == b"ready"
    assert alive_in(tmp_path / "family") == {"child", "setsid", "daemon", "closed"}
    assert process.end() == "signal 9"
    assert alive_in(tmp_path / "family") == set()
    assert not alive(process.pid)


def test_who_ends_well_leaves_nobody_either(tmp_path: Path) -> None:
    process = AdapterProcess(family(tmp_path / "family", "sys.stdin.read()\nos._exit(7)\n"))
    assert process.line(_NET) == b"ready"
    assert process.finish(_NET) == 7
    assert alive_in(tmp_path / "family") == set()


def test_who_started_it_is_killed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    program = "import sys, time; from qa.adapters.process import AdapterProcess\n" \
              "process = AdapterProcess(sys.argv[1:]); print(process.line(60).decode(), process.pid, flush=True); time.sleep(600)"
    command = [sys.executable, "-c", program, *family(tmp_path / "family")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as owner:
        assert owner.stdout is not None
        ready, number = owner.stdout.readline().split()
        assert ready == b"ready" and alive(int(number))
        assert len(os.listdir(tmp_path / "temporary")) == 1  # its HOME
        owner.kill()
    end = time.monotonic() + _NET
    while alive_in(tmp_path / "family") or alive(int(number)) or os.listdir(tmp_path / "temporary"):
        assert time.monotonic() < end, alive_in(tmp_path / "family")
        time.sleep(0.02)


def test_who_kills_its_guardian_does_not_escape(tmp_path: Path) -> None:
    with orphans_ended():
        process = AdapterProcess(family(tmp_path / "family", "os.kill(os.getppid(), signal.SIGKILL)\n" + _STAYS))
        assert process.line(_NET) == b"ready"
        assert process.end() == "its guardian was killed"
    assert alive_in(tmp_path / "family") == set()


def test_children_from_before_are_spared() -> None:
    with subprocess.Popen(["sleep", "600"]) as other:
        with orphans_ended():
            pass
        assert other.poll() is None
        other.kill()


def test_a_drip_of_bytes_is_no_answer() -> None:
    # Always something to read, never a line.
    process = AdapterProcess([sys.executable, "-c", "import os\nwhile True: os.write(1, b'x')"])
    end = time.monotonic() + _NET
    while not process.half_a_line:  # a busy machine takes its time to start it
        with pytest.raises(Silent):
            process.line(0.3)
        assert time.monotonic() < end
    process.end()


def test_what_came_before_a_limit_that_has_passed_is_not_lost() -> None:
    process = AdapterProcess(["/bin/sh", "-c", "printf ha; read line; printf 'lf\\nmore\\n'; exec sleep 600"])
    with pytest.raises(Silent):
        process.line(0.3)
    process.say(b"\n")
    assert process.line(_NET) == b"half"
    assert process.line(_NET) == b"more"
    process.end()


def test_a_stop_ends_waiting() -> None:
    stop = Stop()
    process = AdapterProcess(["/bin/sleep", "600"], stop=stop)
    assert not stop.is_set()
    stop.set()
    assert stop.is_set()
    with pytest.raises(Stopped):
        process.line(600)
    process.end()
    stop.close()


def test_signals_are_as_they_are_for_any_program() -> None:
    signals = "grep -E '^Sig(Ign|Blk)' /proc/self/status"
    plain = subprocess.run(["/bin/sh", "-c", signals], capture_output=True, check=True).stdout.splitlines()
    process = AdapterProcess(["/bin/sh", "-c", f'{signals}; echo "$HOME"'])
    told = [process.line(_NET) for _ in range(3)]
    assert told[:2] == plain
    with pytest.raises(Dead):
        process.line(_NET)
    assert process.after_its_end() == "status 0"
    assert not Path(os.fsdecode(told[2])).exists()


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGTERM])
def test_how_it_ended_is_told(number: int) -> None:
    process = AdapterProcess(["/bin/sh", "-c", f"kill -{int(number)} $$"])
    with pytest.raises(Dead):
        process.line(_NET)
    assert process.after_its_end() == f"signal {int(number)}"


def test_what_cannot_be_run_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("text", encoding="utf-8")
    for command, error in (("/no/such/program", FileNotFoundError), (str(tmp_path / "text"), PermissionError)):
        with pytest.raises(error):
            AdapterProcess([command])
