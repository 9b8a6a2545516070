# SPDX-License-Identifier: Apache-2.0
"""Nothing foreign is printed as it is: names, labels, help texts, values and paths with every hostile character, in every
command and every format."""

import csv
import functools
import io
import itertools
import json
import os
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from validator.testing import small_archive
from validator.testing.command_lines import Foreign, Line, agent_words, commands, formats, lines
from validator.testing.run import PMPROOF

PEER = Path(os.environ["HOSTILE_PEER"]).resolve()
# An escape sequence, controls, DEL, C1, reversed and hidden text, separators of lines, a byte order mark, what is no
# character, and bytes that are not UTF-8. In one name each, and in one after the other.
HOSTILE = [
    b"\x1b[2J",
    b"\x07\b\t",
    b"\r\n",
    b"\x7f",
    "\u009b".encode(),
    "\u202e\u2066".encode(),
    "\u200b\u200f\u061c".encode(),
    "\u2028\u2029".encode(),
    "\ufeff\uffff".encode(),
    b"\xff\xc0\xaf\xed\xa0\x80",
    b"<b>&\"'",
]
ALL = b"".join(HOSTILE)
NUL = b"a\0b"
FOREIGN = re.compile("[\0-\x09\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]")
FORMULAS = (b"=1+1", b"+1", b"-1", b"@x")


def run(*words: str | bytes, stdin: bytes = b"", env: dict[str, str] | None = None) -> "subprocess.CompletedProcess[bytes]":
    environment = {b"PATH": b"/usr/bin:/bin", b"LC_ALL": b"C.UTF-8"} | {
        name.encode(): value.encode() for name, value in (env or {}).items()
    }
    command = [os.fsencode(PMPROOF), *map(os.fsencode, words)]
    return subprocess.run(command, input=stdin, capture_output=True, env=environment, check=False, timeout=120)


def help_of(*words: str) -> str:
    return run(*words).stdout.decode()


@functools.cache
def formats_of(command: str) -> tuple[str, ...]:
    return tuple(formats(help_of("help", *command.split())))


def write_archive(base: Path, text: bytes, instances: list[bytes]) -> Path:
    metric, number = small_archive.pmid(60, 0, 1), small_archive.pmid(60, 0, 2)
    domain = small_archive.indom(60, 1)
    names = dict(enumerate(instances))
    owner = [(1, 0xFFFFFFFF), (2, 60), (4, domain), (8, small_archive.pmid(60, 0, 0)), (16, metric)]
    meta = [
        small_archive.desc(metric, [b"a." + text, b"b." + text], small_archive.STRING, domain),
        small_archive.desc(number, [b"c." + text], small_archive.U32, domain),
        small_archive.instances(domain, names),
        *(small_archive.labels(kind, of, b"k" + text[:40], text) for kind, of in owner),
        *(small_archive.text(kind, metric if kind < 8 else domain, text) for kind in (5, 6, 9, 10)),
    ]
    values = {instance: text for instance in names}
    counts = {instance: 7 + instance for instance in names}
    records = [small_archive.result(small_archive.START + at, {metric: values, number: counts}) for at in range(3)]
    small_archive.write(base, meta, [records], host=text[:60], timezone=text[:39])
    # A damaged record: findings name what is around it.
    with open(base.with_name(base.name + ".0"), "ab") as volume:
        volume.write(small_archive.result(small_archive.START + 9, {metric: {5: NUL}})[:-3] + b"\0\0\1")
    return base


def write_agent(folder: Path) -> None:
    """The files of an agent. What Install and Remove print is foreign as well."""
    folder.mkdir()
    script = b"#!/bin/sh\ncat <<'END'\n" + ALL + b"\nEND\nexit 1\n"
    files = {
        "domain.h": b"/* " + ALL + b" */\n#define SIMPLE 253\n",
        "pmns": b"root {\n\ta SIMPLE:0:0\n\tb" + ALL + b" SIMPLE:0:1\n}\n",
        "root": b"#include \"" + ALL + b"\"\n",
        "help": b"@ " + ALL + b" " + ALL + b"\n" + ALL + b"\n@ 253.7.7 " + ALL + b"\n",
        "Install": script,
        "Remove": script,
    }
    for name, content in files.items():
        (folder / name).write_bytes(content)
        (folder / name).chmod(0o755)


