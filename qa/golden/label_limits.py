# SPDX-License-Identifier: Apache-2.0
"""The cases archive/limits-label-sets and archive/limits-texts: labels and help texts at the limits of what they may say."""

import re

from qa.golden.limit import META_END, Finding, Limit, Table, framed, labels

_ITEM, _CLUSTER, _INSTANCES, _INDOM, _DOMAIN_CLASS, _CONTEXT = (f"{bit:08x}" for bit in (16, 8, 32, 4, 2, 1))
_COUNTER, _DOMAIN = "07400001", "07400001"  # of metric 29.0.1 and instance domain 29.1
_CLASS, _IDENTIFIER, _NSETS, _INST, _JSONLEN, _JSON = 20, 24, 28, 32, 36, 40  # in a record with labels
Entry = tuple[int, int, int, int, int]  # offset and length of the name, flags, offset and length of the value


def _entries(text: bytes, flags: int) -> list[Entry]:
    """Of labels of one level without blanks."""
    found = re.finditer(rb'[{,]"((?:[^"\\]|\\.)*)":("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^,{}\[\]]+)', text, re.DOTALL)
    return [(one.start(1), len(one[1]), flags, one.start(2), len(one[2])) for one in found]


def _set(text: bytes, entries: list[Entry] | None = None, instance: int = -1, flags: int = 16, count: int | None = None) -> str:
    entries = _entries(text, flags) if entries is None else entries
    number = len(entries) if count is None else count
    told = "".join(f"{at:04x}{size:02x}{bits:02x}{value:04x}{length:04x}" for at, size, bits, value, length in entries)
    return f"{instance & 0xFFFFFFFF:08x}{len(text):08x}{text.hex()}{number & 0xFFFFFFFF:08x}{told}"


def _limit(name: str, title: str, record: str, *found: tuple[str, str, int], counts: tuple[int, ...] = ()) -> Limit:
    findings: tuple[Finding, ...] = tuple((rule, severity, "meta", META_END + at) for rule, severity, at in found)
    return Limit(f"label-{name}", title, (("meta", META_END, "", record),), findings, counts=counts)


def _json(name: str, what: str, text: str | bytes, rule: str = "", at: int = 0, severity: str = "warning", clause: str = "", entries: list[Entry] | None = None) -> Limit:
    """A set of 29.0.1 of T+4; `at` counts in the JSON."""
    json_text = text.encode() if isinstance(text, str) else text
    broken = rule == "ARC-1507"
    record = labels(4, _ITEM, _COUNTER, _set(json_text, [] if broken and entries is None else entries))
    found = ((rule, "error" if broken else severity, _JSON + at),) if rule else ()
    return _limit(name, f"{rule or clause}: {what}", record, *found)


def _value(name: str, what: str, value: str | bytes, rule: str = "", at: int = 0, severity: str = "warning", clause: str = "") -> Limit:
    text = value.encode() if isinstance(value, str) else value
    return _json(name, what, b'{"a":' + text + b"}", rule, 5 + at, severity, clause)


