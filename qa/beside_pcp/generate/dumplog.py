# SPDX-License-Identifier: Apache-2.0
"""The output of `pmdumplog -xxx -L -d -e -i -I -m`, parsed (OUT-401..423).

Texts of the archive are printed as they are, quotes and line breaks included (OUT-104): what fits no rule is taken for
the next line of the value before it.
"""

import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.beside_pcp.generate.entries import NANOSECONDS
from qa.beside_pcp.generate.libpcp import ENVIRONMENT
from qa.peers.peers import Peer

# -xxx ends each time stamp with the seconds since 1970 (OUT-421).
OPTIONS = ("-xxx", "-L", "-d", "-e", "-i", "-I", "-m")

_STAMP = (
    rb"[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d\.(?P<fraction>\d{6}|\d{9}) -?\d+"
    rb"(?: \(-?[\d.]+\))? (?P<epoch>-?\d+)"
)
_RECORD = re.compile(_STAMP + rb" (?:(?P<count>\d+) metrics?| (?P<mark><mark>))")
_ENDS = re.compile(rb"    (?:commencing|ending    ) " + _STAMP)
_DESC = re.compile(rb"PMID: (\d+\.\d+\.\d+) \((.*)\)")
_TYPE = re.compile(rb"    Data Type: (.*?)(?:  InDom: (\S+) 0x([0-9a-f]+))?")
_UNITS = re.compile(rb"    Semantics: (.*)  Units: (.*)")
_DOMAIN = re.compile(rb"InDom: (\d+\.\d+)")
_CHANGE = re.compile(_STAMP + rb" (?P<count>\d+) instances?")
_ON_DISK = re.compile(_STAMP + rb" InDom: (?P<indom>\d+\.\d+)(?P<delta> delta)? (?P<count>\d+) instances?")
_INSTANCE = re.compile(rb'   (?P<what>add |del |)(?P<id>-?\d+)(?: or "(?P<name>.*)")?', re.DOTALL)
_LABEL_TIME = re.compile(_STAMP)
_LABEL_SET = re.compile(
    rb"    (?P<level>Context|Domain|Cluster|PMID|InDom)(?: (?P<of>[\d.]+))?(?:\[(?P<instance>\d+)\])?"
    rb" labels \(\d+ bytes\): (?P<json>.*)"
)
_LABEL = re.compile(rb"        \[\d+\] name\((\d+),(\d+)\) : value\((\d+),(\d+)\) \[(.*)\]")
_SET = re.compile(rb"    (?P<pmid>\d+\.\d+\.\d+) \((?P<names>[^()]*?)\):(?: (?P<rest>.*))?", re.DOTALL)
_EVENT_SET = re.compile(
    rb'    (?P<pmid>\d+\.\d+\.\d+) \((?P<names>[^()\[]*)(?:\[(?P<id>\d+)(?: or "(?P<name>.*)"| or \?\?\?)?\])?\): '
    rb"(?:(?P<count>\d+)(?: \(and \d+ missed\))? event records?|No event records)"
)
_VALUE = re.compile(rb'(?:inst \[(?P<id>-?\d+) or (?:"(?P<name>.*)"|\?\?\?)\] )?value (?P<text>.*)', re.DOTALL)
_EVENT = re.compile(
    rb"        --- event record \[\d+\] timestamp (?:.* )?(?P<time>\d\d:\d\d:\d\d\.\d+)(?: -?\d+ \([^)]*\))?(?: -?\d+)?"
    rb"(?: flags 0x(?P<flags>[0-9a-f]+) \(.*\))? ---"
)
_MISSED = re.compile(rb"        ==> (\d+) missed event records?")
_PARAMETER = re.compile(rb"        (\d+\.\d+\.\d+) \(([^()]*)\): value (.*)", re.DOTALL)

_LABEL_LINES = (
    b"Performance metrics from host ",
    b"Archive timezone: ",
    b"Archive zoneinfo: ",
    b"PID for pmlogger: ",
)
_SECTIONS = {
    b"Descriptions for Metrics in the Log ...": "descs",
    b"Metric Labels in the Log ...": "labels",
    b"Instance Domains on-disk ...": "on_disk",
    b"Instance Domains in the Log ...": "indoms",
}


class DumpError(Exception):
    """pmdumplog failed, or printed a line that no rule is for."""


@dataclass
class DumpDesc:
    pmid: str
    names: tuple[bytes, ...]
    type: str = ""
    indom: str | None = None
    semantics: str = ""
    units: str = ""


