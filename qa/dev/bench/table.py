# SPDX-License-Identifier: Apache-2.0
"""Shows the results of a run: as aligned text, as Markdown, as JSON."""

from collections.abc import Mapping, Sequence

from qa.dev.bench.results import MEGABYTE, Encoding, Instructions, Results, Row, Target, Timing, Unmeasured

SCHEMA = "pmproof-bench/1"

# A heading, the columns, and the cells; columns whose names end in a blank are aligned to the right.
Table = tuple[str, Sequence[str], list[list[str]]]


def render(results: Results, machine: Mapping[str, str], markdown: bool) -> str:
    """All tables as text for people. `machine` says where and with what the figures were got."""
    parts = [_machine(machine, markdown)]
    for heading, columns, cells in _tables(results):
        parts.append((f"### {heading}\n\n" if markdown else f"{heading}\n") + _lay_out(columns, cells, markdown))
    if results.problems:
        bullets = "\n".join(f"- {problem}" for problem in results.problems)
        parts.append(("### Problems\n\n" if markdown else "Problems\n") + bullets)
    return "\n\n".join(parts) + "\n"


def to_json(results: Results, machine: Mapping[str, str]) -> dict[str, object]:
    """All figures, unrounded; where there is none, null and the reason."""
    return {
        "schema": SCHEMA,
        "machine": dict(machine),
        "timings": [_row_json(row) for row in results.rows],
        "instructions": [_instruction_json(row) for row in results.instructions],
        "encodings": [_encoding_json(encoding) for encoding in results.encodings],
        "targets": [_target_json(target) for target in results.targets],
        "problems": list(results.problems),
    }


def _tables(results: Results) -> list[Table]:
    tables: list[Table] = []
    if results.rows:
        columns = ["program", "archive", "MB ", "CPU s ", "elapsed s ", "MB/s ", "runs ", "note"]
        tables.append(("Times (best run; MB/s of CPU time)", columns, [_row_cells(row) for row in results.rows]))
    if results.instructions:
        columns = ["program", "archive", "instructions/byte ", "note"]
        cells = [_instruction_cells(row) for row in results.instructions]
        tables.append(("Instructions", columns, cells))
    if results.encodings:
        columns = ["records of", "encode GB/s ", "memcpy GB/s ", "encode to memcpy "]
        cells = [_encoding_cells(encoding) for encoding in results.encodings]
        tables.append(("Encoding into memory (median, of CPU time)", columns, cells))
    if results.targets:
        columns = ["asked for", "archive", "measured ", "target ", "verdict", "note"]
        tables.append(("Targets", columns, [_target_cells(target) for target in results.targets]))
    return tables


def _row_cells(row: Row) -> list[str]:
    megabytes = f"{row.size / MEGABYTE:.1f}"
    if isinstance(row.outcome, Unmeasured):
        return [row.what, row.archive, megabytes, "-", "-", "-", "-", f"not measured: {row.outcome.because}"]
    timing = row.outcome
    figures = [f"{timing.cpu:.3f}", f"{timing.wall:.3f}", f"{timing.rate(row.size):.0f}", str(timing.runs)]
    return [row.what, row.archive, megabytes, *figures, row.note]


def _instruction_cells(row: Instructions) -> list[str]:
    if isinstance(row.per_byte, Unmeasured):
        return [row.what, row.archive, "-", f"not measured: {row.per_byte.because}"]
    return [row.what, row.archive, f"{row.per_byte:.2f}", f"counted by {row.counted_by}"]


def _encoding_cells(encoding: Encoding) -> list[str]:
    figures = [f"{rate / 1000 / MEGABYTE:.2f}" for rate in (encoding.encode, encoding.memcpy)]
    return [encoding.content, *figures, f"{encoding.encode / encoding.memcpy:.2f}"]


def _target_cells(target: Target) -> list[str]:
    limit = f"{'>=' if target.at_least else '<='} {target.limit:g} {target.unit}"
    if isinstance(target.measured, Unmeasured):
        return [target.name, target.archive, "-", limit, target.verdict, target.measured.because]
    note = target.note
    if target.aim is not None:
        reached = target.measured >= target.aim if target.at_least else target.measured <= target.aim
        note = f"aim {target.aim:g} {'reached' if reached else 'not reached'}" + (f"; {note}" if note else "")
    return [target.name, target.archive, f"{target.measured:.2f} {target.unit}", limit, target.verdict, note]


def _machine(machine: Mapping[str, str], markdown: bool) -> str:
    if markdown:
        return "\n".join(f"- {key}: {value}" for key, value in machine.items())
    width = max(map(len, machine), default=0)
    return "\n".join(f"{key.ljust(width)}  {value}" for key, value in machine.items())


def _lay_out(columns: Sequence[str], cells: list[list[str]], markdown: bool) -> str:
    right = [name.endswith(" ") for name in columns]
    rows = [[name.strip() for name in columns], *cells]
    if markdown:
        rows = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    widths = [max(3, *map(len, column)) for column in zip(*rows)]
    lines = []
    for row in rows:
        laid = [c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right)]
        lines.append(f"| {' | '.join(laid)} |" if markdown else "  ".join(laid).rstrip())
    if markdown:
        rule = [("-" * (w - 1) + ":") if r else "-" * w for w, r in zip(widths, right)]
        lines.insert(1, f"| {' | '.join(rule)} |")
    return "\n".join(lines)


def _figure(name: str, value: float | Unmeasured) -> dict[str, object]:
    if isinstance(value, Unmeasured):
        return {name: None, "because": value.because}
    return {name: value}


def _row_json(row: Row) -> dict[str, object]:
    entry: dict[str, object] = {"program": row.what, "archive": row.archive, "bytes": row.size}
    if isinstance(row.outcome, Timing):
        entry |= {"cpu_seconds": row.outcome.cpu, "elapsed_seconds": row.outcome.wall, "runs": row.outcome.runs}
        return entry
    return entry | {"cpu_seconds": None, "elapsed_seconds": None, "because": row.outcome.because}


def _instruction_json(row: Instructions) -> dict[str, object]:
    entry: dict[str, object] = {"program": row.what, "archive": row.archive, "counted_by": row.counted_by}
    return entry | _figure("per_byte", row.per_byte)


def _encoding_json(encoding: Encoding) -> dict[str, object]:
    rates = {"encode_bytes_per_second": encoding.encode, "memcpy_bytes_per_second": encoding.memcpy}
    return {"content": encoding.content, **rates}


def _target_json(target: Target) -> dict[str, object]:
    return {
        "name": target.name,
        "archive": target.archive,
        **_figure("measured", target.measured),
        "unit": target.unit,
        "at_least" if target.at_least else "at_most": target.limit,
        "aim": target.aim,
        "verdict": target.verdict,
        "note": target.note,
    }
