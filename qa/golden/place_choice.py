# SPDX-License-Identifier: Apache-2.0
"""Which byte breaks a rule, of those that the table of section 14.15 may mean in an archive that an edit broke."""

import re
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from qa.golden.layout import Field, label_size
from qa.golden.places import WHOLE, Edit, Place, Row, UnclearError, order

Found = tuple[str, Field]
At = tuple[str, int]
Find = Callable[[Edit, Row], Iterable[At]]

_ZONES_AND_HOST = ("hostname", "timezone", "zoneinfo")
_DESC, _DELTA, _DOMAINS = 1, 6, (2, 5)
_STRING = 6
_SIZES = {0: 8, 1: 8, 2: 12, 3: 12, 4: 8, 5: 12}  # of blocks, by the types of numbers (ARC-234)
_INSITU, _IN_BLOCKS = 0, (1, 2)


def _version(edit: Edit, part: str) -> int:
    return 2 if edit.after[part][7:8] == b"\2" else 3


def _fields(*names: str) -> Find:
    return lambda edit, row: [(part, one.offset) for part, one in edit.touched(row.file, *names)]


def _in_records_of(name: str, *types: int) -> Find:
    """Fields of metadata records of these types."""

    def find(edit: Edit, row: Row) -> Iterator[At]:
        for part, one in edit.touched(row.file, name):
            if int.from_bytes(edit.after[part][one.record + 4 : one.record + 8], "big") in types:
                yield part, one.offset

    return find


def _byte(name: str, place: Callable[[bytes], int]) -> Find:
    """A byte of the field: `place` counts from its begin, -1 where the field has none such."""

    def find(edit: Edit, row: Row) -> Iterator[At]:
        for part, one in edit.in_new_records(row.file, name):
            at = place(edit.bytes_of(part, one))
            if at >= 0:
                yield part, one.offset + at

    return find


def _first(pattern: bytes) -> Callable[[bytes], int]:
    """Where the group of the pattern begins."""

    def place(content: bytes) -> int:
        found = re.search(pattern, content, re.S)
        return found.start(1) if found else -1

    return place


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
        at = _first(rb"\0+([^\0])")(edit.bytes_of(part, one))
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


def _value_sets(edit: Edit, part: str) -> Iterator[tuple[int, Field, Field | None, list[Field]]]:
    """pmid, the set, its format, and its values' indices or values, of all records of a volume."""
    fields = edit.fields[part]
    for place, one in enumerate(fields):
        if one.name == "value set":
            inside = [f for f in fields[place:] if one.offset <= f.offset < one.offset + one.size]
            pmid = next(edit.value_of(part, f) for f in inside if f.name == "pmid")
            format_ = next((f for f in inside if f.name == "valfmt"), None)
            yield pmid, one, format_, [f for f in inside if f.name == "value"]


def _format_that_changes(edit: Edit, row: Row) -> Iterator[At]:
    """Of the metric of a value set that was changed, the first that is not that of the first record."""
    for part in edit.parts(row.file):
        first: dict[int, int] = {}
        for pmid, _, format_, _ in _value_sets(edit, part):
            if format_ is not None and first.setdefault(pmid, edit.value_of(part, format_)) != edit.value_of(part, format_):
                yield part, format_.offset
                return


def _no_block(edit: Edit, row: Row) -> Iterator[At]:
    for part, record in edit.in_new_records(row.file, "record"):
        inside = [one for one in edit.fields[part] if one.record == record.offset]
        sets = max(one.offset + one.size for one in inside if one.name == "value set")
        blocks = {at for one in inside if one.name in ("block", "padding") for at in range(one.offset, one.offset + one.size)}
        yield from [(part, at) for at in range(sets, record.offset + record.size - 4) if at not in blocks][:1]


def _inner_nul(edit: Edit, row: Row) -> Iterator[At]:
    for part, one in edit.in_new_records(row.file, "block"):
        content = edit.bytes_of(part, one)
        at = content.find(b"\0", 4)
        if content[0] == _STRING and 0 < at < len(content) - 1:
            yield part, one.offset + at


def _acting(edit: Edit, row: Row) -> Iterator[At]:
    for part, one in edit.in_new_records(row.file, "block"):
        content = edit.bytes_of(part, one)
        found = re.search(rb"[^ -~]", content[4:-1]) if content[0] == _STRING else None
        if found:
            yield part, one.offset + 4 + found.start()


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


