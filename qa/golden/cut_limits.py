# SPDX-License-Identifier: Apache-2.0
"""The case archive/limits-of-cut-records: files that end inside of their last record, which may be a record or not (ARC-1111)."""

from qa.golden.limit import META_END, V2_META_END, V2_VOLUME_END, VOLUME_END, Finding, Limit, Table

_ENDS = {("base-v3", "0"): VOLUME_END, ("base-v3", "meta"): META_END, ("base-v2", "0"): V2_VOLUME_END, ("base-v2", "meta"): V2_META_END}


def _cut(name: str, part: str, length: int, body: str, is_sound: bool, what: str, keep: int = 0, of: str = "base-v3", profile: str = "") -> Limit:
    """A record of `length` bytes of which the first `keep` are there: its first word, and what `body` says."""
    keep = keep or 4 + len(body) // 2
    there = (f"{length:08x}" + body)[: 2 * keep]
    assert len(there) == 2 * keep < 2 * length
    at = _ENDS[of, part]
    rule = "ARC-1102" if keep < length - 4 else "ARC-1103"
    is_live = profile == "live"
    findings: tuple[Finding, ...] = ((rule, "info" if is_live and is_sound else "fatal", part, at),)
    if is_sound and not is_live:
        findings += (("ARC-1111", "error", part, at),)
    if is_sound and is_live:
        findings = ()  # warnings and more
    return Limit(f"cut-{name}", f"ARC-1111: {what}", ((part, at, "", there),), findings, of, profile=profile)


_T = "6553f106" + "00000000" + "00000000"  # version 3
_T2 = "6553f106" + "00000000"
_BAD_T, _LAST_T = "6553f106" + "00000000" + "3b9aca00", "6553f106" + "00000000" + "3b9ac9ff"
_BAD_T2, _LAST_T2 = "6553f106" + "000f4240", "6553f106" + "000f423f"
_PMID, _PMID2 = "07400001", "07400002"
_NONE = "ffffffff"


def _words(*numbers: int) -> str:
    return "".join(f"{number & 0xFFFFFFFF:08x}" for number in numbers)


def _block_set(*indices: int, value_format: int = 1) -> str:
    return _PMID2 + _words(len(indices), value_format) + "".join(_NONE + _words(index) for index in indices)


_INSITU = _PMID + _words(1, 0) + _NONE + _words(7)  # 20 bytes

