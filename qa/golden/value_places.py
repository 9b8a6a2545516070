# SPDX-License-Identifier: Apache-2.0
"""Places in value sets, in their blocks and in event records: by the words of the table, and by rules."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from qa.golden.layout import Field
from qa.golden.place_search import At, Find, byte_within, fields_named, first_of, word_at
from qa.golden.places import Edit, Row

_DOMAINS = (2, 5)  # types of metadata records
_STRING = 6
_SIZES = {0: 8, 1: 8, 2: 12, 3: 12, 4: 8, 5: 12}  # of blocks, by the types of numbers (ARC-234)
_INSITU, _IN_BLOCKS = 0, (1, 2)


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
    return word_at(edit, at) & 0xFFFFFF


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
            if is_wrong(word_at(edit, one.format), types.get(one.pmid, -1)):
                yield one.format

    return find


def _instance_again(edit: Edit, row: Row) -> Iterator[At]:
    seen = set()
    for one in _values(edit, row.file):
        if (one.set, word_at(edit, one.inst)) in seen:
            yield one.inst
        seen.add((one.set, word_at(edit, one.inst)))


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


FIND: dict[str, Find] = {
    "value, the index of the block": fields_named("value"),
    "the first byte that belongs to no block": _no_block,
    "inst of the value": fields_named("pair"),
    "the block, or the value if it is insitu": fields_named("block"),
    "the payload": fields_named("payload"),
    "the first NUL of the string": _inner_nul,
    "the first byte of the character in the string": _acting,
    "the first byte of the string that is not UTF-8": _acting,
    "the first byte of padding that is not `~`": byte_within("padding", first_of(rb"([^~])")),
    "flags of the event record": fields_named("event flags"),
    "pmid of the parameter": fields_named("parameter pmid"),
    "the event record or the parameter that does not fit": fields_named("parameter pmid"),
    "block head of the parameter": fields_named("parameter head"),
    "fraction of the event's time": fields_named("event fraction"),
    "the first byte after the last event record": fields_named("after the events"),
}
BY_RULE: dict[str, Find] = {
    "ARC-1706": _index_outside,
    "ARC-1707": _index_inside,
    "ARC-1709": _block_whose(lambda edit, at, _: _size_at(edit, at) < 4),
    "ARC-1710": _block_whose(_runs_out),
    "ARC-1711": _index_again,
    "ARC-1714": _instance_again,
    "ARC-1807": _without_domain,
    "ARC-1808": _format_whose(lambda format_, type_: format_ == _INSITU and type_ not in (0, 1, 4)),
    "ARC-1809": _block_whose(lambda edit, at, type_: type_ in (0, 1)),
    "ARC-1810": _block_whose(lambda edit, at, type_: (word_at(edit, at) >> 24) & 0xFF != type_),
    "ARC-1811": _block_whose(lambda edit, at, type_: _size_at(edit, at) != _SIZES.get(type_, _size_at(edit, at))),
    "ARC-1814": _format_that_changes,
}