@pytest.fixture(name="foreign", scope="module")
def fixture_foreign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Foreign]:
    folder = Path(os.fsdecode(os.fsencode(tmp_path_factory.mktemp("foreign")) + b"/" + ALL.replace(b"/", b"")))
    folder.mkdir()
    instances = [*HOSTILE, *FORMULAS, b"plain"]
    archive = write_archive(Path(os.fsdecode(os.fsencode(folder) + b"/x" + ALL)), ALL, instances)
    other = write_archive(Path(os.fsdecode(os.fsencode(folder) + b"/y" + ALL)), ALL, instances)
    archive.with_name(archive.name + ".config").write_bytes(b"x.y = " + ALL + b"\n" + ALL + b"\n")
    shown = ALL.decode("utf-8", "replace")
    policy = {
        "schema": "pmproof-policy/1",
        "reclassify": [{"rule": "ARC-1305", "severity": "error", "reason": shown}, {"rule": "ARC-1429", "severity": "error", "reason": shown}],
        "require": [{"reason": shown, "metrics": [shown], "hosts": [shown], "label_keys": [shown], "time_zones": [shown], "compression": ["xz"]}],
    }
    archive.with_name(archive.name + ".policy").write_text(json.dumps(policy), encoding="utf-8")
    write_agent(archive.with_name(archive.name + ".agent"))
    expected = {"time": "1700000000.000000000", "metric": ALL.decode("utf-8", "replace"), "status": 0, "values": []}
    archive.with_name(archive.name + ".jsonl").write_text(json.dumps(expected) + "\n", encoding="utf-8")
    archive.with_name(archive.name + ".printed").write_bytes(b"metric:    " + ALL + b"\n" + ALL + b'\n    "' + ALL + b'"\n')
    out = folder.parent / "out"
    out.mkdir()
    number = itertools.count()
    socket = folder.parent / "socket"
    peer = ["/usr/bin/python3", "-B", str(PEER), "collector", str(socket)]
    with subprocess.Popen(peer, env={"HOSTILE": ALL.hex()}) as collector:
        while not socket.exists():
            time.sleep(0.01)
        yield Foreign(
            archive=os.fsencode(archive),
            other=os.fsencode(other),
            name=b"a." + ALL,
            instance=HOSTILE[0],
            text=ALL,
            agent=("/usr/bin/env", f"HOSTILE={ALL.hex()}", *agent_words(PEER)),
            socket=str(socket),
            out=lambda: os.fsencode(out / f"r{next(number)}"),
        )
        collector.kill()


def reports_of(line: Line) -> Iterator[bytes]:
    """What it wrote to files that are meant to be read by people or programs."""
    for option, value in itertools.pairwise(line.words):
        if option == "--output":
            path = os.fsencode(value).rpartition(b":")[2]
            if os.path.exists(path):
                yield Path(os.fsdecode(path)).read_bytes()


def judge(line: Line, printed: bytes) -> None:
    shown = printed.decode("utf-8")  # and nothing but that
    if line.format == "csv":
        shown = shown.replace("\r\n", "\n")  # so RFC 4180 ends a record
    found = FOREIGN.search(shown)
    assert found is None, f"{line}: {shown[max(found.start() - 60, 0):found.end()]!a}"


def parse(line: Line, printed: bytes) -> None:
    """What is for programs can be read by programs."""
    if line.format in ("json", "sarif") and printed:
        if line.command == "derive":
            for each in printed.splitlines():
                json.loads(each)
        else:
            json.loads(printed)
    elif line.format == "jsonl":
        for each in printed.splitlines():
            json.loads(each)
    elif line.format == "junit":
        ElementTree.fromstring(printed)
    elif line.format == "csv":
        rows = list(csv.reader(io.StringIO(printed.decode())))
        assert len({len(row) for row in rows}) <= 1
        for cell in itertools.chain.from_iterable(rows):
            assert not cell.startswith(("=", "+", "@")) and not re.match(r"-(?!\d+(\.\d+)?$)", cell), cell


def test_no_command_is_left_out(foreign: Foreign) -> None:
    listed = list(lines(foreign, formats_of))
    known = commands(help_of)
    assert {line.command for line in listed} == set(known)
    for command in known:
        assert {line.format for line in listed if line.command == command} - {None} == set(formats_of(command)), command
    assert len(known) >= 24


COMMANDS = commands(help_of)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_foreign_is_printed_escaped(command: str, foreign: Foreign) -> None:
    printed = 0
    for line in lines(foreign, formats_of):
        if line.command != command:
            continue
        words = [word for word in line.words if b"\0" not in os.fsencode(word)]
        done = run(*line.command.split(), *words, stdin=line.stdin)
        assert done.returncode in range(7), (line, done.stderr)
        assert done.returncode != 5 or command.startswith("agent"), (line, done.stderr)
        # What these send to a collector is the protocol.
        spoken = b"" if command in ("agent serve", "agent host", "collector agent") else done.stdout
        for part in (spoken, done.stderr, *reports_of(line)):
            judge(line, part)
            printed += len(part)
        parse(line, done.stdout)
    assert printed > 0


@pytest.mark.parametrize("command", ["check", "info", "dump", "replay"])
def test_hostile_text_is_shown_and_not_dropped(command: str, foreign: Foreign) -> None:
    words: list[str | bytes] = ["--metric", foreign.name] if command == "replay" else []
    shown = run(command, *words, foreign.archive).stdout.decode()
    assert "\\u202e" in shown or "\\xe2\\x80\\xae" in shown, shown


def test_formulas_are_quoted_for_spreadsheets_unless_they_are_to_be_kept(foreign: Foreign) -> None:
    words: list[str | bytes] = ["replay", "--format", "csv", "--metric", foreign.name, foreign.archive]
    quoted = {row[3] for row in csv.reader(io.StringIO(run(*words).stdout.decode()))}
    kept = {row[3] for row in csv.reader(io.StringIO(run(*words, "--formulas", "keep").stdout.decode()))}
    assert {"'" + formula.decode() for formula in FORMULAS} <= quoted
    assert {formula.decode() for formula in FORMULAS} <= kept
