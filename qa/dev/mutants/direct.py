# SPDX-License-Identifier: Apache-2.0
"""Repeats what Bazel did for one changed file: compiles what it is part of, not optimised, and links. A third of the time
of a build by Bazel."""

import copy
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from qa.dev.mutants.build import PROGRAM, BazelBuild, BuildError, bounded

_LEFT_OUT = ("-MD", "-Werror", "-D_FORTIFY_SOURCE=1")
_LEFT_OUT_WITH_NEXT = ("-MF", "-o", "-c")
_NET = 120  # seconds: no test next to the code takes so long; a mutant may never end


class DirectBuild:
    """What it links are copies of the objects that Bazel made without a mutant. Tests that do not run by themselves are
    left to Bazel."""

    def __init__(self, bazel: BazelBuild, folder: Path, tests: Sequence[str]) -> None:
        """The program and these tests were built without a mutant just now. `folder` is its own."""
        self._bazel = bazel
        self._execroot = Path(bazel.info("execution_root"))
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        self._forest = _planted(bazel.tree, self._execroot, self._folder / "forest")
        self._bin = Path(bazel.info("bazel-bin")).relative_to(self._execroot)
        self._compilers = _compilers(bazel.commands("CppCompile"))
        self._includes: dict[str, frozenset[str]] = {}  # by source
        self._program = self._link_of(PROGRAM)
        self._tests = {target: self._link_of(_path_of(target)) for target in tests if self._runs(_path_of(target))}

    def twin(self, folder: Path) -> "DirectBuild":
        """Another that may build at the same time as this one, in a folder of its own."""
        shutil.copytree(self._folder, folder, symlinks=True, dirs_exist_ok=True, ignore=shutil.ignore_patterns("forest"))

        def moved(link: Sequence[str]) -> list[str]:
            return [str(folder / Path(one).relative_to(self._folder)) if one.startswith(f"{self._folder}/") else one for one in link]

        other = copy.copy(self)
        other._folder = folder
        other._program = moved(self._program)
        other._tests = {target: moved(link) for target, link in self._tests.items()}
        return other

    def program(self, changed: str | None = None) -> Path:
        return self._linked(self._program, changed, "pmproof") or self._bazel.program(changed)

    def passes(self, target: str, changed: str | None = None) -> bool:
        test = self._linked(self._tests.get(target, []), changed, "test")
        return self._passes(test, _path_of(target)) if test is not None else self._bazel.passes(target, changed)

    def reaches(self, target: str, changed: str) -> bool:
        """Whether a test runs by itself and has this file in it."""
        link = self._tests.get(target, [])
        return any(str(self._folder / made) in link and changed in self._parts_of(source, made) for source, (_, made) in self._compilers.items())

    def _linked(self, link: Sequence[str], changed: str | None, name: str) -> Path | None:
        """None where Bazel has to do it: the file is not a part of the program."""
        mine = list(link)
        compiler = ""
        for source, (arguments, made) in self._compilers.items():
            if str(self._folder / made) in link and changed in self._parts_of(source, made):
                compiler = arguments[0]
                new = f"{self._folder / made}.changed"
                self._run([*arguments, "-O0", "-c", source, "-o", new])
                mine[mine.index(str(self._folder / made))] = new
        if not compiler:
            return None
        to = self._folder / name
        mine[mine.index("-o") + 1] = str(to)
        parameters = self._folder / "link.params"
        parameters.write_text("".join(one + "\n" for one in mine), encoding="utf-8")
        self._run([compiler, f"@{parameters}"])
        return to

    def _parts_of(self, source: str, made: str) -> frozenset[str]:
        """A source and what it includes, as the compiler wrote it down."""
        if source not in self._includes:
            told = (self._execroot / made).with_suffix(".d")
            included = told.read_text(encoding="utf-8").split() if told.is_file() else []
            self._includes[source] = frozenset([source, *included])
        return self._includes[source]

    def _link_of(self, program: str) -> list[str]:
        """The linker's arguments; what is linked as copies, since Bazel may build the tree with a mutant in it."""
        told = self._execroot / self._bin / f"{program}-2.params"
        return [self._kept(one) for one in told.read_text(encoding="utf-8").splitlines()]

    def _kept(self, argument: str) -> str:
        path = self._execroot / argument
        if argument.startswith("-") or path.suffix not in (".o", ".a", ".lo") or not path.is_file():
            return argument
        to = self._folder / argument
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
        return str(to)

    def _runs(self, test: str) -> bool:
        """Whether a test needs nothing but what Bazel puts beside it."""
        program = self._execroot / self._bin / test
        return program.with_name(f"{program.name}-2.params").is_file() and self._passes(program, test)

    def _passes(self, program: Path, test: str) -> bool:
        """A test whose program may lie elsewhere, beside its runfiles."""
        runfiles = self._execroot / self._bin / f"{test}.runfiles"
        with tempfile.TemporaryDirectory() as folder:
            environment = {"PATH": "/usr/bin:/bin", "TEST_TMPDIR": folder, "RC_PARAMS": "seed=20260101", "TEST_SRCDIR": str(runfiles)}
            beside = runfiles / self._execroot.name
            try:
                done = subprocess.run(
                    bounded(program),
                    cwd=beside if beside.is_dir() else folder,
                    env=environment,
                    capture_output=True,
                    check=False,
                    timeout=_NET,
                )
            except subprocess.TimeoutExpired:
                return False
            return done.returncode == 0

    def _run(self, command: Sequence[str]) -> None:
        done = subprocess.run(command, cwd=self._forest, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError(done.stderr)


def _planted(tree: Path, execroot: Path, forest: Path) -> Path:
    """Where commands run as in the execution root, in which Bazel leaves only the folders of what it built last."""
    shutil.rmtree(forest, ignore_errors=True)
    forest.mkdir()
    for path in tree.iterdir():
        if not path.name.startswith("bazel-") and path.name != "external":
            (forest / path.name).symlink_to(path.absolute())
    for name in ("bazel-out", "external"):
        (forest / name).symlink_to((execroot / name).absolute())
    return forest


def _path_of(target: str) -> str:
    return target.removeprefix("//").replace(":", "/")


def _compilers(commands: Sequence[Sequence[str]]) -> dict[str, tuple[list[str], str]]:
    """By source: the compiler with its options, and the object that Bazel made."""
    found = {}
    for command in commands:
        if "-c" not in command or "-fPIC" in command:
            continue
        source, made = command[command.index("-c") + 1], command[command.index("-o") + 1]
        options = [
            one
            for before, one in zip(["", *command], command)
            if one not in (*_LEFT_OUT, *_LEFT_OUT_WITH_NEXT)
            and before not in _LEFT_OUT_WITH_NEXT
            and not one.startswith(("-O", "-frandom-seed"))
        ]
        found[source] = (options, made)
    return found
