# SPDX-License-Identifier: Apache-2.0
"""Compiling and linking without Bazel, on a tree of two files that "Bazel" has built before."""

import subprocess
from pathlib import Path

import pytest

from qa.dev.mutants.build import PROGRAM, BazelBuild, BuildError
from qa.dev.mutants.direct import DirectBuild

SUM = "reference/core/sum.cc"
HEADER = "reference/core/sum.h"
TEST = "//reference/core:sum_test"
BIN = Path("bazel-out/bin")


class Built(BazelBuild):
    """What Bazel would have left: objects, programs, the linker's arguments, and the compilers' commands."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, root, 1)
        self.root = root
        self.asked: list[str] = []
        self._commands: list[list[str]] = []
        self._write("reference/core/sum.h", "int Sum(int a, int b);\n")
        self._write(SUM, '#include "reference/core/sum.h"\nint Sum(int a, int b) { return a + b; }\n')
        main = '#include "reference/core/sum.h"\nint main() { return Sum(2, 2) == 4 ? 0 : 1; }\n'
        self._write("validator/main.cc", main)
        self._write("reference/core/sum_test.cc", main)
        summed = self._compile(SUM)
        self._link(PROGRAM, [self._compile("validator/main.cc"), summed])
        self._link("reference/core/sum_test", [self._compile("reference/core/sum_test.cc"), summed])

    def again(self, test: str, *parts: str) -> "Built":
        """The test, whose source was changed, built anew."""
        self._link(test, [self._compile(f"{test}.cc"), *(str((BIN / part).with_suffix(".o")) for part in parts)])
        return self

    def info(self, what: str) -> str:
        return str({"execution_root": self.root, "bazel-bin": self.root / BIN}[what])

    def commands(self, mnemonic: str) -> list[list[str]]:
        assert mnemonic == "CppCompile"
        return [*self._commands, ["/usr/bin/g++", "-fPIC", "-c", SUM, "-o", "other.pic.o"], ["/usr/bin/true"]]

    def program(self, changed: str | None = None) -> Path:
        self.asked.append(str(changed))
        return self.root / BIN / PROGRAM

    def passes(self, target: str, changed: str | None = None) -> bool:
        self.asked.append(target)
        return True

    def change(self, before: str, after: str, file: str = SUM) -> None:
        path = self.root / file
        path.write_text(path.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")

    def _write(self, name: str, text: str) -> None:
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text, encoding="utf-8")

    def _compile(self, source: str) -> str:
        made = str((BIN / source).with_suffix(".o"))
        (self.root / made).parent.mkdir(parents=True, exist_ok=True)
        command = ["/usr/bin/g++", "-O2", "-MD", "-MF", made.replace(".o", ".d"), "-iquote", ".", "-Werror", "-c", source, "-o", made]
        subprocess.run(command, cwd=self.root, check=True)
        self._commands.append(command)
        return made

    def _link(self, program: str, objects: list[str]) -> None:
        to = BIN / program
        (self.root / to).parent.mkdir(parents=True, exist_ok=True)
        told = "".join(one + "\n" for one in ["-o", str(to), *objects, "-lstdc++"])
        (self.root / to).with_name(f"{to.name}-2.params").write_text(told, encoding="utf-8")
        subprocess.run(["/usr/bin/g++", f"@{to}-2.params"], cwd=self.root, check=True)


@pytest.fixture(name="built")
def fixture_built(tmp_path: Path) -> Built:
    return Built(tmp_path / "root")


@pytest.fixture(name="direct")
def fixture_direct(built: Built, tmp_path: Path) -> DirectBuild:
    return DirectBuild(built, tmp_path / "direct", [TEST, "//reference/core:none_test"])


class Apart(Built):
    """With an execution root that is not the tree."""

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.planted = root.parent / "execroot"
        self.planted.mkdir()
        for name in ("reference", "validator", "bazel-out"):
            (self.planted / name).symlink_to(root / name)

    def info(self, what: str) -> str:
        return str({"execution_root": self.planted, "bazel-bin": self.planted / BIN}[what])


def status_of(program: Path) -> int:
    return subprocess.run([program], check=False).returncode


def test_the_changed_file_is_in_the_program_and_what_bazel_made_is_not_touched(built: Built, direct: DirectBuild) -> None:
    built.change("a + b", "a - b")
    assert status_of(direct.program(SUM)) == 1
    assert status_of(built.root / BIN / PROGRAM) == 0
    built.change("a - b", "b + a")
    assert status_of(direct.program(SUM)) == 0
    assert built.asked == []


def test_objects_that_bazel_made_of_a_mutant_are_not_linked(built: Built, direct: DirectBuild) -> None:
    for made in (built.root / BIN).rglob("*.o"):
        made.write_bytes(b"of a mutant")
    assert status_of(direct.program(SUM)) == 0


def test_all_that_includes_a_changed_header_is_compiled(built: Built, direct: DirectBuild) -> None:
    built.change("int Sum(int a, int b);", "namespace { int Sum(int, int) { return 5; } }", HEADER)
    built.change("int Sum(int a, int b) { return a + b; }", "int Use() { return Sum(1, 2); }")
    assert status_of(direct.program(HEADER)) == 1
    assert built.asked == []


def test_a_file_that_is_no_part_of_the_program_is_left_to_bazel(built: Built, direct: DirectBuild) -> None:
    direct.program()
    direct.program("reference/core/sum_test.cc")
    assert built.asked == ["None", "reference/core/sum_test.cc"]


def test_a_test_fails_with_the_mutant_and_passes_without(built: Built, direct: DirectBuild) -> None:
    assert direct.passes(TEST, SUM)
    built.change("a + b", "a - b")
    assert not direct.passes(TEST, SUM)
    assert built.asked == []


def test_a_test_that_does_not_run_by_itself_is_left_to_bazel(built: Built, tmp_path: Path) -> None:
    (built.root / BIN / "reference/core/sum_test").write_text("#!/bin/sh\nexit 1\n", encoding="utf-8")
    direct = DirectBuild(built, tmp_path / "direct", [TEST])
    assert direct.passes(TEST, SUM) and direct.passes("//reference/core:none_test", SUM)
    assert built.asked == [TEST, "//reference/core:none_test"]


def test_what_bazel_plants_for_a_test_of_its_own_does_not_matter(tmp_path: Path) -> None:
    built = Apart(tmp_path / "root")
    direct = DirectBuild(built, tmp_path / "direct", [TEST])
    (built.planted / "reference").unlink()
    built.change("a + b", "a - b")
    assert status_of(direct.program(SUM)) == 1
    assert not direct.passes(TEST, SUM)


def test_twins_do_not_see_what_the_other_made(built: Built, direct: DirectBuild, tmp_path: Path) -> None:
    twin = direct.twin(tmp_path / "twin")
    built.change("a + b", "a - b")
    wrong = direct.program(SUM)
    built.change("a - b", "b + a")
    assert (status_of(twin.program(SUM)), status_of(wrong)) == (0, 1)
    assert twin.reaches(TEST, SUM) and twin.passes(TEST, SUM)
    assert built.asked == []


def test_what_does_not_compile_is_told(built: Built, direct: DirectBuild) -> None:
    built.change("a + b", "a +")
    with pytest.raises(BuildError, match="expected primary-expression"):
        direct.program(SUM)


def test_a_test_reaches_what_is_linked_into_it(built: Built, direct: DirectBuild) -> None:
    assert direct.reaches(TEST, SUM) and direct.reaches(TEST, HEADER)
    assert not direct.reaches(TEST, "validator/main.cc")
    assert not direct.reaches("//reference/core:none_test", SUM)


def test_a_test_runs_beside_its_runfiles(built: Built, tmp_path: Path) -> None:
    beside = built.root / BIN / "reference/core/sum_test.runfiles" / built.root.name
    beside.mkdir(parents=True)
    (beside / "golden").write_text("", encoding="utf-8")
    main = '#include <fstream>\nint Sum(int a, int b);\nint main() { return std::ifstream("golden") ? Sum(2, 2) - 4 : 1; }\n'
    (built.root / "reference/core/sum_test.cc").write_text(main, encoding="utf-8")
    direct = DirectBuild(built.again("reference/core/sum_test", SUM), tmp_path / "direct", [TEST])
    assert direct.passes(TEST, SUM)
    built.change("a + b", "a - b")
    assert not direct.passes(TEST, SUM)
    assert built.asked == []
