# SPDX-License-Identifier: Apache-2.0
"""The lines of the cases of tool-output, read by `pmproof compare --parse`: it has to find the records that stand beside
them, all of them and nothing else."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qa.adapters.tool_command import TOOLS
from qa.adapters.tool_output import Parser
from qa.golden import cases
from qa.golden.cases import Case, Json

CASES = cases.load_all(Path("golden/tool-output"))
PARSER = Parser(os.path.abspath(os.environ["PMPROOF"]))
RECORD = json.loads(Path(os.environ["OUTPUT_SCHEMA"]).read_text(encoding="utf-8"))


def name_of(case: Case) -> str:
    return case.id


def read_stream(request: cases.Request) -> list[str]:
    """pmlogcheck says what it finds on standard error (OUT-801)."""
    lines: list[str] = request.expect["result"]["stderr" if request.args["tool"] == "pmlogcheck" else "stdout"]
    return lines


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_lines_say_the_records(case: Case) -> None:
    for request in case.requests:
        output = "".join(f"{line}\n" for line in read_stream(request)).encode()
        assert PARSER.records(request.args["tool"], output, request.reading) == request.expect["result"]["records"], request.title


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_records_are_by_their_schema(case: Case) -> None:
    validator: Any = jsonschema.Draft202012Validator(RECORD)
    for request in case.requests:
        for record in request.expect["result"]["records"]:
            validator.validate(record)
            assert record.get("kind") != "unparsed"


def test_each_tool_has_cases_in_each_version() -> None:
    runs = {(request.args["tool"], dialect) for case in CASES for request in case.requests for dialect in request.dialects}
    assert runs == {(tool, dialect) for tool in TOOLS for dialect in ("6.0.3", "6.3.8", "7.2.2")}


def test_a_record_is_missed_where_its_line_is_other() -> None:
    """That the comparison can fail."""
    (case,) = [case for case in CASES if case.id == "tool-output/pmdumplog-stamps"]
    request = case.requests[0]
    output = "".join(f"{line.replace('value 7', 'value 8')}\n" for line in read_stream(request)).encode()
    assert PARSER.records("pmdumplog", output, request.reading) != request.expect["result"]["records"]


def described(request: cases.Request) -> Json | None:
    """The archive as it was written down, where that was by hand."""
    path = Path(cases.paths_of(request.source)[0]).with_name("archive.json")
    found: Json | None = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    return found


def stored_at(archive: Json, record: Json) -> Json:
    """What the record of that time has, by metric; nothing where there is none."""
    for one in archive["records"]:
        if "values" in one:
            seconds = int(archive["epoch"]) + float(one["time"])
            clock = f"{int(seconds) // 3600 % 24:02}:{int(seconds) // 60 % 60:02}:{int(seconds) % 60:02}"
            if record.get("clock", "").startswith(clock) or (record["time"] is not None and float(record["time"]) == seconds):
                found: Json = one["values"]
                return found
    return {}


def instance_of(archive: Json, metric: str, value: Json) -> str | None:
    """As the description has it; None of a singular metric."""
    if "instance" in value:
        return None if value["instance"] is None else str(value["instance"])
    domain = archive["metrics"][metric]["indom"]
    names: dict[str, str] = {name: number for one in archive["indoms"] if one["indom"] == domain for number, name in one["instances"].items()}
    return names[value["name"]]


def is_as_stored(value: Json, stored: Any) -> bool:
    if value.get("type") in ("string", "aggregate"):
        return bool(value["value"] == stored)
    one, other = float(value["value"]), float(stored)
    return one == other or (one != one and other != other) or abs(one - other) <= float(value.get("within", 0))


def test_values_are_those_of_the_description() -> None:
    """Where a tool prints values of a record's time as they are, whoever reads them."""
    seen = 0
    for case in CASES:
        for request in case.requests:
            archive = described(request)
            if archive is None or "records" not in archive or "-Z" in request.args["arguments"]:
                continue
            raw = request.args["tool"] != "pmrep" or "-r" in request.args["arguments"]
            for record in request.expect["result"]["records"]:
                metric = record.get("metric")
                if "kind" in record or "rate" in record or not raw or metric not in archive["metrics"] or "time" not in record:
                    continue
                stored: Any = stored_at(archive, record).get(metric)
                for value in record["values"] if stored is not None else []:
                    if value["value"] is None or {"altered", "cut", "state"} & set(value):
                        continue
                    instance = instance_of(archive, metric, value)
                    assert is_as_stored(value, stored if instance is None else stored[instance]), (case.id, record)
                    seen += 1
    assert seen > 200
