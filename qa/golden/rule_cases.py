# SPDX-License-Identifier: Apache-2.0
"""The cases archive/rules-*: for each validity rule of section 14 of archive.md archives that break it, and what a validator
has to say of them: `golden generate`.

The archives are the base archive (ARC-1000) with what `pmproof mutate` does to it, which is what the rule's row says. The
expectation is the row: the rule, its severity, and no other finding as grave as that; and the place, by section 14.15
(places.py). `pmproof check` has to agree: where it does not, one of the two is wrong, and nothing is written. What has no
case, and which finding no place, is in golden/rules_left_out.json, with the reason.
"""

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from qa.golden import packed, places
from qa.golden.pdu_cases import Json, text_of
from qa.golden.place_choice import place_of

SEVERITIES = ("info", "warning", "error", "fatal")
_LARGEST = 12000  # characters of an input's description
_SOURCES = ("base-v3", "base-v2")
LEFT_OUT = "rules_left_out.json"
# What falls with it: the row names it (1111); values of such metrics would break another rule (1318, ARC-1830); the archive
# that is not healthy breaks it itself (2107).
_BESIDE = {"ARC-1111": ("ARC-1102", "ARC-1103"), "ARC-1318": ("ARC-1333",), "ARC-2107": ("ARC-1004",)}
# "See there": the rule that is reported.
REPORTED_AS = {"ARC-1726": "ARC-1111", "ARC-1827": "ARC-1803"}
# "Undefined" in the row is about other edits, of which PCP may crash, or about the other version of archives.
_DEFINED = {
    *("ARC-1403:1", "ARC-1403:2", "ARC-1422:1", "ARC-1504:1", "ARC-1504:2", "ARC-1602:1", "ARC-1602:2", "ARC-1816:3"),
}
_DEFINED_IN = {"ARC-1401:1": "base-v2"}
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
    is_undefined: bool  # some version of PCP may crash; such inputs are not shipped


def rows_of(specification: str) -> dict[str, Row]:
    found: dict[str, Row] = {}
    section = ""
    for line in specification.splitlines():
        if heading := re.match(r"### (14\.\d+) ", line):
            section = heading[1]
        elif row := re.match(r"\| (ARC-\d+) \| [^|]* \| ([^|]*) \|", line):
            if section in _NAMES:
                # What is in brackets is about severities that were.
                cell = re.sub(r"\(corrected[^)]*\)", "", row[2])
                severities = tuple(s for s in SEVERITIES if re.search(rf"\b{s}\b", cell))
                found[row[1]] = Row(section, row[1], severities, "undefined" in line)
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
    findings: tuple[Json, ...]  # all that are as grave as that
    archives: tuple[str, ...]  # base names


@dataclass
class LeftOut:
    """What is written to golden/rules_left_out.json."""

    cases: list[Json]
    places: list[Json]

    def case(self, edit: str, what: str, because: str) -> None:
        self.cases.append({"edit": edit, "what": what, "because": because})


    def place(self, name: str, rule: str, because: str) -> None:
        for one in self.places:
            if (one["rule"], one["because"]) == (rule, because):
                one["inputs"] = list(dict.fromkeys([*one["inputs"], name]))
                return
        self.places.append({"rule": rule, "because": because, "inputs": [name]})


class DisagreementError(Exception):
    """Between the specification and `pmproof check`."""


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

    def broken(self, edit: str, source: Path) -> packed.Files | str:
        """Or why there is no such archive."""
        with tempfile.TemporaryDirectory() as folder:
            made = self._run("mutate", "--rule", edit, source / "base", Path(folder) / "base")
            if made.returncode != 0:
                return re.sub(r"^.*: | \[ARC-[0-9]+\]$", "", made.stderr.strip().splitlines()[-1])
            if any(not path.is_file() for path in Path(folder).iterdir()):
                return "a folder lies among the files"
            return packed.files_in(Path(folder))

    def findings(self, files: Mapping[str, bytes], archives: Sequence[str]) -> list[Json] | None:
        """Rules, severities and places, as archive.validate has them; None where there is no verdict."""
        with tempfile.TemporaryDirectory() as folder:
            for name, content in files.items():
                (Path(folder) / name).write_bytes(content)
            paths = [f"{folder}/{name}" for name in archives]
            source: Json = {"path": paths[0]} if len(paths) == 1 else {"paths": paths}
            asked = {"cmd": "run", "seq": 1, "op": "archive.validate", "input": source, "args": {"least": "info"}}
            told = json.loads(self._run("testee", said=json.dumps(asked)).stdout)
        return list(told["result"]["findings"]) if "result" in told else None

    def _run(self, *arguments: object, said: str = "") -> "subprocess.CompletedProcess[str]":
        argv = [self._program, *arguments]
        return subprocess.run([os.fspath(str(one)) for one in argv], input=said, capture_output=True, text=True, check=False)


