# SPDX-License-Identifier: Apache-2.0
"""The case archive/limits: base archives with a word or two changed by hand, at the limits of what a field may say, and on the
other side of them: `golden generate`. What a validator has to say was worked out from the clauses named; places are those
of section 14.15.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.golden import packed
from qa.golden.pdu_cases import Json, text_of

Finding = tuple[str, str, str, int]  # rule, severity, part, offset
Change = tuple[str, int, str, str]  # part, offset, the bytes there, the bytes in their place

# Of base-v3 and base-v2: the first entry of the index.
_META_OFFSET, _DATA_OFFSET = 824, 832
_V2_META_OFFSET, _V2_DATA_OFFSET = 144, 148


@dataclass(frozen=True)
class Limit:
    name: str
    title: str
    changes: tuple[Change, ...]
    findings: tuple[Finding, ...]  # warnings and more; none: it is sound
    of: str = "base-v3"


def _offset(at: int, new: str, finding: Finding, title: str, name: str) -> Limit:
    return Limit(name, title, (("index", at, "0000000000000328", new),), (finding,))


def _offset_v2(at: int, new: str, finding: Finding, title: str, name: str) -> Limit:
    return Limit(name, title, (("index", at, "00000084", new),), (finding,), "base-v2")


LIMITS: Sequence[Limit] = (
    _offset(_META_OFFSET, "ffffffffffffffff", ("ARC-1910", "warning", "index", _META_OFFSET), "ARC-452: the .meta offset is -1", "meta-offset-minus-1"),
    _offset(_DATA_OFFSET, "ffffffffffffffff", ("ARC-1914", "error", "index", _DATA_OFFSET), "ARC-452: the data offset is -1", "data-offset-minus-1"),
    _offset(_META_OFFSET, "8000000000000000", ("ARC-1910", "warning", "index", _META_OFFSET), "ARC-452: the .meta offset is the least number", "meta-offset-least"),
    _offset(_DATA_OFFSET, "8000000000000000", ("ARC-1914", "error", "index", _DATA_OFFSET), "ARC-452: the data offset is the least number", "data-offset-least"),
    _offset(_META_OFFSET, "7fffffffffffffff", ("ARC-1911", "error", "index", _META_OFFSET), "ARC-452: the .meta offset is the largest number", "meta-offset-largest"),
    _offset(_DATA_OFFSET, "7fffffffffffffff", ("ARC-1915", "error", "index", _DATA_OFFSET), "ARC-452: the data offset is the largest number", "data-offset-largest"),
    _offset(_META_OFFSET, "0000000100000328", ("ARC-1911", "error", "index", _META_OFFSET), "ARC-452: the low word of the .meta offset would do", "meta-offset-high-word"),
    _offset(_DATA_OFFSET, "0000000100000328", ("ARC-1915", "error", "index", _DATA_OFFSET), "ARC-452: the low word of the data offset would do", "data-offset-high-word"),
    _offset_v2(_V2_META_OFFSET, "80000000", ("ARC-1911", "error", "index", _V2_META_OFFSET), "ARC-451: the .meta offset has bit 31", "v2-meta-offset-bit-31"),
    _offset_v2(_V2_DATA_OFFSET, "80000000", ("ARC-1915", "error", "index", _V2_DATA_OFFSET), "ARC-451: the data offset has bit 31", "v2-data-offset-bit-31"),
    Limit("one-instance-too-many", "ARC-1402: one instance more than there is room for", (("meta", 1103, "00000002", "00000003"),), (("ARC-1402", "fatal", "meta", 1103),)),
    Limit("name-of-nothing", "ARC-1411: a name begins at the NUL of the one before it", (("meta", 1119, "00000002", "00000001"),), (("ARC-1411", "warning", "meta", 1119),)),
    Limit("identifier-of-31-bits", "ARC-343: the largest identifier of an instance",
          (("meta", 1592, "00000002", "7fffffff"), *(("0", at, "00000002", "7fffffff") for at in (2040, 2404, 2768))), ()),
    Limit("entries-256", "ARC-1505: 256 labels in a set", (("meta", 1373, "00000001", "00000100"),), (("ARC-1505", "fatal", "meta", 1373),)),
    Limit("name-one-short", "ARC-1510: an entry leaves out the last letter of its name", (("meta", 1377, "00020801", "00020701"),), (("ARC-1510", "error", "meta", 1377),)),
    Limit("value-one-short", "ARC-1510: an entry leaves out the last byte of its value", (("meta", 1446, "00050003", "00050002"),), (("ARC-1510", "error", "meta", 1442),)),
    Limit("value-one-late", "ARC-1510: an entry leaves out the first byte of its value", (("meta", 1446, "00050003", "00060002"),), (("ARC-1510", "error", "meta", 1442),)),
    Limit("value-one-long", "ARC-1510: an entry goes one byte beyond its value", (("meta", 1446, "00050003", "00050004"),), (("ARC-1510", "error", "meta", 1442),)),
    Limit("one-event-too-few", "ARC-1822: an event more than the array says", (("0", 1076, "00000002", "00000001"),), (("ARC-1822", "warning", "0", 1108),)),
    Limit("no-event", "ARC-1822: two events, where the array says that it is empty", (("0", 1076, "00000002", "00000000"),), (("ARC-1822", "warning", "0", 1080),)),
    Limit("no-highres-event", "ARC-1822: an event, where the array says that it is empty", (("0", 1128, "00000001", "00000000"),), (("ARC-1822", "warning", "0", 1132),)),
    Limit("no-parameter", "ARC-1822: a parameter more than its event says", (("0", 1152, "00000001", "00000000"),), (("ARC-1822", "warning", "0", 1156),)),
    Limit("name-ends-in-a-point", "ARC-305: a name ends in a point", (("meta", 848, "74", "2e"),), (("ARC-1306", "warning", "meta", 844),)),
    Limit("name-with-two-points", "ARC-305: a component of a name is empty", (("meta", 846, "63", "2e"),), (("ARC-1306", "warning", "meta", 844),)),
    Limit("name-with-a-hyphen", "ARC-305: a name has a hyphen", (("meta", 847, "6e", "2d"),), (("ARC-1306", "warning", "meta", 844),)),
    Limit("name-of-another", "ARC-1308: the name of the fourth metric is that of the first", (("meta", 979, "6d2e666c74", "6d2e636e74"),), (("ARC-1308", "error", "meta", 979),)),
    Limit("last-nanosecond", "ARC-1718: the last nanosecond of a second", (("0", 1184, "00000000", "3b9ac9ff"),), ()),
    Limit("nanosecond-too-many", "ARC-1718: a nanosecond more than a second has", (("0", 1184, "00000000", "3b9aca00"),), (("ARC-1718", "error", "0", 1176),)),
)


def changed(golden: Path, limit: Limit) -> packed.Files:
    """The files of the archive. Raises ValueError where the bytes are not those that the change is of."""
    files = packed.files_in(golden / "archive" / limit.of)
    for part, at, old, new in limit.changes:
        content = files[f"base.{part}"]
        end = at + len(old) // 2
        if content[at:end].hex() != old:
            raise ValueError(f"{limit.name}: base.{part} has {content[at:end].hex()} at {at}, not {old}")
        files[f"base.{part}"] = content[:at] + bytes.fromhex(new) + content[end:]
    return files


def request_of(limit: Limit) -> Json:
    severities = {severity for _, severity, _, _ in limit.findings}
    findings = [{"rule": rule, "severity": severity, "part": part, "offset": at} for rule, severity, part, at in limit.findings]
    return {
        "title": limit.title,
        "op": "archive.validate",
        "input": {"path": f"../inputs/limit-{limit.name}/base"},
        "args": {},
        "applies": {"archive_version": 3 if limit.of == "base-v3" else 2},
        "expect": {"result": {"readable": "fatal" not in severities, "conformant": severities <= {"warning"}, "findings": findings}},
    }


def case_of(limits: Sequence[Limit]) -> Json:
    rules = {rule for limit in limits for rule, _, _, _ in limit.findings}
    return {
        "schema": "pmproof-case/1",
        "id": "archive/limits",
        "title": "Fields at the limits of what they may say, and beyond",
        "clauses": sorted({*rules, "ARC-305", "ARC-343", "ARC-391", "ARC-451", "ARC-452", "ARC-2301"}),
        "level": "must",
        "why": "A comparison that is one off, or the sign of a number, goes unnoticed in archives that are far from the limit.",
        "provenance": {
            "kind": "hand",
            "note": "Each title names the clause. Offsets of version 2 are unsigned (ARC-451), those of version 3 signed (ARC-452).",
        },
        "requests": [request_of(limit) for limit in limits],
    }


def write(golden: Path) -> list[Path]:
    inputs = {
        f"limit-{limit.name}": {"of": f"../{limit.of}", **packed.pack(packed.files_in(golden / "archive" / limit.of), changed(golden, limit))}
        for limit in LIMITS
    }
    pack, case = golden / "archive/inputs/packed-limits.json", golden / "archive/limits/case.json"
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in inputs.items())
    pack.write_text(f'{{\n  "schema": "pmproof-packed/1",\n  "inputs": {{\n{lines}\n  }}\n}}\n', encoding="utf-8")
    case.parent.mkdir(exist_ok=True)
    case.write_text(text_of(case_of(LIMITS)), encoding="utf-8")
    return [pack, case]
