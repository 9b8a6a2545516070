# SPDX-License-Identifier: Apache-2.0
"""Texts at the edges of what they may be: names, time zones, UTF-8, the JSON of labels."""

from dataclasses import dataclass, field

from qa.suite.explore.crafted.dice import Dice

# Where classes of characters begin or end: controls, what reorders or hides text, planes, halves of pairs.
_EDGES = (
    0x80, 0xA0, 0xAD, 0x34F, 0x600, 0x61C, 0x70F, 0x115F, 0x180B, 0x180E, 0x200B, 0x200F, 0x2010, 0x2028, 0x202A, 0x202E, 0x2060, 0x2064,
    0x2066, 0x2069, 0x206A, 0x206F, 0x3164, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF9,
    0xFFFB, 0xFFFD, 0xFFFE, 0xFFFF, 0x10000, 0x1D173, 0x1D17A, 0x1FFFE, 0xE0000, 0xE0001, 0xE0020, 0xE007F, 0xE0100, 0xE01EF, 0x10FFFF,
)  # fmt: skip
_BYTES = (
    b"\x01", b"\x08", b"\t", b"\n", b"\x0b", b"\r", b"\x1b", b"\x1f", b"\x7f", b"\x80", b"\xbf", b"\xc0\x80", b"\xc1\xbf", b"\xc2", b"\xc2\x80",
    b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xe0\xa0\x80", b"\xe1\x80", b"\xed\x9f\xbf", b"\xed\xa0\x80", b"\xf0\x8f\xbf\xbf", b"\xf0\x90\x80\x80",
    b"\xf1\x80\x80", b"\xf4\x8f\xbf\xbf", b"\xf4\x90\x80\x80", b"\xf5\x80\x80\x80", b"\xff", b"\xc3\x28", b"\xe2\x28\xa1",
)  # fmt: skip


def odd(dice: Dice) -> bytes:
    """One character that a text of people does not have, or one beside such."""
    if dice.often(0.4):
        return dice.pick(_BYTES)
    return chr(max(1, min(0x10FFFF, dice.pick(_EDGES) + dice.pick((-1, 0, 0, 1))))).encode("utf-8", "surrogatepass")


def plain(dice: Dice, most: int = 20) -> bytes:
    """Words; as a mistake with an odd character in them."""
    text = bytes(dice.pick(b"abcxyzABZ019_.- ") for _ in range(dice.upto(most)))
    if dice.slips():
        at = dice.upto(len(text))
        text = text[:at] + odd(dice) + text[at:]
    return text


_ZONE_NAMES = ("UTC", "EST", "abc", "AZaz", "<+03>", "<-0330>", "<az09>", "Zzz")
_BAD_ZONE_NAMES = ("", "UT", "A1C", "<ab>", "<a_b>", "<abc", "abc>", "[ab", "@ab", "`ab", "{ab", "a/c", "<a:b>", "<a;b>", "<a.b>", "<>")
_HOURS = ("0", "1", "+5", "-5", "12", "24", "-12", "05", "167", "166", "-167", "0005")
_BAD_HOURS = ("", "168", "169", "-168", "+", "-", "--1", "+-1", "1670", "00005", "x", ":", "/", "5:", "5:60", "5:59:60", "5:0:0:0", "9;", "1:61")
_MINUTES = ("", "", "", ":00", ":59", ":30", ":59:59", ":0:0")
_RULES = ("J1", "J365", "0", "365", "M1.1.0", "M12.5.6", "M3.5.0", "M10.1.6", "J60", "59", "M2.2.2")
_BAD_RULES = ("", "J0", "J366", "366", "367", "M0.1.0", "M13.1.0", "M1.0.0", "M1.6.0", "M1.1.7", "M1.1", "M1", "J", "M", "M1.1.", "-1", "M1,1,0", "N1.1.0", "J1/168")
_PATHS = ("/", "/etc", ":", ":/x", "a/..", "../a", ".", "..", "./a", "a/./b", "a/.b", "a/b..", "Europe//Berlin", "Europe/", "a/1", "Europe/Berlin", ":Europe/Berlin",
          "Etc/GMT+1", "Etc/GMT-1", "A_b", "A,b", "A/b/..", "...", "Europe/Nowhere", "UTC ", " UTC")  # fmt: skip


