"""What real PCP is known to do otherwise than the truth says, each by the clause that says so.

Whatever is not named here is a fault: of the archive, of PCP, or of the comparison.
"""

import dataclasses
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from qa.generate.difference import Difference
from qa.generate.truth import Truth
from qa.peers.peers import is_version


@dataclass(frozen=True)
class Deviation:
    """`versions` are those of SUITES ("6.0.3"), none: all; `applies` looks at one difference."""

    clause: str
    why: str
    versions: tuple[str, ...]
    applies: Callable[[Truth, Difference], bool]

    def is_of(self, version: str) -> bool:
        return not self.versions or any(is_version(version, each) for each in self.versions)


def _extra_units(truth: Truth, difference: Difference) -> bool:
    return difference.aspect == "units" and any(desc.units & 0xFF for desc in truth.descs.values())


def _instance_labels(truth: Truth, difference: Difference) -> bool:
    return difference.aspect in ("labels of instances", "labels of InDom instances")


def _violates(*rules: str) -> Callable[[Truth, Difference], bool]:
    def applies(truth: Truth, difference: Difference) -> bool:
        return any(rule in truth.head["violates"] for rule in rules)

    return applies


DEVIATIONS = (
    Deviation("ARC-010", "before 7.2 the byte of the extra unit is padding", ("6.0.3", "6.3.8"), _extra_units),
    Deviation("ARC-403", "6.0.3 drops instance labels that did not change", ("6.0.3",), _instance_labels),
)


def explain(truth: Truth, version: str, differences: Iterable[Difference]) -> list[Difference]:
    """The differences, with the clause of those that are known."""
    known = [each for each in DEVIATIONS if each.is_of(version)]
    explained = []
    for difference in differences:
        clause = next((each.clause for each in known if each.applies(truth, difference)), "")
        explained.append(dataclasses.replace(difference, clause=clause))
    return explained
