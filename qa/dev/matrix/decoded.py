# SPDX-License-Identifier: Apache-2.0
"""What the octets of an archive say, by `pmproof dump`, in the form of the truth of a generated one (qa/beside_pcp/generate/truth.py)."""

import json
import os
import struct
import subprocess
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.beside_pcp.generate.entries import (
    Desc,
    EventRecord,
    HelpText,
    IndomChange,
    Json,
    Label,
    Labels,
    LabelSet,
    Parameter,
    Record,
    Value,
    ValueSet,
    to_bytes,
    to_instances,
    to_record,
    to_time,
)
from qa.beside_pcp.generate.truth import Truth

_TYPES = ("32", "u32", "64", "u64", "float", "double", "string", "aggregate", "aggregate_static", "event", "highres_event")
_MISSED = 0x80000000
_LENGTHS = {"32": ">i", "u32": ">I", "64": ">q", "u64": ">Q", "float": ">I", "double": ">Q"}


class DecodeError(Exception):
    """Not all of it can be decoded."""


@dataclass(frozen=True)
class Finding:
    rule: str
    severity: str
    message: str


@dataclass(frozen=True)
class Decoded:
    """`truth.head["violates"]` are the rules of which `pmproof check` has a finding, of whatever severity."""

    truth: Truth
    findings: Sequence[Finding]
    lines: Sequence[str]  # of `pmproof dump --format jsonl`

    def errors(self) -> list[Finding]:
        return [one for one in self.findings if one.severity in ("error", "fatal")]


def run(pmproof: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [pmproof, *words],
        capture_output=True,
        encoding="utf-8",
        env={"PATH": os.defpath, "LC_ALL": "C"},
        timeout=300,
        check=False,
    )


def findings_of(pmproof: Path, base: Path) -> list[Finding]:
    """Raises DecodeError for what is not an archive."""
    done = run(pmproof, "check", "--format", "json", base)
    if done.returncode not in (0, 1):
        raise DecodeError(f"pmproof check: status {done.returncode}: {done.stderr.strip()}")
    (told,) = json.loads(done.stdout)["archives"]
    return [Finding(one["rule"], one["severity"], one["message"]) for one in told["findings"]]


def decode(pmproof: Path, base: Path) -> Decoded:
    """Raises DecodeError."""
    findings = findings_of(pmproof, base)
    done = run(pmproof, "dump", "--hex", "--format", "jsonl", base)
    if done.returncode != 0:
        raise DecodeError(f"pmproof dump: status {done.returncode}: {done.stderr.strip()}")
    lines = done.stdout.splitlines()
    entries = [json.loads(line) for line in lines]
    label = next(entry for entry in entries if entry["type"] == "label" and ".meta" in entry["file"])
    head = {"archive_version": label["version"], "compression": "none", "label": label}
    rules = {one.rule for one in findings}
    if "ARC-1724" in rules:
        rules.add("ARC-1720")  # of a record after a mark that is later
    head["violates"] = sorted(rules)
    return Decoded(truth_of(head, entries), findings, lines)


def truth_of(head: Json, entries: Iterable[Json]) -> Truth:
    truth = Truth(dict(head))
    for told in sorted(entries, key=_file_order):
        match told["type"]:
            case "desc":
                _add_desc(truth, told)
            case "indom" | "indom-delta":
                _add_indom(truth, told)
            case "labels":
                labels = Labels(to_time(told["time"]), told["class"], told["identifier"], label_sets(bytes.fromhex(told["hex"]), head))
                truth.labels.setdefault((labels.label_class, labels.identifier), []).append(labels)
            case "text":
                text = HelpText(told["text_type"], _identifier(told), to_bytes(told["text"]))
                truth.texts[text.text_type, text.identifier] = text
            case "result" | "mark":
                truth.records.append(_record(told))
            case "label" | "entry" | "end":
                pass
            case kind:
                raise DecodeError(f"{told['file']} at {told['offset']}: {kind}")
    return truth


def _file_order(told: Json) -> int:
    """Volumes by their number, whatever order they are told in."""
    suffix = told["file"].rpartition(".")[2]
    return int(suffix) if suffix.isdecimal() else -1


def _identifier(told: Json) -> int:
    if "pmid" in told:
        domain, cluster, item = map(int, told["pmid"].split("."))
        return domain << 22 | cluster << 10 | item
    domain, serial = map(int, told["indom"].split("."))
    return domain << 22 | serial


