# SPDX-License-Identifier: Apache-2.0
"""What came of the tests of one sanitizer, from Bazel's event file."""

import collections
import dataclasses
import json
import urllib.parse
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

Json = dict[str, Any]


@dataclasses.dataclass
class Outcome:
    """Test programs by their fate, and the tests in them that skipped themselves, by their reason."""

    passed: list[str] = dataclasses.field(default_factory=list)
    failed: dict[str, str] = dataclasses.field(default_factory=dict)  # Bazel's word for it, by label
    not_run: dict[str, str] = dataclasses.field(default_factory=dict)  # why, by label
    tests: int = 0
    skipped: dict[str, int] = dataclasses.field(default_factory=dict)


_NOT_RUN = {"NO_STATUS": "not reached", "FAILED_TO_BUILD": "does not build", "BLAZE_HALTED_BEFORE_TESTING": "stopped"}


def read(events: Path) -> Outcome:
    """Tests that Bazel names and that have no summary were not built."""
    status: dict[str, str] = {}
    because: dict[str, str] = {}
    cases: dict[str, Path] = {}
    for line in events.read_text(encoding="utf-8").splitlines():
        event: Json = json.loads(line)
        name: Json = event["id"]
        if event.get("configured", {}).get("targetKind", "").endswith("_test rule"):
            status.setdefault(name["targetConfigured"]["label"], "")
        elif "testSummary" in event:
            status[name["testSummary"]["label"]] = event["testSummary"]["overallStatus"]
        elif "testResult" in event:
            for file in event["testResult"].get("testActionOutput", []):
                if file["name"] == "test.xml":
                    path = urllib.parse.unquote(urllib.parse.urlparse(file["uri"]).path)
                    cases[name["testResult"]["label"]] = Path(path)
        elif "aborted" in event and "targetCompleted" in name:
            because[name["targetCompleted"]["label"]] = event["aborted"].get("description", "") or "skipped by Bazel"
    outcome = Outcome()
    for label, word in sorted(status.items()):
        if word == "PASSED":
            outcome.passed.append(label)
        elif word and word not in _NOT_RUN:
            outcome.failed[label] = word
        else:
            outcome.not_run[label] = because.get(label, _NOT_RUN.get(word, "does not build"))
    _count(cases, outcome)
    return outcome


def _count(cases: dict[str, Path], outcome: Outcome) -> None:
    skipped: collections.Counter[str] = collections.Counter()
    for _, path in sorted(cases.items()):
        if not path.is_file():
            continue
        for case in ElementTree.parse(path).iter("testcase"):
            outcome.tests += 1
            for skip in case.iter("skipped"):
                lines = (skip.get("message") or skip.text or "").strip().splitlines()
                skipped[lines[-1].strip() if lines else "no reason given"] += 1
    outcome.skipped = dict(sorted(skipped.items()))
