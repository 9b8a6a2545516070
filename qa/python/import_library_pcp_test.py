# SPDX-License-Identifier: Apache-2.0
"""The example of docs/python.md, with PCP's own library for importing: pytest runs inside each PCP that was fetched."""

import importlib.util
import os
import re
import shutil
from pathlib import Path

import pytest

from qa.peers.testing import library_peer

# The program that needs nothing of the peer but libc.
PMPROOF = Path(os.environ["PMPROOF"]).resolve()
_PACKAGE = Path("qa/python/src/pmproof")
_PYTEST = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "attr", "py")
NET = 300.0


def example() -> str:
    """test_shop.py as it is shown."""
    page = Path("docs/python.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"^```python\n# test_shop.py\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return str(found)


def shown() -> str:
    """What the page says that pytest prints."""
    page = Path("docs/python.md").read_text(encoding="utf-8")
    (found,) = re.findall(r"^```\n(_+ test_a_restart.*?)^```$", page, re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture(name="libraries")
def fixture_libraries(tmp_path: Path) -> Path:
    """Of this machine what the peer has not: pytest and this package."""
    folder = tmp_path / "libraries"
    shutil.copytree(_PACKAGE.resolve(), folder / "pmproof", ignore=shutil.ignore_patterns("__pycache__"))
    for name in _PYTEST:
        found = importlib.util.find_spec(name)
        assert found is not None and found.origin is not None
        if found.submodule_search_locations:
            shutil.copytree(Path(found.origin).parent, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(found.origin, folder)
    shutil.copy(PMPROOF, folder / "program")
    return folder


@pytest.mark.parametrize("version", ["6.0.3", "6.3.8", "7.2"])
def test_a_writer_is_tested(version: str, libraries: Path, tmp_path: Path) -> None:
    peer = library_peer(version)
    work = tmp_path / "work"
    work.mkdir()
    (work / "test_shop.py").write_text(example(), encoding="utf-8")
    # Debian's pytest of this machine rewrites no assertions of a Python that is two years younger.
    command = ["python3", "-B", "-m", "pytest", "--assert=plain", "-p", "pmproof.pytest_plugin", "-p", "no:cacheprovider"]
    done = peer.run(
        [*command, "--basetemp", work / "tmp", work / "test_shop.py"],
        [libraries],
        writable=[work],
        environment={"PYTHONPATH": str(libraries), "PMPROOF": str(libraries / "program"), "PCP_DERIVED_CONFIG": ""},
        timeout=NET,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert re.search(r"^=+ 1 failed, 2 passed", done.stdout, re.MULTILINE), done.stdout
    assert re.search("^FAILED .*::test_a_restart_without_a_mark$", done.stdout, re.MULTILINE)
    assert "pmproof: found ARC-1825 of severity warning or graver, and should find nothing" in done.stdout
    assert "the counter shop.orders (510.0.0) decreased" in done.stdout
    if version != "6.0.3":  # which writes version 2 of the format
        assert shown() in done.stdout.replace(f"{work}/tmp", "/tmp/pytest-of-me/pytest-0")
