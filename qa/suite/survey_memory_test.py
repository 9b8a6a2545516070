# SPDX-License-Identifier: Apache-2.0
"""The memory of `suite rules survey`, which hardly grows with the number of archives."""

import json
import os
import subprocess
import sys
from pathlib import Path

from qa.suite.survey_testing import A, B, make_archive, numbers, report, words


# The survey in a process of its own, in which no pmproof is started: each archive has the same report of 300 kB.
_MEASURED = """
import resource, sys
from pathlib import Path
from qa.suite.cli import main
from qa.suite.survey.asking import Asker
Asker._run = lambda self, path: (1, Path(sys.argv[1]).read_bytes(), "")
status = main(sys.argv[2:])
print(status, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def memory_of(folder: Path, archives: int) -> int:
    """The most that a survey of so many archives has in memory at once, in kB."""
    for number in range(archives):
        make_archive(folder / "archives", f"n{number}")
    (folder / "report").write_text(json.dumps(report("n", {A: 3, B: 2}, padding="x" * 300_000)), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-B", "-c", _MEASURED, folder / "report", *words(folder, "--json", folder / "survey.json")],
        env={**os.environ, "PMPROOF": "/bin/false", "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        capture_output=True,
        text=True,
        timeout=1500,
        check=True,
    )
    status, most = done.stdout.split()[-2:]
    assert status == "1", done.stderr
    told = json.loads((folder / "survey.json").read_text(encoding="utf-8"))
    assert numbers(told["new"]) == {A: 3 * archives, B: 2 * archives}
    return int(most)


def test_two_thousand_archives_take_hardly_more_memory_than_two_hundred(tmp_path: Path) -> None:
    few, many = memory_of(tmp_path / "few", 200), memory_of(tmp_path / "many", 2000)
    assert many < few + 20_000, (few, many)  # their reports are 600,000
