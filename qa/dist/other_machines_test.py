# SPDX-License-Identifier: Apache-2.0
"""The programs run on machines that are not the builder's: they need of libc what packages say, and of others nothing."""

import os
import platform
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from qa.dist.executable import strip, stripped
from qa.peers.peers import SUITES
from qa.peers.testing import any_peer

PMPROOF, EXPRESSIONS = (Path(os.environ[name]).resolve() for name in ("PMPROOF", "EXPRESSIONS"))


def needed(program: Path) -> "set[tuple[str, tuple[int, ...]]]":
    """The versions of the symbols that it takes out of libraries: who gives them, and the number."""
    told = subprocess.run(["objdump", "--dynamic-syms", program], capture_output=True, text=True, check=True).stdout
    versions = re.findall(r"\*UND\*\s+[0-9a-f]+\s+\(?(\w+)_([0-9.]+|PRIVATE)\)?\s", told)
    assert len(versions) > 100, told
    return {(library, tuple(map(int, version.split(".")))) for library, version in versions}


def test_no_symbol_is_newer_than_the_glibc_that_packages_ask_for(tmp_path: Path) -> None:
    of_packages = stripped(PMPROOF, tmp_path / "pmproof").glibc
    strip(EXPRESSIONS, tmp_path / "expressions")
    for name in ("pmproof", "expressions"):
        symbols = needed(tmp_path / name)
        assert {library for library, _ in symbols} == {"GLIBC"}, name
        assert max(version for _, version in symbols)[:2] <= of_packages, name
    assert max(version for _, version in needed(PMPROOF))[:2] == of_packages


def test_the_page_of_packages_names_that_glibc(tmp_path: Path) -> None:
    page = Path("docs/packages.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"built on Debian 12 it needs glibc ([0-9.]+)", page)
    found = stripped(PMPROOF, tmp_path / "pmproof")
    assert found.glibc <= tuple(map(int, platform.libc_ver()[1].split(".")))
    if platform.freedesktop_os_release().get("VERSION_ID") == "12":
        assert found.glibc_text == told


@pytest.mark.parametrize("version", SUITES)
def test_it_runs_beside_the_libc_of(version: str, tmp_path: Path) -> None:
    """Each release of Debian whose PCP was fetched, with that release's loader and libc."""
    peer = any_peer(version)
    stripped(PMPROOF, tmp_path / "pmproof")
    shutil.copytree("golden/archive", tmp_path / "archives")
    told = peer.run([tmp_path / "pmproof", "check", tmp_path / "archives"], [tmp_path], timeout=60)
    assert (told.returncode, told.stdout.splitlines()[-1:]) == (0, ["4 archives: 4 conformant (14 info)"]), told
