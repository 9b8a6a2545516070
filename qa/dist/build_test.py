# SPDX-License-Identifier: Apache-2.0
"""Packages are the same bytes each time, wherever they are made, and say what they need."""

import ast
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from qa.dist.cli import KINDS, main
from qa.dist.error import DistError
from qa.dist.executable import Executable, stripped
from qa.dist.notices import LINKED
from qa.dist.tree import File, write_tarball

PROGRAMS = {name: Path(os.environ[name.upper()]).resolve() for name in ("pmproof", "expressions", "library")}
PMPROOF = PROGRAMS["pmproof"]
NET = 300.0  # a net: nothing waits for it


def build(folder: Path, *arguments: str, umask: int = 0o022, cwd: Path = Path()) -> "dict[str, Path]":
    """The packages by their endings, made by a process of its own."""
    command = [sys.executable, "-B", "-c", "import sys; from qa.dist.cli import main; sys.exit(main(sys.argv[1:]))"]
    command += ["--output", str(folder), "--source", str(Path().resolve()), *arguments]
    for name, program in PROGRAMS.items():
        command += [f"--{name}", str(program)]
    environment = {"PATH": "/usr/bin:/bin", "SOURCE_DATE_EPOCH": "1790000000", "PYTHONPATH": str(Path().resolve())}
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=NET, check=False, umask=umask, cwd=cwd
    )
    assert done.returncode == 0, done.stderr
    made = [Path(line.split("  ")[0]) for line in done.stdout.splitlines()]
    return {kind_of(path): path for path in made}


def kind_of(package: Path) -> str:
    if package.name.startswith("pmproof-suite_"):
        return "suite"
    return "dev" if "-dev-" in package.name else package.suffix


@pytest.fixture(name="packages", scope="module")
def fixture_packages(tmp_path_factory: pytest.TempPathFactory) -> "dict[str, Path]":
    return build(tmp_path_factory.mktemp("dist"))


def test_two_builds_are_the_same_to_the_byte(packages: "dict[str, Path]", tmp_path: Path) -> None:
    """Also with another umask and in another folder."""
    again = build(tmp_path / "elsewhere", umask=0o077, cwd=tmp_path)
    assert len(again) == len(KINDS) + 1
    for kind, path in packages.items():
        assert again[kind].name == path.name
        assert hashlib.sha256(again[kind].read_bytes()).digest() == hashlib.sha256(path.read_bytes()).digest(), kind


def test_no_package_tells_where_it_was_made(packages: "dict[str, Path]", tmp_path: Path) -> None:
    unpack(packages[".deb"], tmp_path / "deb")
    with zipfile.ZipFile(packages[".whl"]) as wheel:
        wheel.extractall(tmp_path / "wheel")
    with tarfile.open(packages["dev"]) as tarball:
        tarball.extractall(tmp_path / "dev")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert len(files) > 50
    for path in files:
        content = path.read_bytes()
        for told in (b"/.cache/bazel", os.fsencode(Path().resolve()), os.fsencode(tmp_path)):
            assert told not in content, (path, told)


def unpack(package: Path, folder: Path) -> None:
    subprocess.run(["dpkg-deb", "--extract", package, folder], check=True, timeout=NET)


def test_the_program_needs_libc_alone(packages: "dict[str, Path]", tmp_path: Path) -> None:
    unpack(packages[".deb"], tmp_path)
    told = subprocess.run(["ldd", tmp_path / "usr/bin/pmproof"], capture_output=True, text=True, check=True).stdout
    assert {line.split()[0].split("/")[-1].split(".")[0] for line in told.splitlines()} <= {"linux-vdso", "libc", "libm", "ld-linux-x86-64", "ld-linux-aarch64"}