_DATA = (
    _cut("length-366", "0", 366, "00000000", False, "the length of a data record is no multiple of 4"),
    _cut("length-364", "0", 364, "00000000", True, "the length of a data record is a multiple of 4, and no more of it is there"),
    _cut("length-24", "0", 24, "", True, "the least length of a data record"),
    _cut("length-20", "0", 20, "", False, "a length too small for a data record"),
    _cut("length-24-mark", "0", 24, _T + _words(0) + "0000", True, "a mark ends in its trailing length"),
    _cut("length-28-mark", "0", 28, _T + _words(0), False, "a record without value sets is longer than a mark"),
    _cut("length-24-sets", "0", 24, _T + _words(1), False, "a record as short as a mark has a value set"),
    _cut("v2-length-20", "0", 20, "", True, "the least length of a data record of version 2", of="base-v2"),
    _cut("v2-length-16", "0", 16, "", False, "a length too small for a data record of version 2", of="base-v2"),
    _cut("v2-length-20-mark", "0", 20, _T2 + _words(0), True, "a mark of version 2 ends before its trailing length", of="base-v2"),
    _cut("nanosecond", "0", 364, _BAD_T, False, "the nanosecond of a data record is out of range, and nothing after it is there"),
    _cut("nanosecond-cut", "0", 364, _BAD_T, True, "the nanosecond of a data record is not there as a whole", keep=15),
    _cut("nanosecond-last", "0", 364, _LAST_T, True, "the last nanosecond of a second"),
    _cut("v2-microsecond", "0", 360, _BAD_T2, False, "the microsecond of a data record is out of range", of="base-v2"),
    _cut("v2-microsecond-cut", "0", 360, _BAD_T2, True, "the microsecond of a data record is not there as a whole", keep=11, of="base-v2"),
    _cut("v2-microsecond-last", "0", 360, _LAST_T2, True, "the last microsecond of a second", of="base-v2"),
    _cut("sets-negative", "0", 364, _T + _words(-1), False, "the number of value sets is -1"),
    _cut("sets-negative-cut", "0", 364, _T + _words(-1), True, "the number of value sets is not there as a whole", keep=19),
    _cut("sets-42", "0", 364, _T + _words(42), True, "as many value sets as there is room for"),
    _cut("sets-43", "0", 364, _T + _words(43), False, "one value set more than there is room for"),
    _cut("v2-sets-42", "0", 360, _T2 + _words(42), True, "as many value sets as there is room for in version 2", of="base-v2"),
    _cut("v2-sets-43", "0", 360, _T2 + _words(43), False, "one value set more than there is room for in version 2", of="base-v2"),
    _cut("second-set-of-7", "0", 48, _T + _words(2) + _INSITU, False, "four bytes are left for the second value set"),
    _cut("second-set-of-8", "0", 52, _T + _words(2) + _INSITU, True, "eight bytes are left for the second value set"),
    _cut("empty-set-first", "0", 52, _T + _words(2) + _PMID + _words(0) + _INSITU, True, "a value set without values, and one with a value"),
    _cut("error-set-first", "0", 52, _T + _words(2) + _PMID + _words(-12351) + _INSITU, True, "a value set with an error, and one with a value"),
    _cut("error-set-last", "0", 52, _T + _words(2) + _INSITU + _PMID + _words(-1), True, "a value set with a value, and one with an error"),
    _cut("empty-sets-and-a-word", "0", 44, _T + _words(2) + (_PMID + _words(0)) * 2 + _words(0), False, "two value sets without values, and a word"),
    _cut("empty-set-and-format-3", "0", 56, _T + _words(2) + _PMID + _words(0) + _PMID + _words(1, 3), False, "a value set without values, and one of format 3"),
    _cut("set-of-8", "0", 32, _T + _words(1) + _PMID + _words(1), False, "a value set has a value, and eight bytes in all"),
    _cut("set-of-12", "0", 36, _T + _words(1) + _PMID + _words(1), False, "a value set has a value, and twelve bytes in all"),
    _cut("set-of-16", "0", 40, _T + _words(1) + _PMID + _words(1), False, "a value set has a value, and sixteen bytes in all"),
    _cut("set-of-20", "0", 44, _T + _words(1) + _PMID + _words(1), True, "a value set has a value, and twenty bytes in all"),
    _cut("values-exact", "0", 364, _T + _words(1) + _PMID + _words(41), True, "as many values as there is room for"),
    _cut("values-one-more", "0", 364, _T + _words(1) + _PMID + _words(42), False, "one value more than there is room for"),
    _cut("numval-cut", "0", 364, _T + _words(1) + _PMID + _words(42), True, "the number of values is not there as a whole", keep=27),
    _cut("format-minus-1", "0", 364, _T + _words(1) + _PMID + _words(1, -1), False, "value format -1"),
    _cut("format-2", "0", 364, _T + _words(1) + _PMID + _words(1, 2), True, "value format 2"),
    _cut("format-3", "0", 364, _T + _words(1) + _PMID + _words(1, 3), False, "value format 3"),
    _cut("format-3-cut", "0", 364, _T + _words(1) + _PMID + _words(1, 3), True, "the value format is not there as a whole", keep=31),
    _cut("insitu-word-0", "0", 364, _T + _words(2) + _PMID + _words(1, 0) + _NONE + _words(0), True, "a value of 0, which is no index of a block"),
    _cut("index-1", "0", 364, _T + _words(1) + _block_set(1), False, "the index of a block is 1"),
    _cut("index-in-the-sets", "0", 364, _T + _words(2) + _block_set(2), False, "a block begins where the record does"),
    _cut("index-of-itself", "0", 364, _T + _words(2) + _block_set(11), False, "a block begins at the last word of the first value set of two"),
    _cut("index-after-the-next", "0", 364, _T + _words(2) + _block_set(14), True, "a block begins where the second value set may end"),
    _cut("index-cut", "0", 364, _T + _words(1) + _block_set(1), True, "the index of a block is not there as a whole", keep=39),
    _cut("index-last-word", "0", 364, _T + _words(2) + _block_set(91), True, "a block begins at the last word of the record"),
    _cut("index-trailer", "0", 364, _T + _words(2) + _block_set(92), False, "a block begins at the trailing length"),
    _cut("second-index-1", "0", 364, _T + _words(1) + _block_set(15, 1), False, "the second index of a value set is 1"),
    _cut("third-index-first", "0", 364, _T + _words(2) + _block_set(20, 21, 18), True, "the third block of a value set is the first one in the record"),
    _cut("third-index-early", "0", 364, _T + _words(2) + _block_set(20, 21, 15), False, "the third block begins before the end of its value set"),
    _cut("static-index-1", "0", 364, _T + _words(1) + _block_set(1, value_format=2), False, "the index of a block is 1, in value format 2"),
    _cut("half-a-set", "0", 364, _T + _words(2) + _block_set(14) + _PMID, True, "half of the second value set's head is there, and the block may begin after it"),
    _cut("half-a-late-set", "0", 364, _T + _words(2) + _block_set(11) + _PMID, False, "half of the second value set's head is there, before which the block begins"),
    _cut("half-a-format", "0", 364, _T + _words(2) + _block_set(11) + _PMID + _words(1), False, "the second value set has a value, and the block begins before it"),
    _cut("half-a-format-later", "0", 364, _T + _words(2) + _block_set(17) + _PMID + _words(1), True, "the second value set has a value, and the block begins after it"),
    _cut("block-after-a-word", "0", 364, _T + _words(1) + _block_set(13), False, "a word lies between the value set and its block"),
    _cut("block-at-once", "0", 364, _T + _words(1) + _block_set(12), True, "a block begins at the end of the value sets"),
    _cut("values-cut", "0", 364, _T + _words(1) + _PMID2 + _words(3, 1) + _NONE + _words(16), True, "one of three values is there, and its block begins after the third"),
    _cut("values-cut-early", "0", 364, _T + _words(1) + _PMID2 + _words(3, 1) + _NONE + _words(15), False, "one of three values is there, and its block begins in the third"),
    _cut("block-head-cut", "0", 364, _T + _words(1) + _block_set(12) + "ff00000c", True, "the head of a block is not there as a whole", keep=43),
    *(
        _cut(f"block-of-type-{kind}", "0", 364, _T + _words(1) + _block_set(12) + f"{kind:02x}00000c", is_written, f"a block is of type {kind}")
        for kind, is_written in ((0, False), (1, False), (2, True), (10, True), (11, False), (255, False))
    ),
    _cut("block-length-3", "0", 364, _T + _words(1) + _block_set(12) + "06000003", False, "a block has 3 bytes"),
    _cut("block-length-4", "0", 364, _T + _words(1) + _block_set(12) + "06000004", True, "a block has nothing but its head"),
    _cut("block-to-the-end", "0", 364, _T + _words(1) + _block_set(12) + "06000140", True, "a block goes to the end of the record"),
    _cut("block-padded-to-the-end", "0", 364, _T + _words(1) + _block_set(12) + "0600013d", True, "a block and its padding go to the end of the record"),
    _cut("block-beyond-the-end", "0", 364, _T + _words(1) + _block_set(12) + "06000141", False, "a block goes a byte beyond the end of the record"),
    _cut("second-block", "0", 364, _T + _words(1) + _block_set(12, 16) + "0600000541", False, "the first of two blocks is not where the index says", keep=53),
    _cut("blocks-two", "0", 364, _T + _words(1) + _block_set(14, 16) + "06000005417e7e7e" + "02000000", False, "the second block has no length"),
    _cut("blocks-two-sound", "0", 364, _T + _words(1) + _block_set(14, 16) + "06000005417e7e7e" + "0200000c", True, "two blocks, the second one not there as a whole"),
    _cut("blocks-two-whole", "0", 68, _T + _words(1) + _block_set(14, 16) + "06000005417e7e7e" + "06000005427e7e7e" + "00", True, "two blocks, which fill the record"),
    _cut("live-format-2", "0", 364, _T + _words(1) + _PMID + _words(1, 2), True, "value format 2, of an archive that is being written", profile="live"),
    _cut("live-format-3", "0", 364, _T + _words(1) + _PMID + _words(1, 3), False, "value format 3, of an archive that is being written", profile="live"),
)

