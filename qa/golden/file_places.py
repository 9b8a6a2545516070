# SPDX-License-Identifier: Apache-2.0
"""Places in labels, in metadata and in the index, and those of whole records: by the words of the table, and by rules."""

import struct
from collections.abc import Callable, Iterator

from qa.golden.layout import label_size
from qa.golden.place_search import At, Find, byte_within, decreasing, fields_named, first_of, in_records_of
from qa.golden.places import Edit, Row, order

_ZONES_AND_HOST = ("hostname", "timezone", "zoneinfo")
_DESC, _DELTA, _DOMAINS = 1, 6, (2, 5)


def _version(edit: Edit, part: str) -> int:
    return 2 if edit.after[part][7:8] == b"\2" else 3


def _not_utf8(content: bytes) -> int:
    try:
        content.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return -1


def _file_concerned(edit: Edit, _: Row) -> Iterator[At]:
    """A gap among the volumes; else what is not there any more; else what is nothing but a label; else what changed."""
    volumes = [int(part) for part in edit.after if part.isdigit()]
    gaps = [str(number) for number in range(min(volumes, default=0), max(volumes, default=0)) if number not in volumes]
    missing = sorted(set(edit.before) - set(edit.after), key=order)
    changed = [part for part in edit.parts("") if edit.after[part] != edit.before.get(part)]
    short = [part for part in changed if len(edit.after[part]) <= label_size(_version(edit, part))]
    for part in (gaps or missing or short or changed or edit.parts(""))[:1]:
        yield part, 0


def _lowest_volume(edit: Edit, _: Row) -> Iterator[At]:
    yield edit.parts("volume")[0], 0


def _trailing(edit: Edit, row: Row) -> Iterator[At]:
    """Where it ought to be by the leading one, whichever of the two was changed."""
    for part, one in edit.touched(row.file, "N", "trailing N"):
        if one.record:
            leading = int.from_bytes(edit.after[part][one.record : one.record + 4], "big")
            yield part, one.record + leading - 4


def _trailing_of_label(edit: Edit, row: Row) -> Iterator[At]:
    for part, label in edit.touched(row.file, "label"):
        size = label_size(_version(edit, part))
        yield part, 0 if label.size < size else size - 4


def _label_that_differs(edit: Edit, _: Row) -> Iterator[At]:
    lowest, *others = edit.parts("volume")
    there = {one.name: edit.bytes_of(lowest, one) for one in edit.fields[lowest] if one.record == 0}
    for part in others:
        for one in edit.fields[part]:
            if one.name in ("pid", "label start", *_ZONES_AND_HOST) and edit.bytes_of(part, one) != there[one.name]:
                yield part, one.offset


def _left_in_text(edit: Edit, row: Row) -> Iterator[At]:
    for part, one in edit.touched(row.file, *_ZONES_AND_HOST):
        at = first_of(rb"\0+([^\0])")(edit.bytes_of(part, one))
        if at >= 0:
            yield part, one.offset + at


def _whole(part: str) -> Find:
    return lambda edit, row: [(part, 0)]


def _name_length(edit: Edit, row: Row) -> Iterator[At]:
    for part, one in edit.in_new_records(row.file, "names"):
        lengths = [field for _, field in edit.all(row.file, "name length") if field.record == one.record]
        names = [field for _, field in edit.all(row.file, "name") if field.record == one.record]
        end = one.offset + one.size
        wrong = [field for field in lengths if not 0 < edit.value_of(part, field) <= end - field.offset - 4]
        if wrong:
            yield part, wrong[0].offset
        elif names[-1].offset + names[-1].size < end:
            yield part, names[-1].offset + names[-1].size


def _shorter_name(edit: Edit, row: Row) -> Iterator[At]:
    names = [(edit.bytes_of(part, one), part, one.offset) for part, one in edit.all(row.file, "name")]
    yield from ((part, at) for name, part, at in names if any(other.startswith(name + b".") for other, _, _ in names))


def _unused_in_table(edit: Edit, row: Row) -> Iterator[At]:
    for part, table in edit.in_new_records(row.file, "string table"):
        used = {
            at
            for _, name in edit.all(row.file, "instance name")
            if name.record == table.record
            for at in range(name.offset, name.offset + name.size)
        }
        yield from [(part, at) for at in range(table.offset, table.offset + table.size) if at not in used][:1]


def _end_of_json(content: bytes) -> int:
    """Where an object has ended and more follows, or where the text ends too early."""
    depth = 0
    for at, byte in enumerate(content):
        depth += (byte == ord("{")) - (byte == ord("}"))
        if depth == 0 and at + 1 < len(content):
            return at + 1
    return len(content) if depth else -1


def _first_record(edit: Edit, row: Row) -> Iterator[At]:
    part, one = [(part, one) for part, one in edit.all(row.file, "record") if part == edit.parts("volume")[-1]][0]
    yield part, one.offset


def _no_marks(edit: Edit, row: Row) -> list[At]:
    return [(part, one.record) for part, one in edit.all(row.file, "numpmid") if edit.value_of(part, one) > 0]


