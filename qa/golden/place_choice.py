# SPDX-License-Identifier: Apache-2.0
"""Which byte breaks a rule, of those that the table of section 14.15 may mean in an archive that an edit broke."""

from collections.abc import Callable, Mapping

from qa.golden import file_places, value_places
from qa.golden.place_search import At, Find, fields_named, word_at
from qa.golden.places import WHOLE, Edit, Place, Row, UnclearError

_FIND: dict[str, Find] = {**file_places.FIND, **value_places.FIND}
_BY_RULE: dict[str, Find] = {**file_places.BY_RULE, **value_places.BY_RULE}
_DELTA = 6  # the type of a metadata record
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
    find = _BY_RULE.get(rule) or _FIND.get(row.byte) or fields_named(row.byte)
    found = list(dict.fromkeys(find(edit, row)))
    if rule in _WORD and len(found) > 1:
        found = [at for at in found if _WORD[rule](word_at(edit, at))]
    if edit.name in _OF_EDIT:
        found = found[_OF_EDIT[edit.name] :][:1]
    return found[:1] if rule in _FIRST else found[-1:] if rule in _LATER else found