@dataclass
class DumpChange:
    """A record of -I, or an instance domain from some time on as -i says it. A name is None where it is deleted."""

    time: int
    indom: str
    delta: bool
    instances: list[tuple[int, bytes | None]] = field(default_factory=list)


@dataclass
class DumpLabels:
    time: int
    level: str
    of: str
    instance: int | None
    json: bytes
    labels: list[tuple[int, int, int, int, str]] = field(default_factory=list)  # places in the JSON, flags in words


@dataclass
class DumpEvent:
    time: str  # HH:MM:SS and a fraction
    flags: int
    missed: int | None = None
    parameters: list[tuple[str, bytes]] = field(default_factory=list)  # pmid, value as printed


@dataclass
class DumpValue:
    instance: int | None
    name: bytes | None
    text: bytes = b""
    events: list[DumpEvent] = field(default_factory=list)


@dataclass
class DumpSet:
    pmid: str
    names: tuple[bytes, ...]
    error: bytes | None = None  # a text instead of values
    values: list[DumpValue] = field(default_factory=list)


@dataclass
class DumpRecord:
    """One without sets is a mark; `count` is what the heading says."""

    time: int
    count: int
    sets: list[DumpSet] = field(default_factory=list)


@dataclass
class Dump:
    label: dict[str, str] = field(default_factory=dict)
    times: list[int] = field(default_factory=list)  # start and, unless unknown, end
    descs: list[DumpDesc] = field(default_factory=list)
    labels: list[DumpLabels] = field(default_factory=list)
    on_disk: list[DumpChange] = field(default_factory=list)
    indoms: list[DumpChange] = field(default_factory=list)
    records: list[DumpRecord] = field(default_factory=list)


def dump(peer: Peer, archive: Path, options: Sequence[str] = (), timeout: float = 120) -> Dump:
    """Raises DumpError, and subprocess.TimeoutExpired after `timeout` seconds. `options` are added to OPTIONS."""
    argv = peer.argv(["pmdumplog", *OPTIONS, *options, archive], [archive.parent], environment=ENVIRONMENT)
    done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout, check=False)
    if done.returncode != 0 or done.stderr:
        raise DumpError(f"status {done.returncode}: {done.stderr.decode(errors='replace').strip()[-500:]}")
    return parse(done.stdout)


def parse(output: bytes) -> Dump:
    parser = _Parser()
    lines = output.removesuffix(b"\n").split(b"\n")
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else b""
        try:
            parser.take(line, following)
        except DumpError as error:
            raise DumpError(f"line {number + 1}: {error}: {line[:200]!r}") from None
    return parser.dump


def _time(match: re.Match[bytes]) -> int:
    fraction = match["fraction"]
    return int(match["epoch"]) * NANOSECONDS + int(fraction) * (1000 if len(fraction) == 6 else 1)


def _names(text: bytes) -> tuple[bytes, ...]:
    return tuple(text.split(b" or ")) if text else ()


