# SPDX-License-Identifier: Apache-2.0
"""What pminfo and pmprobe say of the metrics of an archive, with the derived metrics that a configuration adds."""

import functools
import re
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

from qa.adapters.tool_output import Json, Parser
from qa.adapters.tool_run import Done, Refusal, Skip, ToolError, Tools

UNKNOWN_NAME: Json = {"status": -12357, "error": "PM_ERR_NAME"}

# Why an archive is not opened, in the words of all versions (INT-904).
REFUSED = {
    "Archives differ by host": "set.host",
    "Archives overlap in time": "set.overlap",
    "The type of a metric has changed in an archive": "set.type",
    "The semantics of a metric has changed in an archive": "set.semantics",
    "The instance domain of a metric has changed in an archive": "set.indom",
    "The units of a metric have changed in an archive": "set.units",
}
# Of one archive it is the descriptors of its own metadata that differ (ARC-307).
_CHANGES = ("set.type", "set.semantics", "set.indom", "set.units")
_NOT_OPENED = re.compile(r'^\w+: Cannot open archive "(.*)": (.*)$', re.MULTILINE | re.DOTALL)
ONE_ARCHIVE = "this pmdumplog takes no more than one archive, and that not by its folder (OUT-427)"
_NOT_OF_SEVERAL = re.compile(r"^pmdumplog: Multiple archives are not supported$", re.MULTILINE)


def refuse_what_was_not_opened(done: Done) -> None:
    """Raises Refusal where a tool says that it cannot open the archive."""
    if done.status != 0 and (found := _NOT_OPENED.search(done.stderr)):
        why = found[2].strip()
        refused = REFUSED.get(why, "replay.refused")
        if refused in _CHANGES and "," not in found[1]:
            refused = "metadata.descriptors_differ"
        raise Refusal(refused, why)


_NOT_FETCHED = re.compile(r"^pmdumplog: pmFetch: (.*)$", re.MULTILINE)


def fetch_failure(done: Done) -> str | None:
    """What pmdumplog says of a record that it cannot read: it ends there."""
    found = _NOT_FETCHED.search(done.stderr) if done.status != 0 else None
    return found[1].strip() if found else None


def _check_that_it_was_read(argv: Sequence[str], done: Done) -> None:
    """pmdumplog that failed without a line has not said that there is nothing."""
    if argv[0] != "pmdumplog" or done.status == 0 or done.stdout or fetch_failure(done) is not None:
        return
    if _NOT_OF_SEVERAL.search(done.stderr):
        raise Skip(ONE_ARCHIVE)
    raise ToolError(f"pmdumplog prints nothing, and ends with status {done.status}: {' '.join(done.stderr.split())[:300]}")


def paths_of(source: Json) -> str:
    """As tools take an archive or several on their command line."""
    paths = source["paths"] if "paths" in source else [source["path"]]
    if any("," in path for path in paths):
        raise ToolError("a path has a comma, by which tools tell paths apart")
    return ",".join(paths)


@dataclass(frozen=True)
class Question:
    """An archive, and what is to be set before a tool opens it. Two that are equal have equal answers."""

    paths: str
    config: str = ""  # of derived metrics
    counter_wrap: bool = False
    missing_is_novalue: bool = False


@dataclass
class Metric:
    """`status` is not 0 where there is no descriptor; `instances`: names by number, of a metric that has a domain."""

    status: Json = field(default_factory=lambda: {"status": 0})
    descriptor: Json = field(default_factory=dict)
    instances: dict[int, str] = field(default_factory=dict)

    @property
    def type(self) -> str:
        return str(self.descriptor["type"])

    @property
    def is_singular(self) -> bool:
        return self.descriptor["indom"] is None

    @functools.cached_property
    def numbers(self) -> dict[str, int | None]:
        """Instances by name; None where several have it."""
        found: dict[str, int | None] = {}
        for number, name in self.instances.items():
            found[name] = None if name in found else number
        return found


