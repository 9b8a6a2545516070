# SPDX-License-Identifier: Apache-2.0
"""For each command of pmproof, command lines that make it print what is foreign to it: in every format that it has.

Whoever goes through all commands asks `commands()` which there are, so that none can be left out.
"""

import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

Word = str | bytes
# What stands in the help for a list of formats.
_FORMATS = re.compile(r"--format FORMAT\s+(.*?)(?=\n  -|\n\n|\Z)", re.DOTALL)


@dataclass(frozen=True)
class Line:
    command: str  # "rules diff"
    words: tuple[Word, ...]
    stdin: bytes = b""
    format: str | None = None


@dataclass(frozen=True)
class Foreign:
    """What command lines are made of."""

    archive: bytes  # base name of an archive
    other: bytes  # another one
    name: bytes  # of a metric of theirs
    instance: bytes
    text: bytes  # anything
    agent: tuple[Word, ...]  # a command
    socket: Word  # of a collector
    out: Callable[[], bytes]  # a new path each time


def commands(run: Callable[..., str]) -> list[str]:
    """All commands, as `pmproof help` lists them. `run` gives standard output."""

    def listed(page: str) -> list[str]:
        section = page.partition("Commands:\n")[2].partition("\n\n")[0]
        return re.findall(r"^  ([a-z]+(?: [a-z]+)?)(?:  |$)", section, re.MULTILINE)

    found = []
    for name in listed(run("help")):
        page = run("help", name)
        found += listed(page) or ([name] if name != "version" else [])
    return found


def formats(help_page: str) -> list[str]:
    """Those of a command, as its help lists them."""
    found = _FORMATS.search(help_page)
    if found is None:
        return []
    listed = " ".join(found[1].split()).partition(" (default")[0].partition(";")[0]
    return [word for word in re.split(r"[^a-z0-9]+", listed.rpartition(": ")[2]) if word]


def _each(command: str, choices: Sequence[str], *words: Word, stdin: bytes = b"") -> Iterator[Line]:
    for choice in choices:
        yield Line(command, ("--format", choice, *words), stdin, choice)


def _requests(foreign: Foreign) -> bytes:
    """Of the testee protocol. JSON cannot hold bytes that are not UTF-8."""
    path = foreign.archive.decode("utf-8", "surrogateescape")
    text = foreign.text.decode("utf-8", "replace")
    name = foreign.name.decode("utf-8", "replace")
    times = {"metrics": [name, text], "start": "1700000000", "interval": "1", "count": 2}
    asked: list[tuple[str, dict[str, object]]] = [
        ("archive.validate", {"input": {"path": path}}),
        ("archive.decode", {"input": {"path": path}}),
        ("archive.describe", {"input": {"path": path}}),
        ("replay.interp", {"input": {"path": path}, "args": times}),
        ("replay.raw", {"input": {"path": path}, "args": {"metrics": [name]}}),
        ("derive.parse", {"args": {"definition": f"x = {text}", "text": text}}),
        ("units.parse", {"args": {"text": text, "string": text}}),
        (text, {"args": {text: text}}),
    ]
    lines = [json.dumps({"cmd": "run", "seq": text, "op": op, **rest}) for op, rest in asked]
    return "\n".join(['{"cmd": "hello", "protocol": 1}', *lines, json.dumps({"cmd": text}), text]).encode(
        "utf-8", "surrogateescape"
    )


