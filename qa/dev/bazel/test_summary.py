# SPDX-License-Identifier: Apache-2.0
"""Says what came of a `bazel test`, from its event file: what failed and its log, how many tests, which did not run and why.

The last line is "N passed, N failed", counting test programs. Exit status 1 unless there was one and all passed.
"""

import collections
import json
import re
import sys
import urllib.parse
import xml.etree.ElementTree as ElementTree
from pathlib import Path

LOG_LINES = 200


def skip_reason(skipped: ElementTree.Element) -> str:
    lines = (skipped.get("message") or skipped.text or "").strip().splitlines()
    if len(lines) > 1 and re.search(r":\d+$", lines[0]):  # GoogleTest starts with the place in the source
        del lines[0]
    return " ".join(line.strip() for line in lines) or "no reason given"


def print_log(label: str, log: Path) -> None:
    lines = log.read_text(errors="replace").splitlines()
    print(f"\n==== {label}: {log}")
    if len(lines) > LOG_LINES:
        print(f"(the last {LOG_LINES} of {len(lines)} lines)")
    print("\n".join(lines[-LOG_LINES:]))


def main() -> int:
    cases = 0
    skipped: collections.Counter[str] = collections.Counter()
    outcome: dict[str, str] = {}
    for line in Path(sys.argv[1]).read_text().splitlines():
        event = json.loads(line)
        if event.get("configured", {}).get("targetKind", "").endswith("_test rule"):
            outcome[event["id"]["targetConfigured"]["label"]] = "NOT BUILT"
        elif "testSummary" in event:
            outcome[event["id"]["testSummary"]["label"]] = event["testSummary"]["overallStatus"]
        elif "testResult" in event:
            files = {
                output["name"]: Path(urllib.parse.unquote(urllib.parse.urlparse(output["uri"]).path))
                for output in event["testResult"].get("testActionOutput", [])
            }
            if event["testResult"]["status"] != "PASSED" and "test.log" in files:
                print_log(event["id"]["testResult"]["label"], files["test.log"])
            if "test.xml" in files and files["test.xml"].exists():
                for case in ElementTree.parse(files["test.xml"]).iter("testcase"):
                    cases += 1
                    skipped.update(skip_reason(skip) for skip in case.iter("skipped"))

    failed = {label: status for label, status in outcome.items() if status != "PASSED"}
    passed = len(outcome) - len(failed)
    print(f"\nTest programs: {len(outcome)}, with {cases} tests, of which {sum(skipped.values())} were skipped")
    for reason, count in sorted(skipped.items()):
        print(f"  skipped {count}: {reason}")
    for label, status in sorted(failed.items()):
        print(f"  {status}: {label}")
    print(f"{passed} passed, {len(failed)} failed")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
