# SPDX-License-Identifier: Apache-2.0
"""What is installed, by paths below /usr or below the folder of a tarball."""

import sys
from pathlib import Path

from qa.dist import commands, completions, man_pages, notices, specification
from qa.dist import suite as of_suite
from qa.dist.executable import Executable, run
from qa.dist.sbom import sbom
from qa.dist.tree import File, gzipped

_DOCUMENTS = "share/doc/pmproof"
_OF_SUITE = "share/doc/pmproof-suite"
_HELP = "import sys; sys.argv[0] = 'pmproof-suite'; from qa.suite.cli import main; main(['--help'])"


def program(source: Path, executable: Executable, time: int) -> dict[str, File]:
    """Returns pmproof with its manual pages, completions, licences, changes, bill of materials, and the specification.

    Raises DistError.
    """
    table = commands.of_program(executable.path)
    tree = {"bin/pmproof": File(executable.path.read_bytes(), executable=True)}
    for name, text in man_pages.pages(table, time).items():
        tree[f"share/man/man1/{name}.gz"] = File(gzipped(text.encode()))
    tree["share/bash-completion/completions/pmproof"] = File(completions.bash(table).encode())
    tree["share/zsh/vendor-completions/_pmproof"] = File(completions.zsh(table).encode())
    tree["share/fish/vendor_completions.d/pmproof.fish"] = File(completions.fish(table).encode())
    tree[f"{_DOCUMENTS}/copyright"] = File(notices.notices(source / "LICENSE").encode())
    tree[f"{_DOCUMENTS}/CHANGELOG.md.gz"] = File(_changes(source))
    tree[f"{_DOCUMENTS}/pmproof.spdx.json"] = File(sbom(executable, time))
    for name, content in specification.pages(source).items():
        tree[f"{_DOCUMENTS}/specification/{name}"] = File(content)
    return tree


def suite(source: Path, executable: Executable, expressions: Path, time: int) -> dict[str, File]:
    """Returns the command `pmproof-suite` with all it needs beside pmproof, its manual page and licence.

    Raises DistError.
    """
    tree = of_suite.files(source)
    tree["lib/pmproof/expressions"] = File(expressions.read_bytes(), executable=True)
    told = run("/usr/bin/env", "COLUMNS=100", f"PYTHONPATH={source}", sys.executable, "-B", "-c", _HELP)
    page = man_pages.suite(commands.of_program(executable.path), told, time)
    tree["share/man/man1/pmproof-suite.1.gz"] = File(gzipped(page.encode()))
    tree[f"{_OF_SUITE}/copyright"] = File(notices.notices(source / "LICENSE").encode())
    tree[f"{_OF_SUITE}/CHANGELOG.md.gz"] = File(_changes(source))
    return tree


def _changes(source: Path) -> bytes:
    return gzipped((source / "CHANGELOG.md").read_bytes())
