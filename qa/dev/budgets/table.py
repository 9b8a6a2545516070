# SPDX-License-Identifier: Apache-2.0
"""Commands, kinds of input and peaks as a table of Markdown."""

from collections.abc import Mapping

from qa.dev.budgets.inputs import MB
from qa.dev.budgets.measure import Measured

Results = Mapping[str, Mapping[str, Measured]]  # by kind of input and command


def cell(measured: Measured | None, memory: int) -> str:
    if measured is None:
        return ""
    text = f"{round(measured.peak / MB)}"
    if measured.timed_out:
        return f"**{text}, no end**"
    if measured.status != 0:
        text += f" ({measured.status})"
    return text if measured.within(memory) else f"**{text}**"


def markdown(results: Results, memory: int) -> str:
    commands = list(dict.fromkeys(command for of_kind in results.values() for command in of_kind))
    lines = ["| input | " + " | ".join(commands) + " |", "|---" * (len(commands) + 1) + "|"]
    for kind, of_kind in results.items():
        lines.append(f"| {kind} | " + " | ".join(cell(of_kind.get(command), memory) for command in commands) + " |")
    return "\n".join(lines) + "\n"
