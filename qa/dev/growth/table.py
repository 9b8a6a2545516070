# SPDX-License-Identifier: Apache-2.0
"""How time and memory grow, as a table of Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

MOST = 2.2  # times as long for twice as many
_TOO_SHORT = 0.02  # seconds: what is less is the noise of the machine
_SOME_MEMORY = 1 << 20  # bytes: what is less is of allocators and pages


@dataclass(frozen=True)
class Sizes:
    """Of one command over one kind: least, twice and four times as many. `seconds` of CPU time without what an archive with
    nothing in it takes; `peaks` in bytes."""

    counts: tuple[int, int, int]
    seconds: tuple[float, float, float]
    peaks: tuple[int, int, int]

    @property
    def ratios(self) -> list[float | None]:
        """Of each doubling; None where both take too short a time."""
        pairs = zip(self.seconds, self.seconds[1:], strict=False)
        return [after / max(before, _TOO_SHORT) if after >= _TOO_SHORT else None for before, after in pairs]

    @property
    def each(self) -> float:
        """Bytes for one more."""
        return max(0.0, (self.peaks[2] - self.peaks[1]) / (self.counts[2] - self.counts[1]))

    @property
    def is_linear(self) -> bool:
        grown = self.peaks[2] - self.peaks[1], self.peaks[1] - self.peaks[0]
        memory = grown[0] <= max(MOST * grown[1], 0) + _SOME_MEMORY
        return memory and all(ratio is None or ratio <= MOST for ratio in self.ratios)


Results = Mapping[str, Mapping[str, Sizes]]  # by kind and command


def markdown(results: Results) -> str:
    lines = ["| many | command | from | seconds | each doubling | peak MB | bytes for one more |", "|---|---|---:|---|---|---|---:|"]
    for kind, of_kind in results.items():
        for command, sizes in of_kind.items():
            seconds = " ".join(f"{one:.2f}" for one in sizes.seconds)
            ratios = " ".join("-" if one is None else f"{one:.2f}" for one in sizes.ratios)
            peaks = " ".join(f"{one / (1 << 20):.0f}" for one in sizes.peaks)
            mark = "" if sizes.is_linear else "**"
            lines.append(f"| {kind} | {command} | {sizes.counts[0]:,} | {seconds} | {mark}{ratios}{mark} | {peaks} | {sizes.each:.0f} |")
    return "".join(line + "\n" for line in lines)


def not_linear(results: Results) -> Sequence[str]:
    return [f"{kind}: {command}" for kind, of_kind in results.items() for command, sizes in of_kind.items() if not sizes.is_linear]
