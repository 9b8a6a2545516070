# SPDX-License-Identifier: Apache-2.0
"""libpcp's answers to a batch of expressions beside those of the reference.

What is compared: whether a text is taken, and if not where and why (DER-621, 648); what it binds to, registered for all
contexts and added to one, and if it does not why (DER-709, 216); and its values in replay, bit for bit. Values must be
those of the emulation of that version's fetches, order of instances included; where the reference has others, the
emulation names the deviation (DEV-nn) of the operands. What the specification leaves undefined [U] is counted by clause
and not compared.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

BAD_DERIVE = -12409
# What these versions say nothing about (DER-701, 703).
_SILENT_BEFORE = ("7.1.0", ("DER-701", "DER-703"))

COUNTERS = ("refused", "unbound", "undefined", "deviations", "unexplained_kinds")


@dataclass
class Comparison:
    """Of one batch, or of many of one version. What is unexplained is a fault of somebody."""

    expressions: int = 0
    batches: int = 0
    bound: int = 0  # registered for all contexts
    descriptors: int = 0  # both ways
    fetched: int = 0  # expressions whose values were compared
    answers: int = 0  # one expression in one fetch
    values: int = 0
    as_reference: int = 0  # expressions with all values as the reference has them
    refused: Counter[str] = field(default_factory=Counter)  # texts, by clause
    unbound: Counter[str] = field(default_factory=Counter)  # expressions, by clause
    undefined: Counter[str] = field(default_factory=Counter)  # expressions, by clause and from where on
    deviations: Counter[str] = field(default_factory=Counter)  # expressions with other values than the reference
    unexplained_kinds: Counter[str] = field(default_factory=Counter)
    unexplained: list[Json] = field(default_factory=list)

    def add(self, other: "Comparison") -> None:
        for name, value in vars(other).items():
            if isinstance(value, Counter):
                getattr(self, name).update(value)
            elif isinstance(value, list):
                getattr(self, name).extend(value)
            else:
                setattr(self, name, getattr(self, name) + value)


def compare(version: str, batch: Json, answers: list[Json]) -> Comparison:
    found = Comparison(batches=1)
    for ours, theirs in zip(batch["expressions"], answers, strict=True):
        found.expressions += 1
        for kind, what in _Pair(version, ours, theirs, batch["fetch_added"], found).differences():
            found.unexplained_kinds[kind] += 1
            found.unexplained.append({"kind": kind, "text": ours["text"], "what": what})
    return found


def sorted_values(text: str) -> str:
    """Each fetch's values by instance; what is equal stays in order."""
    fetches = []
    for fetch in text.split("|"):
        pairs = fetch.split(" ")
        last = pairs.pop()  # an error, or nothing
        fetches.append("".join(f"{pair} " for pair in sorted(pairs, key=lambda pair: int(pair.split(":")[0]))) + last)
    return "|".join(fetches)


class _Pair:
    """One expression's answers."""

    def __init__(self, version: str, ours: Json, theirs: Json, fetch_added: bool, found: Comparison) -> None:
        self._version, self._ours, self._theirs = version, ours, theirs
        self._fetch_added, self._found = fetch_added, found

    def differences(self) -> Iterator[tuple[str, str]]:
        undefined = self._ours.get("undefined")
        if undefined:
            self._found.undefined[f"{undefined['clause']} ({undefined['from']})"] += 1
            if undefined["from"] == "text":
                return
        syntax = self._theirs.get("syntax", {})
        if "died" in syntax:
            yield "death, parsing", str(syntax)
            return
        ours = self._ours["global"]
        if "position" in ours or syntax:
            expected = {"position": ours["position"], "message": ours["error"]} if "position" in ours else {}
            if expected != syntax:
                yield "syntax", f"libpcp {syntax}, reference {expected}"
                return
            self._found.refused[ours["clause"]] += 1
            yield from self._added()
            return
        yield from self._global()
        yield from self._added()
        yield from self._values()

    def _global(self) -> Iterator[tuple[str, str]]:
        ours, theirs = self._ours["global"], self._theirs.get("global", {})
        if "undefined" in ours:
            self._found.undefined[f"{ours['undefined']['clause']} (binding)"] += 1
            return
        if "died" in theirs:
            yield "death, binding or fetching", str(theirs)
        elif "descriptor" in ours:
            self._found.bound += 1
            if theirs == {"descriptor": ours["descriptor"]}:
                self._found.descriptors += 1
            else:
                yield "descriptor", f"libpcp {theirs}, reference {ours['descriptor']}"
        else:
            self._found.unbound[ours["clause"]] += 1
            expected = {"status": BAD_DERIVE, "where": ours["where"], "message": ours["reason"]}
            if self._is_silent(ours["clause"]):
                expected |= {"where": "", "message": ""}
            if theirs != expected:
                yield "binding", f"libpcp {theirs}, reference {expected}"

    def _is_silent(self, clause: str) -> bool:
        before, clauses = _SILENT_BEFORE
        return self._version < before and clause in clauses

    def _added(self) -> Iterator[tuple[str, str]]:
        ours, theirs = self._ours["added"], self._theirs.get("added", {})
        if "undefined" in ours:
            self._found.undefined[f"{ours['undefined']['clause']} (binding, added)"] += 1
            return
        if "died" in theirs:
            yield "death, added", str(theirs)
            return
        if ours.get("message"):
            expected: Json = {"status": BAD_DERIVE, "message": ours["message"]}
        elif "descriptor" in ours:
            expected = {"status": 0, "message": "", "descriptor": ours["descriptor"]}
            self._found.descriptors += theirs == expected
        else:  # DER-206: it was added all the same
            expected = {"status": BAD_DERIVE, "where": "", "message": ""}
        if theirs != expected:
            yield "added", f"libpcp {theirs}, reference {expected}"

    def _values(self) -> Iterator[tuple[str, str]]:
        if "emulated" not in self._ours:
            return
        theirs = self._theirs.get("values")
        emulated, reference = self._ours["emulated"], self._ours["reference"]
        if theirs is None:
            if emulated:  # there was a fetch
                yield "no values", str(self._theirs)
            return
        self._found.fetched += 1
        self._found.answers += theirs.count("|")
        self._found.values += theirs.count(":")
        same = sorted_values(emulated) == reference
        if theirs != emulated:
            also = "" if same else f", of it by its own replay {reference}"
            yield "values", f"libpcp {theirs}, reference {emulated}{also}"
        elif same:
            self._found.as_reference += 1
        elif self._ours["deviations"]:
            self._found.deviations["/".join(self._ours["deviations"])] += 1
        else:
            yield "replay", f"libpcp {theirs}, reference by its own replay {reference}"