def zone(dice: Dice, most: int = 255) -> str:
    """A POSIX TZ string, one that nearly is, or a name or a path. No longer than `most`."""
    text = _zone(dice)
    while len(text) > most:
        text = _zone(dice)
    return text


def _zone(dice: Dice) -> str:
    if dice.slips(0.5):
        return dice.pick(_PATHS)
    text = _offset(dice, dice.one_of(_ZONE_NAMES, _BAD_ZONE_NAMES, 0.5))
    if dice.often(0.6):
        text += dice.one_of(_ZONE_NAMES, _BAD_ZONE_NAMES, 0.5)
        if dice.often(0.5):
            text = _offset(dice, text)
        if dice.often(0.7):
            for _ in range(dice.one_of((2,), (1, 3))):
                text += dice.one_of((",",), ("", ";", " ,"), 0.3) + dice.one_of(_RULES, _BAD_RULES)
                if dice.often(0.4):
                    text = _offset(dice, text + "/")
    return text + dice.one_of(("",), ("x", ",", " ", "0"), 0.3)


def _offset(dice: Dice, text: str) -> str:
    return text + dice.one_of(_HOURS, _BAD_HOURS) + dice.one_of(_MINUTES, (":60", ":", ":059", ":59:60", ":1:2:3", ":-1"), 0.3)


_NAMES = ("a", "b", "a.b", "a.c", "a.b.c", "ab", "m.a1", "m.a_b", "Az.zA", "x.y9", "abcdefghi", "abcdefghij", "abcdefgh", "abcdefgh.i", "abcdefgh_i")
_BAD_NAMES = ("", ".a", "a.", "a..b", "1a", "a.1", "_a", "a._b", "a-b", "a/b", "a:b", "a@b", "a[b", "a`b", "a{b", "@", "[", "`", "{", "a b", "a\x01", "\u00e4", "/", ":", "a.\u00e4")


def metric_name(dice: Dice) -> bytes:
    return dice.one_of(_NAMES, _BAD_NAMES).encode()


_INSTANCES = (b"a", b"b", b"c", b"ab", b"a b", b"b c", b"cpu0", b"cpu1", b"/dev/x", b"ba", b"ca")
_BAD_INSTANCES = (b"", b" ", b"a", b"b", b"a c", b"a  b", b"ab ", b" a")


def instance_name(dice: Dice) -> bytes:
    name = dice.one_of(_INSTANCES, _BAD_INSTANCES)
    return name + odd(dice) if dice.slips(0.7) else name


_HOSTS = (b"host", b"h.example.org", b"::1", b"fe80::1%eth0", b"H-1_a.z", b"x9", b"h\xc3\xb6st")
_BAD_HOSTS = (b"", b"-h", b".", b"..", b"a/b", b"/", b"h h", b"h,h", b"h;h", b"h@h", b"h[h", b"h`h", b"h{h", b"h$h", b"h\"h", b"~", b"!", b"h\xff")


def host(dice: Dice) -> bytes:
    name = dice.one_of(_HOSTS, _BAD_HOSTS)
    return name + odd(dice) if dice.slips(0.3) else name


_LABEL_NAMES = (b"a", b"b", b"c", b"aa", b"a_b", b"A9", b"b2")
_BAD_LABEL_NAMES = (b"hostname", b"hostname", b"", b"_a", b"1a", b"a-b", b"a.b", b"a", b"b", b"a b", b"n" * 254, b"n" * 255, b"n" * 256, b"\xc3\xa4", b"a/", b"a:", b"@a", b"a[", b"`", b"a{", b"\\u0061", b"a\\n")
_SCALARS = (b"1", b"-1", b"0", b"true", b"false", b"null", b'"x"', b'""', b"1.5", b"9007199254740991", b"-9007199254740991", b"1e10", b'"host"', b"{}", b"[]", b"[1]")
_BAD_SCALARS = (b"", b"01", b"-", b"+1", b"1.", b".5", b"1e", b"tru", b"nul", b"9007199254740992", b"-9007199254740992", b"18446744073709551616", b"1e308", b"1e309", b"9e308", b"0.1e309", b"0.1e310", b"-0.1e310", b"0e999", b"1E999", b"1e-400",
                b"9007199254740992.0", b"[1,]", b"[,]", b"[1 2]", b'"', b"'x'", b'"\\x"', b'"\\u12"', b'"\\u00g0"', b"[", b"]", b"{", b"NaN")  # fmt: skip