def test_the_package_of_debian_says_so_too(packages: "dict[str, Path]") -> None:
    told = subprocess.run(["dpkg-deb", "--field", packages[".deb"]], capture_output=True, text=True, check=True).stdout
    fields = dict(line.split(": ", 1) for line in told.splitlines() if not line.startswith(" "))
    assert fields["Package"] == "pmproof" and fields["Depends"].startswith("libc6 (>= 2.")
    listed = subprocess.run(["dpkg-deb", "--contents", packages[".deb"]], capture_output=True, text=True, check=True).stdout
    modes = {line.split()[0] for line in listed.splitlines()}
    assert modes == {"drwxr-xr-x", "-rw-r--r--", "-rwxr-xr-x"}
    assert all(line.split()[1] == "root/root" for line in listed.splitlines())
    assert [line.split()[-1] for line in listed.splitlines() if line.startswith("-rwx")] == ["./usr/bin/pmproof"]


@pytest.mark.parametrize("name", [".deb", "suite"])
def test_lintian_has_no_complaint(packages: "dict[str, Path]", name: str) -> None:
    done = subprocess.run(["lintian", "--fail-on", "error,warning", packages[name]], capture_output=True, text=True, timeout=NET, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def apt_install(package: Path, root: Path, libc: str) -> "subprocess.CompletedProcess[str]":
    """Installs it where nothing is installed but a libc of that version. Without a network and without privileges."""
    (root / "var/lib/dpkg/info").mkdir(parents=True)
    for folder in ("var/lib/dpkg/updates", "var/lib/apt/lists/partial", "var/cache/apt/archives/partial", "var/log/apt"):
        (root / folder).mkdir(parents=True)
    machine = subprocess.run(["dpkg", "--print-architecture"], capture_output=True, text=True, check=True).stdout.strip()
    (root / "var/lib/dpkg/status").write_text(
        f"Package: libc6\nStatus: install ok installed\nMaintainer: nobody\nArchitecture: {machine}\nVersion: {libc}\nDescription: libc\n\n"
    )
    (root / "var/lib/dpkg/info/libc6.list").touch()
    options = [f"--root={root}", "--force-not-root", "--force-script-chrootless", "--force-unsafe-io", "--log=/dev/null"]
    lines = [f'Dir "{root}";', f'Dir::State::status "{root}/var/lib/dpkg/status";', 'Dir::Bin::dpkg "/usr/bin/dpkg";', 'APT::Sandbox::User "";']
    lines += [f'Dir::Etc::{name} "/dev/null";' for name in ("main", "parts", "sourcelist", "sourceparts", "preferencesparts")]
    lines += [f'DPkg::Options:: "{option}";' for option in options]
    (root / "apt.conf").write_text("\n".join(lines))
    command = ["apt-get", "install", "--yes", "--no-install-recommends", str(package.resolve())]
    environment = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "APT_CONFIG": str(root / "apt.conf")}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=NET, check=False)


def test_apt_installs_it_beside_a_libc_alone_and_it_gives_a_verdict_in_seconds(packages: "dict[str, Path]", tmp_path: Path) -> None:
    """qa/dist/bare_root does so in a root that mmdebstrap makes."""
    for library in re.findall(r"(/\S+) \(0x", subprocess.run(["ldd", PMPROOF], capture_output=True, text=True, check=True).stdout):
        copy = tmp_path / library.lstrip("/")
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(library, copy)
    shutil.copytree("golden/archive", tmp_path / "archives")
    begin = time.monotonic()
    installed = apt_install(packages[".deb"], tmp_path, libc=platform.libc_ver()[1] + "-1")
    assert installed.returncode == 0 and "1 newly installed" in installed.stdout, installed
    command = ["bwrap", "--bind", str(tmp_path), "/", "--proc", "/proc", "--dev", "/dev", "/usr/bin/pmproof", "check", "/archives"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=NET, check=False)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "4 archives: 4 conformant (14 info)"), done
    assert time.monotonic() - begin < 15


