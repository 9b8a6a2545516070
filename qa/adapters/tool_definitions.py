# SPDX-License-Identifier: Apache-2.0
"""Operation derive.parse as pminfo answers it: definitions go in by a configuration, PCP_DERIVED_CONFIG.

    pminfo -d [-m] [-t -T] -a ARCHIVE [METRIC...]

What is wrong with a definition stands on stderr, in the words of DER-321..329 and DER-709.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from qa.adapters.tool_answer import NotShown
from qa.adapters.tool_archive import UNKNOWN_NAME, Archives, Question, paths_of
from qa.adapters.tool_output import Json
from qa.adapters.tool_run import Skip

NAME = re.compile(r"[A-Za-z]\w*(\.[A-Za-z]\w*)*\.?", re.ASCII)  # of a configuration (DER-202)
PER_CONTEXT = "tools have definitions of all contexts only"
UNBOUND_COUNT = "tools do not print how many definitions were registered; some versions list those only that bind (DER-302, DER-710)"
NO_CONTEXT_YET = "tools load a configuration before a context is open, which has no limit then (DER-402)"

_NO_CONTEXT = ": Attempt to use an illegal context"
_TOLD_OF_NAMES = ("Duplicate global derived metric name", "Too many global derived metrics", "global PMID space exhausted")
_DIAGNOSTIC = re.compile(r"\[F:(\d+)\] (Error|Warning): ")
_SYNTAX = re.compile(r"\[F:(\d+)\] Error: pmRegisterDerived\((.*), \.\.\.\) syntax error")
_SEMANTIC = re.compile(r"Semantic error: derived metric (.+?): (.*)")
_OF_THE_TOOL = re.compile(r"(Error: .*: |Error Parsing ASCII PMNS|pm\w+: )")


@dataclass
class Said:
    """What stands on stderr. `config`: of the configuration as it is; `lines`: by line of it, what follows its head."""

    config: list[str] = field(default_factory=list)
    lines: dict[int, list[str]] = field(default_factory=dict)
    semantic: dict[str, tuple[str | None, str]] = field(default_factory=dict)  # where and message, by name


def said(stderr: str) -> Said:
    found = Said()
    diagnostic: list[str] | None = None
    for line in stderr.splitlines():
        if match := _SEMANTIC.fullmatch(line):
            where, _, message = match[2].rpartition(": ")
            found.semantic[match[1]] = (where or None, message)
            diagnostic = None
        elif match := _DIAGNOSTIC.match(line):
            found.config.append(line)
            diagnostic = found.lines.setdefault(int(match[1]), [])
            diagnostic.append(line)
        elif _OF_THE_TOOL.match(line):
            diagnostic = None
        elif diagnostic is not None:
            found.config.append(line)
            diagnostic.append(line)
    return found


def config_of(args: Json, key: str) -> str:
    """The definitions args.KEY as a configuration, a line each; or args.config. Raises Skip for what is in neither."""
    definitions = args.get(key, [])
    if isinstance(args.get("config", ""), dict):
        raise Skip("tools take a configuration by their environment, where what cannot be loaded is passed over (DER-303)")
    if not definitions:
        return str(args.get("config", ""))
    if args.get("config"):
        raise Skip("tools take definitions and a configuration as one file, in which they cannot be told apart")
    lines = []
    for one in definitions:
        if one.get("per_context"):
            raise Skip(PER_CONTEXT)
        if not NAME.fullmatch(one["name"]):
            raise Skip(f"a configuration takes no such name as {one['name']!r} (DER-202)")
        if not one["expression"].strip():
            raise Skip("a configuration takes no empty expression (DER-324)")
        if "\n" in one["expression"] or one["expression"].endswith("\\") or "\0" in one["expression"]:
            raise Skip("a configuration takes no such end of a line within an expression (DER-304, DER-305)")
        lines.append(f"{one['name']}={one['expression']}\n")
    return "".join(lines)


def question_of(source: Json, args: Json, key: str) -> Question:
    return Question(
        paths_of(source) if source else "",
        config_of(args, key),
        bool(args.get("counter_wrap")),
        bool(args.get("missing_is_novalue")),
    )


def _refusal(name: str, expression: str, told: Sequence[str]) -> Json:
    """Of the lines of one diagnostic: head, text, caret and perhaps a message."""
    message = " ".join(told[3:]) or None
    refused = {"name": name, "ok": False}
    if len(told) < 3 or not _SYNTAX.match(told[0]):
        raise Skip(f"a configuration says of it: {told[0]}")
    if message in _TOLD_OF_NAMES:
        return refused | {"stage": "name", "position": 0, "message": message}
    return refused | {"stage": "syntax", "position": told[2].index("^"), "message": message}


def _descriptor(record: Json) -> Json:
    return {key: record[key] for key in ("type", "semantics", "indom", "units")}


class _Told:
    """What pminfo printed, by metric."""

    def __init__(self, records: Sequence[Json]) -> None:
        self.descriptors: dict[str, Json] = {}
        self.statuses: dict[str, Json] = {}
        self.pmids: dict[str, str] = {}
        self.texts: dict[tuple[str, str], str | None] = {}
        for record in records:
            name = record.get("metric", "")
            if record.get("kind") == "descriptor" and "type" in record:
                self.descriptors[name] = _descriptor(record)
            elif record.get("kind") == "text":
                self.texts[name, record["form"]] = record.get("text")
            elif "kind" not in record and record.get("status"):
                self.statuses[name] = {key: record[key] for key in ("status", "error") if key in record}
            if "pmid" in record:
                self.pmids[name] = record["pmid"]


def parse(archives: Archives, source: Json, args: Json) -> Json:
    definitions, metrics = args.get("definitions", []), args.get("metrics", [])
    question = question_of(source, args, "definitions")
    unshown = NotShown()
    options = ["pminfo", "-d", *(["-m"] if args.get("pmids") else []), *(["-t", "-T"] if metrics else [])]
    if source:
        # The end of a text is plain where a name with a point follows.
        ordered = sorted(metrics, key=lambda name: "." in name)
        done = archives.run(question, [*options, "-a", question.paths, *ordered])
        told = _Told(archives.parser.of("pminfo", done))
    else:
        done = archives.run(question, ["pminfo", "-L", "no.such"])
        told = _Told([])
    heard = said(done.stderr)
    result: Json = {}
    if "config" in args:
        added = set(archives.metrics(question)) - set(archives.metrics(Question(question.paths))) if source else ()
        result["config"] = {"registered": len(added), "diagnostics": heard.config}
        unshown.add(UNBOUND_COUNT, "/config/registered")
        if source and any(line.endswith(_NO_CONTEXT) for line in heard.config):
            unshown.add(NO_CONTEXT_YET, "/config/diagnostics")
    if definitions:
        result["definitions"] = [
            _definition(one, heard.lines.get(line), told, heard, bool(source), bool(args.get("pmids")))
            for line, one in enumerate(definitions, start=1)
        ]
    if metrics:
        if not source:
            raise Skip("metrics need an archive")
        result["metrics"] = [
            _metric(name, told, heard, f"/metrics/{i}", unshown, bool(args.get("pmids"))) for i, name in enumerate(metrics)
        ]
    return unshown.beside(result)


def _definition(one: Json, line: list[str] | None, told: _Told, heard: Said, has_archive: bool, pmids: bool) -> Json:
    name = one["name"]
    if line is not None:
        return _refusal(name, one["expression"], line)
    if not has_archive:
        return {"name": name, "ok": True}
    more = {"pmid": told.pmids[name]} if pmids and name in told.pmids else {}
    if name in told.descriptors:
        return {"name": name, "ok": True} | more | {"descriptor": told.descriptors[name]}
    where, message = heard.semantic.get(name, (None, None))
    return {"name": name, "ok": False, "stage": "bind"} | more | {"position": None, "where": where, "message": message}


def _metric(name: str, told: _Told, heard: Said, at: str, unshown: NotShown, pmids: bool) -> Json:
    more = {"pmid": told.pmids[name]} if pmids and name in told.pmids else {}
    if name in told.descriptors:
        known = {"name": name, "status": 0} | more | {"descriptor": told.descriptors[name]}
        if (name, "oneline") in told.texts or (name, "full") in told.texts:
            known |= {"oneline": told.texts.get((name, "oneline")), "helptext": told.texts.get((name, "full"))}
        return known
    if name in told.statuses:
        return {"name": name} | told.statuses[name] | more
    if name in heard.semantic:
        return {"name": name, "status": -12409, "error": "PM_ERR_BADDERIVE"} | more
    return {"name": name, **UNKNOWN_NAME, **more}
