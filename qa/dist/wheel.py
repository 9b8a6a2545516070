# SPDX-License-Identifier: Apache-2.0
"""The wheel: qa/python, with the program inside. Debian's hatchling makes it, without a network."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from qa.dist.error import DistError
from qa.dist.executable import Executable
from qa.dist.tree import File, Tree, write_folder


def sources(package: Path) -> Tree:
    """The files of the package that go into the wheel, or that make it."""
    names = ["pyproject.toml", "README.md", "hatch_build.py"]
    names += [str(path.relative_to(package)) for path in (package / "src/pmproof").iterdir() if path.suffix in (".py", ".typed")]
    return {name: File((package / name).read_bytes()) for name in names}


def make(package: Path, executable: Executable, notices: str, folder: Path, time: int) -> Path:
    """Returns the wheel in `folder`.

    Raises DistError.
    """
    tag = f"py3-none-manylinux_{executable.glibc[0]}_{executable.glibc[1]}_{executable.machine}"
    with tempfile.TemporaryDirectory(prefix="pmproof-wheel-") as temporary:
        project, inside = Path(temporary, "project"), Path(temporary, "bin")
        write_folder(sources(package), project, time)
        program = File(executable.path.read_bytes(), executable=True)
        write_folder({"pmproof": program, "COPYRIGHT": File(notices.encode())}, inside, time)
        environment = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "LC_ALL": "C.UTF-8",
            "SOURCE_DATE_EPOCH": str(time),
            "PYTHONDONTWRITEBYTECODE": "1",
            "PMPROOF_WHEEL_FOLDER": str(inside),
            "PMPROOF_WHEEL_TAG": tag,
        }
        command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(Path(temporary, "out"))]
        done = subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            hint = "; qa/setup --dist installs it" if "No module named hatchling" in done.stderr else ""
            raise DistError(f"hatchling made no wheel{hint}: {done.stderr.strip() or done.stdout.strip()}")
        (made,) = Path(temporary, "out").iterdir()
        if f"-{executable.version}-{tag}" not in made.name:
            raise DistError(f"{package}/pyproject.toml and the program have different versions: {made.name}, {executable.version}")
        wheel = folder / made.name
        wheel.write_bytes(made.read_bytes())
    return wheel