_VALUES = (
    *(
        _value(f"number-{name}", f"the number {number if len(number) < 30 else name}", number, "" if is_right else "ARC-1529", clause="ARC-1529")
        for name, number, is_right in (
            ("largest", "9007199254740991", True), ("too-large", "9007199254740992", False), ("least", "-9007199254740991", True), ("too-small", "-9007199254740992", False),
            ("of-65-bits", "18446744073709551616", False), ("zero", "0", True), ("minus-zero", "-0", True), ("point", "9007199254740991.5", True), ("exponent", "1e308", True),
            ("infinite", "1e309", False), ("small", "1e-307", True), ("vanishing", "1e-400", False), ("capital-exponent", "1E+2", True), ("capital-infinite", "1E999", False), ("infinite-below", "-1e309", False),
            ("zero-point-largest", "0.1e309", True), ("zero-point-infinite", "0.1e310", False), ("zero-infinite-below", "-0.1e310", False), ("zero-exponent", "0e999", True), ("nine-infinite", "9e308", False),
        )
    ),
    *(
        _value(f"value-{name}", f"a value with {what}", value, rule, 2 if rule else 0, severity, clause="ARC-1530")
        for name, what, value, rule, severity in (
            ("newline", "an escaped newline", r'"x\n"', "", ""), ("tab", "an escaped tabulator", r'"x\t"', "", ""), ("quote", "an escaped quote", r'"x\"y"', "", ""),
            ("backslash", "an escaped backslash", r'"x\\y"', "", ""), ("slash", "an escaped slash", r'"x\/y"', "", ""), ("backspace", "an escaped backspace", r'"x\b"', "ARC-1530", "warning"),
            ("form-feed", "an escaped form feed", r'"x\f"', "ARC-1530", "warning"), ("return", "an escaped carriage return", r'"x\r"', "ARC-1530", "warning"),
            ("letter-by-number", "an escape for a letter", r'"x\u0041"', "", ""), ("newline-by-number", "an escape for a newline", r'"x\u000a"', "", ""),
            ("tab-by-number", "an escape for a tabulator", r'"x\u0009"', "", ""), ("control-by-number", "an escape for U+001B", r'"x\u001b"', "ARC-1530", "warning"),
            ("unit-separator", "an escape for U+001F", r'"x\u001F"', "ARC-1530", "warning"), ("blank-by-number", "an escape for a blank", r'"x\u0020"', "", ""),
            ("del-by-number", "an escape for DEL", r'"x\u007f"', "ARC-1530", "warning"), ("c1-by-number", "an escape for U+009F", r'"x\u009f"', "ARC-1530", "warning"),
            ("a0-by-number", "an escape for U+00A0", r'"x\u00a0"', "", ""), ("hidden-by-number", "an escape for U+200B", r'"x\u200b"', "ARC-1530", "warning"),
            ("hidden", "U+200B as it is", '"x\u200b"', "ARC-1530", "warning"), ("beside-hidden", "U+2010 as it is", '"x\u2010"', "", ""),
            ("pair", "a surrogate pair", r'"x\ud83d\ude00"', "", ""), ("high-half", "the high half of a surrogate pair", r'"x\ud83d"', "ARC-1530", "error"),
            ("low-halves", "the first low half of a surrogate pair twice", r'"x\udc00\udc00"', "ARC-1530", "error"),
            ("low-half", "the low half of a surrogate pair", r'"x\ude00"', "ARC-1530", "error"), ("high-half-and-letter", "the high half of a pair, and an escape for a letter", r'"x\ud83d\u0041"', "ARC-1530", "error"),
            ("first-high-half", "U+D800 alone", r'"x\ud800"', "ARC-1530", "error"), ("last-low-half", "U+DFFF alone", r'"x\udfff"', "ARC-1530", "error"), ("before-the-halves", "U+D7FF", r'"x\ud7ff"', "", ""),
            ("after-the-halves", "U+E000", r'"x\ue000"', "", ""),
        )
    ),
    _value("value-escapes-then-hidden", "two escapes, and U+200B after them", '"\\n\\u0041\u200b"', "ARC-1530", 9),
    _value("value-pair-then-control", "a surrogate pair, and an escape for U+001B after it", r'"\ud83d\ude00\u001b"', "ARC-1530", 13),
    _value("value-hidden-then-escape", "U+200B, and an escape for U+001B after it", '"\u200b\\u001b"', "ARC-1530", 1),
    _value("value-empty", "an empty value", '""', clause="ARC-1530"),
    _value("value-true", "true", "true", clause="ARC-1507"),
    _value("value-false", "false", "false", clause="ARC-1507"),
    _value("value-null", "null", "null", clause="ARC-1507"),
    _value("value-array", "an array", '[1,"b",true]', clause="ARC-1507"),
    _value("value-empty-array", "an array of nothing", "[]", clause="ARC-1507"),
)

_NO_JSON: tuple[tuple[str, str, str | bytes, int], ...] = (
    ("end", "the object does not end", '{"a":1', 6), ("array", "an array", "[1]", 0), ("second-end", "a bracket after the object", '{"a":1}}', 7), ("no-value", "a label without a value", '{"a":}', 5),
    ("leading-zero", "a number with a leading zero", '{"a":01}', 6), ("comma", "a comma after the last label", '{"a":1,}', 7), ("no-quotes", "a name without quotes", "{a:1}", 1),
    ("tru", "tru", '{"a":tru}', 8), ("point", "a number that ends in a point", '{"a":1.}', 7), ("exponent", "a number without the digits of its exponent", '{"a":1e}', 7),
    ("minus", "a minus alone", '{"a":-}', 6), ("plus", "a number with a plus sign", '{"a":+1}', 5), ("no-colon", "a name without a colon", '{"a" 1}', 5), ("escape", "an escape that is none", r'{"a":"\x"}', 7),
    ("control", "a control character as it is", '{"a":"\x1f"}', 6), ("newline", "a newline as it is", '{"a":"\n"}', 6),
    ("string-end", "a string that does not end", '{"a":"b}', 8), ("array-comma", "an array with a comma at its end", '{"a":[1,]}', 8), ("utf8", "a byte that is not UTF-8", b'{"a":"\xff"}', 6),
    ("utf8-cut", "a character that is cut", b'{"a":"\xe2\x82"}', 6), ("two", "two objects", '{"a":1}{"b":2}', 7), ("empty-text", "a blank", " ", 1), ("comma-first", "a comma before the first label", '{,"a":1}', 1),
)  # fmt: skip
_BROKEN = tuple(_json(f"broken-{name}", what, text, "ARC-1507", at) for name, what, text, at in _NO_JSON)

