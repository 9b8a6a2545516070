# SPDX-License-Identifier: Apache-2.0
"""What is installed with the program, by paths below /usr or below the folder of a tarball."""

from collections.abc import Mapping
from pathlib import Path

from qa.dist import commands, completions, man_pages
from qa.dist.executable import Executable
from qa.dist.tree import File, gzipped


def files(executable: Executable, documents: Mapping[str, bytes], time: int) -> dict[str, File]:
    """Returns the program, its manual pages and completions, and `documents` in share/doc/pmproof.

    Raises DistError.
    """
    table = commands.of_program(executable.path)
    tree = {"bin/pmproof": File(Path(executable.path).read_bytes(), executable=True)}
    for name, text in man_pages.pages(table, time).items():
        tree[f"share/man/man1/{name}.gz"] = File(gzipped(text.encode()))
    tree["share/bash-completion/completions/pmproof"] = File(completions.bash(table).encode())
    tree["share/zsh/vendor-completions/_pmproof"] = File(completions.zsh(table).encode())
    tree["share/fish/vendor_completions.d/pmproof.fish"] = File(completions.fish(table).encode())
    for name, content in documents.items():
        tree[f"share/doc/pmproof/{name}"] = File(content)
    return tree
