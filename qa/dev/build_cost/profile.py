# SPDX-License-Identifier: Apache-2.0
"""What Bazel's profile of a build says of its actions."""

import gzip
import json
from pathlib import Path

_COMPILING = "Compiling "


def seconds_by_source(profile: Path) -> dict[str, float]:
    """How long the compilation of each file took. A file that is compiled twice counts twice."""
    with gzip.open(profile, "rt", encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    seconds: dict[str, float] = {}
    for event in events:
        name = event.get("name", "")
        if event.get("cat") == "action processing" and name.startswith(_COMPILING):
            source = name.removeprefix(_COMPILING)
            seconds[source] = seconds.get(source, 0.0) + event["dur"] / 1e6
    return seconds
