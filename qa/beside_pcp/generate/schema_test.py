# SPDX-License-Identifier: Apache-2.0
"""The truth about every kind of generated archive, by its JSON Schema."""

import json
import os
from pathlib import Path

import jsonschema
import pytest

from qa.beside_pcp.generate import archives, truth
from qa.beside_pcp.generate.archives import Plan

PMPROOF = Path(os.environ["PMPROOF"])
VALIDATOR = jsonschema.Draft202012Validator(json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8")))


def _name(scenario: archives.Scenario) -> str:
    return scenario.name


@pytest.mark.parametrize("scenario", archives.scenarios(PMPROOF), ids=_name)
def test_the_truth_of_each_scenario_is_told_by_the_schema(scenario: archives.Scenario, tmp_path: Path) -> None:
    plan = Plan((scenario.name,), scenario.versions[-1], records=14, metrics=1, instances=2)
    for archive in plan.make(PMPROOF, tmp_path):
        path = Path(f"{archive}.truth.json")
        document = json.loads(path.read_text(encoding="ascii"))
        VALIDATOR.validate(document)
        assert list(truth.entries_of(path)) == document["log"]
        counts = document["footer"]["counts"]
        kinds = ("desc", "indom", "labels", "text", "raw", "result", "mark")
        assert [counts[kind] for kind in kinds] == [
            sum(entry["type"] == kind for entry in document["log"]) for kind in kinds
        ]
