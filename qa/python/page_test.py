# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/python.md print what the page says. (That with PCP's library: import_library_pcp_test.py.)"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from qa.python.testing import NET, PMPROOF, generate, mutate

PAGE = Path("docs/python.md").read_text(encoding="utf-8")
EXAMPLES: list[tuple[str, str, str]] = re.findall(
    r"^```python\n# (\w+)\n(.*?)^```\n\nIt prints:\n\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
)


def test_no_example_is_left_out() -> None:
    assert [name for name, _, _ in EXAMPLES] == ["check", "replay"]
    assert PAGE.count("```python") == len(EXAMPLES) + 1  # test_shop.py


@pytest.mark.parametrize(("name", "code", "printed"), EXAMPLES, ids=[name for name, _, _ in EXAMPLES])
def test_an_example(name: str, code: str, printed: str, tmp_path: Path) -> None:
    mutate("ARC-1918", generate(tmp_path / "demo"), tmp_path / "bad")
    environment = {"PATH": "/usr/bin:/bin", "PMPROOF": str(PMPROOF), "PYTHONPATH": os.pathsep.join(map(os.path.abspath, sys.path))}
    command = [sys.executable, "-B", "-c", code]
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=NET, check=False)
    assert (done.stdout, done.stderr) == (printed, ""), name


def test_each_exception_is_named() -> None:
    import pmproof

    errors = [name for name in pmproof.__all__ if name.endswith("Error") or name in ("LimitExceeded", "ProgramNotFound", "ProgramTooOld", "TimedOut")]
    assert len(errors) == 9
    assert all(f"`{name}`" in PAGE or f"`pmproof.{name}`" in PAGE for name in errors)
