# SPDX-License-Identifier: Apache-2.0
"""Manual pages: pmproof(1), and one for each command, pmproof-check(1)."""

import datetime
from collections.abc import Iterator

from qa.dist.commands import Command, Option, Table

_NAME = "conformance checks for Performance Co-Pilot"


def pages(table: Table, time: int) -> dict[str, str]:
    """Returns the pages by the names of their files; `time` is their date."""
    date = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%d")
    found = {"pmproof.1": _lines(_program(table, date))}
    for command in table.commands:
        found[f"pmproof-{command.dashed}.1"] = _lines(_command(table, command, date))
    return found


def suite(table: Table, told: str, time: int) -> str:
    """Returns pmproof-suite(1); `told` is what the command says of itself."""
    date = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%d")
    lines = [*_head("pmproof-suite", "any implementation of PCP through golden cases", table, date)]
    lines += [".SH SYNOPSIS", r"\fBpmproof-suite\fR \fICOMMAND\fR ...", ".SH DESCRIPTION", ".nf"]
    lines += [_line(line) if line else ".sp" for line in told.rstrip("\n").split("\n")]
    return _lines(iter([*lines, ".fi", ".SH SEE ALSO", r"\fBpmproof\fR(1)"]))


def _program(table: Table, date: str) -> Iterator[str]:
    yield from _head("pmproof", _NAME, table, date)
    yield from (".SH SYNOPSIS", r".B pmproof", r"[\fIOPTIONS\fR] \fICOMMAND\fR ...")
    yield ".SH COMMANDS"
    for command in table.commands:
        yield from (".TP", rf"\fB{_text(command.name)}\fR", f"{_text(command.summary)}: {_see(command)}")
    yield from (".TP", r"\fBhelp\fR [\fICOMMAND\fR]", "Print the page of the program, or of a command")
    yield from (".TP", r"\fBversion\fR", "Print the version of the program and of its rules")
    yield from _options(table.common)
    yield ".SH SEE ALSO"
    yield ",\n".join(_see(command) for command in table.commands)


def _command(table: Table, command: Command, date: str) -> Iterator[str]:
    yield from _head(f"pmproof-{command.dashed}", command.summary[0].lower() + command.summary[1:], table, date)
    yield ".SH SYNOPSIS"
    words = [rf"\fBpmproof {_text(command.name)}\fR", r"[\fIOPTIONS\fR]"]
    for operand in command.operands:
        name = rf"\fI{_text(operand.name)}\fR" + ("..." if operand.repeats else "")
        words.append(name if operand.required else f"[{name}]")
    yield " ".join(words)
    if command.operands:
        yield ".SH OPERANDS"
        for operand in command.operands:
            yield from (".TP", rf"\fI{_text(operand.name)}\fR", _line(operand.help or "See the synopsis."))
    yield from _options(command.options)
    yield from (".PP", r"Every command also takes the options of \fBpmproof\fR(1).")
    if command.notes:
        yield from (".SH NOTES", _line(command.notes))
    if command.examples:
        yield ".SH EXAMPLES"
        for number, example in enumerate(command.examples):
            yield from ([".PP"] if number else [])
            yield from (".nf", _line(example), ".fi")
    yield from (".SH EXIT STATUS", _line(command.exit_statuses))
    yield from (".SH SEE ALSO", r"\fBpmproof\fR(1)")


def _head(name: str, what: str, table: Table, date: str) -> Iterator[str]:
    yield f'.TH {_text(name.upper())} 1 {date} "pmproof {table.version}" "pmproof"'
    yield from (".SH NAME", rf"{_text(name)} \- {_text(what)}")


def _options(options: tuple[Option, ...]) -> Iterator[str]:
    if not options:
        return
    yield ".SH OPTIONS"
    for option in options:
        names = ", ".join(rf"\fB{_text(name)}\fR" for name in option.names)
        yield from (".TP", names + (rf" \fI{_text(option.value)}\fR" if option.value else ""))
        yield _line(option.description)
        if option.choices and option.help:
            yield from (".br", "One of: " + _text(", ".join(option.choices)))
        if option.repeats and option.value:
            yield from (".br", "May be repeated.")


def _see(command: Command) -> str:
    return rf"\fBpmproof\-{_text(command.dashed)}\fR(1)"


def _text(text: str) -> str:
    """For troff: nothing in it is a request, and hyphens can be copied."""
    return text.replace("\\", r"\e").replace("-", r"\-")


def _line(text: str) -> str:
    escaped = _text(text)
    return r"\&" + escaped if escaped.startswith((".", "'")) else escaped


def _lines(lines: Iterator[str]) -> str:
    return "\n".join(lines) + "\n"
