# SPDX-License-Identifier: Apache-2.0
"""The process between the suite and an adapter. It ends all that the adapter started, whatever becomes of the suite.

    guardian.py CONTROL FOLDER COMMAND [ARGUMENT...]

CONTROL is the descriptor of a stream socket. Its end-of-file orders the end: it comes when the suite closes its side,
and when the suite dies of anything, SIGKILL included. The guardian is a subreaper: whoever leaves the adapter's session
or loses its parent becomes a child of the guardian, so nothing below it escapes. It writes lines of JSON to CONTROL:

    {"started": PID}  or  {"errno": NUMBER}    once
    {"status": STATUS}                         of the command, negative for a signal

The guardian makes the command's HOME, in FOLDER, and removes it. It uses the standard library alone.
"""

import contextlib
import ctypes
import errno
import json
import os
import select
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NoReturn

_SET_DEATH_SIGNAL = 1  # PR_SET_PDEATHSIG
_SET_CHILD_SUBREAPER = 36  # PR_SET_CHILD_SUBREAPER
_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGPIPE)
_PAUSE = 0.005  # seconds between rounds, for those that were killed to go
_ROUNDS = 2000  # without any progress, after which those that may not be killed are left

_libc = ctypes.CDLL(None, use_errno=True)


def become_subreaper(become: bool = True) -> None:
    """Makes orphans below this process its children, or no longer. Raises OSError."""
    if _libc.prctl(_SET_CHILD_SUBREAPER, int(become), 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_CHILD_SUBREAPER)")


@contextlib.contextmanager
def orphans_ended() -> Iterator[None]:
    """The last net: what escaped because it killed its guardian is ended when this is left.

    Children that exist before are spared; nobody may start others within it and expect them to stay.
    """
    spared = frozenset(children_of(os.getpid()))
    become_subreaper()
    try:
        yield
    finally:
        end_children(spared)
        become_subreaper(False)


def children_of(process: int) -> set[int]:
    """Those that have not been waited for are among them."""
    return {child for child, parent in _parents().items() if parent == process}


def _parents() -> dict[int, int]:
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                status = Path("/proc", name, "stat").read_bytes()
            except OSError:
                continue  # it has just ended
            found[int(name)] = int(status.rpartition(b")")[2].split()[1])
    return found


def end_children(spared: frozenset[int] = frozenset()) -> int:
    """Kills all descendants of this process, over and over, until none is left but `spared` and those below.

    Returns how many there are that this process may not kill.
    """
    idle = 0
    while idle < _ROUNDS:
        left = _descendants(os.getpid(), spared)
        if not left:
            return 0
        for process in left:
            _kill(process)
        reaped = False
        for child in children_of(os.getpid()) - spared:
            try:
                reaped |= os.waitpid(child, os.WNOHANG)[0] != 0
            except ChildProcessError:
                pass
        idle = 0 if reaped else idle + 1
        if not reaped:
            time.sleep(_PAUSE)
    return len(_descendants(os.getpid(), spared))


def _descendants(top: int, spared: frozenset[int]) -> list[int]:
    below: dict[int, list[int]] = {}
    for child, parent in _parents().items():
        below.setdefault(parent, []).append(child)
    found, pending = [], [top]
    while pending:
        children = [child for child in below.get(pending.pop(), []) if child not in spared]
        found += children
        pending += children
    return found


def _kill(process: int) -> None:
    """With its group: who forks faster than it is found has no other trace."""
    try:
        group = os.getpgid(process)
        if group not in (0, 1, os.getpgrp()):
            os.killpg(group, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass
    try:
        os.kill(process, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


class _Guardian:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._command = -1

    def run(self, folder: str, command: Sequence[str]) -> None:
        home = tempfile.mkdtemp(prefix="pmproof-home-", dir=folder)
        try:
            wake, woken = os.pipe()
            for end in (wake, woken):
                os.set_blocking(end, False)
            signal.set_wakeup_fd(woken)
            signal.signal(signal.SIGCHLD, lambda *_: None)
            for number in _SIGNALS:
                signal.signal(number, signal.SIG_IGN)  # it ends when it is told to, and not before its work is done
            if not self._start(command, home):
                return
            self._watch(wake)
            self._end()
        finally:
            shutil.rmtree(home, ignore_errors=True)

    def _start(self, command: Sequence[str], home: str) -> bool:
        failed, fail = os.pipe()
        guardian = os.getpid()
        self._command = os.fork()
        if self._command == 0:
            _become(command, home, guardian, fail)
        os.close(fail)
        # The suite has to see the end of the command's output, and the command that of its input.
        nothing = os.open(os.devnull, os.O_RDWR)
        for number in range(3):
            os.dup2(nothing, number)
        failure = os.read(failed, 16)
        os.close(failed)
        if failure:
            os.waitpid(self._command, 0)
            self._say({"errno": int(failure)})
            return False
        self._say({"started": self._command})
        return True

    def _watch(self, wake: int) -> None:
        """Returns when the suite has closed its side, or is gone."""
        while True:
            self._reap()
            ready = select.select([self._control, wake], [], [])[0]
            if wake in ready:
                os.read(wake, 4096)
            if self._control in ready and not self._control.recv(64):
                return

    def _reap(self) -> None:
        while True:
            try:
                process, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if process == 0:
                return
            if process == self._command:
                self._command = -1
                self._say({"status": os.waitstatus_to_exitcode(status)})

    def _end(self) -> None:
        self._reap()
        if self._command > 0:
            with contextlib.suppress(PermissionError):
                os.kill(self._command, signal.SIGKILL)
                status = os.waitpid(self._command, 0)[1]
                self._say({"status": os.waitstatus_to_exitcode(status)})
        end_children()

    def _say(self, message: dict[str, int]) -> None:
        try:
            self._control.sendall(json.dumps(message).encode() + b"\n")
        except OSError:
            pass  # nobody listens any more


def _become(command: Sequence[str], home: str, guardian: int, fail: int) -> NoReturn:
    try:
        os.setsid()
        _libc.prctl(_SET_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != guardian:
            os._exit(127)
        signal.set_wakeup_fd(-1)
        for number in (*_SIGNALS, signal.SIGCHLD, signal.SIGXFSZ):  # Python ignores the last one
            signal.signal(number, signal.SIG_DFL)
        os.execvpe(command[0], list(command), {**os.environ, "HOME": home})
    except OSError as error:
        os.write(fail, str(error.errno or errno.EINVAL).encode())
    except ValueError:
        os.write(fail, str(errno.EINVAL).encode())
    finally:
        os._exit(127)


def main() -> None:
    with socket.socket(fileno=int(sys.argv[1])) as control:
        control.set_inheritable(False)
        become_subreaper()
        _Guardian(control).run(sys.argv[2], sys.argv[3:])


if __name__ == "__main__":
    main()
