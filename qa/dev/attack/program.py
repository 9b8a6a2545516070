# SPDX-License-Identifier: Apache-2.0
"""Runs of the program under attack, and what must hold of every one of them."""

import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree import ElementTree

# Controls but for the newline, what reverses or hides text, what is no character.
FOREIGN = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
NO_END = 60.0  # seconds: nothing here takes so long on a machine that does other things as well
_MOST_OUTPUT = 64 << 20  # bytes of a file that is written
_STATUSES = range(7)


@dataclass(frozen=True)
class Done:
    words: tuple[str | bytes, ...]
    status: int  # negative: of a signal
    out: bytes
    err: bytes
    seconds: float
    timed_out: bool = False


@dataclass
class Outcome:
    """What one attack came to: a row of the table."""

    attack: str
    runs: int = 0
    figures: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    seconds: float = 0

    def take(self, problems: Sequence[str]) -> None:
        self.problems += problems


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    return {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", "TMPDIR": tempfile.gettempdir(), **(more or {})}


def _limits() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (_MOST_OUTPUT, _MOST_OUTPUT))


def run(
    program: Path,
    words: Sequence[str | bytes],
    stdin: bytes = b"",
    env: Mapping[str, str] | None = None,
    limit: float = NO_END,
    cwd: Path | None = None,
) -> Done:
    """What is printed goes through files: a pipe would be a limit of its own."""
    begin = time.monotonic()
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        command = [os.fsencode(program), *map(os.fsencode, words)]
        with subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=out, stderr=err, env=environment(env), preexec_fn=_limits, cwd=cwd,
            start_new_session=True,
        ) as process:
            timed_out = False
            try:
                process.communicate(stdin, timeout=limit)
            except subprocess.TimeoutExpired:
                timed_out = True
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        seconds = time.monotonic() - begin
        out.seek(0)
        err.seek(0)
        return Done(tuple(words), process.returncode, out.read(), err.read(), seconds, timed_out)


def faults_of(done: Done, form: str | None = None, statuses: Sequence[int] = _STATUSES) -> list[str]:
    """What must not be; each as a line."""
    where = shown(done.words)
    if done.timed_out:
        return [f"{where}: no end after {done.seconds:.0f} s"]
    if done.status < 0:
        return [f"{where}: ended by {signal.Signals(-done.status).name}"]
    found = []
    if done.status not in statuses:
        found.append(f"{where}: status {done.status}: {done.err[-200:]!a}")
    if b"internal error" in done.err:
        found.append(f"{where}: {done.err[-200:]!a}")
    # What these send to a collector is the protocol.
    spoken = done.words[:2] in (("agent", "serve"), ("agent", "host"), ("collector", "agent"))
    for part in (done.err,) if spoken else (done.out, done.err):
        try:
            text = part.decode("utf-8")
        except UnicodeDecodeError as error:
            found.append(f"{where}: prints what is not UTF-8: {part[max(error.start - 20, 0):error.end + 20]!a}")
            continue
        # So RFC 4180 ends a record.
        foreign = FOREIGN.search(text.replace("\r\n", "\n") if form == "csv" else text)
        if foreign:
            found.append(f"{where}: prints {text[max(foreign.start() - 20, 0):foreign.end() + 20]!a}")
    # The end of a file of a limited size is cut off.
    if done.status in (0, 1, 4, 6) and len(done.out) < _MOST_OUTPUT:
        found += [f"{where}: {form} that is none: {why}" for why in _malformed(done, form)]
    return found


def _malformed(done: Done, form: str | None) -> list[str]:
    try:
        if form in ("json", "sarif") and done.out and "derive" not in done.words[0:1]:
            json.loads(done.out)
        elif form == "jsonl":
            for line in done.out.splitlines():
                json.loads(line)
        elif form == "junit" and (done.out or done.status in (0, 1)):
            ElementTree.fromstring(done.out)
    except (ValueError, ElementTree.ParseError) as error:
        return [str(error)]
    return []


def shown(words: Sequence[str | bytes]) -> str:
    """A command line, so that it can be typed again in bash."""
    return " ".join(_quoted(os.fsencode(word)) for word in words)


def _quoted(word: bytes) -> str:
    if re.fullmatch(rb"[A-Za-z0-9_./:=,+@%-]+", word):
        return word.decode()
    body = "".join(chr(byte) if 32 <= byte < 127 and byte not in b"\\'" else f"\\x{byte:02x}" for byte in word)
    return f"$'{body}'"
