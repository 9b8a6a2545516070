# SPDX-License-Identifier: Apache-2.0
"""What GitLab and GitHub make of the job and the action of this folder: a script for bash, and its environment."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Job:
    script: str
    environment: "dict[str, str]"


def gitlab(variables: Mapping[str, str]) -> Job:
    """The job of gitlab.yml with these variables."""
    template = yaml.safe_load((HERE / "gitlab.yml").read_text(encoding="utf-8"))[".pmproof"]
    return Job("\n".join(template["script"]), {**template["variables"], **variables})


def github(inputs: Mapping[str, str], action_path: Path) -> Job:
    """The step of the composite action with these inputs, the others having their defaults. `action_path`: where the action is."""
    action = yaml.safe_load((HERE / "github/action.yml").read_text(encoding="utf-8"))
    declared = action["inputs"]
    assert inputs.keys() <= declared.keys()
    assert all(name in inputs for name, each in declared.items() if each.get("required"))
    values = {name: each.get("default", "") for name, each in declared.items()} | dict(inputs)
    known = {f"inputs.{name}": value for name, value in values.items()} | {"github.action_path": str(action_path)}
    (step,) = action["runs"]["steps"]
    # What is put into a script by GitHub itself could be code.
    assert "${{" not in step["run"]
    environment = {
        name: re.sub(r"\$\{\{ *(.*?) *\}\}", lambda found: known[str(found[1])], value) for name, value in step["env"].items()
    }
    return Job(step["run"], environment)
