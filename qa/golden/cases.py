# SPDX-License-Identifier: Apache-2.0
"""Golden cases (golden/README.md) as typed values."""

import fnmatch
import functools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Json = dict[str, Any]


class CaseError(Exception):
    """No case was found, or several where one should be."""


class BrokenCase(CaseError):
    """A case.json cannot be used as it stands."""


@dataclass(frozen=True)
class Deviation:
    """Versions of PCP that are known to answer otherwise, and why (INT-DEV-nn)."""

    id: str
    versions: tuple[str, ...]
    differs: str  # "always", or "sometimes" where it depends on what lies in memory


@dataclass(frozen=True)
class Request:
    title: str
    operation: str
    source: Json  # paths are absolute
    args: Json
    rules: tuple[str, ...]  # of interpolation; or
    dialects: tuple[str, ...]  # versions of PCP
    tolerance: Json
    deviations: tuple[Deviation, ...]
    expect: Json
    emulates: tuple[str, ...] = ()  # versions of PCP, whose deviations are in the answer
    reading: tuple[str, ...] = ()  # of tool.run: options by which pmproof compare --parse reads the lines

    @property
    def variants(self) -> list[Json]:
        """The arguments that ask for one rule, dialect or emulated version each: the answer is the same for all of them."""
        named = {"rule": self.rules, "dialect": self.dialects, "emulate": self.emulates}
        return [{name: one} for name, some in named.items() for one in some] or [{}]

    def deviation_of(self, version: str) -> Deviation | None:
        """The first that concerns this version ("7.2" concerns 7.2.2)."""
        for deviation in self.deviations:
            if any(f"{version}.".startswith(f"{known}.") for known in deviation.versions):
                return deviation
        return None


@dataclass(frozen=True)
class Case:
    id: str
    title: str
    clauses: tuple[str, ...]
    level: str
    why: str
    provenance: Json
    folder: Path
    requests: tuple[Request, ...]

    @property
    def archives(self) -> set[Path]:
        """What its requests name: archives without suffix, files of archives, and folders."""
        return {Path(path) for request in self.requests for path in paths_of(request.source)}

    @property
    def archive_folders(self) -> set[Path]:
        return {path if path.is_dir() else path.parent for path in self.archives}


def paths_of(source: Json) -> list[str]:
    if "paths" in source:
        return list(source["paths"])
    return [source["path"]] if "path" in source else []


def files_of(source: Json) -> list[str]:
    """Text files: of names, help texts, configurations."""
    return [source[key] for key in ("file", "names", "local") if key in source]


def _to_request(told: Json, folder: Path) -> Request:
    def absolute(path: str) -> str:
        return str((folder / path).resolve())

    source = {
        key: [absolute(path) for path in told["input"][key]] if key == "paths" else absolute(told["input"][key])
        for key in told["input"]
    }
    return Request(
        told.get("title", ""),
        told["op"],
        source,
        told["args"],
        tuple(told["applies"].get("rules", ())),
        tuple(told["applies"].get("dialects", ())),
        told.get("tolerance", {}),
        tuple(Deviation(d["id"], tuple(d["versions"]), d["differs"]) for d in told.get("deviations", [])),
        told["expect"],
        tuple(told["applies"].get("emulates", ())),
        tuple(told.get("reading", ())),
    )


_SCHEMA = Path(__file__).parents[2] / "golden/schema/case.schema.json"


@functools.cache
def _validator() -> Any:
    # Here, because adapters that are started for every request (fakes) read cases without it.
    import jsonschema

    return jsonschema.Draft202012Validator(json.loads(_SCHEMA.read_text(encoding="utf-8")))


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BrokenCase(f"{path}: {error}") from error


def _check(path: Path, told: Any) -> None:
    if wrong := next(_validator().iter_errors(told), None):
        place = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in wrong.absolute_path).lstrip(".")
        raise BrokenCase(f"{path}: {place or 'the case'}: {wrong.message[:200]}")


def check(cases: Iterable[Case]) -> None:
    """Of cases that were not checked when they were loaded. Raises BrokenCase where the schema does not accept one."""
    for case in cases:
        path = case.folder / "case.json"
        _check(path, _read(path))


def load(path: Path, checked: bool = True) -> Case:
    """Raises BrokenCase where it cannot be read, or, if that is checked, its schema does not accept it."""
    told = _read(path)
    if checked:
        _check(path, told)
    try:
        return _to_case(told, path)
    except (KeyError, TypeError, AttributeError, ValueError) as error:
        _check(path, told)
        raise BrokenCase(f"{path}: {error!r}") from error


def _to_case(told: Json, path: Path) -> Case:
    return Case(
        told["id"],
        told["title"],
        tuple(told["clauses"]),
        told["level"],
        told["why"],
        told["provenance"],
        path.parent,
        tuple(_to_request(request, path.parent) for request in told["requests"]),
    )


def load_all(root: Path, globs: Sequence[str] = (), checked: bool = True) -> list[Case]:
    """The cases below a folder, by ID; of those whose ID matches one of the globs, if there are any.

    Raises CaseError where nothing is found, where a glob matches nothing, and where two cases have one ID.
    """
    found = [load(path, checked) for path in sorted(root.rglob("case.json"))]
    if not found:
        raise CaseError(f"{root}: no case.json below it")
    known = [case.id for case in found]
    if twice := {name for name in known if known.count(name) > 1}:
        raise CaseError(f"more than one case is called {', '.join(sorted(twice))}")
    for glob in globs:
        if not fnmatch.filter(known, glob):
            raise CaseError(f"no case is called {glob}")
    return [case for case in found if not globs or any(fnmatch.fnmatchcase(case.id, glob) for glob in globs)]


def _in_order(clause: str) -> tuple[str, int]:
    letters = clause.rstrip("0123456789")
    return letters, int(clause[len(letters) :])


def by_clause(cases: Iterable[Case]) -> dict[str, list[str]]:
    """The cases of each clause, in the order of the clauses' numbers."""
    found: dict[str, list[str]] = {}
    for case in cases:
        for clause in case.clauses:
            found.setdefault(clause, []).append(case.id)
    return dict(sorted(found.items(), key=lambda entry: _in_order(entry[0])))
