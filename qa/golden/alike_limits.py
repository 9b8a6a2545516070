# SPDX-License-Identifier: Apache-2.0
"""The case archive/limits-alike: records and names that are nearly as others, which a reader that compares them has looked at before."""

from collections.abc import Sequence

from qa.golden.limit import Finding, Limit, Table, Whole, data, descriptor, framed, insitu, time_of

_ONE, _TWO, _THREE = "07400001", "07400002", "07400003"  # of metrics and instance domains
_WORD = "00000007"
Found = tuple[str, str, str, int]  # rule, severity, part, offset


def _limit(name: str, title: str, whole: Whole, *found: Found, counts: tuple[int, ...] = ()) -> Limit:
    """An archive of its own; that there is neither prologue nor epilogue is added."""
    told = dict(zip(found, counts or (1,) * len(found), strict=True))
    findings: list[Finding] = sorted([*found, ("ARC-2008", "info", "0", whole.offsets[0]), ("ARC-2009", "info", "0", whole.offsets[-2])])
    return Limit(f"alike-{name}", title, whole.changes, tuple(findings), least="info", counts=tuple(told.get(one, 1) for one in findings))


_OFTEN = 12  # so many records: a reader that remembers what it has seen does so after a few
_SETS = 20  # where the value sets of a record begin


def _twice(name: str, title: str, others: Sequence[str], is_broken: bool) -> Limit:
    """Records that are alike but for their times: a set of the first metric, and after it `others`."""
    records = [data(second, insitu(_ONE, _WORD), *(insitu(one, _WORD) for one in others)) for second in range(_OFTEN)]
    whole = Whole([descriptor(pmid, f"m.a{pmid}") for pmid in sorted({_ONE, *others})], records)
    found: tuple[Found, ...] = (("ARC-1713", "error", "0", whole.offsets[0] + _SETS + 20 * len(others)),) if is_broken else ()
    return _limit(name, title, whole, *found, counts=(_OFTEN,) * len(found))