_ESCAPES = (b"\\n", b"\\t", b'\\"', b"\\\\", b"\\/", b"\\u0041", b"\\u000a", b"\\u0009", b"\\ud83d\\ude00")
_BAD_ESCAPES = (b"\\b", b"\\f", b"\\r", b"\\u0000", b"\\u001b", b"\\u007f", b"\\u0080", b"\\u009f", b"\\u202e", b"\\ud800", b"\\udbff", b"\\udc00", b"\\udfff", b"\\ue000", b"\\ud7ff",
                b"\\ud800\\udbff", b"\\ud800\\udc00", b"\\udbff\\udfff", b"\\udbff\\ue000", b"\\udc00\\ud800", b"\\ud800x", b"\\u200b", b"\\ufeff", b"\n", b"\t", b"\x01", b"\0")  # fmt: skip


_DEEPEST = 4
_MOST_NESTED = 64  # objects and arrays


@dataclass
class Label:
    """Of a set: where its name and its value lie."""

    name_at: int
    name_size: int
    value_at: int
    value_size: int
    nested: bool
    full: bytes  # its name, that of the outermost object before it


@dataclass
class Json:
    """An object as the text of a label set, and its labels."""

    dice: Dice
    text: bytearray = field(default_factory=bytearray)
    labels: list[Label] = field(default_factory=list)

    def write(self) -> "Json":
        self._object(0, b"")
        if self.dice.slips(0.1):
            self.text += self.dice.pick((b" ", b"x", b"{}", b"\n", b"\0", b","))
        return self

    def _blank(self) -> None:
        if self.dice.slips(0.1):
            self.text += self.dice.pick((b" ", b"\t", b"\n", b"\r", b"  "))

    def _object(self, depth: int, outer: bytes) -> None:
        self._blank()
        self.text += b"{"
        names: set[bytes] = set()
        for number in range(self.dice.pick((0, 1, 2, 3) if depth else (1, 2, 2, 3, 4))):
            if number:
                self._blank()
                self.text += self.dice.one_of((b",",), (b"", b";", b",,"), 0.05)
            self._blank()
            self._member(depth, outer, names)
        self.text += self.dice.one_of((b"}",), (b"", b",}", b"]", b" }"), 0.05)

    def _member(self, depth: int, outer: bytes, names: set[bytes]) -> None:
        """`names`: those that the object has."""
        free = [one for one in _LABEL_NAMES if one not in names]
        name = self.dice.one_of(free, (*_BAD_LABEL_NAMES, *_LABEL_NAMES))
        names.add(name)
        name_at = len(self.text) + 1
        self.text += b'"' + name + b'"'
        self._blank()
        self.text += self.dice.one_of((b":",), (b"", b"=", b": ", b"::"), 0.05)
        value_at, known = len(self.text), len(self.labels)
        self._value(depth, outer or name)
        if len(self.labels) == known:
            full = outer + b"." + name if outer else name
            self.labels.append(Label(name_at, len(name), value_at, len(self.text) - value_at, bool(outer), full))

    def _value(self, depth: int, outer: bytes) -> None:
        if self.dice.slips(0.02):  # arrays and objects in each other, about as deep as readers go
            opened = [self.dice.pick((b"[", b'{"x":')) for _ in range(_MOST_NESTED - depth + self.dice.pick((-2, -1, 0, 1, 2)))]
            self.text += b"".join(opened) + b"1" + b"".join(b"]" if one == b"[" else b"}" for one in reversed(opened))
        elif depth < _DEEPEST and self.dice.often(0.25):
            self._object(depth + 1, outer)
        elif depth < 3 and self.dice.often(0.1):
            self.text += b"["
            for number in range(self.dice.upto(3)):
                self.text += b"," if number else b""
                self._value(depth + 1 if self.dice.slips() else _DEEPEST, outer)  # two objects would have the same names
            self.text += b"]"
        elif self.dice.often(0.3):
            self.text += b'"'
            for _ in range(self.dice.upto(3)):
                part = self.dice.one_of(_ESCAPES, _BAD_ESCAPES) if self.dice.often(0.5) else plain(self.dice, 3)
                self.text += part
            self.text += b'"'
        else:
            self.text += self.dice.one_of(_SCALARS, _BAD_SCALARS, 0.3)
