# SPDX-License-Identifier: Apache-2.0
"""What the tests of fleets share: archives, programs that pose as pmproof, and waiting for what happens, never for a time."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

FLEET = Path(os.environ.get("FLEET", "qa/fleet/fleet")).resolve()
PMPROOF = Path(os.environ["PMPROOF"]).resolve()

# A net for tests that would never end otherwise: no test needs the time to pass.
NET = 600.0
_PER_FOLDER = 100

_CHECKER = """\
#!/usr/bin/python3 -BS
import os, signal, sys, time
paths = [word for word in sys.argv[1:] if word.startswith("/")]
def kill_worker():
    worker = os.getppid()
    with open(f"/proc/{{worker}}/cmdline", "rb") as command:
        if b"qa.fleet.local_worker" in command.read():
            os.kill(worker, signal.SIGKILL)
    os._exit(1)
def first(mark):
    try:
        os.close(os.open(mark, os.O_CREAT | os.O_EXCL))
        return True
    except FileExistsError:
        return False
with open({log!r}, "a") as log:
    log.write("".join(f"{{os.getppid()}} {{path}}\\n" for path in paths))
{body}
os.execv({pmproof!r}, [{pmproof!r}, *sys.argv[1:]])
"""


def small_archives(folder: Path, records: int) -> list[Path]:
    """All archives of so many records, in folders as hosts have them; in the order in which fleets take them."""
    flat = folder / "flat"
    folder.mkdir(exist_ok=True)
    subprocess.run([PMPROOF, "enumerate", "--records", str(records), flat], check=True, capture_output=True)
    files: dict[str, list[str]] = {}
    for name in os.listdir(flat):
        files.setdefault(name.rpartition(".")[0], []).append(name)
    archives = []
    for number, base in enumerate(sorted(files)):
        host = folder / "hosts" / f"host{number // _PER_FOLDER:03}"
        host.mkdir(parents=True, exist_ok=True)
        for name in files[base]:
            (flat / name).rename(host / name)
        archives.append(host / base)
    return archives


def checker(folder: Path, body: str = "", log: str = "asked") -> Path:
    """A program that writes down what it is asked for and does as pmproof does, unless `body` does something else.

    `body` may use `paths`, kill_worker() and first(FILE), which is true once.
    """
    folder.mkdir(parents=True, exist_ok=True)
    program = folder / "checker"
    program.write_text(_CHECKER.format(log=str(folder / log), body=body, pmproof=str(PMPROOF)), encoding="utf-8")
    program.chmod(0o755)
    return program


def asked(folder: Path, log: str = "asked") -> list[tuple[int, str]]:
    """What a checker was asked for: its worker's process, and an archive."""
    lines = (folder / log).read_text(encoding="utf-8").splitlines()
    return [(int(worker), path) for worker, path in (line.split(" ", 1) for line in lines)]


def fleet(*arguments: str | Path, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
    environment = fleet_environment()
    return subprocess.run(_command(arguments), capture_output=True, text=True, check=False, timeout=NET, env=environment, cwd=cwd)


@contextmanager
def fleet_running(*arguments: str | Path) -> Iterator[subprocess.Popen[bytes]]:
    with running(_command(arguments)) as process:
        yield process


@contextmanager
def running(command: Sequence[str | Path], cwd: Path | None = None) -> Iterator[subprocess.Popen[bytes]]:
    """Whatever happens, the process and all that it started in its group have ended afterwards."""
    with subprocess.Popen(
        list(map(str, command)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
        cwd=cwd,
        env=fleet_environment(),
    ) as process:
        assert process.stderr is not None
        os.set_blocking(process.stderr.fileno(), False)
        try:
            yield process
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def _command(arguments: Sequence[str | Path]) -> list[str]:
    return [sys.executable, "-B", str(FLEET), *map(str, arguments)]


def fleet_environment() -> dict[str, str]:
    """What a fleet gets to know of this process."""
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TMPDIR": os.environ.get("TEST_TMPDIR", "/tmp")}


def wait_for(event: Callable[[], bool], process: subprocess.Popen[bytes] | None = None) -> None:
    """Until it has happened; an error if a process that should make it happen ends before."""
    net = time.monotonic() + NET
    while not event():
        if process is not None and process.poll() is not None and not event():
            said = process.stderr.read() if process.stderr else b""
            raise AssertionError(f"it ended before, with status {process.returncode}: {(said or b'').decode()}")
        assert time.monotonic() < net, "never happened"
        time.sleep(0.05)


def alive(process: int) -> bool:
    """Whether there is a process that is not about to be forgotten."""
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state not in "ZX"


def flip_a_byte(file: Path) -> None:
    """The last one, as a disk may do it: size and times stay."""
    status = file.stat()
    content = bytearray(file.read_bytes())
    content[-1] ^= 0xFF
    file.write_bytes(content)
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