def _domain(second: int, indom: str, *named: tuple[int, str]) -> str:
    table, offsets = "", []
    for _, text in named:
        offsets.append(len(table) // 2)
        table += text.encode().hex() + "00"
    words = "".join(f"{one:08x}" for one in (len(named), *(number for number, _ in named), *offsets))
    return framed(f"{5:08x}{time_of(second)}{indom}{words}{table}")


_A, _B = (0, "a"), (1, "b")
_CHANGES = 6  # the record with which a domain changes


def _two_domains(name: str, title: str, changed: str) -> Limit:
    """Two metrics, each with a domain of its own and two values in each record; that domain loses its second instance."""
    meta = [
        descriptor(_ONE, "m.one", indom=_ONE),
        descriptor(_TWO, "m.two", indom=_TWO),
        _domain(0, _ONE, _A, _B),
        _domain(0, _TWO, _A, _B),
        _domain(_CHANGES, changed, _A),
    ]
    two = f"{2:08x}{0:08x}{0:08x}{_WORD}{1:08x}{_WORD}"
    whole = Whole(meta, [data(second, _ONE + two, _TWO + two) for second in range(_OFTEN)])
    second_instance = whole.offsets[_CHANGES] + _SETS + (28 if changed == _TWO else 0) + 20
    return _limit(name, title, whole, ("ARC-1805", "warning", "0", second_instance), counts=(_OFTEN - _CHANGES,))


_STEADY = ("07400002", "07400003", "07400004", "07400005")  # beside the one whose instances change
_MANY = 16  # records
_WRONG = 10  # the record with something wrong


def _text(letters: str) -> str:
    """A value block, which ends with the 0 of the string if `letters` do."""
    return f"06{4 + len(letters):06x}{letters.encode().hex()}{'7e' * (-len(letters) % 4)}"


def _one_changes(name: str, title: str, rule: str = "") -> Limit:
    """In each record the second of six sets has other instances, counters follow, and a string of another length."""
    changing = descriptor(_ONE, "m.changing", indom=_ONE)
    meta = [changing, *(descriptor(pmid, f"m.a{pmid}", semantics=1) for pmid in _STEADY), descriptor("07400006", "m.text", 6), _domain(0, _ONE, *((one, f"i{one}") for one in range(4)))]
    records, places = [], {}
    for number in range(_MANY):
        wrong = rule if number == _WRONG else ""
        instances = list(range(1 + number % 3))
        if wrong == "ARC-1805":
            instances[-1] = 9
        counters = [f"{7 + number:08x}"] * len(_STEADY)
        if wrong == "ARC-1825":
            counters[2] = f"{number:08x}"
        text = "x" * (1 + number % 4) + ("y" if wrong == "ARC-1812" else "\0")
        changing_set = f"{_ONE}{len(instances):08x}{0:08x}" + "".join(f"{one:08x}{_WORD}" for one in instances)
        first, *others = (insitu(pmid, word) for pmid, word in zip(_STEADY, counters, strict=True))
        sets = [first, changing_set, *others]
        block = _SETS + len("".join(sets)) // 2 + 20
        sets.append(f"07400006{1:08x}{1:08x}ffffffff{block // 4 + 2:08x}")
        records.append(data(number, *sets, blocks=_text(text)))
        if wrong:
            after_changing = _SETS + len(sets[0] + sets[1]) // 2
            places = {"ARC-1805": after_changing - 8, "ARC-1825": after_changing + 20 + 12, "ARC-1812": block + 4}
    whole = Whole(meta, records)
    return _limit(name, title, whole, *([(rule, "warning", "0", whole.offsets[_WRONG] + places[rule])] if rule else ()))


def _named(name: str, title: str, names: Sequence[str], again: int | None = None) -> Limit:
    """Metrics of these names; `again`: which one is there before."""
    pmids = [f"{0x07400001 + number:08x}" for number in range(len(names))]
    meta = [descriptor(pmid, one) for pmid, one in zip(pmids, names, strict=True)]
    whole = Whole(meta, [data(second, *(insitu(pmid, _WORD) for pmid in pmids)) for second in range(2)])
    found: tuple[Found, ...] = (("ARC-1308", "error", "meta", whole.meta_offsets[again] + 36),) if again is not None else ()
    return _limit(name, title, whole, *found)


_ALIKE = (
    _twice("metric-twice", f"ARC-1713: in each of {_OFTEN} records the second value set is of the metric of the first one", [_ONE], True),
    _twice("metric-twice-with-one-between", f"ARC-1713: in each of {_OFTEN} records the third value set is of the metric of the first one", [_TWO, _ONE], True),
    _twice("metrics-once", f"ARC-1713: {_OFTEN} records with three metrics", [_TWO, _THREE], False),
    _two_domains("second-domain-changes", "ARC-1805: the second of two domains loses an instance, of which there are values in all records", _TWO),
    _two_domains("first-domain-changes", "ARC-1805: the first of two domains loses an instance, of which there are values in all records", _ONE),
    _one_changes("one-set-changes", f"{_MANY} records that are alike, but for the instances of one set, and the length of a string"),
    _one_changes("one-set-changes-and-lacks", "ARC-1805: likewise, and once the set that changes has an instance that its domain has not", "ARC-1805"),
    _one_changes("one-set-changes-and-a-counter-decreases", "ARC-1825: likewise, and once a counter after the set that changes decreases", "ARC-1825"),
    _one_changes("one-set-changes-and-a-string-is-not-ended", "ARC-1812: likewise, and once the string has no NUL at its end", "ARC-1812"),
    # Letters 8 to 14 of the first two are those that the third one begins with, and the letters after these are alike.
    _named("names-shifted-by-seven", "ARC-1308: the end of a name is as another one without its first seven letters", ["aaaaaaabbbbbbbcc", "aaaaaaabbbbbbbdd", "bbbbbbbxxxxxxxcc"]),
    _named("names-shifted-and-one-twice", "ARC-1308: likewise, and the first name again", ["aaaaaaabbbbbbbcc", "aaaaaaabbbbbbbdd", "bbbbbbbxxxxxxxcc", "aaaaaaabbbbbbbcc"], 3),
    _named("names-shifted-and-the-shorter-twice", "ARC-1308: likewise, and the third name again", ["aaaaaaabbbbbbbcc", "aaaaaaabbbbbbbdd", "bbbbbbbxxxxxxxcc", "bbbbbbbxxxxxxxcc"], 3),
    _named("names-of-14-and-16", "ARC-1308: two names that differ in their last two letters, and their first fourteen", ["aaaaaaabbbbbbbcc", "aaaaaaabbbbbbbdd", "aaaaaaabbbbbbb"]),
)

TABLES = (
    Table(
        "limits-alike",
        "Records and names that are nearly as others before them",
        "Whoever looks only at what is new in a record has to see what is wrong in the rest of it, each time.",
        "By the rows of the rules; what is wrong in a record is so in each that is like it.",
        ("ARC-2008", "ARC-2009"),
        _ALIKE,
    ),
)
