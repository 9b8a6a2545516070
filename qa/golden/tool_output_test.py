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

CASES = cases.load_all(Path("golden"), ["tool-output/*"])
PARSER = Parser(os.path.abspath(os.environ["PMPROOF"]))
RECORD = json.loads(Path(os.environ["OUTPUT_SCHEMA"]).read_text(encoding="utf-8"))


def read_stream(request: cases.Request) -> list[str]:
    """pmlogcheck says what it finds on standard error (OUT-801)."""
    lines: list[str] = request.expect["result"]["stderr" if request.args["tool"] == "pmlogcheck" else "stdout"]
    return lines


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
def test_the_lines_say_the_records(case: Case) -> None:
    for request in case.requests:
        output = "".join(f"{line}\n" for line in read_stream(request)).encode()
        assert PARSER.records(request.args["tool"], output, request.reading) == request.expect["result"]["records"], request.title


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.id)
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


def values(record: Json) -> list[Json]:
    found: list[Json] = record.get("values", [])
    return found


def test_values_are_those_of_the_description() -> None:
    """Raw values of the archives that were written down by hand, by metric, instance and time."""
    seen = 0
    for case in CASES:
        for request in case.requests:
            path = Path(cases.paths_of(request.source)[0]).with_name("archive.json")
            if request.args["tool"] != "pmdumplog" or not path.exists():
                continue
            told = json.loads(path.read_text(encoding="utf-8"))
            for record in request.expect["result"]["records"]:
                if "kind" in record or record["status"] != 0 or not isinstance(record.get("time"), str):
                    continue
                (stored,) = [
                    one["values"] for one in told["records"]
                    if "values" in one and int(told["epoch"]) + int(one["time"]) == float(record["time"])
                ]
                reading = stored[record["metric"]]
                by_instance = reading if isinstance(reading, dict) else {} if reading is None else {"None": reading}
                for value in values(record):
                    if value.get("type") not in ("event", "highres_event") and "value" in value:
                        expected = by_instance[str(value.get("instance"))]
                        same = value["value"] == str(expected) or value["value"] == expected or float(value["value"]) == float(expected)
                        assert same, (case.id, record)
                        seen += 1
    assert seen > 50