def lines(foreign: Foreign, formats_of: Callable[[str], Sequence[str]]) -> Iterator[Line]:
    """`formats_of` gives those of a command."""
    archive, text, name, out = foreign.archive, foreign.text, foreign.name, foreign.out
    folder = archive.rpartition(b"/")[0]
    for command in ("check", "info", "dump"):
        yield from _each(command, formats_of(command), archive)
        yield Line(command, (folder,))
        yield Line(command, (archive + b".gone", text))
    yield from _each("metrics", formats_of("metrics"), "--instances", archive)
    yield from _each("metrics", formats_of("metrics"), "--metric", name.partition(b".")[0], archive + b"," + foreign.other)
    yield Line("metrics", ("--metric", text, archive))
    yield Line("metrics", (archive + b".gone",))
    yield from _each("triage", formats_of("triage"), folder)
    for choice in formats_of("triage"):
        yield Line("triage", ("--output", choice.encode() + b":" + out(), archive), format=choice)
    yield Line("triage", ("--gap", text, archive))
    triaged = out() + b".json"
    yield Line("check", ("--triage", "--set", "--output", b"json:" + triaged, folder))
    yield from _each("triage", formats_of("triage"), "--report", triaged)
    yield from _each("check", formats_of("check"), "--set", "--triage", "--report", triaged)
    yield Line("triage", ("--report", archive + b".config"))
    yield Line("triage", ("--live-within", "0s", archive, foreign.other, archive + b".gone", text))
    certificate = out() + b".json"
    yield Line("certify", ("--output", certificate, "--root", folder, archive))
    yield Line("certify", ("--output", "-", archive, archive + b".gone", text))
    yield Line("certify", ("--bag", folder))
    yield Line("certify", ("--bag", text))
    yield Line("certify", (b"--output=" + archive + b".0", archive))
    yield Line("certify", ("--output", certificate, "--rule", b"+" + text, archive))
    yield from _each("recheck", formats_of("recheck"), certificate, folder)
    yield from _each("recheck", formats_of("recheck"), "--bag", folder)
    yield from _each("recheck", formats_of("recheck"), "--copy", folder, certificate, folder.rpartition(b"/")[0])
    yield Line("recheck", (archive + b".config",))
    yield Line("policy check", (archive + b".config", folder))
    yield Line("policy check", (text, archive))
    yield from _each("check", formats_of("check"), "--policy", archive + b".policy", archive)
    yield Line("policy check", (archive + b".policy", archive))
    told = out() + b".json"
    yield Line("check", ("--output", b"json:" + told, archive))
    yield Line("policy check", ("--report", told, archive + b".policy"))
    yield Line("recheck", (certificate, text))
    yield from _each("check", formats_of("check"), "--set", "--show", "info", archive + b"," + foreign.other)
    yield from _each("check", ("text", "json"), "--against", foreign.other, "--against", archive, archive)
    yield Line("check", ("--against", foreign.other, "--allow", "values,added", archive))
    yield Line("check", ("--against", archive + b".gone", archive))
    yield Line("check", ("--against", archive, "--allow", text, archive))
    for choice in formats_of("check"):
        yield Line("check", ("--output", choice.encode() + b":" + out(), archive))
    yield Line("check", ("--rule", b"+" + text, archive))
    yield from _each("dump", formats_of("dump"), "--hex", "--full", archive)
    metric: tuple[Word, ...] = ("--metric", name)
    replay = formats_of("replay")
    yield from _each("replay", replay, *metric, "--reason", archive)
    yield from _each("replay", replay, *metric, "--raw", archive)
    yield from _each("replay", replay, *metric, "--emulate", "7.2.2", "--reason", archive)
    yield from _each("replay", replay, "--derive", b"d.x = " + name, *metric, "--metric", "d.x", archive)
    yield from _each("replay", replay, "--metric", text, *metric, "--instance", foreign.instance, archive)
    yield from _each("replay", replay, "--derive", text, *metric, archive)
    yield Line("replay", (*metric, "--at", text, archive))
    yield Line("replay", (*metric, archive + b"," + foreign.other))
    yield from _each("config", formats_of("config"))
    yield Line("config", (text,))
    yield from _each("doctor", formats_of("doctor"))
    yield Line("doctor", (text,))
    yield from _each("rules list", formats_of("rules list"))
    yield Line("rules list", (text,))
    profiles = ("--baseline", "pcp-legacy", "--candidate", "pcp-6.3.2", "--interval", "100ms")
    yield from _each("rules diff", formats_of("rules diff"), *profiles, archive)
    yield Line("rules diff", (*profiles, "--metric", text, archive))
    for choice in formats_of("rules diff"):
        yield Line("rules diff", (*profiles, "--output", choice.encode() + b":" + out(), archive))
    yield from _each("rules bisect", formats_of("rules bisect"), "--questions", "2", b"exec:" + text, archive)
    for choice in formats_of("rules bisect"):
        yield Line("rules bisect", ("--output", choice.encode() + b":" + out(), "exec:/bin/false", archive), format=choice)
    yield Line("rules bisect", (text, archive))
    yield Line("rules bisect", ("exec:/bin/false", "--witnesses", archive + b".config"))
    yield from _each("units", formats_of("units"), text)
    yield from _each("derive", formats_of("derive"), text, b"x.y = " + text, b"y.z = " + name)
    yield from _each("derive", formats_of("derive"), "--archive", archive, b"y.z = " + name, b"z.z = rate(" + text + b")")
    yield from _each("derive", formats_of("derive"), "--derived-config", archive + b".config")
    yield from _each("derive", formats_of("derive"), "--pmrep-config", archive + b".config")
    sides = ("--baseline", "6.0.3", "--candidate", "7.2.2", "--records", "5")
    yield from _each("derive diff", formats_of("derive diff"), *sides, "--derive", b"y.z = " + name, "--derive", text, archive)
    yield from _each("derive diff", formats_of("derive diff"), *sides, "--derived-config", archive + b".config", archive)
    yield from _each("derive diff", formats_of("derive diff"), *sides, "--pmrep-config", archive + b".config", archive)
    for choice in formats_of("derive diff"):
        yield Line("derive diff", (*sides, "--derive", text, "--output", choice.encode() + b":" + out(), archive), format=choice)
    yield Line("derive diff", ("--baseline", text, "--candidate", "7.2.2", "--derive", text, archive))
    impatient = ("--timeout", "0.3", "--timeout", "end=0.3", "--timeout", "quiet=0.01", "--jobs", "8")
    some = ("--check", "CKA-087", "--check", "CKA-085", "--check", "CKA-091", "--check", "CKA-095", "--check", "CKA-092")
    yield from _each("agent check", formats_of("agent check"), *impatient, *some, "--", *foreign.agent)
    yield Line("agent check", (*impatient, "--check", "CKA-087", "--", text))
    yield Line("agent check", ("--pmns", archive + b".config", "--", *foreign.agent))
    recorded = out()
    yield Line("agent check", ("--record", recorded, "--check", "CKA-087", *impatient, "--", *foreign.agent))
    yield from _each("agent replay", formats_of("agent replay"), *impatient[:6], recorded, "--", *foreign.agent)
    yield Line("agent replay", (recorded, "--check", text, "--", text))
    yield Line("agent replay", (archive + b".config", "--", text))
    files: tuple[Word, ...] = ("--domain", "253", archive + b".agent")
    yield from _each("agent files", formats_of("agent files"), *files)
    started: tuple[Word, ...] = (*impatient, "--pmcd-conf", archive + b".config", *files, "--", *foreign.agent)
    yield from _each("agent files", formats_of("agent files"), *started)
    yield Line("agent files", ("--stdpmid", archive + b".config", "--check", text, *files))
    yield Line("agent files", (text,))
    few = ("--timeout", "0.3", "--count", "3", "--clients", "1")
    yield from _each("agent bench", formats_of("agent bench"), *few, "--", *foreign.agent)
    yield Line("agent bench", (*few, "--metrics", text, "--beside", text, "--", *foreign.agent))
    yield Line("agent bench", (*few, "--beside", b"/nowhere/" + text, "--", text))
    yield Line("agent bench", ("--pmns", archive + b".config", "--", *foreign.agent))
    yield Line("agent serve", ("trivial", "--configuration", text))
    yield Line("agent serve", ("simple", "--configuration", archive + b".config"))
    yield Line("agent serve", ("simple", "--help-text", archive, "--log", out()))
    yield Line("agent serve", ("simple", "--user", text))
    yield Line("agent serve", (text,))
    script = b"desc 9.0.0\ntext 9.0.0\ninstance 9.0\nchildren " + b"a\ntraverse a\nname 9.0.0\nlabel item 9.0.0\nlabel instances 9.0\nfetch 9.0.0\nstore 9.0.0 \"1\"\n"
    yield Line("agent run", ("-e", "--timeout", "1", "-", *foreign.agent), script + text + b"\n")
    yield Line("agent run", (text,))
    yield Line("agent host", (text,))
    check = ("--timeout", "reply=0.2", "--timeout", "patience=0.3")
    yield from _each("collector check", formats_of("collector check"), *check, "--unix", foreign.socket)
    yield Line("collector check", (*check, "--unix", text.replace(b"\0", b"")[:80]))
    yield Line("collector config", (out(), "--pmcd", text))
    yield Line("collector config", (archive + b".config",))
    yield Line("collector agent", ("--role", text, "--control", text))
    yield Line("collector agent", ("--role", "steady", "--control", text[:80]))
    for choice in formats_of("compare"):
        words = ("--tool", "pmval", "--format", choice, "--expected", archive + b".jsonl", archive + b".config")
        yield Line("compare", words, format=choice)
    for tool in ("pmdumplog", "pmval", "pminfo", "pmrep", "pmprobe", "pmlogsummary", "pmlogcheck"):
        yield Line("compare", ("--tool", tool, "--parse", archive + b".printed"))
    yield Line("rewrite", (archive, out()))
    yield Line("rewrite", ("--archive-version", "3", archive, out()))
    yield Line("rewrite", (archive + b".gone", out()))
    for choice in formats_of("salvage"):
        yield Line("salvage", ("--format", choice, archive, out()), format=choice)
        yield Line("salvage", ("--output", choice.encode() + b":" + out(), archive, out()))
    yield Line("salvage", (archive + b".gone", out()))
    yield Line("salvage", (text, text))
    yield Line("generate", ("--description", archive + b".config", out()))
    yield Line("generate", ("--scenario", text, out()))
    yield Line("generate", ("--records", "2", "--no-truth", out()))
    yield Line("enumerate", ("--records", "1", out()))
    yield Line("enumerate", ("--records", "1", archive + b".config"))
    yield Line("mutate", ("--rule", "ARC-1104", archive, out()))
    yield Line("mutate", ("--damage", "3", archive, out()))
    yield Line("mutate", ("--rule", text, archive, out()))
    yield Line("shrink", ("--rule", "ARC-1003", "--budget", "1", archive, out()))
    yield Line("shrink", ("--rule", "ARC-1305", "--budget", "1", archive, out()))
    yield Line("testee", (), _requests(foreign))
    yield from _each("list", formats_of("list"))
    yield Line("list", (text,))
    yield Line("explain", (text,))


def agent_words(peer: Path) -> tuple[Word, ...]:
    return (sys.executable, "-B", str(peer), "agent")