class _Parser:
    """Line after line; `section` is what the lines belong to."""

    def __init__(self) -> None:
        self.dump = Dump()
        self.section = "label"
        self._time = 0
        self._indom = ""

    def take(self, line: bytes, following: bytes) -> None:
        if line == b"" and (self.section != "records" or _RECORD.fullmatch(following)):
            return
        if self.section != "records" and line in _SECTIONS:
            self.section = _SECTIONS[line]
        elif _RECORD.fullmatch(line):
            self.section = "records"
            self._begin_record(line)
        else:
            getattr(self, f"_take_{self.section}")(line)

    def _take_label(self, line: bytes) -> None:
        if match := _ENDS.fullmatch(line):
            self.dump.times.append(_time(match))
            return
        for prefix in _LABEL_LINES:
            if line.startswith(prefix):
                text = line.removeprefix(prefix).decode(errors="surrogateescape")
                self.dump.label[prefix.decode().strip(": ")] = text
                return
        if not line.startswith((b"Log Label (", b"Archive features: ", b"    ending     UNKNOWN")):
            raise DumpError("unknown line of the label")

    def _take_descs(self, line: bytes) -> None:
        descs = self.dump.descs
        if match := _DESC.fullmatch(line):
            descs.append(DumpDesc(match[1].decode(), _names(match[2])))
        elif match := _TYPE.fullmatch(line):
            descs[-1].type = match[1].decode()
            descs[-1].indom = None if match[2] in (None, b"PM_INDOM_NULL") else match[2].decode()
        elif match := _UNITS.fullmatch(line):
            descs[-1].semantics, descs[-1].units = match[1].decode(), match[2].decode()
        else:
            raise DumpError("unknown line of a descriptor")

    def _take_labels(self, line: bytes) -> None:
        if match := _LABEL_TIME.fullmatch(line):
            self._time = _time(match)
        elif match := _LABEL_SET.fullmatch(line):
            instance = None if match["instance"] is None else int(match["instance"])
            of = (match["of"] or b"").decode()
            self.dump.labels.append(DumpLabels(self._time, match["level"].decode(), of, instance, match["json"]))
        elif match := _LABEL.fullmatch(line):
            places = tuple(int(match[i]) for i in range(1, 5))
            self.dump.labels[-1].labels.append((places[0], places[1], places[2], places[3], match[5].decode()))
        else:
            raise DumpError("unknown line of labels")

    def _take_on_disk(self, line: bytes) -> None:
        if match := _ON_DISK.fullmatch(line):
            self.dump.on_disk.append(DumpChange(_time(match), match["indom"].decode(), match["delta"] is not None))
        else:
            self._take_instance(self.dump.on_disk, line)

    def _take_indoms(self, line: bytes) -> None:
        if match := _DOMAIN.fullmatch(line):
            self._indom = match[1].decode()
        elif match := _CHANGE.fullmatch(line):
            self.dump.indoms.append(DumpChange(_time(match), self._indom, False))
        else:
            self._take_instance(self.dump.indoms, line)

    @staticmethod
    def _take_instance(changes: list[DumpChange], line: bytes) -> None:
        match = _INSTANCE.fullmatch(line)
        if not match or not changes:
            raise DumpError("unknown line of an instance domain")
        name = None if match["what"] == b"del " else match["name"]
        changes[-1].instances.append((int(match["id"]), name))

    def _begin_record(self, line: bytes) -> None:
        match = _RECORD.fullmatch(line)
        assert match
        self.dump.records.append(DumpRecord(_time(match), int(match["count"] or 0)))

    def _take_records(self, line: bytes) -> None:
        sets = self.dump.records[-1].sets
        if match := _EVENT_SET.fullmatch(line):
            self._take_event_set(match)
        elif match := _SET.fullmatch(line):
            sets.append(DumpSet(match["pmid"].decode(), _names(match["names"])))
            if match["rest"] is not None:
                self._take_rest(match["rest"])
        elif sets and line.startswith(b"        inst [") and (match := _VALUE.fullmatch(line[8:])):
            self._take_value(match)
        elif sets and sets[-1].values:
            self._take_detail(line)
        else:
            raise DumpError("unknown line of a record")

    def _take_rest(self, rest: bytes) -> None:
        if match := _VALUE.fullmatch(rest):
            self._take_value(match)
        else:
            self.dump.records[-1].sets[-1].error = rest

    def _take_value(self, match: re.Match[bytes]) -> None:
        instance = None if match["id"] is None else int(match["id"])
        self.dump.records[-1].sets[-1].values.append(DumpValue(instance, match["name"], match["text"]))

    def _take_event_set(self, match: re.Match[bytes]) -> None:
        sets = self.dump.records[-1].sets
        pmid = match["pmid"].decode()
        # Each instance has a line of its own that begins like a set.
        if not (match["id"] is not None and sets and sets[-1].pmid == pmid):
            sets.append(DumpSet(pmid, _names(match["names"])))
        instance = None if match["id"] is None else int(match["id"])
        sets[-1].values.append(DumpValue(instance, match["name"]))

    def _take_detail(self, line: bytes) -> None:
        """A line of an event record, or the next one of a text."""
        value = self.dump.records[-1].sets[-1].values[-1]
        if match := _EVENT.fullmatch(line):
            value.events.append(DumpEvent(match["time"].decode(), int(match["flags"] or b"0", 16)))
        elif value.events and (match := _MISSED.fullmatch(line)):
            value.events[-1].missed = int(match[1])
        elif value.events and (match := _PARAMETER.fullmatch(line)):
            value.events[-1].parameters.append((match[1].decode(), match[3]))
        elif value.events and line.strip() == b"No parameters":
            pass
        elif value.events and value.events[-1].parameters:
            pmid, text = value.events[-1].parameters[-1]
            value.events[-1].parameters[-1] = (pmid, text + b"\n" + line)
        elif value.text:
            value.text += b"\n" + line
        else:
            raise DumpError("unknown line of a value")
