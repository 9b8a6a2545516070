# SPDX-License-Identifier: Apache-2.0
"""README.md's example for Bazel, in a workspace of its own that has this one for a repository, without a network.

The program is one that is there already (`pmproof =`): that it can be built from there too is seen by analysing it.
"""

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

import pytest

README = Path("qa/ci/README.md").resolve()
ROOT = README.parents[2]
PMPROOF = Path(os.environ["PMPROOF"]).resolve()
GOOD = Path("golden/archive/worked-v3/worked").resolve()
NET = 800.0  # a net: nothing waits for it

_OWN = """
sh_binary(
    name = "my_adapter",
    srcs = ["my_adapter.sh"],
)

pmproof_archive_test(
    name = "bad_archives_test",
    archives = glob(["bad/**"]),
    fail_on = "warning",
    pmproof = "//tools:pmproof",
)
"""


def example(file: str) -> str:
    (found,) = re.findall(rf"^```python\n# {file}\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture(scope="module", name="workspace")
def fixture_workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("mine")
    (folder / "WORKSPACE").write_text(example("WORKSPACE").replace("third_party/pmproof", str(ROOT)), encoding="utf-8")
    build = example("BUILD")
    build = re.sub(r'^(    name = ".*_test",)$', r'\1\n    pmproof = "//tools:pmproof",', build, flags=re.MULTILINE)
    (folder / "BUILD").write_text(build + _OWN, encoding="utf-8")
    (folder / ".bazelrc").write_text("build --cxxopt=-std=c++20 --host_cxxopt=-std=c++20 --nosandbox_debug\n", encoding="utf-8")
    (folder / "my_adapter.sh").write_text(f"#!/bin/sh\nexec {PMPROOF} testee\n", encoding="utf-8")
    (folder / "my_adapter.sh").chmod(0o755)
    (folder / "expected_failures.txt").touch()
    (folder / "tools").mkdir()
    (folder / "tools/BUILD").write_text('exports_files(["pmproof"])\n', encoding="utf-8")
    shutil.copy(PMPROOF, folder / "tools/pmproof")
    for part in ("meta", "index", "0"):
        for name in ("archives", "bad"):
            (folder / name).mkdir(exist_ok=True)
            shutil.copy(f"{GOOD}.{part}", folder / name)
    (folder / "bad/worked.index").unlink()
    yield folder
    bazel(folder, "shutdown")
    bazel_files = folder.parent / "bazel"
    subprocess.run(["chmod", "-R", "u+w", bazel_files], check=False, timeout=NET)
    shutil.rmtree(bazel_files, ignore_errors=True)


def bazel(workspace: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    start = ["bazel", f"--output_user_root={workspace.parent / 'bazel'}", "--host_jvm_args=-Xmx1g", "--max_idle_secs=60"]
    return subprocess.run(
        [*start, *arguments],
        cwd=workspace,
        env={"PATH": "/usr/bin:/bin", "HOME": str(workspace), "USER": "n"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=NET,
        check=False,
    )


def cases(workspace: Path, target: str) -> int:
    report = ElementTree.parse(workspace / "bazel-testlogs" / target / "test.xml")
    return len(report.findall(".//testcase"))


def test_good_archives_and_a_conforming_implementation_pass(workspace: Path) -> None:
    done = bazel(workspace, "test", "//:archives_test", "//:my_reader_test")
    assert done.returncode == 0, done.stdout + done.stderr
    assert cases(workspace, "archives_test") >= 1
    assert cases(workspace, "my_reader_test") > 50


def test_other_archives_fail(workspace: Path) -> None:
    done = bazel(workspace, "test", "--test_output=errors", "//:bad_archives_test")
    assert done.returncode == 3, done.stdout + done.stderr
    assert "ARC-1003" in done.stdout


def test_no_archives_are_no_test(workspace: Path) -> None:
    (workspace / "empty").mkdir()
    text = 'load("@pmproof//qa/ci:defs.bzl", "pmproof_archive_test")\npmproof_archive_test(name = "none", archives = [])\n'
    (workspace / "empty/BUILD").write_text(text, encoding="utf-8")
    done = bazel(workspace, "build", "--nobuild", "//empty:none")
    assert done.returncode == 1
    assert "a test of nothing would pass" in done.stderr


def test_the_program_can_be_built_from_there(workspace: Path) -> None:
    done = bazel(workspace, "build", "--nobuild", "@pmproof//validator:pmproof", "@pmproof//qa/ci:suite")
    assert done.returncode == 0, done.stdout + done.stderr
    # What is compiled into it does not depend on where it lies.
    done = bazel(workspace, "build", "@pmproof//validator/catalogue:catalogue_files_sources")
    assert done.returncode == 0, done.stdout + done.stderr
    source = (workspace / "bazel-bin/external/pmproof/validator/catalogue/catalogue_files.cc").read_text(encoding="utf-8")
    assert '"values.json"' in source and "external/" not in source