_DESC_HEAD = _words(1, 0x0740000B, 1, -1, 3, 0)  # 24 bytes; then the number of names
_INDOM = _words(0x07400001)
_LABEL_HEAD = _words(16, 0x07400001)
_JSON = '{"a":1}'.encode().hex()


def _indom(kind: int, count: int, rest: str = "", time: str = _T) -> str:
    return _words(kind) + time + _INDOM + _words(count) + rest


def _labels(count: int, rest: str = "", time: str = _T, kind: int = 7) -> str:
    return _words(kind) + time + _LABEL_HEAD + _words(count) + rest


def _text(kind: int, text: str = "") -> str:
    return _words(4, kind, 0x07400002) + text.encode().hex()


_META = (
    _cut("meta-11", "meta", 11, "", False, "a length too small for a metadata record"),
    _cut("meta-12", "meta", 12, "", True, "the least length of a metadata record"),
    _cut("type-cut", "meta", 60, "ffffffff", True, "the type of a metadata record is not there as a whole", keep=7),
    *(
        _cut(f"{name}type-{kind}", "meta", 60, _words(kind), is_known, f"a metadata record of type {kind}{what}", of=of)
        for name, what, of, known in (("", "", "base-v3", (1, 4, 5, 6, 7)), ("v2-", " in version 2", "base-v2", (1, 2, 3, 4)))
        for kind, is_known in ((kind, kind in known) for kind in range(9))
    ),
    _cut("desc-35", "meta", 35, _words(1), False, "a descriptor too short for its number of names"),
    _cut("desc-36", "meta", 36, _words(1), True, "a descriptor with room for its number of names"),
    _cut("desc-count-cut", "meta", 36, _DESC_HEAD + _words(1), True, "the number of names is not there as a whole", keep=31),
    _cut("desc-count-0", "meta", 36, _DESC_HEAD + _words(0), True, "a descriptor without names, and without room for one"),
    _cut("desc-count-0-and-a-word", "meta", 40, _DESC_HEAD + _words(0), False, "a descriptor without names, and a word"),
    _cut("desc-count-minus-1", "meta", 40, _DESC_HEAD + _words(-1), False, "a descriptor with -1 names, and a word"),
    _cut("desc-room-3", "meta", 39, _DESC_HEAD + _words(1), False, "three bytes for the length of a name"),
    _cut("desc-room-4", "meta", 40, _DESC_HEAD + _words(1), True, "four bytes for the length of a name"),
    _cut("desc-name-minus-1", "meta", 45, _DESC_HEAD + _words(1, -1), False, "the length of a name is -1"),
    _cut("desc-name-cut", "meta", 45, _DESC_HEAD + _words(1, -1), True, "the length of a name is not there as a whole", keep=35),
    _cut("desc-name-5", "meta", 45, _DESC_HEAD + _words(1, 5), True, "a name goes to the end of the record"),
    _cut("desc-name-6", "meta", 45, _DESC_HEAD + _words(1, 6), False, "a name goes a byte beyond the end of the record"),
    _cut("desc-name-4", "meta", 45, _DESC_HEAD + _words(1, 4) + "6d2e6161", False, "a name ends a byte before the end of the record"),
    _cut("desc-name-4-cut", "meta", 47, _DESC_HEAD + _words(2, 4) + "6d2e6161", False, "three bytes are left for the length of the second name"),
    _cut("desc-names-2", "meta", 53, _DESC_HEAD + _words(2, 4) + "6d2e6161" + _words(5), True, "two names go to the end of the record"),
    _cut("desc-names-2-more", "meta", 53, _DESC_HEAD + _words(2, 4) + "6d2e6161" + _words(6), False, "the second name goes a byte beyond the end of the record"),
    _cut("desc-names-2-whole", "meta", 53, _DESC_HEAD + _words(2, 4) + "6d2e6161" + _words(5) + "6d2e616162", True, "two names, and no trailing length"),
    _cut("desc-names-2-whole-and-a-byte", "meta", 54, _DESC_HEAD + _words(2, 4) + "6d2e6161" + _words(5) + "6d2e616162", False, "two names, and a byte more"),
    _cut("indom-31", "meta", 31, _words(5), False, "an instance domain too short for its number of instances"),
    _cut("indom-32", "meta", 32, _words(5), True, "an instance domain with room for its number of instances"),
    _cut("v2-indom-27", "meta", 27, _words(2), False, "an instance domain of version 2 too short for its number of instances", of="base-v2"),
    _cut("v2-indom-28", "meta", 28, _words(2), True, "an instance domain of version 2 with room for its number of instances", of="base-v2"),
    _cut("indom-nanosecond", "meta", 60, _words(5) + _BAD_T, False, "the nanosecond of an instance domain is out of range"),
    _cut("indom-nanosecond-cut", "meta", 60, _words(5) + _BAD_T, True, "the nanosecond of an instance domain is not there as a whole", keep=19),
    _cut("indom-count-minus-1", "meta", 60, _indom(5, -1), False, "the number of instances is -1"),
    _cut("indom-count-cut", "meta", 60, _indom(5, -1), True, "the number of instances is not there as a whole", keep=27),
    _cut("indom-count-0", "meta", 32, _indom(5, 0), True, "an instance domain without instances"),
    _cut("indom-count-3", "meta", 60, _indom(5, 3), True, "as many instances as there is room for"),
    _cut("indom-count-4", "meta", 60, _indom(5, 4), False, "one instance more than there is room for"),
    _cut("indom-id-minus-1", "meta", 60, _indom(5, 2, _words(0, -1)), False, "the second identifier of an instance is -1"),
    _cut("indom-id-0", "meta", 60, _indom(5, 2, _words(1, 0)), True, "the second identifier of an instance is 0"),
    _cut("indom-id-cut", "meta", 60, _indom(5, 2, _words(0, -1)), True, "the second identifier of an instance is not there as a whole", keep=35),
    _cut("indom-name-minus-1", "meta", 60, _indom(5, 2, _words(0, 1, 0, -1)), False, "the second name offset is -1"),
    _cut("indom-name-cut", "meta", 60, _indom(5, 2, _words(0, 1, 0, -1)), True, "the second name offset is not there as a whole", keep=43),
    _cut("delta-name-minus-1", "meta", 60, _indom(6, 2, _words(0, 1, 0, -1)), True, "the second name offset of a delta is -1"),
    _cut("delta-name-minus-2", "meta", 60, _indom(6, 2, _words(0, 1, 0, -2)), False, "the second name offset of a delta is -2"),
    _cut("delta-name-late", "meta", 60, _indom(6, 2, _words(0, 1, -1, 12)), False, "the second name of a delta begins at the end of the string table"),
    _cut("indom-name-11", "meta", 60, _indom(5, 2, _words(0, 1, 0, 11)), True, "the second name begins at the last byte of the string table"),
    _cut("indom-name-12", "meta", 60, _indom(5, 2, _words(0, 1, 0, 12)), False, "the second name begins at the end of the string table"),
    _cut("labels-35", "meta", 35, _words(7), False, "a record with labels too short for its number of label sets"),
    _cut("labels-36", "meta", 36, _words(7), True, "a record with labels with room for its number of label sets"),
    _cut("v2-labels-31", "meta", 31, _words(3), False, "a record with labels of version 2 too short for its number of label sets", of="base-v2"),
    _cut("v2-labels-32", "meta", 32, _words(3), True, "a record with labels of version 2 with room for its number of label sets", of="base-v2"),
    _cut("labels-nanosecond", "meta", 60, _words(7) + _BAD_T, False, "the nanosecond of a record with labels is out of range"),
    _cut("labels-count-minus-1", "meta", 60, _labels(-1), False, "the number of label sets is -1"),
    _cut("labels-count-minus-1-exact", "meta", 36, _labels(-1), False, "the number of label sets is -1, and there is no room for one"),
    _cut("labels-count-cut", "meta", 60, _labels(-1), True, "the number of label sets is not there as a whole", keep=31),
    _cut("labels-count-0", "meta", 36, _labels(0), True, "a record with labels without label sets"),
    _cut("labels-count-0-and-a-word", "meta", 40, _labels(0), False, "a record with labels without label sets, and a word"),
    _cut("labels-room-11", "meta", 47, _labels(1), False, "eleven bytes for a label set"),
    _cut("labels-room-12", "meta", 48, _labels(1), True, "twelve bytes for a label set"),
    _cut("labels-json-minus-1", "meta", 100, _labels(1, _NONE + _words(-1)), False, "the length of JSON is -1"),
    _cut("labels-json-cut", "meta", 100, _labels(1, _NONE + _words(-1)), True, "the length of JSON is not there as a whole", keep=39),
    _cut("labels-json-52", "meta", 100, _labels(1, _NONE + _words(52)), True, "JSON goes to the number of labels at the end of the record"),
    _cut("labels-json-53", "meta", 100, _labels(1, _NONE + _words(53)), False, "JSON goes a byte into the number of labels"),
    _cut("labels-json-65535", "meta", 100000, _labels(1, _NONE + _words(65535)), True, "JSON of 65535 bytes"),
    _cut("labels-json-65536", "meta", 100000, _labels(1, _NONE + _words(65536)), False, "JSON of 65536 bytes"),
    _cut("labels-nlabels-cut", "meta", 100, _labels(1, _NONE + _words(7) + _JSON + _words(256)), True, "the number of labels is not there as a whole", keep=50),
    _cut("labels-nlabels-255", "meta", 3000, _labels(1, _NONE + _words(7) + _JSON + _words(255)), False, "255 labels, which leave some bytes of the record"),
    _cut("labels-nlabels-255-exact", "meta", 2095, _labels(1, _NONE + _words(7) + _JSON + _words(255)), True, "255 labels, which fill the record"),
    _cut("labels-nlabels-256", "meta", 2103, _labels(1, _NONE + _words(7) + _JSON + _words(256)), False, "256 labels, which fill the record"),
    _cut("labels-nlabels-1", "meta", 63, _labels(1, _NONE + _words(7) + _JSON + _words(1)), True, "one label, which fills the record"),
    _cut("labels-nlabels-2", "meta", 63, _labels(1, _NONE + _words(7) + _JSON + _words(2)), False, "one label more than fills the record"),
    _cut("labels-nlabels-0", "meta", 55, _labels(1, _NONE + _words(0, 0)), False, "a label set without labels, and bytes after it"),
    _cut("labels-nlabels-error", "meta", 55, _labels(1, _NONE + _words(7) + _JSON + _words(-12368)), True, "a label set with an error in place of its number"),
    _cut("labels-two-sets", "meta", 79, _labels(2, (_NONE + _words(0, 0)) * 2), False, "two label sets, and bytes after them"),
    _cut("labels-two-sets-exact", "meta", 60, _labels(2, (_NONE + _words(0, 0)) * 2), True, "two label sets, which fill the record"),
    _cut("labels-second-room", "meta", 59, _labels(2, _NONE + _words(0, 0)), False, "eleven bytes for the second label set"),
    _cut("labels-second-json", "meta", 64, _labels(2, _NONE + _words(0, 0) + _NONE + _words(5)), False, "JSON of the second label set goes into its number of labels"),
    _cut("labels-second-json-exact", "meta", 64, _labels(2, _NONE + _words(0, 0) + _NONE + _words(4)), True, "JSON of the second label set goes to its number of labels"),
    _cut("text-20", "meta", 20, _words(4), False, "a help text too short for its NUL"),
    _cut("text-21", "meta", 21, _words(4), True, "a help text with room for its NUL"),
    *(
        _cut(f"text-type-{kind}", "meta", 60, _text(kind), kind in (5, 6, 9, 10), f"a help text of type {kind}")
        for kind in (1, 4, 5, 6, 7, 8, 9, 10, 11, 13)
    ),
    _cut("text-type-cut", "meta", 60, _text(4), True, "the type of a help text is not there as a whole", keep=11),
    _cut("text-identifier-cut", "meta", 60, _words(4, 5) + "000000", True, "the identifier of a help text is not there as a whole"),
    _cut("text-letters", "meta", 30, _text(5, "one"), True, "three letters of a help text"),
    _cut("text-early-nul", "meta", 30, _text(5, "o\0e"), False, "a NUL as the second byte of a help text"),
    _cut("text-first-nul", "meta", 30, _text(5, "\0"), False, "a NUL as the first byte of a help text, and the others are not there"),
    _cut("text-whole", "meta", 30, _text(5, "one line.\0"), True, "a help text without its trailing length"),
    _cut("text-whole-no-nul", "meta", 30, _text(5, "one line.."), False, "a help text without NUL and trailing length"),
    _cut("text-nul-too-early", "meta", 30, _text(5, "one line\0\0"), False, "a NUL before the NUL of a help text"),
    _cut("text-but-its-nul", "meta", 30, _text(5, "one line."), True, "a help text without its NUL, which is to come"),
    _cut("live-text-type-5", "meta", 60, _text(5), True, "a help text of type 5, of an archive that is being written", profile="live"),
    _cut("live-text-type-4", "meta", 60, _text(4), False, "a help text of type 4, of an archive that is being written", profile="live"),
)

_NOTE = (
    "What is there of the record speaks against it or not: section 14.14 (cut files), and the layouts of ARC-150, 200, 207, 208, 302, 340, 370, 390, 391, 430; "
    "in the body ARC-1102, in the trailer ARC-1103; of an archive that is being written section 14.13."
)
_CLAUSES = ("ARC-082", "ARC-150", "ARC-151", "ARC-200", "ARC-207", "ARC-208", "ARC-302", "ARC-340", "ARC-370", "ARC-390", "ARC-391", "ARC-430")
_WHY = "A file that the writer's death cut short is told from a damaged one by what is there of its last record."

TABLES = (
    Table("limits-cut-data", "Volumes that end inside of their last record", _WHY, _NOTE, _CLAUSES, _DATA),
    Table("limits-cut-metadata", "Metadata that ends inside of its last record", _WHY, _NOTE, _CLAUSES, _META),
)