def _archives(files: Mapping[str, bytes]) -> tuple[str, ...]:
    bases = {re.sub(r"\.(meta|index|[^.]*[0-9]+)(\.(xz|bz2|gz|zst|old|lz4))?$", "", name) for name in files}
    return tuple(sorted(bases))


def broken_archives(
    pmproof: Pmproof, golden: Path, rows: Mapping[str, Row], specification: str, out: LeftOut
) -> Iterator[Broken]:
    """Raises DisagreementError."""
    known = places.rows_of(specification)
    sound = {one: packed.files_in(golden / "archive" / one) for one in _SOURCES}
    notes = {one: pmproof.findings(files, ["base"]) or [] for one, files in sound.items()}
    for edit, what in pmproof.edits():
        rule = edit.partition(":")[0]
        reported = REPORTED_AS.get(rule, rule)
        if rule in _BY_MACHINE:
            out.case(edit, what, "the verdict depends on the machine: the time zones that it knows")
            continue
        if rows[reported].is_undefined and edit not in {*_DEFINED, *_DEFINED_IN}:
            out.case(edit, what, f"{reported}: undefined in some version of PCP, which may crash")
            continue
        sources = [_DEFINED_IN[edit]] if edit in _DEFINED_IN else _SOURCES
        made = {source: pmproof.broken(edit, golden / "archive" / source) for source in sources}
        source = next((one for one, files in made.items() if isinstance(files, dict)), None)
        if source is None:
            reasons = [str(one) for one in made.values()]
            because = next((one for one in reasons if "of version" not in one), reasons[0])
            out.case(edit, what, f"not with the base archive: {because}")
            continue
        files = made[source]
        assert isinstance(files, dict)
        archives = _archives(files)
        if because := _unfit(sound[source], files, archives):
            out.case(edit, what, because)
            continue
        name = edit.lower().replace(":", "-")
        findings = pmproof.findings(files, archives)
        severity, found = _found(edit, findings, rows[reported], notes[source])
        told = [_placed(name, one, sound[source], files, archives, known, out) for one in found]
        yield Broken(name, rule, what, source, files, severity, tuple(told), archives)


def _unfit(sound: packed.Files, files: packed.Files, archives: Sequence[str]) -> str:
    """Why it cannot be stored."""
    if any("," in name for name in archives):
        return "a comma makes a list of archives of its name"
    if not all(re.fullmatch(r"[a-z0-9-]+", name) for name in archives):
        return "a name with a point or a blank is no path of a case"
    size = len(json.dumps(packed.pack(sound, files)))
    return f"large: {size} characters in the packed form, where {_LARGEST} are the most" if size > _LARGEST else ""


def _found(edit: str, findings: Sequence[Json] | None, row: Row, notes: Sequence[Json]) -> tuple[str, list[Json]]:
    """With which severity the row's rule is broken, and all that is as grave: what is in the unbroken archive too (its rows
    say so: ARC-2008, ARC-2009), or what falls with it."""
    own = [one for one in findings or () if one["rule"] == row.rule]
    if len(own) != 1 or own[0]["severity"] not in row.severities:
        raise DisagreementError(f"{edit}: the row says {row.rule} {' or '.join(row.severities)}, check {findings}")
    least = SEVERITIES.index(own[0]["severity"])
    found = [one for one in findings or () if SEVERITIES.index(one["severity"]) >= least]
    known = {row.rule, *_BESIDE.get(row.rule, ()), *(one["rule"] for one in notes)}
    if more := [one for one in found if one["rule"] not in known]:
        raise DisagreementError(f"{edit}: check finds {more} as well")
    return own[0]["severity"], found


