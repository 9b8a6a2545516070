# SPDX-License-Identifier: Apache-2.0
"""The event stream of a run: a line of JSON for each event, from which all reports are made (schema/journal.schema.json).

Order: header; cases; for each implementation start, verdicts, end; footer. Without footer it is not complete.
"""

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import jsonschema

from qa.adapters.testee import Outcome, outcome_of
from qa.golden.cases import Case, Json
from qa.suite.verdicts import Verdict, answer_of

SCHEMA = "pmproof-suite-journal/1"
SCHEMA_FILE = Path(__file__).with_name("schema") / "journal.schema.json"
_LARGEST_ANSWER = 1 << 20


class JournalError(Exception):
    """A journal cannot be used."""


def digest_of(cases: Iterable[Case]) -> str:
    """Over the IDs and the bytes of the case files."""
    found = hashlib.sha256()
    for case in sorted(cases, key=lambda case: case.id):
        content = (case.folder / "case.json").read_bytes()
        found.update(f"{case.id} {len(content)}\n".encode() + content)
    return f"sha256:{found.hexdigest()}"


def case_event(case: Case, root: Path) -> Json:
    told = json.loads((case.folder / "case.json").read_text(encoding="utf-8"))
    kept = ("id", "title", "clauses", "level", "why", "provenance", "requests")
    return {"event": "case", "path": str(case.folder.relative_to(root)), **{key: told[key] for key in kept}}


def verdict_event(implementation: str, verdict: Verdict) -> Json:
    check = verdict.check
    event = {
        "event": "verdict",
        "implementation": implementation,
        "id": check.id,
        "case": check.case.id,
        "request": check.number,
        "under": check.variant,
        "operation": check.request.operation,
        "outcome": verdict.outcome,
        "status": verdict.status,
        "seconds": round(verdict.seconds, 3),
    }
    if verdict.message:
        event["message"] = verdict.message
    if verdict.declared:
        event["declared"] = {"by": verdict.declared, "reason": verdict.reason}
    if verdict.outcome not in ("right", "skip"):
        answer = answer_of(verdict.answer)
        size = len(json.dumps(answer))
        event["answer"] = answer if size <= _LARGEST_ANSWER else {"cut": size}
    return event


@dataclass
class Implemented:
    """What the events say of one implementation."""

    name: str
    hello: Json
    checks: int
    verdicts: list[Json] = field(default_factory=list)
    end: Json = field(default_factory=dict)

    @property
    def is_complete(self) -> bool:
        return bool(self.end.get("complete"))

    @property
    def title(self) -> str:
        """Such as "pcp 6.0.3"; the name of one that never started."""
        told = self.hello.get("implementation")
        return f"{told['name']} {told['version']}" if told else self.name

    @property
    def claims(self) -> list[Json]:
        return list(self.end.get("claims", []))

    @property
    def problems(self) -> list[str]:
        return list(self.end.get("problems", []))


def actual_of(verdict: Json) -> Outcome:
    """The answer of a verdict's event that was not the expected one."""
    answer = verdict.get("answer", {})
    if "cut" in answer:
        return Outcome("error", {}, f"an answer of {answer['cut']} bytes, which the journal does not keep")
    if verdict["outcome"] in ("crash", "timeout", "protocol", "error", "skip"):
        return Outcome(verdict["outcome"], answer.get("error", {}), verdict.get("message", ""))
    return outcome_of(answer)


@dataclass
class Run:
    """All events of a run."""

    header: Json = field(default_factory=dict)
    cases: dict[str, Json] = field(default_factory=dict)
    implementations: list[Implemented] = field(default_factory=list)
    footer: Json = field(default_factory=dict)

    def add(self, event: Json) -> None:
        kind = event["event"]
        if kind == "header":
            self.header = event
        elif kind == "case":
            self.cases[event["id"]] = event
        elif kind == "start":
            self.implementations.append(Implemented(event["implementation"], event["hello"], event["checks"]))
        elif kind == "verdict":
            self.implementations[-1].verdicts.append(event)
        elif kind == "end":
            self.implementations[-1].end = event
        elif kind == "footer":
            self.footer = event

    @property
    def is_complete(self) -> bool:
        return bool(self.footer.get("complete"))

    def request(self, verdict: Json) -> Json:
        """What a verdict is about, as its case has it."""
        found: Json = self.cases[verdict["case"]]["requests"][verdict["request"] - 1]
        return found


def _validator() -> Any:
    return jsonschema.Draft202012Validator(json.loads(SCHEMA_FILE.read_text(encoding="utf-8")))


def load(path: Path) -> Run:
    """A journal that was written, also one that was cut short. Raises JournalError with file and line."""
    run, validator = Run(), _validator()
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except (OSError, UnicodeDecodeError) as error:
        raise JournalError(f"{path}: {error}") from error
    for number, line in enumerate(lines, start=1):
        if number == len(lines) and not line.endswith("\n"):
            break  # whoever wrote it was stopped
        try:
            event = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise JournalError(f"{path}:{number}: {error}") from error
        if wrong := jsonschema.exceptions.best_match(validator.iter_errors(event)):
            raise JournalError(f"{path}:{number}: no event of {SCHEMA}: {wrong.message[:200]}")
        if (number == 1) != (event["event"] == "header") or run.footer:
            raise JournalError(f"{path}:{number}: {event['event']} where it cannot stand")
        if event["event"] in ("verdict", "end") and not run.implementations:
            raise JournalError(f"{path}:{number}: {event['event']} without a start")
        if event["event"] == "verdict" and (
            event["case"] not in run.cases or event["request"] > len(run.cases[event["case"]]["requests"])
        ):
            raise JournalError(f"{path}:{number}: a verdict about a request that is not there: {event['id']}")
        run.add(event)
    if not run.header:
        raise JournalError(f"{path}: empty")
    return run


def merged(runs: Sequence[tuple[Path, Run]]) -> Run:
    """Runs of the same cases as one."""
    whole = Run(dict(runs[0][1].header), footer={"event": "footer", "complete": True, "status": 0})
    whole.header["implementations"] = []
    for path, run in runs:
        if run.header["cases"] != whole.header["cases"]:
            raise JournalError(f"{path}: of other cases than {runs[0][0]}")
        whole.cases.update(run.cases)
        whole.implementations += run.implementations
        whole.header["implementations"] += run.header["implementations"]
        whole.footer["complete"] = whole.footer["complete"] and run.is_complete
        whole.footer["status"] = max(whole.footer["status"], int(run.footer.get("status", 1)))
        if run.header["selection"] != whole.header["selection"]:
            whole.header["selection"] = {**whole.header["selection"], "complete": False}
    return whole
