# SPDX-License-Identifier: Apache-2.0
"""How the program is found, and what becomes of one that does not do its work."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import pmproof
from qa.python.testing import NET, PMPROOF, program

Call = Callable[[Path, Path], object]


def checked(archive: Path, posing: Path) -> object:
    return pmproof.check(archive, program=posing)


def replayed(archive: Path, posing: Path) -> object:
    return list(pmproof.replay(archive, metrics=["a.b"], program=posing))


@pytest.fixture(name="call", params=[checked, replayed], ids=["check", "replay"])
def fixture_call(request: pytest.FixtureRequest) -> Call:
    call: Call = request.param
    return call


@pytest.mark.parametrize(
    ("body", "error", "told"),
    [
        ("echo 'pmproof: --metric: wrong' >&2; exit 2", pmproof.UsageError, "--metric: wrong"),
        ("echo 'pmproof: internal error: x' >&2; exit 5", pmproof.ProgramError, "ended with status 5: internal error: x"),
        ("exit 77", pmproof.ProgramError, "ended with status 77: pmproof (check|replay) says no more"),
        ("kill -KILL $$", pmproof.ProgramError, r"was ended by signal 9 \(SIGKILL\)"),
        ("kill -TERM $$", pmproof.ProgramError, r"was ended by signal 15 \(SIGTERM\)"),
        ("echo not JSON", pmproof.ProgramError, "is not understood .*: "),
        ("echo '{\"schema\": \"pmproof-report/2\"}'", pmproof.ProgramError, "is not understood .*: "),
        ("echo '[]'; exit 1", pmproof.ProgramError, "is not understood .*: "),
        ("printf '{\"time'; exit 5", pmproof.ProgramError, "ended with status 5"),
        ("printf 'pmproof: \\377\\033[2J' >&2; exit 4", pmproof.InputError, r"\\xff"),
    ],
)
def test_each_status_has_its_error(
    body: str, error: type[Exception], told: str, call: Call, tmp_path: Path
) -> None:
    posing = program(tmp_path, f"[ $1 != version ] || {{ echo 'pmproof 0.2.0 (rules x)'; exit; }}\n{body}")
    with pytest.raises(error, match=told) as raised:
        call(tmp_path, posing)
    assert type(raised.value) is error
    assert isinstance(raised.value, pmproof.Error)


@pytest.mark.parametrize("body", ["echo 'pmproof: there is no option --show' >&2; exit 2", "echo '{}'", "echo old"])
def test_a_program_that_is_too_old_is_called_so(body: str, call: Call, tmp_path: Path) -> None:
    posing = program(tmp_path, f"[ $1 != version ] || {{ echo 'pmproof 0.1.9 (rules x)'; exit; }}\n{body}")
    with pytest.raises(pmproof.ProgramTooOld, match=r"\(given\) is pmproof 0\.1\.9, and this package needs 0\.2\.0"):
        call(tmp_path, posing)


def test_a_program_that_is_another_one_is_called_so(call: Call, tmp_path: Path) -> None:
    with pytest.raises(pmproof.ProgramError, match="is no pmproof"):
        call(tmp_path, Path("/bin/echo"))


def test_a_program_that_is_not_there(call: Call, tmp_path: Path) -> None:
    with pytest.raises(pmproof.ProgramNotFound, match="nowhere"):
        call(tmp_path, tmp_path / "nowhere")


def test_a_program_that_the_system_does_not_run(call: Call, tmp_path: Path) -> None:
    (tmp_path / "junk").write_bytes(b"\x7fELFjunk")
    (tmp_path / "junk").chmod(0o755)
    with pytest.raises(pmproof.ProgramError, match="cannot be started: "):
        call(tmp_path, tmp_path / "junk")


def test_a_program_that_takes_too_long_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    posing = program(tmp_path, "echo $$ > pid\nexec sleep 1000")
    monkeypatch.chdir(tmp_path)
    calls: list[Callable[[], object]] = [
        lambda: pmproof.check(tmp_path, program=posing, timeout=0.5),
        lambda: list(pmproof.replay(tmp_path, metrics=["a.b"], program=posing, timeout=0.5)),
    ]
    for call in calls:
        started = time.monotonic()
        with pytest.raises(pmproof.TimedOut, match="took longer than 0.5 s"):
            call()
        assert time.monotonic() - started < NET
        assert not Path("/proc", (tmp_path / "pid").read_text(encoding="utf-8").strip()).exists()


def test_much_on_standard_error_blocks_nothing(call: Call, tmp_path: Path) -> None:
    posing = program(tmp_path, "head -c 3000000 /dev/zero | tr '\\0' x >&2; echo ' the end' >&2; exit 4")
    with pytest.raises(pmproof.InputError, match="the end$") as raised:
        call(tmp_path, posing)
    assert len(str(raised.value)) < 10_000


def test_it_is_found_by_the_variable_and_else_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMPROOF", str(PMPROOF))
    assert pmproof.Program.find() == pmproof.Program(str(PMPROOF), "$PMPROOF")
    monkeypatch.delenv("PMPROOF")
    posing = program(tmp_path, "exit 1").rename(tmp_path / "pmproof")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert pmproof.Program.find() == pmproof.Program(str(posing), "on the PATH")
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(pmproof.ProgramNotFound, match=r"there is no program pmproof.*\$PMPROOF may name it"):
        pmproof.Program.find()


def test_the_command_of_the_package_itself_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As it stands in an environment into which the package was installed without a program."""
    (tmp_path / "own").mkdir()
    own = program(tmp_path, "").rename(tmp_path / "own/pmproof")
    own.write_text(f"#!{sys.executable}\nimport sys\nfrom pmproof.__main__ import main\nsys.exit(main())\n", encoding="utf-8")
    monkeypatch.delenv("PMPROOF")
    monkeypatch.setenv("PATH", f"{tmp_path}/own")
    with pytest.raises(pmproof.ProgramNotFound):
        pmproof.Program.find()
    posing = program(tmp_path, "exit 1").rename(tmp_path / "pmproof")
    monkeypatch.setenv("PATH", f"{tmp_path}/own:{tmp_path}")
    assert pmproof.Program.find().path == str(posing)


def test_a_variable_that_names_nothing_is_not_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PMPROOF", str(tmp_path / "gone"))
    with pytest.raises(pmproof.ProgramNotFound, match=r"gone', the program that is \$PMPROOF, is not there or not executable"):
        pmproof.Program.find()


def test_the_module_is_the_program() -> None:
    command = [sys.executable, "-B", "-m", "pmproof", "explain", "ARC-9999"]
    environment = {"PYTHONPATH": os.pathsep.join(sys.path), "PMPROOF": str(PMPROOF), "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=NET, check=False)
    assert done.returncode == 2 and done.stderr.startswith("pmproof: ")
    done = subprocess.run(command, env=environment | {"PMPROOF": "/nowhere"}, capture_output=True, text=True, timeout=NET, check=False)
    assert done.returncode == 1
    assert done.stderr == "pmproof: '/nowhere', the program that is $PMPROOF, is not there or not executable\n"
