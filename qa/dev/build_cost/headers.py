# SPDX-License-Identifier: Apache-2.0
"""How long the compiler takes to read a header and all that it includes."""

import resource
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

_COMPILER = ("g++", "-std=c++20")


def parse_seconds(header: str, flags: Sequence[str], workspace: Path) -> float:
    """CPU seconds of g++ over a file that includes that header and nothing else."""
    form = f'#include "{header}"\n' if (workspace / header).is_file() else f"#include <{header}>\n"
    with tempfile.NamedTemporaryFile("w", suffix=".cc", encoding="utf-8") as file:
        file.write(form)
        file.flush()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*_COMPILER, "-fsyntax-only", *flags, file.name], cwd=workspace, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def include_flags(execution_root: Path, workspace: Path) -> list[str]:
    """Where a build found headers: the workspace, what was generated, the libraries of the system."""
    flags = ["-iquote", str(workspace)]
    for generated in sorted(execution_root.glob("bazel-out/*/bin")):
        flags += ["-iquote", str(generated)]
    for library in sorted((execution_root / "external" / "system").iterdir()):
        if library.is_dir():
            flags += ["-isystem", str(library)]
    return flags


def precompiled_flags(execution_root: Path, folder: Path) -> list[str]:
    """What most files have read before their first line (qa/dev/bazel/precompiled), precompiled anew in that folder for parse_seconds.

    Nothing where the build needed none.
    """
    built = next(execution_root.glob("bazel-out/*/bin/qa/dev/bazel/precompiled/for_programs.h"), None)
    if built is None:
        return []
    header = folder / built.name
    shutil.copyfile(built, header)
    subprocess.run([*_COMPILER, "-x", "c++-header", str(header), "-o", f"{header}.gch"], check=True)
    return ["-include", str(header)]