def test_apt_refuses_it_beside_an_older_libc(packages: "dict[str, Path]", tmp_path: Path) -> None:
    refused = apt_install(packages[".deb"], tmp_path, libc="2.31-13")
    assert refused.returncode == 100 and "pmproof : Depends: libc6 (>= 2." in refused.stdout, refused
    assert not (tmp_path / "usr/bin").exists()


def test_the_specification_has_a_place_for_each_clause(packages: "dict[str, Path]", tmp_path: Path) -> None:
    unpack(packages[".deb"], tmp_path)
    folder = tmp_path / "usr/share/doc/pmproof/specification"
    pages = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert pages.keys() == {"index.html", *(f"{name}.html" for name in ("archive", "derived", "interpolation", "metadata", "pmda", "tool-output"))}
    assert 'id="arc-1104"' in pages["archive.html"] and 'href="archive.html#arc-' in pages["interpolation.html"]
    for name, page in pages.items():
        assert "<script" not in page
        for link in re.findall(r'href="([^"]*)"', page):
            to, _, anchor = link.partition("#")
            assert not anchor or f'id="{anchor}"' in pages[to or name], (name, link)


def test_the_bill_of_materials_names_what_is_linked(packages: "dict[str, Path]", tmp_path: Path) -> None:
    unpack(packages[".deb"], tmp_path)
    told = json.loads((tmp_path / "usr/share/doc/pmproof/pmproof.spdx.json").read_text(encoding="utf-8"))
    program, *linked = told["packages"]
    assert [package["name"] for package in linked] == sorted(LINKED) and all(package["versionInfo"] for package in linked)
    assert program["checksums"][0]["checksumValue"] == hashlib.sha256((tmp_path / "usr/bin/pmproof").read_bytes()).hexdigest()
    ends = {(one["spdxElementId"], one["relatedSpdxElement"]) for one in told["relationships"]}
    assert ends == {("SPDXRef-DOCUMENT", "SPDXRef-pmproof"), *(("SPDXRef-pmproof", package["SPDXID"]) for package in linked)}