_DEEP = 64


def _nested(levels: int) -> bytes:
    return b'{"a":' * levels + b"1" + b"}" * levels


def _names(*names: str) -> bytes:
    return ("{" + ",".join(f'"{name}":1' for name in names) + "}").encode()


_MANY_NAMES = [f"l{number:03}" for number in range(255)]


def _named(name: str, what: str, *names: str, rule: str = "", at: int = 0, severity: str = "warning") -> Limit:
    found = ((rule, severity, at),) if rule else ()
    return _limit(name, f"{rule or 'ARC-1511'}: {what}", labels(4, _ITEM, _COUNTER, _set(_names(*names))), *found)


def _flat(name: str, title: str, entries: list[Entry], *found: tuple[str, str, int], text: bytes = b'{"a":1,"b":22}', count: int | None = None) -> Limit:
    """Two labels, of which the entries say something else; 53 is where the first entry begins."""
    return _limit(name, title, labels(4, _ITEM, _COUNTER, _set(text, entries, count=count)), *found)


_A, _B = (2, 1, 16, 5, 1), (8, 1, 16, 11, 2)
_NLABELS, _FIRST, _SECOND = _JSON + 14, _JSON + 18, _JSON + 26

_SETS = (
    _json("levels-64", "64 levels", _nested(_DEEP), clause="ARC-1507", entries=[((_DEEP - 1) * 5 + 2, 1, 16 + 64, _DEEP * 5, 1)]),
    _json("levels-65", "65 levels", _nested(_DEEP + 1), "ARC-1507", _DEEP * 5),
    _flat("entries", "ARC-1510: two labels, and two entries", [_A, _B]),
    _flat("entries-exchanged", "ARC-1511: the entries of two labels in another order", [_B, _A], ("ARC-1511", "warning", _SECOND)),
    _flat("entry-twice", "ARC-1511: two entries for the first of two labels", [_A, _A], ("ARC-1511", "error", _SECOND)),
    _flat("entry-missing", "ARC-1522: one entry for two labels", [_A], ("ARC-1522", "error", _NLABELS)),
    _flat("entry-of-a-third", "ARC-1522: three entries for two labels", [_A, _B, _B], ("ARC-1511", "error", _SECOND + 8), ("ARC-1522", "error", _NLABELS)),
    _flat("name-at-the-end", "ARC-1510: the name of an entry ends with the JSON", [_A, (13, 1, 16, 11, 2)], ("ARC-1510", "error", _SECOND)),
    _flat("name-after-the-end", "ARC-1509: the name of an entry ends after the JSON", [_A, (13, 2, 16, 11, 2)], ("ARC-1509", "error", _SECOND)),
    _flat("value-at-the-end", "ARC-1510: the value of an entry ends with the JSON", [_A, (8, 1, 16, 11, 3)], ("ARC-1510", "error", _SECOND)),
    _flat("value-after-the-end", "ARC-1509: the value of an entry ends after the JSON", [_A, (8, 1, 16, 11, 4)], ("ARC-1509", "error", _SECOND)),
    _flat("first-value-after-the-end", "ARC-1509: the value of the first entry ends after the JSON", [(2, 1, 16, 5, 10), _B], ("ARC-1509", "error", _FIRST)),
    _flat("value-of-the-other", "ARC-1510: the value of an entry is that of the other", [_A, (8, 1, 16, 5, 1)], ("ARC-1510", "error", _SECOND)),
    _flat("name-before", "ARC-1510: the name of an entry begins at its quote", [(1, 1, 16, 5, 1), _B], ("ARC-1510", "error", _FIRST)),
    _flat("name-empty", "ARC-1510: the name of an entry has no length", [(2, 0, 16, 5, 1), _B], ("ARC-1510", "error", _FIRST)),
    _flat("name-longer", "ARC-1510: the name of an entry is one longer", [(2, 2, 16, 5, 1), _B], ("ARC-1510", "error", _FIRST)),
    _flat("value-earlier", "ARC-1510: the value of an entry begins one early", [(2, 1, 16, 4, 1), _B], ("ARC-1510", "error", _FIRST)),
    _flat("flags-8", "ARC-1513: an entry has the flags of a cluster", [_A, (8, 1, 8, 11, 2)], ("ARC-1513", "warning", _SECOND)),
    _flat("flags-0", "ARC-1513: an entry has no flags", [(2, 1, 0, 5, 1), _B], ("ARC-1513", "warning", _FIRST)),
    _flat("flags-24", "ARC-1513: an entry has the flags of two classes", [(2, 1, 24, 5, 1), _B], ("ARC-1513", "warning", _FIRST)),
    _flat("flags-optional", "ARC-1513: an entry is optional", [(2, 1, 128 + 16, 5, 1), _B]),
    _flat("flags-compound", "ARC-1523: an entry of a label of one level is compound", [(2, 1, 64 + 16, 5, 1), _B], ("ARC-1523", "warning", _FIRST)),
    _limit("compound", "ARC-1523: an entry of a label of two levels is compound", labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":1}}', [(7, 1, 64 + 16, 10, 1)]))),
    _limit("not-compound", "ARC-1523: an entry of a label of two levels is not compound", labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":1}}', [(7, 1, 16, 10, 1)])), ("ARC-1523", "warning", _JSON + 13 + 4)),
    _limit("empty-object", "ARC-1523: an empty object, compound", labels(4, _ITEM, _COUNTER, _set(b'{"a":{}}', [(2, 1, 64 + 16, 5, 2)]))),
    _limit("empty-object-plain", "ARC-1523: an empty object, not compound", labels(4, _ITEM, _COUNTER, _set(b'{"a":{}}', [(2, 1, 16, 5, 2)]))),
    _limit("nested-twice", "ARC-1511: two labels of two levels with one name", labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":1},"a":{"b":2}}', [(7, 1, 80, 10, 1), (19, 1, 80, 22, 1)])), ("ARC-1511", "error", _JSON + 25 + 12)),
    _limit("nested-apart", "ARC-1511: two labels of two levels whose inner names are equal", labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":1},"c":{"b":2}}', [(7, 1, 80, 10, 1), (19, 1, 80, 22, 1)]))),
    _limit("nested-object-twice", "ARC-1528: an object with two names that are equal", labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":1},"a":{"c":2}}', [(7, 1, 80, 10, 1), (19, 1, 80, 22, 1)])), ("ARC-1528", "error", _JSON + 14)),
    _limit("third-level-twice", "ARC-1528: two equal names at the third level", labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":{"c":1,"c":2}}}', [(12, 1, 80, 15, 1), (18, 1, 80, 21, 1)])), ("ARC-1528", "error", _JSON + 18)),
    _limit("third-level-twice-in-one-of-two", "ARC-1528: two objects of one name, in which labels of three levels are equal", labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":{"c":1}},"a":{"b":{"c":2}}}', [(12, 1, 80, 15, 1), (30, 1, 80, 33, 1)])), ("ARC-1528", "error", _JSON + 20)),
    _limit("third-level-once-in-each", "ARC-1511: two labels at the third level, of which what is left of their names is equal", labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":{"d":1},"c":{"d":2}}}', [(12, 1, 80, 15, 1), (24, 1, 80, 27, 1)]))),
    _limit("second-level-as-the-third", "ARC-1511: a label at the third level and one at the second, of which what is left of their names is equal",
           labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":{"d":1},"d":2}}', [(12, 1, 80, 15, 1), (19, 1, 80, 22, 1)]))),
    _limit("third-level-and-then-a-name-twice", "ARC-1511: two labels at the third level, of which what is left of their names is equal, and a name twice after them",
           labels(4, _ITEM, _COUNTER, _set(b'{"a":{"b":{"d":1},"c":{"d":2}},"x":1,"x":2}', [(12, 1, 80, 15, 1), (24, 1, 80, 27, 1), (32, 1, 16, 35, 1), (38, 1, 16, 41, 1)])), ("ARC-1511", "error", _JSON + 43 + 4 + 24)),
    *(
        _limit(f"repeated-{name}", f"ARC-1528: {what}", labels(4, _ITEM, _COUNTER, _set(text, [])), *((("ARC-1522", "error", _JSON + len(text)),) if at is None else (("ARC-1522", "error", _JSON + len(text)), ("ARC-1528", "error", _JSON + at))))
        for name, what, text, at in (
            ("labels", "two labels of one name, of which no entry tells, beside an object", b'{"a":1,"a":2,"b":{"c":1}}', None),
            ("labels-of-an-object", "two labels of an object have one name, of which no entry tells", b'{"a":{"b":1,"b":2}}', None),
            ("labels-and-objects", "two labels of one name, of which no entry tells, and two objects of one name", b'{"a":1,"a":2,"b":{"c":1},"b":{"d":1}}', 26),
            ("label-and-object", "a label and an object of one name", b'{"a":1,"a":{"b":2}}', 8),
            ("object-and-label", "an object and a label of one name", b'{"a":{"b":2},"a":1}', 14),
            ("objects-inside", "two objects in an object have one name", b'{"a":{"x":{"b":1},"x":{"c":2}}}', 19),
            ("in-an-array", "an object in an array has a name twice", b'{"a":[{"b":{"d":1},"c":2,"b":3}]}', 26),
            ("two-pairs", "two pairs of objects of one name each, the one with the later name first", b'{"z":{"b":1},"z":{"c":2},"a":{"d":1},"a":{"e":1}}', 14),
            ("empty-objects", "two empty objects and an object that has a label", b'{"a":{},"a":{},"b":{"c":1}}', None),
            ("names-of-two-objects", "two objects with one name each, which are equal", b'{"a":{"x":1},"b":{"x":2}}', None),
            ("name-inside-and-outside", "an object has a name that the object around it has", b'{"a":{"a":1},"b":{"a":{"a":2}}}', None),
            ("third-level-labels", "two labels of one name at the third level, the second of them an object", b'{"a":{"x":{"b":1,"b":{"c":2}}}}', 18),
        )
    ),
    _named("names-ascend", "three names that ascend", "a", "ab", "b"),
    _named("names-descend", "two names that descend", "b", "a", rule="ARC-1511", at=_JSON + 13 + 4 + 8),
    _named("names-prefix-last", "a name after one that begins with it", "ab", "a", rule="ARC-1511", at=_JSON + 14 + 4 + 8),
    _named("names-equal", "a name twice", "a", "a", rule="ARC-1511", at=_JSON + 13 + 4 + 8, severity="error"),
    _named("names-last-descend", "the last two of three names descend", "a", "c", "b", rule="ARC-1511", at=_JSON + 19 + 4 + 16),
    _named("labels-255", "255 labels, as many as readers take", *_MANY_NAMES),
    _limit("labels-256", "ARC-1505: 256 labels, with room for all of them", labels(4, _ITEM, _COUNTER, _set(_names(*_MANY_NAMES, "z"))), ("ARC-1505", "fatal", _JSON + len(_names(*_MANY_NAMES, "z")))),
    _named("name-of-254", "a name of 254 letters", "a" * 254, rule=""),
    _named("name-with-a-blank", "a name with a blank", "a b", rule="ARC-1512", at=_JSON + 2),
    _named("second-name-with-a-hyphen", "the second name has a hyphen", "a", "b-c", rule="ARC-1512", at=_JSON + 8),
    _named("name-with-an-underscore", "a name with an underscore and a digit", "a_9Z"),
    _limit("blank-after-the-brace", "ARC-1508: a blank after the first brace", labels(4, _ITEM, _COUNTER, _set(b'{ "a":1}', [(3, 1, 16, 6, 1)])), ("ARC-1508", "warning", _JSON + 1)),
    _limit("blank-after-the-colon", "ARC-1508: a blank after a colon", labels(4, _ITEM, _COUNTER, _set(b'{"a": 1}', [(2, 1, 16, 6, 1)])), ("ARC-1508", "warning", _JSON + 5)),
    _limit("blank-in-a-string", "ARC-1508: a blank in a string", labels(4, _ITEM, _COUNTER, _set(b'{"a":" 1"}'))),
    _limit("newline-at-the-end", "ARC-1508: a newline after the object", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}\n')), ("ARC-1508", "warning", _JSON + 7)),
    _limit("nul", "ARC-1521: a NUL after the object", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}\0')), ("ARC-1521", "error", _JSON + 7)),
    _limit("empty-set", "ARC-1522: neither JSON nor entries", labels(4, _ITEM, _COUNTER, _set(b"", []))),
    _limit("braces", "ARC-1522: an object without labels", labels(4, _ITEM, _COUNTER, _set(b"{}", []))),
    _limit("nlabels-minus-1", "ARC-1514: the number of labels is -1", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}', [], count=-1))),
    *(
        _limit(f"class-{number}", f"ARC-1501: label class {number}", labels(4, f"{number:08x}", identifier, _set(b'{"a":1}', flags=number & 63, instance=0 if number == 32 else -1)),
               *(() if number in (1, 2, 4, 8, 16, 32) else (("ARC-1501", "warning", _CLASS),)))
        for number, identifier in ((0, _COUNTER), (1, "ffffffff"), (2, f"{29:08x}"), (3, _COUNTER), (4, _DOMAIN), (8, "07400000"), (16, _COUNTER), (32, _DOMAIN), (33, _DOMAIN), (64, _COUNTER))
    ),
    *(
        _limit(f"of-{name}", f"ARC-1502: {what}", labels(4, label_class, identifier, _set(b'{"a":1}', flags=int(label_class, 16), instance=0 if label_class == _INSTANCES else -1)), ("ARC-1502", "warning", _IDENTIFIER))
        for name, what, label_class, identifier in (
            ("no-item", "labels of an item that is not there", _ITEM, "0740000b"), ("no-cluster", "labels of a cluster that is not there", _CLUSTER, "07400400"),
            ("no-domain", "labels of a domain that is not there", _DOMAIN_CLASS, f"{30:08x}"), ("no-indom", "labels of an instance domain that is not there", _INDOM, "07400002"),
            ("no-instances", "labels of instances of a domain that is not there", _INSTANCES, "07400002"), ("context-5", "labels of the context with an identifier", _CONTEXT, f"{5:08x}"),
            ("item-with-a-flag", "labels of an item with the flag bit", _ITEM, "87400001"),
        )
    ),
    _limit("cluster-with-an-item", "ARC-1526: labels of a cluster name an item", labels(4, _CLUSTER, _COUNTER, _set(b'{"a":1}', flags=8)), ("ARC-1526", "warning", _IDENTIFIER)),
    _limit("inst-0", "ARC-1515: labels of an item name instance 0", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}', instance=0)), ("ARC-1515", "warning", _INST)),
    _limit("inst-minus-2", "ARC-1515: labels of an item name instance -2", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}', instance=-2)), ("ARC-1515", "warning", _INST)),
    _limit("two-sets", "ARC-1518: two label sets of an item", labels(4, _ITEM, _COUNTER, _set(b"{}", []), _set(b"{}", [])), ("ARC-1518", "warning", _NSETS)),
    _limit("no-sets", "ARC-1519: no label sets", labels(4, _ITEM, _COUNTER), ("ARC-1519", "warning", _NSETS)),
    _limit("instances", "ARC-1516: labels of both instances", labels(4, _INSTANCES, _DOMAIN, *(_set(b'{"a":1}', flags=32, instance=one) for one in (0, 2)))),
    _limit("instance-gone", "ARC-1516: labels of an instance that is gone", labels(4, _INSTANCES, _DOMAIN, *(_set(b'{"a":1}', flags=32, instance=one) for one in (0, 1))), ("ARC-1516", "warning", _INST + 27)),
    _limit("instances-descend", "ARC-1517: labels of instances that descend", labels(4, _INSTANCES, _DOMAIN, *(_set(b'{"a":1}', flags=32, instance=one) for one in (2, 0)))),
    _limit("instance-twice", "ARC-1517: labels of an instance twice", labels(4, _INSTANCES, _DOMAIN, *(_set(b'{"a":1}', flags=32, instance=one) for one in (0, 2, 0))), ("ARC-1517", "warning", _INST + 54)),
    _limit("instance-thrice", "ARC-1517: labels of an instance three times", labels(4, _INSTANCES, _DOMAIN, *(_set(b'{"a":1}', flags=32, instance=one) for one in (2, 2, 2))), ("ARC-1517", "warning", _INST + 27), counts=(2,)),
    _limit("same-time-other-value", "ARC-1525: two records of one time with other values", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}')) + labels(4, _ITEM, _COUNTER, _set(b'{"a":2}')), ("ARC-1525", "error", 63 + 8)),
    _limit("same-time-other-label", "ARC-1525: two records of one time with other labels", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}')) + labels(4, _ITEM, _COUNTER, _set(b'{"b":2}')), ("ARC-1525", "warning", 63 + 8)),
    _limit("same-time-second-value", "ARC-1525: of two records of one time the second label differs", labels(4, _ITEM, _COUNTER, _set(b'{"a":1,"b":2}')) + labels(4, _ITEM, _COUNTER, _set(b'{"a":1,"b":3}')), ("ARC-1525", "error", 77 + 8)),
    _limit("same-time-other-subject", "ARC-1525: two records of one time for two items", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}')) + labels(4, _ITEM, "07400002", _set(b'{"a":2}'))),
    _limit("other-time", "ARC-1525: two records of two times", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}')) + labels(5, _ITEM, _COUNTER, _set(b'{"a":2}'))),
    _limit("same-time-thrice", "ARC-1525: three records of one time", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}')) * 3, ("ARC-1525", "warning", 63 + 8), counts=(2,)),
    _limit("host", "ARC-1520: labels of the context with the host", labels(4, _CONTEXT, "ffffffff", _set(b'{"hostname":"testhost"}', flags=1))),
    _limit("other-host", "ARC-1520: labels of the context with another host", labels(4, _CONTEXT, "ffffffff", _set(b'{"hostname":"testhosu"}', flags=1)), ("ARC-1520", "warning", _JSON + 12)),
    _limit("host-beginning", "ARC-1520: labels of the context with the beginning of the host", labels(4, _CONTEXT, "ffffffff", _set(b'{"hostname":"testhos"}', flags=1)), ("ARC-1520", "warning", _JSON + 12)),
    _limit("host-longer", "ARC-1520: labels of the context with a longer host", labels(4, _CONTEXT, "ffffffff", _set(b'{"hostname":"testhosts"}', flags=1)), ("ARC-1520", "warning", _JSON + 12)),
    _limit("host-second", "ARC-1520: the second label of the context is another host", labels(4, _CONTEXT, "ffffffff", _set(b'{"a":1,"hostname":"x"}', flags=1)), ("ARC-1520", "warning", _JSON + 18)),
    _limit("host-of-an-item", "ARC-1520: labels of an item with another host", labels(4, _ITEM, _COUNTER, _set(b'{"hostname":"x"}'))),
    _limit("nsets-2-of-1", "ARC-1503: two label sets, and room for one", framed(labels(4, _ITEM, _COUNTER, _set(b"{}", []))[8:56] + f"{2:08x}" + _set(b"{}", [])), ("ARC-1503", "fatal", _NSETS)),
    _limit("json-65535", "ARC-1504: the length of JSON is the largest, and goes beyond the record", framed(labels(4, _ITEM, _COUNTER)[8:56] + f"{1:08x}ffffffff0000ffff{0:08x}"), ("ARC-1504", "error", _JSONLEN)),
    _limit("json-65536", "ARC-1504: the length of JSON is one more than it may be", framed(labels(4, _ITEM, _COUNTER)[8:56] + f"{1:08x}ffffffff00010000{0:08x}"), ("ARC-1504", "fatal", _JSONLEN)),
    _limit("json-minus-1", "ARC-1504: the length of JSON is -1", framed(labels(4, _ITEM, _COUNTER)[8:56] + f"{1:08x}ffffffffffffffff{0:08x}"), ("ARC-1504", "fatal", _JSONLEN)),
    _limit("nlabels-one-more", "ARC-1505: two labels, and room for one", labels(4, _ITEM, _COUNTER, _set(b'{"a":1}', count=2)), ("ARC-1505", "fatal", _JSON + 7)),
    _limit("bytes-after", "ARC-1506: a byte after the last label set", framed(labels(4, _ITEM, _COUNTER, _set(b'{"a":1}'))[8:-8] + "2a"), ("ARC-1506", "warning", _JSON + 7 + 12)),
    _limit("too-short", "ARC-1109: a record with labels of 35 bytes", framed(labels(4, _ITEM, _COUNTER)[8:56] + "000000"), ("ARC-1109", "fatal", 0)),
)

_TYPE, _OF, _TEXT = 8, 12, 16  # of a help text


def _text(name: str, title: str, kind: int, text: bytes, *found: tuple[str, str, int], identifier: str = "07400002") -> Limit:
    """Of 29.0.2, which has none."""
    record = framed(f"{4:08x}{kind:08x}{identifier}{text.hex()}")
    findings: list[Finding] = [(rule, severity, "meta", META_END + at) for rule, severity, at in found]
    findings += [("ARC-2008", "info", "0", 808), ("ARC-2009", "info", "0", 2628)]
    return Limit(f"text-{name}", title, (("meta", META_END, "", record),), tuple(findings), least="info")


_TEXTS = (
    *(_text(f"type-{kind}", f"ARC-1601: text type {kind}", kind, text, identifier=identifier) for kind, identifier, text in ((5, "07400002", b"x\0"), (6, "07400002", b"x\0"), (9, _DOMAIN, b"indom one line\0"), (10, _DOMAIN, b"x\0"))),
    _text("type-21", "ARC-1603: text type 21, with a bit of no meaning", 21, b"x\0", ("ARC-1603", "warning", _TYPE)),
    _text("type-37", "ARC-1603: text type 37, with another bit of no meaning", 37, b"x\0", ("ARC-1603", "warning", _TYPE)),
    _text("type-sign", "ARC-1603: a text type with the uppermost bit", 0x80000005, b"x\0", ("ARC-1603", "warning", _TYPE)),
    _text("type-4", "ARC-1601: text type 4, of the last record", 4, b"x\0", ("ARC-1601", "error", _TYPE)),
    _text("type-8", "ARC-1601: text type 8, of the last record", 8, b"x\0", ("ARC-1601", "error", _TYPE)),
    _text("type-1", "ARC-1602: text type 1, of the last record", 1, b"x\0", ("ARC-1602", "error", _TYPE)),
    _text("type-2", "ARC-1602: text type 2, of the last record", 2, b"x\0", ("ARC-1602", "error", _TYPE)),
    _text("newline", "ARC-1606: a newline in a one-line text", 5, b"x\ny\0", ("ARC-1606", "warning", _TEXT + 1)),
    _text("newline-of-help", "ARC-1606: a newline in a full text", 6, b"x\ny\0"),
    _text("newline-of-an-indom", "ARC-1606: a newline in the one-line text of an instance domain", 9, b"another\n\0", ("ARC-1606", "warning", _TEXT + 7), ("ARC-1607", "warning", _TEXT), identifier=_DOMAIN),
    _text("of-no-metric", "ARC-1605: a text of a metric that is not there", 5, b"x\0", ("ARC-1605", "warning", _OF), identifier="0740000b"),
    _text("of-no-indom", "ARC-1605: a text of an instance domain that is not there", 9, b"x\0", ("ARC-1605", "warning", _OF), identifier="07400002"),
    _text("of-indom-null", "ARC-1611: a text of PM_INDOM_NULL", 9, b"x\0", ("ARC-1611", "warning", _OF), identifier="ffffffff"),
    _text("of-pmid-null", "ARC-1605: a text of PM_ID_NULL", 5, b"x\0", ("ARC-1605", "warning", _OF), identifier="ffffffff"),
    _text("empty", "ARC-1608: an empty text", 5, b"\0", ("ARC-1608", "info", _TEXT)),
    _text("two-nuls", "ARC-1609: two NULs", 5, b"\0\0", ("ARC-1609", "warning", _TEXT)),
    _text("nul-inside", "ARC-1609: a NUL before the last one", 5, b"x\0\0", ("ARC-1609", "warning", _TEXT + 1)),
    _text("the-same", "ARC-1607: a text again", 5, b"one line\0", identifier=_COUNTER),
    _text("another", "ARC-1607: another text, one letter longer", 5, b"one lines\0", ("ARC-1607", "warning", _TEXT), identifier=_COUNTER),
    _text("the-same-for-help", "ARC-1607: the one-line text as the full text of the same number of an instance domain", 10, b"one line\0", identifier=_COUNTER),
    _text("not-utf-8", "ARC-1610: a byte that is not UTF-8", 5, b"x\xff\0", ("ARC-1610", "info", _TEXT + 1)),
    _text("tab", "ARC-1612: a tabulator", 5, b"x\ty\0"),
    _text("escape", "ARC-1612: an escape character", 5, b"x\x1b\0", ("ARC-1612", "warning", _TEXT + 1)),
    _text("return", "ARC-1612: a carriage return", 6, b"x\r\n\0", ("ARC-1612", "warning", _TEXT + 1)),
    _text("c1", "ARC-1612: a C1 control", 6, b"x\xc2\x85\0", ("ARC-1612", "warning", _TEXT + 1)),
    _text("hidden", "ARC-1612: U+200B", 6, b"xy\xe2\x80\x8b\0", ("ARC-1612", "warning", _TEXT + 2)),
    Limit("text-too-short", "ARC-1109: a help text of 19 bytes", (("meta", META_END, "", framed(f"{4:08x}{5:08x}" + "074000")),), (("ARC-1109", "fatal", "meta", META_END),), least="fatal"),
)

TABLES = (
    Table(
        "limits-label-sets",
        "Label sets at the limits of what they may say",
        "Labels are text from many sources, and the entries beside it say again what stands in it.",
        "By the layout of ARC-390 and 391; in .meta the JSON of a set begins 40 bytes after its record.",
        ("ARC-002", "ARC-390", "ARC-391", "ARC-1514"),
        (*_VALUES, *_BROKEN, *_SETS),
    ),
    Table(
        "limits-texts",
        "Help texts at the limits of what they may say",
        "Tools print help texts as they are.",
        "By the layout of ARC-430 and 431; characters by ARC-002.",
        ("ARC-002", "ARC-430", "ARC-431", "ARC-432", "ARC-2008", "ARC-2009"),
        _TEXTS,
    ),
)
