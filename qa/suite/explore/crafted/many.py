# SPDX-License-Identifier: Apache-2.0
"""Domains of many instances: full records one after the other of which few instances change, and deltas to them (section 6 of archive.md).

Readers compare such a record with the one before it instead of looking at each instance (`reference/archive/known_instances.h`)."""

from dataclasses import dataclass, field

from qa.suite.explore.crafted import texts
from qa.suite.explore.crafted.dice import Dice, word
from qa.suite.explore.crafted.metadata import framed

_ENDS = (b"", b"", b"", b" x", b" x y", b"x", b"-0", b"-", b"a b")
_SIZES = (14, 15, 16, 16, 17, 17, 18, 18, 20, 24, 33, 64)
_MISTAKES = (0, 0, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 7, 8, 8, 9, 10, 11, 12, 13)

Entry = tuple[int, bytes]


@dataclass
class Many:
    """One domain. `now`: the instances in the order of its records, which in version 3 is that of their numbers (ARC-1419)."""

    dice: Dice
    version: int
    by_deltas: bool = False  # most records are deltas, with many changes each
    renames: bool = False  # ARC-1424, ARC-1425: instances get other names, and names other instances
    now: list[Entry] = field(default_factory=list)
    gone: list[Entry] = field(default_factory=list)
    made: int = 0
    used: set[int] = field(default_factory=set)

    def next(self, head: bytes, breaks: float = 0.0) -> tuple[bytes, list[int]]:
        """The record that is next, with its time and domain in `head`; and the instances that there are then. `breaks`: how often it has a mistake."""
        dice = self.dice
        is_delta = bool(self.now) and self.version == 3 and dice.often(0.9 if self.by_deltas else 0.15)
        before = dict(self.now)
        if not self.now:
            self._come(dice.pick(_SIZES))
        elif is_delta:
            self._leave(dice.pick((0, 1, 2, 9)))
            self._come(dice.pick((9, 30) if self.by_deltas else (0, 1, 2)))
        else:
            for _ in range(dice.pick((0, 1, 1, 2, 3))):
                self._change()
        if self.version == 3:
            self.now.sort()
        is_broken = dice.often(breaks)
        return self._delta(head, before, is_broken) if is_delta else self._full(head, is_broken), sorted(dict(self.now))

    def _change(self) -> None:
        dice = self.dice
        match dice.upto(13 if self.renames else 7):
            case 0 | 1:
                self._leave(1)
            case 2:
                self._leave(dice.pick((2, 7, 8, 9)))  # about as far as is looked ahead
            case 3 | 4:
                self._come(1)
            case 5:
                self._come(dice.pick((2, 8, 9, 10, 11, len(self.now))))
            case 6 | 7 if self.gone:  # comes back, as it was or with another number or name
                number, name = self.gone.pop(dice.upto(len(self.gone) - 1))
                if self.renames and dice.often(0.3):
                    number, name = dice.pick(((self._number(), name), (number, self._name())))
                self._put(number, name)
            case 6 | 7:
                self._reorder()
            case 8 | 9:
                at = self._place()
                name = self.now[at][1]
                others = (name + b"1", name[:-1], name + b" 1", name[:-1] + b"z", self._name())
                free = [one for one in others if one and self._is_free(one, at)]
                if free:
                    self.now[at] = self.now[at][0], dice.pick(free)
            case 10:  # another number, with the same name
                at = self._place()
                if dice.often(0.5):
                    _, name = self.now.pop(at)
                    self._put(self._number(), name)
                else:
                    self.now[at] = self._number(), self.now[at][1]
            case 11:
                one, other = self._place(), self._place()
                (number, name), (number_of_other, name_of_other) = self.now[one], self.now[other]
                self.now[one], self.now[other] = (number, name_of_other), (number_of_other, name)
            case _:  # takes the name of one that goes
                _, name = self.now.pop(self._place())
                self._put(self._number(), name)

    def _reorder(self) -> None:
        """ARC-1419: version 2 has them in any order."""
        at = self._place()
        if self.version == 2 and self.dice.often(0.5):
            self.now.insert(self._place(), self.now.pop(at))
        elif self.version == 2:
            self.now = self.now[at:] + self.now[:at]

    def _place(self) -> int:
        return self.dice.upto(len(self.now) - 1)

    def _leave(self, count: int) -> None:
        """Neighbours. Some stay."""
        at = self._place()
        count = min(count, len(self.now) - 2)
        if count > 0:
            self.gone += self.now[at : at + count]
            del self.now[at : at + count]

    def _come(self, count: int) -> None:
        for _ in range(count):
            self._put(self._number(), self._name())

    def _put(self, number: int, name: bytes) -> None:
        if self._is_free(name) and all(one != number for one, _ in self.now):
            self.now.insert(self.dice.pick((len(self.now), self.dice.upto(len(self.now)))), (number, name))

    def _number(self) -> int:
        taken = {one for one, _ in self.now} if self.renames else self.used
        number = self.dice.upto(200) if self.dice.often(0.9) else self.dice.pick((0, 2**31 - 1, 2**31 - 2, 2**24, 65536, 256))
        while number in taken:
            number = self.dice.upto(2000)
        self.used.add(number)
        return number

    def _name(self) -> bytes:
        self.made += 1
        return b"%s%d%s" % (self.dice.pick((b"i", b"cpu", b"/dev/", b"a/b/c/d/e/f/")), self.made, self.dice.pick(_ENDS))

    def _is_free(self, name: bytes, at: int = -1) -> bool:
        """ARC-1410: up to the first blank."""
        brief = name.partition(b" ")[0]
        return all(brief != other.partition(b" ")[0] for place, (_, other) in enumerate(self.now) if place != at)

    def _full(self, head: bytes, is_broken: bool) -> bytes:
        return _written(5 if self.version == 3 else 2, head, *(self._broken() if is_broken else _laid_out(self.now)))

    def _delta(self, head: bytes, before: dict[int, bytes], is_broken: bool) -> bytes:
        """ARC-370. Instances come or go; none has another name than before."""
        after = dict(self.now)
        changes = [(number, b"") for number in before.keys() - after.keys()] + [(number, after[number]) for number in after.keys() - before.keys()]
        if not changes:
            return self._full(head, is_broken)
        changes.sort()
        if is_broken:
            at = self.dice.upto(len(changes) - 1)
            number, name = changes[at]
            match self.dice.upto(4):
                case 0:
                    changes = []  # ARC-345
                    self.now = sorted(before.items())
                case 1:
                    changes[at:at] = [(number, b"" if name else self._name())]
                case 2 if before:
                    changes[at] = self.dice.pick(sorted(before)), name
                case _:
                    changes[at] = number, b"" if name else self._name()
        numbers, offsets, table = _laid_out([one for one in changes if one[1]])
        at_of = dict(zip(numbers, offsets, strict=True))
        return _written(6, head, [number for number, _ in changes], [at_of.get(number, -1) for number, _ in changes], table)

    def _broken(self) -> tuple[list[int], list[int], bytes]:
        """One mistake, of which all others in the record are free: in an instance that is new as often as in one that was there."""
        dice = self.dice
        listed = list(self.now)
        at = self._place()
        other = dice.pick((max(at - 1, 0), self._place()))
        number, name = listed[at]
        number_of_other, name_of_other = listed[other]
        kind = dice.pick(_MISTAKES)
        match kind:
            case 0:
                listed[at] = dice.pick((number_of_other, number_of_other, -1, -number, number + 1, -(2**31))), name
            case 1:
                listed[at] = number, name_of_other
            case 2:
                listed[at] = number, name_of_other.partition(b" ")[0] + dice.pick((b" z", b" ", b" x"))
            case 3:
                listed[at] = number, dice.pick((b"", b" ", b" " + name))
            case 4:
                odd, cut = dice.pick((texts.odd(dice), "\u200b".encode(), b"\n")), dice.upto(len(name))
                listed[at] = number, name[:cut] + odd + name[cut:]
            case 5:
                listed[at], listed[other] = listed[other], listed[at]
            case 6:
                listed.insert(other, listed[at])
            case 7:  # two that are new, and one of them twice
                fresh = self._number()
                listed[at:at] = [(fresh, b"new"), (dice.pick((fresh, fresh + 1)), dice.pick((b"new", b"new x", b"newer", b"ne")))]
        numbers, offsets, table = _laid_out(listed)
        match kind:
            case 8:  # the bytes of another name, or of the end of one
                offsets[at] = offsets[other] + dice.pick((0, 0, 1, len(name_of_other)))
            case 9:
                offsets[at] = dice.pick((-1, -2, len(table), len(table) - 1, len(table) + 1, 2**31 - 1, offsets[at] + 1, offsets[at] - 1))
            case 10:
                hole = dice.pick((b"\0", b"x", b"zz\0", b"\0\0\0"))
                place = offsets[at]
                table = table[:place] + hole + table[place:]
                offsets = [one + len(hole) if one >= place else one for one in offsets]
            case 11:
                table += dice.pick((b"\0", b"x", b"zz\0", b"\0\0\0"))
            case 12:
                table = table[:-1]
            case 13:  # sound: names lie in another order than that of the instances
                order = list(range(len(listed)))
                dice.chance.shuffle(order)
                _, shuffled, table = _laid_out([listed[one] for one in order])
                offsets = [shuffled[order.index(one)] for one in range(len(listed))]
        return numbers, offsets, table


def _laid_out(listed: list[Entry]) -> tuple[list[int], list[int], bytes]:
    """Numbers, offsets of names, and the names."""
    offsets, table = [], b""
    for _, name in listed:
        offsets.append(len(table))
        table += name + b"\0"
    return [number for number, _ in listed], offsets, table


def _written(kind: int, head: bytes, numbers: list[int], offsets: list[int], table: bytes) -> bytes:
    return framed(word(kind) + head + word(len(numbers)) + b"".join(map(word, numbers)) + b"".join(map(word, offsets)) + table)