class Archives:
    """Tools asked about archives. What is the same for each question of an archive is asked once."""

    _KEPT = 64

    def __init__(self, tools: Tools, parser: Parser) -> None:
        self.tools = tools
        self.parser = parser
        self.metrics = functools.lru_cache(self._KEPT)(self._metrics)
        self._window = functools.lru_cache(self._KEPT)(self._window_of_paths)

    def window(self, question: Question) -> tuple[Fraction, Fraction | None]:
        """Where the archives begin and end; nothing where they do not say."""
        return self._window(question.paths)

    def _window_of_paths(self, paths: str) -> tuple[Fraction, Fraction | None]:
        labels: list[Json] = []
        for path in paths.split(","):
            try:
                labels += self.records(Question(path), ["pmdumplog", "-l", path])
            except Refusal:
                continue  # of a set, the others may be read
        labels = [label for label in labels if label.get("kind") == "archive"]
        if not labels:
            raise ToolError("pmdumplog prints no label")
        finishes = [Fraction(label["finish"]) for label in labels if label.get("finish") is not None]
        return min(Fraction(label["start"]) for label in labels), max(finishes) if len(finishes) == len(labels) else None

    def status_of(self, text: str) -> Json:
        """The error that a text says, which is as good as within any line that has one (OUT-313)."""
        [record] = self.parser.records("pminfo", f"m: pmFetch: {text}\n".encode())
        if record.get("status") is None:
            raise ToolError(f"it says what no error does: {text}")
        return _status(record)

    @contextmanager
    def _prepared(self, question: Question) -> Iterator[tuple[dict[str, str], list[Path]]]:
        """Variables and files."""
        more = {}
        if question.counter_wrap:
            more["PCP_COUNTER_WRAP"] = ""
        if question.missing_is_novalue:
            more["PCP_DERIVED_CONTROL"] = "option_novalue=1"
        if not question.config:
            yield more, []
            return
        with tempfile.TemporaryDirectory(prefix="pmproof-derived-") as folder:
            path = Path(folder) / "F"
            path.write_bytes(question.config.encode())
            yield {**more, "PCP_DERIVED_CONFIG": str(path)}, [path]

    def run(self, question: Question, argv: Sequence[str], files: Sequence[Path] = ()) -> Done:
        """Raises Refusal where the archive cannot be opened, Skip where the tool cannot be given it. In what is said on stderr the configuration's name is F.

        `files`: what the tool has to see besides the archive.
        """
        with self._prepared(question) as (more, configs):
            done = self.tools.run(argv, more, [*configs, *files])
            stderr = done.stderr
            for path in configs:
                stderr = stderr.replace(str(path), "F")
        done = Done(done.status, done.stdout, stderr)
        refuse_what_was_not_opened(done)
        _check_that_it_was_read(argv, done)
        return done

    def records(self, question: Question, argv: Sequence[str], options: Sequence[str] = ()) -> list[Json]:
        return self.parser.of(argv[0], self.run(question, argv), options)

    def _metrics(self, question: Question) -> dict[str, Metric]:
        """All that have a name. Not to be changed by callers."""
        found: dict[str, Metric] = {}
        for record in self.records(question, ["pminfo", "-d", "-a", question.paths]):
            if record.get("kind") == "descriptor" and "type" in record:
                found.setdefault(record["metric"], Metric()).descriptor = record
            elif "status" in record and record["status"] != 0:
                found.setdefault(record["metric"], Metric()).status = _status(record)
        for record in self.records(question, ["pmprobe", "-f", "-i", "-I", "-a", question.paths], ["--instances"]):
            if record.get("kind") == "instances" and record["metric"] in found:
                told = {one["instance"]: one["name"] for one in record["instances"] if one["instance"] is not None}
                found[record["metric"]].instances = told
        return found


def _status(record: Json) -> Json:
    return {key: record[key] for key in ("status", "error") if key in record}