def _word(edit: Edit, at: At) -> int:
    part, offset = at
    return int.from_bytes(edit.after[part][offset : offset + 4], "big", signed=True)


@dataclass(frozen=True)
class _Value:
    """Of a value set in a record that the edit changed or put in."""

    pmid: int
    set: Field
    inst: At
    value: At
    format: At
    block: At | None  # where it is said to be, if the format is that of blocks


def _values(edit: Edit, file: str) -> Iterator[_Value]:
    for part in edit.parts(file):
        for pmid, one, format_, values in _value_sets(edit, part):
            if format_ is None or (part, one.record) not in edit.new_records:
                continue
            is_block = edit.value_of(part, format_) in _IN_BLOCKS
            for value in values:
                block = (part, one.record + 4 * (edit.value_of(part, value) - 2)) if is_block else None
                yield _Value(pmid, one, (part, value.offset - 4), (part, value.offset), (part, format_.offset), block)


def _described(edit: Edit, field: str) -> dict[int, int]:
    """Of each metric that has a descriptor."""
    pmids = {one.record: edit.value_of("meta", one) for _, one in edit.all("meta", "pmID")}
    return {pmids[one.record]: edit.value_of("meta", one) for _, one in edit.all("meta", field) if one.record in pmids}


def _size_at(edit: Edit, at: At) -> int:
    return _word(edit, at) & 0xFFFFFF


def _index_outside(edit: Edit, row: Row) -> Iterator[At]:
    for one in _values(edit, row.file):
        sets = [f for f in edit.fields[one.value[0]] if f.record == one.set.record]
        end = max(f.offset + f.size for f in sets if f.name == "value set")
        last = next(f.offset + f.size for f in sets if f.name == "record") - 4
        if one.block is not None and not end <= one.block[1] < last:
            yield one.value


def _index_inside(edit: Edit, row: Row) -> Iterator[At]:
    found = [one for one in _values(edit, row.file) if one.block is not None]
    for one in found:
        for other in found:
            assert one.block is not None and other.block is not None
            (part, at), (other_part, begin) = one.block, other.block
            if part == other_part and begin < at < begin + _size_at(edit, other.block):
                yield one.value


def _index_again(edit: Edit, row: Row) -> Iterator[At]:
    seen = set()
    for one in _values(edit, row.file):
        if one.block in seen and one.block is not None:
            yield one.value
        seen.add(one.block)


def _block_whose(is_wrong: Callable[[Edit, At, int], bool]) -> Find:
    def find(edit: Edit, row: Row) -> Iterator[At]:
        types = _described(edit, "type")
        for one in _values(edit, row.file):
            if one.block is not None and is_wrong(edit, one.block, types.get(one.pmid, -1)):
                yield one.block

    return find


def _runs_out(edit: Edit, at: At, _: int) -> bool:
    record = [one for one in edit.fields[at[0]] if one.name == "record" and one.offset < at[1]][-1]
    return at[1] + _size_at(edit, at) > record.offset + record.size - 4


def _format_whose(is_wrong: Callable[[int, int], bool]) -> Find:
    """By the format and the type of the metric."""

    def find(edit: Edit, row: Row) -> Iterator[At]:
        types = _described(edit, "type")
        for one in _values(edit, row.file):
            if is_wrong(_word(edit, one.format), types.get(one.pmid, -1)):
                yield one.format

    return find


def _instance_again(edit: Edit, row: Row) -> Iterator[At]:
    seen = set()
    for one in _values(edit, row.file):
        if (one.set, _word(edit, one.inst)) in seen:
            yield one.inst
        seen.add((one.set, _word(edit, one.inst)))


def _without_domain(edit: Edit, row: Row) -> Iterator[At]:
    """The first value set of a metric whose instance domain has no record."""
    kinds = {one.record: edit.value_of("meta", one) for _, one in edit.all("meta", "record type")}
    domains = {edit.value_of("meta", one) for _, one in edit.all("meta", "pmInDom") if kinds[one.record] in _DOMAINS}
    of_metric = _described(edit, "pmInDom")
    for part in edit.parts(row.file):
        for pmid, one, _, _ in _value_sets(edit, part):
            if of_metric.get(pmid, -1) not in (-1, *domains):
                yield part, one.offset
                return


def _decreasing(name: str) -> Find:
    """Less than the one before, in the file as it is now. Of times the seconds come first (v3: their low word)."""

    def find(edit: Edit, row: Row) -> Iterator[At]:
        before: bytes = b""
        for part, one in edit.all(row.file, name):
            content = edit.bytes_of(part, one)
            if content < before:
                yield part, one.offset
            before = content

    return find


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


