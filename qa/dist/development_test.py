# SPDX-License-Identifier: Apache-2.0
"""The development tarball as a stranger has it: unpacked anywhere, found by CMake and by pkg-config, beside no workspace."""

import calendar
import json
import os
import re
import shlex
import subprocess
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from qa.dist import development
from qa.dist.cli import Programs, build, main
from qa.dist.error import DistError

PROGRAMS = Programs(*(Path(os.environ[name]).resolve() for name in ("PMPROOF", "EXPRESSIONS", "LIBRARY")))
ARCHIVE = Path("golden/archive/worked-v3/worked").resolve()
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]
NET = 300.0


@pytest.fixture(name="unpacked", scope="module")
def fixture_unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dev")
    (tarball,) = build(Path().resolve(), PROGRAMS, ["dev"], folder, 1_790_000_000)
    assert re.fullmatch(r"pmproof-[0-9.]+-dev-linux-\w+\.tar\.gz", tarball.name)
    run(["tar", "-xzf", tarball], cwd=folder)
    return folder / tarball.name.removesuffix(".tar.gz")


@pytest.fixture(name="project", scope="module")
def fixture_project(unpacked: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, copied away from what it is to find."""
    folder = tmp_path_factory.mktemp("project")
    for path in (unpacked / "share/doc/pmproof-dev/example").iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


def run(command: "list[str | Path]", cwd: "Path | None" = None, status: int = 0, **environment: str) -> str:
    done = subprocess.run(
        command,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8", **environment},
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=NET,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout or done.stderr


def seconds(text: str) -> str:
    """Of a time in UTC: since 1970."""
    return f"{calendar.timegm(time.strptime(text[:19], '%Y-%m-%dT%H:%M:%S'))}{text[19:-1]}"


def assert_it_reads_and_checks(records: Path, folder: Path) -> None:
    """The program of the example says of archives what pmproof says."""
    told = json.loads(run([PROGRAMS.pmproof, "check", "--format", "json", ARCHIVE]))
    (summary,) = (archive["summary"] for archive in told["archives"])
    verdict, *lines = run([records, ARCHIVE]).splitlines()
    assert verdict == "conformant"
    times = [line.split()[0] for line in lines if re.fullmatch(r"[0-9-]+T[0-9:.]+Z  [0-9]+ bytes(, a mark)?", line)]
    assert len(times) == summary["records"] > 0 and seconds(times[-1]) == summary["finish"]
    bad = folder / "bad"
    run([PROGRAMS.pmproof, "mutate", "--rule", "ARC-1104", ARCHIVE, bad])
    damaged = run([records, bad], status=2)
    assert damaged.startswith("not conformant\n") and "\nfatal ARC-1104: " in damaged
    assert run([records, folder / "nowhere"], status=2).endswith("[ARC-041]\n")


def test_a_project_of_cmake_finds_it(unpacked: Path, project: Path, tmp_path: Path) -> None:
    flags = "-DCMAKE_CXX_FLAGS=" + " ".join(STRICT)
    run(["cmake", "-G", "Unix Makefiles", "-S", project, "-B", tmp_path, f"-DCMAKE_PREFIX_PATH={unpacked}", flags])
    run(["cmake", "--build", tmp_path])
    assert_it_reads_and_checks(tmp_path / "records", tmp_path)


def test_a_compiler_finds_it_by_pkg_config_and_all_of_it_links(unpacked: Path, project: Path, tmp_path: Path) -> None:
    """Every object of the library, so that no library it needs is left out."""
    told = run(["pkg-config", "--cflags", "--libs", "pmproof"], PKG_CONFIG_PATH=str(unpacked / "lib/pkgconfig"))
    flags = shlex.split(told)
    at = flags.index("-lpmproof")
    flags[at : at + 1] = ["-Wl,--whole-archive", "-lpmproof", "-Wl,--no-whole-archive"]
    run(["g++", "-std=c++20", *STRICT, project / "records.cc", *flags, "-o", tmp_path / "records"])
    assert_it_reads_and_checks(tmp_path / "records", tmp_path)


@pytest.mark.parametrize(("wanted", "found"), [("0.1", False), ("0.2", True), ("0.2.99", False), ("0.3", False), ("1", False)])
def test_cmake_takes_no_version_with_other_interfaces(wanted: str, found: bool, unpacked: Path, tmp_path: Path) -> None:
    (tmp_path / "look.cmake").write_text(
        f'set(PACKAGE_FIND_VERSION {wanted})\nstring(REPLACE "." ";" parts {wanted})\nlist(APPEND parts 0)\n'
        "list(GET parts 0 PACKAGE_FIND_VERSION_MAJOR)\nlist(GET parts 1 PACKAGE_FIND_VERSION_MINOR)\n"
        f'include("{unpacked}/lib/cmake/pmproof/pmproof-config-version.cmake")\nmessage("${{PACKAGE_VERSION_COMPATIBLE}}")\n',
        encoding="utf-8",
    )
    assert run(["cmake", "-P", tmp_path / "look.cmake"]) == ("TRUE\n" if found else "FALSE\n")


def test_the_headers_compile_without_a_warning(unpacked: Path, tmp_path: Path) -> None:
    """Those of each folder as one file: with nothing before them, and none of them as a system header."""
    root = unpacked / "include/pmproof"
    folders: "dict[str, list[str]]" = {}
    for path in sorted(root.rglob("*.h")):
        name = path.relative_to(root).as_posix()
        folders.setdefault("-".join(name.split("/")[:2]), []).append(name)
    assert {"reference-archive", "reference-core", "reference-derived", "reference-pmda", "reference-replay", "validator-check"} <= folders.keys()

    def compiled(folder: str) -> None:
        file = tmp_path / f"{folder}.cc"
        file.write_text("".join(f'#include "{name}"\n' for name in folders[folder]), encoding="utf-8")
        run(["g++", "-std=c++20", "-fsyntax-only", *STRICT, f"-I{root}", file])

    with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        list(pool.map(compiled, folders))


def test_nothing_of_ours_is_outside_of_our_name_space(unpacked: Path) -> None:
    """What whoever links it has symbols of, too, is C++'s, or of the headers that are compiled in."""
    told = run(["nm", "--demangle", "--defined-only", "--extern-only", "--format=posix", unpacked / "lib/libpmproof.a"])
    names = {line.rsplit(" ", 3)[0] if line.count(" ") >= 3 else line for line in told.splitlines() if line and not line.endswith(":")}
    foreign = [name for name in names if not re.search(r"\b(pmproof|std|tl|nlohmann|__gnu_cxx|operator)\b|^DW\.ref\.", name)]
    assert len(names) > 1000 and foreign == []


def test_the_example_is_what_the_page_shows() -> None:
    page = Path("docs/packages.md").read_text(encoding="utf-8")
    shown = page.split("```cmake\n")[1].split("```")[0]
    assert shown == Path("qa/dist/example/CMakeLists.txt").read_text(encoding="utf-8")
    assert len(shown.splitlines()) <= 10


def test_the_headers_that_the_page_names_are_there(unpacked: Path) -> None:
    page = Path("docs/packages.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `((?:reference|validator)/\w+)` \| (.*?) \|", page, re.M)
    named = {f"{folder}/{name}" for folder, names in rows for name in re.findall(r"`(\S+\.h)`", names)}
    assert len(rows) == 6 and len(named) >= 15
    assert [name for name in sorted(named) if not (unpacked / "include/pmproof" / name).is_file()] == []


def test_a_folder_without_a_library_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DistError, match="has no library in it"):
        development.files(Path().resolve(), tmp_path, "0.2.0")
    with pytest.raises(SystemExit) as ended:
        main(["--library", str(tmp_path)])
    assert ended.value.code == 2 and "--pmproof, --expressions and --library go together" in capsys.readouterr().err