def _add_desc(truth: Truth, told: Json) -> None:
    (units,) = struct.unpack_from(">I", bytes.fromhex(told["hex"]), 24)  # ARC-302
    names = tuple(map(to_bytes, told["names"]))
    before = truth.descs.get(told["pmid"])
    if before is not None:  # the first counts, later ones add names (ARC-307)
        names = tuple(dict.fromkeys(before.names + names))
        truth.descs[told["pmid"]] = Desc(before.pmid, names, before.type, before.semantics, before.indom, before.units)
        return
    truth.descs[told["pmid"]] = Desc(told["pmid"], names, told["metric_type"], told["semantics"], told["indom"], units)


def _add_indom(truth: Truth, told: Json) -> None:
    time, indom = to_time(told["time"]), told["indom"]
    changes = truth.indoms.setdefault(indom, [])
    if told["type"] == "indom":
        changes.append(IndomChange(time, indom, "full", to_instances(told)))
        return
    listed = {one["instance"]: None if one["name"] is None else to_bytes(one["name"]) for one in told["instances"]}
    before = dict(changes[-1].instances) if changes else {}
    after = {number: name for number, name in (before | listed).items() if name is not None}
    changes.append(IndomChange(time, indom, "delta", after, tuple(listed.items())))


def label_sets(record: bytes, head: Json) -> tuple[LabelSet, ...]:
    """Of a whole LABEL record (ARC-390, ARC-391)."""
    place = 8 + (12 if head["archive_version"] == 3 else 8) + 8
    (count,) = struct.unpack_from(">i", record, place)
    place += 4
    sets = []
    for _ in range(max(count, 0)):
        instance, length = struct.unpack_from(">Ii", record, place)
        text = record[place + 8 : place + 8 + length]
        place += 8 + length
        (number,) = struct.unpack_from(">i", record, place)
        place += 4
        labels = []
        for _ in range(max(number, 0)):
            name, name_length, flags, value, value_length = struct.unpack_from(">HBBHH", record, place)
            place += 8
            labels.append(Label(text[name : name + name_length], text[value : value + value_length], flags))
        sets.append(LabelSet(None if instance == 0xFFFFFFFF else instance, text, tuple(labels)))
    return tuple(sets)


def _record(told: Json) -> Record:
    """Events are their octets in a dump, and record by record in a truth."""
    arrays = {}
    plain: dict[str, Any] = {**told, "metrics": []}
    for each in told.get("metrics", ()):
        kept: dict[str, Any] = {**each, "values": []}
        for value in each["values"]:
            if value.get("type") in ("event", "highres_event"):
                arrays[each["pmid"], value["instance"]] = events_of(to_bytes(value["value"]), value["type"])
                value = {**value, "value": ""}
            kept["values"].append(value)
        plain["metrics"].append(kept)
    record = to_record(plain)
    if not arrays:
        return record
    sets = []
    for one in record.sets:
        values = (Value(v.instance, v.type, arrays.get((one.pmid, v.instance), v.data)) for v in one.values)
        sets.append(ValueSet(one.pmid, one.status, tuple(values)))
    return Record(record.time, tuple(sets))


def events_of(octets: bytes, kind: str) -> tuple[EventRecord, ...]:
    """An event array (ARC-260)."""
    (count,) = struct.unpack_from(">i", octets, 0)
    place = 4
    records = []
    for _ in range(count):
        if kind == "event":
            seconds, fraction = struct.unpack_from(">iI", octets, place)
            place, fraction = place + 8, fraction * 1000
        else:
            seconds, fraction = struct.unpack_from(">qq", octets, place)
            place += 16
        flags, number = struct.unpack_from(">II", octets, place)
        place += 8
        time = seconds * 10**9 + fraction
        if flags & _MISSED:
            records.append(EventRecord(time, flags, number, ()))
            continue
        parameters = []
        for _ in range(number):
            parameter, length = _parameter(octets, place)
            place += length
            parameters.append(parameter)
        records.append(EventRecord(time, flags, None, tuple(parameters)))
    return tuple(records)


def _parameter(octets: bytes, place: int) -> tuple[Parameter, int]:
    pmid, word = struct.unpack_from(">II", octets, place)
    kind, length = _TYPES[word >> 24], word & 0xFFFFFF
    payload = octets[place + 8 : place + 4 + length]
    data: bytes | int = payload.partition(b"\0")[0] if kind == "string" else payload
    if kind in _LENGTHS:
        (data,) = struct.unpack(_LENGTHS[kind], payload)
    return Parameter(f"{pmid >> 22 & 0x1FF}.{pmid >> 10 & 0xFFF}.{pmid & 0x3FF}", kind, data), 4 + (length + 3) // 4 * 4