@pytest.fixture(name="installed", scope="module")
def fixture_installed(packages: "dict[str, Path]", tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where both packages of Debian are unpacked, away from the workspace."""
    folder = tmp_path_factory.mktemp("installed")
    for name in (".deb", "suite"):
        unpack(packages[name], folder)
    return folder / "usr"


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--op", "units.*", "reference"),
        ("explore", "--op", "derive.*", "--count", "40", "reference"),
        ("play", "--help"),
    ],
)
def test_the_suite_runs_where_it_is_installed(installed: Path, words: tuple[str, ...], tmp_path: Path) -> None:
    before = sorted(installed.rglob("*"))
    done = subprocess.run(
        [installed / "bin/pmproof-suite", *words],
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=NET,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(installed.rglob("*")) == before


def test_the_suite_depends_on_all_that_it_imports(packages: "dict[str, Path]", installed: Path) -> None:
    told = subprocess.run(["dpkg-deb", "--field", packages["suite"], "Depends"], capture_output=True, text=True, check=True).stdout
    needed = set(re.findall(r"python3-(\w+)", told))
    imported = set()
    for path in (installed / "share/pmproof").rglob("*"):
        if path.is_file() and (path.suffix == ".py" or path.read_bytes().startswith(b"#!/usr/bin/python3")):
            for node in ast.walk(ast.parse(path.read_bytes())):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.module:
                    names = [node.module]
                imported |= {name.partition(".")[0] for name in names}
    # pcp and cpmapi are of the peer in which an adapter runs.
    assert imported - sys.stdlib_module_names - {"qa", "pcp", "cpmapi"} == needed


def test_the_tarball_has_the_same_files(packages: "dict[str, Path]", tmp_path: Path) -> None:
    for name in (".deb", "suite"):
        unpack(packages[name], tmp_path)
    # What Debian alone has.
    for name in ("pmproof", "pmproof-suite"):
        for of_debian in (f"doc/{name}/changelog.gz", f"doc/{name}/copyright", f"lintian/overrides/{name}"):
            (tmp_path / "usr/share" / of_debian).unlink()
    with tarfile.open(packages[".gz"]) as archive:
        members = {member.name.partition("/")[2]: (member.mode, content.read()) for member in archive if (content := archive.extractfile(member))}
    files = {str(path.relative_to(tmp_path / "usr")): path for path in (tmp_path / "usr").rglob("*") if path.is_file()}
    assert members.keys() == {*files, "share/doc/pmproof/copyright", "share/doc/pmproof-suite/copyright"}
    for name, path in files.items():
        assert members[name] == (path.stat().st_mode & 0o777, path.read_bytes()), name


def test_licences_go_with_the_program(packages: "dict[str, Path]", tmp_path: Path) -> None:
    own = Path("LICENSE").read_text(encoding="utf-8")
    with zipfile.ZipFile(packages[".whl"]) as wheel:
        told = wheel.read("pmproof/bin/COPYRIGHT").decode()
    assert told.startswith(own)
    assert all(f"\nIt contains code of what Debian packages as {package}:\n" in told for package in LINKED)
    with tarfile.open(packages[".gz"]) as archive:
        copies = [archive.extractfile(member) for member in archive if member.name.endswith("/copyright")]
        assert [copy.read().decode() for copy in copies if copy] == [told, told]
    # Debian has the text of pmproof's licence.
    for name in (".deb", "suite"):
        unpack(packages[name], tmp_path)
    for name in ("pmproof", "pmproof-suite"):
        debian = (tmp_path / f"usr/share/doc/{name}/copyright").read_text(encoding="utf-8")
        assert "/usr/share/common-licenses/Apache-2.0" in debian.splitlines()[1] and debian.endswith(told.removeprefix(own))


def test_a_program_with_shared_libraries_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    perhaps = next(path for path in map(Path, ("/usr/bin/git", "/usr/bin/xz", "/usr/bin/gdb")) if path.exists())
    with pytest.raises(DistError, match="is not self-contained, it needs lib"):
        stripped(perhaps, tmp_path / "out")
    assert main(["--pmproof", str(perhaps), "--expressions", str(perhaps), "--library", str(tmp_path), "--output", str(tmp_path)]) == 1
    assert "qa/dist/build: " in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir() if path.suffix in (".whl", ".deb", ".gz")] == []


def test_a_program_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "junk").write_bytes(b"junk")
    with pytest.raises(DistError, match="strip"):
        stripped(tmp_path / "junk", tmp_path / "out")
    shutil.copy("/bin/true", tmp_path / "true")
    with pytest.raises(DistError, match="does not say its version"):
        stripped(tmp_path / "true", tmp_path / "out")


def test_what_the_machine_has_to_have_is_found_out(tmp_path: Path) -> None:
    found = stripped(PMPROOF, tmp_path / "out")
    assert isinstance(found, Executable)
    assert found.glibc >= (2, 17) and found.machine in ("x86_64", "aarch64")
    assert found.path.stat().st_size < PMPROOF.stat().st_size


def test_a_kind_that_is_unknown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["rpm"])
    assert ended.value.code == 2 and "rpm is none of wheel, deb, tar, dev" in capsys.readouterr().err


def test_a_tarball_is_in_order(tmp_path: Path) -> None:
    tree = {"b/x": File(b"1"), "a": File(b"2", executable=True)}
    write_tarball(tree, "top", tmp_path / "t.tar.gz", 1)
    with tarfile.open(tmp_path / "t.tar.gz") as archive:
        told = [(member.name, member.mode, member.mtime, member.uname) for member in archive]
    assert told == [("top", 0o755, 1, "root"), ("top/b", 0o755, 1, "root"), ("top/a", 0o755, 1, "root"), ("top/b/x", 0o644, 1, "root")]
