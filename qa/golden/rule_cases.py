# SPDX-License-Identifier: Apache-2.0
"""The cases archive/rules-*: for each validity rule of section 14 of archive.md archives that break it, and what a validator
has to say of them: `golden generate`.

The archives are the base archive (ARC-1000) with what `pmproof mutate` does to it, which is what the rule's row says. The
expectation is the row: the rule, its severity, and no other finding as grave as that. An archive of which `pmproof check`
finds something else is left out, and so are rows that say "undefined": PCP may crash there. The verdicts are those of the
table in either case, never what a program printed.
"""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.golden import packed
from qa.golden.pdu_cases import Json, text_of

SEVERITIES = ("info", "warning", "error", "fatal")
_LARGEST = 12000  # characters of an input's description
_SOURCES = ("base-v3", "base-v2")
# What the row of the rule names beside it.
_BESIDE = {"ARC-1111": ("ARC-1102", "ARC-1103")}
# The verdict depends on the machine: the names of time zones that it knows.
_BY_MACHINE = ("ARC-1223",)
_NAMES = {
    "14.1": ("files", "the set of files"),
    "14.2": ("framing", "the framing of records"),
    "14.3": ("labels", "the labels of files"),
    "14.4": ("descriptors", "descriptors and names"),
    "14.5": ("instance-domains", "instance domains"),
    "14.6": ("label-sets", "labels of metrics"),
    "14.7": ("help-texts", "help texts"),
    "14.8": ("records", "the structure of data records"),
    "14.9": ("values", "values against metadata"),
    "14.10": ("index", "the temporal index"),
    "14.11": ("across", "what files and archives have in common"),
}


@dataclass(frozen=True)
class Row:
    """Of a table of section 14."""

    section: str
    rule: str
    severities: tuple[str, ...]  # that its cell names


def rows_of(specification: str) -> dict[str, Row]:
    found: dict[str, Row] = {}
    section = ""
    for line in specification.splitlines():
        if heading := re.match(r"### (14\.\d+) ", line):
            section = heading[1]
        elif row := re.match(r"\| (ARC-\d+) \| [^|]* \| ([^|]*) \|", line):
            # What is undefined may crash PCP; such inputs are not shipped.
            if section in _NAMES and "undefined" not in line:
                # What is in brackets is about severities that were.
                cell = re.sub(r"\(corrected[^)]*\)", "", row[2])
                found[row[1]] = Row(section, row[1], tuple(s for s in SEVERITIES if re.search(rf"\b{s}\b", cell)))
    return found


@dataclass(frozen=True)
class Broken:
    """An archive that breaks a rule."""

    name: str
    rule: str
    what: str  # was done
    of: str
    files: packed.Files
    severity: str
    beside: tuple[tuple[str, str], ...]  # other rules as grave as that, with their severities
    archives: tuple[str, ...]  # base names