def _placed(
    name: str,
    finding: Json,
    sound: packed.Files,
    files: packed.Files,
    archives: Sequence[str],
    known: Mapping[str, places.Row],
    out: LeftOut,
) -> Json:
    """Rule, severity, and the place, if the specification knows it."""
    told = {"rule": finding["rule"], "severity": finding["severity"]}
    try:
        if len(archives) > 1:
            raise places.UnclearError("of a set: the place does not say in which archive")
        edit = places.Edit(name, sound, files, "base")
        place = place_of(edit, finding["rule"], known)
    except places.UnclearError as error:
        out.place(name, finding["rule"], str(error))
        return told
    told |= {"part": place.part, "offset": place.offset}
    length = places.length_of(edit.after.get(place.part, b""), place.part, place.offset, known[finding["rule"]])
    if length is not None:
        told["length"] = length
    if told != {key: finding[key] for key in told}:
        raise DisagreementError(f"{name}: {finding['rule']} is at {told}, check says {finding}")
    # An edit breaks its rule in one place; of some, files have to agree, and each that does not is one.
    return {**told, "count": 1} if finding["count"] == 1 else told


def _request(broken: Broken) -> Json:
    paths = [f"../inputs/{broken.name}/{name}" for name in broken.archives]
    worst = max(SEVERITIES.index(finding["severity"]) for finding in broken.findings)
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
                "findings": list(broken.findings),
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
    specification = (here / "reference/spec/archive.md").read_text(encoding="utf-8")
    rows = rows_of(specification)
    about_what = clauses_of_rules(here / "validator/catalogue")
    inputs: Json = {}
    requests: dict[str, list[Json]] = {section: [] for section in _NAMES}
    out = LeftOut([], [])
    for broken in broken_archives(pmproof, golden, rows, specification, out):
        told = packed.pack(packed.files_in(golden / "archive" / broken.of), broken.files)
        inputs[broken.name] = {"of": f"../{broken.of}", **told}
        requests[rows[broken.rule].section].append(_request(broken))
    written = [golden / "archive/inputs/packed-rules.json"]
    written[0].parent.mkdir(parents=True, exist_ok=True)
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(one)}" for name, one in inputs.items())
    written[0].write_text(f'{{\n  "schema": "pmproof-packed/1",\n  "inputs": {{\n{lines}\n  }}\n}}\n', encoding="utf-8")
    written.append(golden / LEFT_OUT)
    written[-1].write_text(_lines(out), encoding="utf-8")
    for section, asked in requests.items():
        name, about = _NAMES[section]
        path = golden / f"archive/rules-{name}/case.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text_of(_case(section, name, about, asked, about_what)), encoding="utf-8")
        written.append(path)
    return written


def _lines(out: LeftOut) -> str:
    """A line for each."""
    lists = {"cases": out.cases, "places": out.places}
    told = []
    for name, of in lists.items():
        lines = ",\n".join(f"    {json.dumps(one)}" for one in of)
        told.append(f'  "{name}": [\n{lines}\n  ]')
    return "{\n" + ",\n".join(told) + "\n}\n"


def left_out(golden: Path) -> Iterator[str]:
    """For people: what has no case, and which finding no place."""
    told = json.loads((golden / LEFT_OUT).read_text(encoding="utf-8"))
    for one in told["cases"]:
        yield f"{one['edit']:11}  no case: {one['because']} ({one['what']})"
    for one in told["places"]:
        yield f"{one['rule']:11}  no place: {one['because']} ({', '.join(one['inputs'])})"


def _case(
    section: str, name: str, about: str, requests: Sequence[Json], about_what: Mapping[str, Sequence[str]]
) -> Json:
    rules = sorted({finding["rule"] for request in requests for finding in request["expect"]["result"]["findings"]})
    return {
        "schema": "pmproof-case/1",
        "id": f"archive/rules-{name}",
        "title": f"Archives that break one rule each: {about}",
        "clauses": sorted({*rules, "ARC-2301", "ARC-2302", "ARC-2303", "ARC-2304", *(clause for rule in rules for clause in about_what[rule])}),
        "level": "must",
        "why": "Whoever gates archives has to see each defect, as grave as it is, and nothing that is not there.",
        "provenance": {
            "kind": "specification",
            "where": f"section {section}: the rule and severity of each row; section 14.15: the place",
            "note": "The archives are the base archive (ARC-1000) with the mutation of the row.",
        },
        "requests": list(requests),
    }