def _last_entry(edit: Edit, row: Row) -> Iterator[At]:
    yield from ((part, one.offset) for part, one in edit.all(row.file, "record")[-1:])


def _entry(edit: Edit, row: Row) -> list[At]:
    if len(edit.before["index"]) == len(edit.after["index"]):
        found = edit.touched(row.file, "offset in .meta", "offset in volume")[-1:]
    else:
        # One was put in, or left out.
        found = (edit.in_new_records(row.file, "record") or edit.all(row.file, "record"))[:1]
    return [(part, one.offset) for part, one in found]


def _entry_whose(is_wrong: Callable[[bytes, bytes], bool]) -> Find:
    """A label entry, by itself and the JSON."""

    def find(edit: Edit, row: Row) -> Iterator[At]:
        for part, one in edit.touched(row.file, "label entry"):
            json = next(edit.bytes_of(part, f) for f in edit.fields[part] if f.name == "JSON" and f.record == one.record)
            if is_wrong(edit.bytes_of(part, one), json):
                yield part, one.offset

    return find


def _leads_out(entry: bytes, json: bytes) -> bool:
    name, name_size, _, value, value_size = struct.unpack(">HBBHH", entry)
    return bool(name + name_size > len(json) or value + value_size > len(json))


def _misses_name(entry: bytes, json: bytes) -> bool:
    name, size = entry[1], entry[2]
    return json[name - 1 : name] != b'"' or json[name + size : name + size + 1] != b'"'


FIND: dict[str, Find] = {
    "0": _file_concerned,
    "record; what is too short to be one: where one would begin": fields_named("record"),
    "trailing N": _trailing,
    "trailing N of the label; where the end of the file cuts it: label": _trailing_of_label,
    "hostname, timezone or zoneinfo": fields_named(*_ZONES_AND_HOST),
    "timezone or zoneinfo": fields_named("timezone", "zoneinfo"),
    "label start: its fraction": fields_named("start.fraction"),
    "the first field that differs": _label_that_differs,
    "the first byte that is not NUL, after the first NUL of the text": _left_in_text,
    "file": _whole("meta"),
    "number of names (or where it is missing)": fields_named("number of names"),
    "name length; of bytes left over: the first of them": _name_length,
    "the shorter name": _shorter_name,
    "names: the first name length": fields_named("names"),
    "record of the delta": in_records_of("record", _DELTA),
    "record of the instance domain": in_records_of("record", *_DOMAINS),
    "pmInDom of the descriptor": in_records_of("pmInDom", _DESC),
    "pmInDom of the instance domain": in_records_of("pmInDom", *_DOMAINS, _DELTA),
    "the first byte of the string table that belongs to no name": _unused_in_table,
    "the first byte after the last label set": fields_named("after the label sets"),
    "the first byte at which the JSON is none any more, or is too short to be any": byte_within("JSON", _end_of_json),
    "the first blank outside of a string, or the first byte of the name": byte_within("JSON", first_of(rb'\A\{(?=[ ]|"o o)"?(.)')),
    "the first byte of the value in the JSON": byte_within("JSON", first_of(rb'"hostname":(")')),
    "the first byte of the number in the JSON": byte_within("JSON", first_of(rb'\{"n":([-0-9])')),
    "the first byte of the character in the JSON, the backslash of an escape": byte_within("JSON", first_of(rb'"t":"(?:a|moc[.])?([^a-z.])')),
    "the first byte of the name in the JSON": byte_within("JSON", first_of(rb'\{"(.)')),
    "the NUL": lambda edit, row: [*byte_within("JSON", first_of(rb"(\0)"))(edit, row), *byte_within("text", first_of(rb"(\0)."))(edit, row)],
    "the newline": byte_within("text", first_of(rb"(\n)")),
    "the first byte that is not UTF-8": byte_within("text", _not_utf8),
    "the first byte of the character in the text": byte_within("text", first_of(rb"(?:a|moc[.]|wrong)?([^a-z.])")),
    "timestamp (of its fraction too)": fields_named("timestamp"),
    "the first record of the volume": _first_record,
    "the first record that is no mark": lambda edit, row: _no_marks(edit, row)[:1],
    "the last record that is no mark": lambda edit, row: _no_marks(edit, row)[-1:],
    "entry": fields_named("record"),
    "the last entry": _last_entry,
    "entry; where only an offset is wrong: that offset (where both are 0: offset in volume)": _entry,
}
BY_RULE: dict[str, Find] = {
    "ARC-1007": _lowest_volume,
    "ARC-1426": decreasing("timestamp"),
    "ARC-1509": _entry_whose(_leads_out),
    "ARC-1510": _entry_whose(_misses_name),
    "ARC-1528": byte_within("JSON", first_of(rb'.*,"([op])":')),
    "ARC-1904": decreasing("entry volume"),
    "ARC-1908": decreasing("timestamp"),
    "ARC-1916": decreasing("offset in volume"),
    "ARC-2003": decreasing("timestamp"),
}
