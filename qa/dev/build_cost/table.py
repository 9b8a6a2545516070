# SPDX-License-Identifier: Apache-2.0
"""The tables of build_cost, as Markdown."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True)
class Header:
    """A header, how many compiled files include it, and the CPU seconds it takes to read it once."""

    name: str
    users: int
    seconds: float

    @property
    def cost(self) -> float:
        """CPU seconds that all its users spend on it. Headers contain each other, so costs do not add up."""
        return self.users * self.seconds


@dataclass(frozen=True)
class Cost:
    """What a build from nothing took."""

    target: str
    jobs: int
    elapsed: float
    sources: Mapping[str, float]  # seconds by compiled file
    headers: Sequence[Header]


def table(cost: Cost, most: int, day: date) -> str:
    """Both tables, the dearest first."""
    spent = sum(cost.sources.values())
    lines = [
        "",
        f"Last run ({day.isoformat()}): `{cost.target}` from nothing with {cost.jobs} compilers at once took "
        f"{cost.elapsed:.0f} s: {len(cost.sources)} files, {spent:.0f} action seconds.",
        "",
        "| file | seconds |",
        "|---|---:|",
    ]
    dearest = sorted(cost.sources.items(), key=lambda item: (-item[1], item[0]))
    lines += [f"| {name} | {seconds:.1f} |" for name, seconds in dearest[:most]]
    lines += ["", "| header | files that include it | seconds to read it | together |", "|---|---:|---:|---:|"]
    headers = sorted(cost.headers, key=lambda header: (-header.cost, header.name))
    lines += [f"| {one.name} | {one.users} | {one.seconds:.2f} | {one.cost:.0f} |" for one in headers[:most]]
    return "\n".join(lines) + "\n\n"
