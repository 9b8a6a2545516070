# SPDX-License-Identifier: Apache-2.0
"""The wheel, installed by pip into a new environment without a network."""

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
import yaml

from qa.dist.cli import Programs, build

PROGRAMS = Programs(*(Path(os.environ[name]).resolve() for name in ("PMPROOF", "EXPRESSIONS", "LIBRARY")))
PMPROOF = PROGRAMS.pmproof
NET = 300.0


@pytest.fixture(name="wheel", scope="module")
def fixture_wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    (wheel,) = build(Path().resolve(), PROGRAMS, ["wheel"], tmp_path_factory.mktemp("wheel"), 1_790_000_000)
    return wheel


@pytest.fixture(name="environment", scope="module")
def fixture_environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("venv") / "venv"
    run([sys.executable, "-m", "venv", folder])
    run([folder / "bin/pip", "install", "--quiet", "--no-index", "--disable-pip-version-check", wheel])
    return folder


def run(command: "list[str | Path]", cwd: "Path | None" = None, status: int = 0) -> str:
    """Of this process it knows nothing: no PYTHONPATH, no PMPROOF."""
    done = subprocess.run(
        command, env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"}, cwd=cwd, capture_output=True, text=True, timeout=NET, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout


def test_the_wheel_is_for_this_machine_and_any_python_3(wheel: Path) -> None:
    assert wheel.name.startswith("pmproof-0.") and "-py3-none-manylinux_2_" in wheel.name
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith("/METADATA"))
        told = archive.read(name).decode()
        assert "\nRequires-Python: >=3.9\n" in told and "\nLicense: Apache-2.0\n" in told.replace("License-Expression", "License")
        # Nothing is needed but for tables and tests.
        assert all("; extra ==" in line for line in told.splitlines() if line.startswith("Requires-Dist: "))
        assert archive.getinfo("pmproof/bin/pmproof").external_attr >> 16 & 0o777 == 0o755
        assert "pmproof/py.typed" in archive.namelist()


def test_the_command_is_the_program(environment: Path) -> None:
    version = run([environment / "bin/pmproof", "version"])
    assert version == run([PMPROOF, "version"])
    installed = run([environment / "bin/python", "-c", "import importlib.metadata as m; print(m.version('pmproof'))"])
    assert version.split()[1] == installed.strip()
    run([environment / "bin/pmproof", "check", "nowhere"], status=4)


def test_the_example_of_its_readme(environment: Path, tmp_path: Path) -> None:
    shape = ["--seed", "7", "--scenario", "marks", "--records", "12", "--metrics", "2", "--no-truth"]
    run([environment / "bin/pmproof", "generate", *shape, tmp_path / "archive"])
    code = Path("qa/python/README.md").read_text(encoding="utf-8").split("```python\n")[1].split("```")[0]
    assert "disk.dev.read" in code
    printed = run([environment / "bin/python", "-c", code.replace("disk.dev.read", "plain.reads")], cwd=tmp_path)
    assert len(printed.splitlines()) == 2 and "plain.reads" in printed


def test_it_is_whole_without_pandas_and_pytest(environment: Path) -> None:
    code = "import pmproof, sys; pmproof.check; print([m for m in ('pandas', 'numpy', 'pytest') if m in sys.modules])"
    assert run([environment / "bin/python", "-c", code]) == "[]\n"
    asked = "import pmproof\ntry: pmproof.replay('x', metrics=['a']).to_pandas()\nexcept ImportError as error: print(error)"
    assert run([environment / "bin/python", "-c", asked]) == "to_pandas() needs pandas: pip install 'pmproof[pandas]'\n"


def test_pytest_finds_the_plug_in_by_itself(wheel: Path, tmp_path: Path) -> None:
    run([sys.executable, "-m", "venv", "--system-site-packages", tmp_path / "venv"])  # for pytest
    run([tmp_path / "venv/bin/pip", "install", "--quiet", "--no-index", wheel])
    code = "import pathlib\n\ndef test_it(pmproof_archive):\n    pathlib.Path(f'{pmproof_archive}.0').write_bytes(b'junk')\n"
    (tmp_path / "test_it.py").write_text(code, encoding="utf-8")
    command: list[str | Path] = [tmp_path / "venv/bin/python", "-B", "-m", "pytest", "-p", "no:cacheprovider", "--basetemp", tmp_path / "tmp"]
    printed = run([*command, tmp_path / "test_it.py"], cwd=tmp_path, status=1)
    assert "pmproof: the test wrote no archive to " in printed and "1 failed" in printed


@pytest.mark.parametrize(("rule", "status"), [(None, 0), ("ARC-1825", 1)])
def test_the_job_of_the_ci_page(rule: "str | None", status: int, wheel: Path, tmp_path: Path) -> None:
    text = Path("qa/ci/README.md").read_text(encoding="utf-8")
    job = yaml.safe_load(text.split("```yaml\n# .gitlab-ci.yml with the wheel\n")[1].split("```")[0])["archives"]
    run([sys.executable, "-m", "venv", tmp_path / "venv"])
    (tmp_path / "wheels").mkdir()
    (tmp_path / "wheels" / wheel.name).write_bytes(wheel.read_bytes())
    good = tmp_path / ("good" if rule else "archives/good")
    good.parent.mkdir(exist_ok=True)
    run([PMPROOF, "generate", "--seed", "7", "--scenario", "marks", "--records", "12", "--metrics", "2", "--no-truth", good])
    if rule:
        (tmp_path / "archives").mkdir()
        run([PMPROOF, "mutate", "--rule", rule, good, tmp_path / "archives/written"])
    script = "\n".join(job["script"])
    environment = {"PATH": f"{tmp_path}/venv/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=NET, check=False
    )
    assert done.returncode == status, done.stdout + done.stderr
    report = (tmp_path / job["artifacts"]["reports"]["junit"]).read_text(encoding="utf-8")
    assert report.count("<testcase") == 1
    assert report.count("<failure") == status


def test_pip_removes_all_of_it(wheel: Path, tmp_path: Path) -> None:
    run([sys.executable, "-m", "venv", tmp_path / "venv"])
    pip = tmp_path / "venv/bin/pip"
    before = json.loads(run([pip, "list", "--format", "json"]))
    run([pip, "install", "--quiet", "--no-index", wheel])
    run([pip, "uninstall", "--quiet", "--yes", "pmproof"])
    assert json.loads(run([pip, "list", "--format", "json"])) == before
    assert list((tmp_path / "venv").rglob("*pmproof*")) == []
