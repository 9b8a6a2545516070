"""Repeats what Bazel did for one changed file: compiles it, not optimised, and links. Half of the time of a build by Bazel."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from qa.mutants.build import PROGRAM, BazelBuild, BuildError

# With their arguments as the next one: -MF FILE.
_LEFT_OUT = ("-MD", "-Werror", "-D_FORTIFY_SOURCE=1")
_LEFT_OUT_WITH_NEXT = ("-MF", "-o", "-c")


class DirectBuild:
    """What it links are copies of the objects that Bazel made without a mutant. A changed header, and tests, are left to Bazel."""

    def __init__(self, bazel: BazelBuild, folder: Path) -> None:
        """The program was built without a mutant just now. `folder` is its own."""
        self._bazel = bazel
        self._execroot = Path(bazel.info("execution_root"))
        self._folder = folder
        self._folder.mkdir(parents=True, exist_ok=True)
        program = Path(bazel.info("bazel-bin")).relative_to(self._execroot) / PROGRAM
        told = (self._execroot / program).with_name(f"{program.name}-2.params").read_text(encoding="utf-8").splitlines()
        self._link = [self._kept(one) for one in told]
        self._compilers = _compilers(bazel.commands("CppCompile"))

    def program(self, changed: str | None = None) -> Path:
        compiler = self._compilers.get(changed or "")
        if compiler is None:
            return self._bazel.program(changed)
        arguments, made = compiler
        changed_object = self._folder / "changed.o"
        self._run([*arguments, "-O0", "-c", str(changed), "-o", str(changed_object)])
        to = self._folder / "pmproof"
        replaced = str(self._folder / made)
        parameters = self._folder / "pmproof.params"
        link = [str(changed_object) if one == replaced else one for one in self._link]
        if str(changed_object) not in link:
            return self._bazel.program(changed)
        link[link.index("-o") + 1] = str(to)
        parameters.write_text("".join(one + "\n" for one in link), encoding="utf-8")
        self._run([arguments[0], f"@{parameters}"])
        return to

    def passes(self, target: str) -> bool:
        return self._bazel.passes(target)

    def _kept(self, argument: str) -> str:
        """A file that is linked, as a copy: Bazel may build the tree with a mutant in it."""
        path = self._execroot / argument
        if argument.startswith("-") or not path.is_file() or path.suffix not in (".o", ".a", ".lo"):
            return argument
        to = self._folder / argument
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, to)
        return str(to)

    def _run(self, command: Sequence[str]) -> None:
        done = subprocess.run(command, cwd=self._execroot, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise BuildError(done.stderr)


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