_FIND: dict[str, Find] = {
    "0": _file_concerned,
    "record; what is too short to be one: where one would begin": _fields("record"),
    "trailing N": _trailing,
    "trailing N of the label; where the end of the file cuts it: label": _trailing_of_label,
    "hostname, timezone or zoneinfo": _fields(*_ZONES_AND_HOST),
    "timezone or zoneinfo": _fields("timezone", "zoneinfo"),
    "label start: its fraction": _fields("start.fraction"),
    "the first field that differs": _label_that_differs,
    "the first byte that is not NUL, after the first NUL of the text": _left_in_text,
    "file": _whole("meta"),
    "number of names (or where it is missing)": _fields("number of names"),
    "name length; of bytes left over: the first of them": _name_length,
    "the shorter name": _shorter_name,
    "names: the first name length": _fields("names"),
    "record of the delta": _in_records_of("record", _DELTA),
    "record of the instance domain": _in_records_of("record", *_DOMAINS),
    "pmInDom of the descriptor": _in_records_of("pmInDom", _DESC),
    "pmInDom of the instance domain": _in_records_of("pmInDom", *_DOMAINS, _DELTA),
    "the first byte of the string table that belongs to no name": _unused_in_table,
    "the first byte after the last label set": _fields("after the label sets"),
    "the first byte at which the JSON is none any more, or is too short to be any": _byte("JSON", _end_of_json),
    "the first blank outside of a string, or the first byte of the name": _byte("JSON", _first(rb'\A\{(?=[ ]|"o o)"?(.)')),
    "the first byte of the value in the JSON": _byte("JSON", _first(rb'"hostname":(")')),
    "the first byte of the number in the JSON": _byte("JSON", _first(rb'\{"n":([-0-9])')),
    "the first byte of the character in the JSON, the backslash of an escape": _byte("JSON", _first(rb'"t":"(?:a|moc[.])?([^a-z.])')),
    "the first byte of the name in the JSON": _byte("JSON", _first(rb'\{"(.)')),
    "the NUL": lambda edit, row: [*_byte("JSON", _first(rb"(\0)"))(edit, row), *_byte("text", _first(rb"(\0)."))(edit, row)],
    "the newline": _byte("text", _first(rb"(\n)")),
    "the first byte that is not UTF-8": _byte("text", _not_utf8),
    "the first byte of the character in the text": _byte("text", _first(rb"(?:a|moc[.]|wrong)?([^a-z.])")),
    "value, the index of the block": _fields("value"),
    "the first byte that belongs to no block": _no_block,
    "timestamp (of its fraction too)": _fields("timestamp"),
    "inst of the value": _fields("pair"),
    "the block, or the value if it is insitu": _fields("block"),
    "the payload": _fields("payload"),
    "the first NUL of the string": _inner_nul,
    "the first byte of the character in the string": _acting,
    "the first byte of the string that is not UTF-8": _acting,
    "the first byte of padding that is not `~`": _byte("padding", _first(rb"([^~])")),
    "flags of the event record": _fields("event flags"),
    "pmid of the parameter": _fields("parameter pmid"),
    "the event record or the parameter that does not fit": _fields("parameter pmid"),
    "block head of the parameter": _fields("parameter head"),
    "fraction of the event's time": _fields("event fraction"),
    "the first byte after the last event record": _fields("after the events"),
    "the first record of the volume": _first_record,
    "the first record that is no mark": lambda edit, row: _no_marks(edit, row)[:1],
    "the last record that is no mark": lambda edit, row: _no_marks(edit, row)[-1:],
    "entry": _fields("record"),
    "the last entry": _last_entry,
    "entry; where only an offset is wrong: that offset (where both are 0: offset in volume)": _entry,
}
_BY_RULE: dict[str, Find] = {
    "ARC-1007": _lowest_volume,
    "ARC-1426": _decreasing("timestamp"),
    "ARC-1509": _entry_whose(_leads_out),
    "ARC-1510": _entry_whose(_misses_name),
    "ARC-1528": _byte("JSON", _first(rb'.*,"([op])":')),
    "ARC-1706": _index_outside,
    "ARC-1707": _index_inside,
    "ARC-1709": _block_whose(lambda edit, at, _: _size_at(edit, at) < 4),
    "ARC-1710": _block_whose(_runs_out),
    "ARC-1711": _index_again,
    "ARC-1714": _instance_again,
    "ARC-1807": _without_domain,
    "ARC-1808": _format_whose(lambda format_, type_: format_ == _INSITU and type_ not in (0, 1, 4)),
    "ARC-1809": _block_whose(lambda edit, at, type_: type_ in (0, 1)),
    "ARC-1810": _block_whose(lambda edit, at, type_: (_word(edit, at) >> 24) & 0xFF != type_),
    "ARC-1811": _block_whose(lambda edit, at, type_: _size_at(edit, at) != _SIZES.get(type_, _size_at(edit, at))),
    "ARC-1814": _format_that_changes,
    "ARC-1904": _decreasing("entry volume"),
    "ARC-1908": _decreasing("timestamp"),
    "ARC-1916": _decreasing("offset in volume"),
    "ARC-2003": _decreasing("timestamp"),
}
# Which word breaks the rule, of several that were put in together.
_WORD: dict[str, Callable[[int], bool]] = {
    "ARC-1302": lambda type_: type_ == _DELTA,
    "ARC-1329": lambda pmid: pmid < -1,
    "ARC-1330": lambda pmid: pmid == -1,
    "ARC-1331": lambda pmid: pmid >> 22 == 511,
    "ARC-1403": lambda offset: offset < 0,
    "ARC-1405": lambda offset: offset < 0,
    "ARC-1418": lambda number: number == 0,
    "ARC-1514": lambda number: number < 0,
    "ARC-1705": lambda format_: format_ not in (0, 1, 2),
    "ARC-1715": lambda number: number < 0,
}
# They break the rule together, or each for itself: the first one (ARC-2302).
_FIRST = {
    *("ARC-1212", "ARC-1213", "ARC-1214", "ARC-1215", "ARC-1217", "ARC-1218", "ARC-1219", "ARC-1220", "ARC-1221", "ARC-1224"),
    *("ARC-1226", "ARC-1227", "ARC-1228", "ARC-1229", "ARC-1707", "ARC-1806", "ARC-1809", "ARC-1810", "ARC-2004", "ARC-2010"),
}
# The last one is at odds with those before it (ARC-2302).
_LATER = {
    *("ARC-1307", "ARC-1315", "ARC-1408", "ARC-1409", "ARC-1410", "ARC-1417", "ARC-1419", "ARC-1421", "ARC-1422", "ARC-1423"),
    *("ARC-1424", "ARC-1425", "ARC-1511", "ARC-1517", "ARC-1525", "ARC-1713", "ARC-1723", "ARC-1825", "ARC-1826"),
}
# Which of the fields that were put in, counted from 0.
_OF_EDIT = {
    "arc-1411-1": 1,  # the instance without a name is the second one
    "arc-1415-1": 2,  # the first identifier of the delta
    "arc-1415-2": 2,
    "arc-1429-1": 1,  # the second name
    "arc-1429-2": 1,
    "arc-1431-1": 1,
    "arc-1516-1": 2,  # the set that was added
    "arc-1805-1": 7,  # the last value of m.inst
    "arc-1805-2": 2,  # the third value of the first record
    "arc-1805-3": 3,  # the second value of the second record
    "arc-1818-1": 1,  # the parameter that was added
}


def place_of(edit: Edit, rule: str, rows: Mapping[str, Row]) -> Place:
    """Raises UnclearError."""
    if rule not in rows:
        raise UnclearError("ARC-2303: no place in one file that all implementations could name")
    row = rows[rule]
    if row.file == WHOLE:
        return Place("archive", 0)
    if edit.is_compressed and row.byte != "0":
        raise UnclearError("its bytes are compressed")
    found = _candidates(edit, rule, row)
    if len(found) != 1:
        raise UnclearError(f"one of {found}" if found else "the edit touched no such field")
    return Place(*found[0])


def _candidates(edit: Edit, rule: str, row: Row) -> list[At]:
    find = _BY_RULE.get(rule) or _FIND.get(row.byte) or _fields(row.byte)
    found = list(dict.fromkeys(find(edit, row)))
    if rule in _WORD and len(found) > 1:
        found = [at for at in found if _WORD[rule](_word(edit, at))]
    if edit.name in _OF_EDIT:
        found = found[_OF_EDIT[edit.name] :][:1]
    return found[:1] if rule in _FIRST else found[-1:] if rule in _LATER else found