class Pmproof:
    def __init__(self, program: Path) -> None:
        self._program = program

    def edits(self) -> Iterator[tuple[str, str]]:
        """ID:NUMBER, and what it does."""
        lines = self._run("mutate", "--list").stdout.splitlines()
        column = lines[0].index("what must hold")
        for line in lines[1:]:
            if found := re.match(r"(ARC-\d+:\d+)\s+(.*)", line[:column].rstrip()):
                yield found[1], found[2]

    def broken(self, edit: str, source: Path) -> packed.Files | None:
        """None where no archive breaks it and nothing else, or it is not made of files alone."""
        with tempfile.TemporaryDirectory() as folder:
            if self._run("mutate", "--rule", edit, source / "base", Path(folder) / "base").returncode != 0:
                return None
            if any(not path.is_file() for path in Path(folder).iterdir()):
                return None
            return packed.files_in(Path(folder))

    def findings(self, files: Mapping[str, bytes], archives: Sequence[str]) -> list[tuple[str, str]] | None:
        """Rules and severities; None where there is no verdict."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                (Path(folder) / name).write_bytes(content)
            paths = ",".join(f"{folder}/{name}" for name in archives)
            told = json.loads(self._run("check", "--format", "json", "--max-findings", "1", paths).stdout)
        if told["errors"] or any(one["failure"] for one in told["archives"]):
            return None
        return sorted({(f["rule"], f["severity"]) for one in told["archives"] for f in one["findings"]})

    def _run(self, *arguments: object) -> "subprocess.CompletedProcess[str]":
        argv = [self._program, *arguments]
        return subprocess.run([os.fspath(str(one)) for one in argv], capture_output=True, text=True, check=False)


def _archives(files: Mapping[str, bytes]) -> tuple[str, ...]:
    bases = {re.sub(r"\.(meta|index|[^.]*[0-9]+)(\.(xz|bz2|gz|zst|old|lz4))?$", "", name) for name in files}
    return tuple(sorted(bases))


def broken_archives(pmproof: Pmproof, golden: Path, rows: Mapping[str, Row]) -> Iterator[Broken]:
    unbroken = {one: pmproof.findings(packed.files_in(golden / "archive" / one), ["base"]) or [] for one in _SOURCES}
    for edit, what in pmproof.edits():
        rule = edit.partition(":")[0]
        if rule in _BY_MACHINE or rule not in rows:
            continue
        for source in _SOURCES:
            files = pmproof.broken(edit, golden / "archive" / source)
            if files is None:
                continue
            archives = _archives(files)
            found = _found(pmproof.findings(files, archives), rows[rule], unbroken[source])
            # Of a set the notes on each of its archives come again.
            single = len(archives) == 1 or (found and found[0] != "info")
            if found and single and all(re.fullmatch(r"[a-z0-9-]+", name) for name in archives):
                yield Broken(edit.lower().replace(":", "-"), rule, what, source, files, *found, archives)
            break


Findings = tuple[tuple[str, str], ...]


def _found(
    findings: Sequence[tuple[str, str]] | None, row: Row, unbroken: Sequence[tuple[str, str]]
) -> tuple[str, Findings] | None:
    """With which severity the row's rule is broken, and what else is as grave: what is in the unbroken archive too (its rows
    say so: ARC-2008, ARC-2009), or what the row names. None where there is more."""
    own = [severity for rule, severity in findings or () if rule == row.rule]
    if len(own) != 1 or own[0] not in row.severities:
        return None
    least = SEVERITIES.index(own[0])
    beside = tuple((rule, s) for rule, s in findings or () if SEVERITIES.index(s) >= least and rule != row.rule)
    known = all(one in unbroken or one[0] in _BESIDE.get(row.rule, ()) for one in beside)
    return (own[0], beside) if known else None


def _request(broken: Broken) -> Json:
    paths = [f"../inputs/{broken.name}/{name}" for name in broken.archives]
    findings = sorted([(broken.rule, broken.severity), *broken.beside])
    worst = max(SEVERITIES.index(severity) for _, severity in findings)
    return {
        "title": f"{broken.rule}: {broken.what}",
        "op": "archive.validate",
        "input": {"path": paths[0]} if len(paths) == 1 else {"paths": paths},
        "args": {} if broken.severity == "warning" else {"least": broken.severity},
        "applies": {"archive_version": 3 if broken.of == "base-v3" else 2},
        "expect": {
            "result": {
                "readable": worst < SEVERITIES.index("fatal"),
                "conformant": worst < SEVERITIES.index("error"),
                "findings": [{"rule": rule, "severity": severity} for rule, severity in findings],
            }
        },
    }


def clauses_of_rules(catalogue: Path) -> dict[str, list[str]]:
    """What of the chapter each rule is about, by the catalogue."""
    told = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(catalogue.glob("*.json"))]
    rules = [rule for one in told for rule in one.get("rules", ())]
    return {rule["id"]: [clause for clause in rule["clauses"] if clause.startswith("ARC-")] for rule in rules}


def write(program: Path, here: Path) -> list[Path]:
    """The cases and their packed inputs, in the workspace's folder."""
    pmproof = Pmproof(program)
    golden = here / "golden"
    rows = rows_of((here / "reference/spec/archive.md").read_text(encoding="utf-8"))
    about_what = clauses_of_rules(here / "validator/catalogue")
    inputs: Json = {}
    requests: dict[str, list[Json]] = {section: [] for section in _NAMES}
    for broken in broken_archives(pmproof, golden, rows):
        told = packed.pack(packed.files_in(golden / "archive" / broken.of), broken.files)
        if len(json.dumps(told)) > _LARGEST:
            continue
        inputs[broken.name] = {"of": f"../{broken.of}", **told}
        requests[rows[broken.rule].section].append(_request(broken))
    written = [golden / "archive/inputs/packed-rules.json"]
    written[0].parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in inputs.items())
    written[0].write_text(f'{{\n  "schema": "pmproof-packed/1",\n  "inputs": {{\n{lines}\n  }}\n}}\n', encoding="utf-8")
    for section, asked in requests.items():
        name, about = _NAMES[section]
        path = golden / f"archive/rules-{name}/case.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(_case(section, name, about, asked, about_what)), encoding="utf-8")
        written.append(path)
    return written


def _case(
    section: str, name: str, about: str, requests: Sequence[Json], about_what: Mapping[str, Sequence[str]]
) -> Json:
    rules = sorted({finding["rule"] for request in requests for finding in request["expect"]["result"]["findings"]})
    return {
        "schema": "pmproof-case/1",
        "id": f"archive/rules-{name}",
        "title": f"Archives that break one rule each: {about}",
        "clauses": sorted({*rules, *(clause for rule in rules for clause in about_what[rule])}),
        "level": "must",
        "why": "Whoever gates archives has to see each defect, as grave as it is, and nothing that is not there.",
        "provenance": {
            "kind": "specification",
            "where": f"section {section}: the rule and severity of each row",
            "note": "The archives are the base archive (ARC-1000) with the mutation of the row.",
        },
        "requests": list(requests),
    }
