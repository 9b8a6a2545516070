# SPDX-License-Identifier: Apache-2.0
"""The examples of README.md do what they are said to do. GitHub and GitLab are played by a few lines each."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from qa.ci import jobs
from qa.ci.in_bare_root import served
from qa.dist.tree import File, write_tarball

HERE = Path("qa/ci")
PMPROOF = Path(os.environ["PMPROOF"]).resolve()
GOOD = Path("golden/archive/worked-v3/worked")
NET = 300.0  # a net: nothing waits for it


def example(file: str) -> Any:
    """The example that is said to be that file."""
    text = (HERE / "README.md").read_text(encoding="utf-8")
    (found,) = re.findall(rf"^```yaml\n# {re.escape(file)}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return yaml.safe_load(found)


@pytest.fixture(name="folder")
def fixture_folder(tmp_path: Path) -> Path:
    """A checkout with the archives that the examples name: one is conformant, the other has no index."""
    for part in ("meta", "index", "0"):
        for base in ("archives/worked", "more/20260101"):
            (tmp_path / base).parent.mkdir(exist_ok=True)
            shutil.copy(f"{GOOD}.{part}", tmp_path / f"{base}.{part}")
    (tmp_path / "more/20260101.index").unlink()  # ARC-1003, a warning
    return tmp_path


def run(script: str, folder: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """As the services do: bash, which stops at what fails."""
    base = {"PATH": f"{folder}/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(folder)}
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env=base | environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=NET,
        check=False,
    )


@pytest.fixture(name="release", scope="module")
def fixture_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As qa/dist/build makes it."""
    path = tmp_path_factory.mktemp("release") / "pmproof-0.2.0-linux-x86_64.tar.gz"
    write_tarball({"bin/pmproof": File(PMPROOF.read_bytes(), executable=True)}, "pmproof-0.2.0-linux-x86_64", path, 1)
    return path


def digest_of(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def run_job(job: jobs.Job, folder: Path) -> subprocess.CompletedProcess[str]:
    return run(job.script, folder, job.environment)


def run_action(folder: Path, given: dict[str, str]) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """The step of the composite action with these inputs, and its outputs."""
    job = jobs.github(given, (HERE / "github").resolve())
    files = {"GITHUB_OUTPUT": str(folder / "output"), "GITHUB_STEP_SUMMARY": str(folder / "summary")}
    done = run(job.script, folder, job.environment | files)
    lines = (folder / "output").read_text(encoding="utf-8").splitlines() if (folder / "output").exists() else []
    return done, dict((name, value) for name, _, value in (line.partition("=") for line in lines))


def test_the_github_workflow(folder: Path) -> None:
    workflow = example(".github/workflows/archives.yml")
    (step,) = [step for step in workflow["jobs"]["archives"]["steps"] if "pmproof" in step["uses"]]
    assert step["uses"].partition("@")[0].endswith("/pmproof/qa/ci/github")
    # It leaves out the rule that the archive without an index breaks.
    done, outputs = run_action(folder, step["with"] | {"pmproof": str(PMPROOF)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 archives: 2 conformant" in (folder / "summary").read_text(encoding="utf-8")
    assert (folder / outputs["sarif"]).read_text(encoding="utf-8").startswith("{")
    upload = workflow["jobs"]["archives"]["steps"][-1]["with"]["sarif_file"]
    assert upload == outputs["sarif"]


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"archives": "archives\nmore/20260101", "fail-on": "warning"}, 1),
        ({"archives": "archives\nmore/20260101", "fail-on": "error", "sarif": ""}, 0),
        ({"archives": "nowhere"}, 4),
        ({"archives": "$(touch code)"}, 4),
        ({"archives": "archives", "options": "--rule=-ARC-9999"}, 2),
    ],
)
def test_the_github_action_ends_as_pmproof_does(given: dict[str, str], status: int, folder: Path) -> None:
    done, _ = run_action(folder, given | {"pmproof": str(PMPROOF)})
    assert done.returncode == status, done.stdout + done.stderr
    assert not (folder / "code").exists()
    assert (folder / "pmproof.sarif").exists() == (given.get("sarif") != "" and status != 2)


def test_the_github_action_takes_a_program_of_the_path(folder: Path) -> None:
    """As it is after `pip install`."""
    assert "`with: {pmproof: pmproof}`" in (HERE / "README.md").read_text(encoding="utf-8")
    (folder / "bin").mkdir()
    (folder / "bin/pmproof").symlink_to(PMPROOF)
    done, _ = run_action(folder, {"archives": "archives", "pmproof": "pmproof"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 archive: 1 conformant" in (folder / "summary").read_text(encoding="utf-8")


@pytest.fixture(name="served")
def fixture_served(release: Path) -> Iterator[str]:
    """The address of the release."""
    with served(release) as url:
        yield url


@pytest.fixture(name="package", params=["path", "url"])
def fixture_package(request: pytest.FixtureRequest, release: Path, served: str) -> str:
    """The release as somebody names it."""
    return str(release) if request.param == "path" else served


def test_the_github_action_takes_a_release(package: str, folder: Path, release: Path) -> None:
    done, _ = run_action(folder, {"archives": "archives", "package": package, "sha256": digest_of(release)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 archive: 1 conformant" in (folder / "summary").read_text(encoding="utf-8")


def run_gitlab_job(folder: Path, package: str, digest: str) -> subprocess.CompletedProcess[str]:
    return run_job(jobs.gitlab({"PMPROOF_ARCHIVES": "archives", "PMPROOF_PACKAGE": package, "PMPROOF_SHA256": digest}), folder)


@pytest.mark.parametrize("digest", ["", "right"])
def test_the_gitlab_job_takes_a_release(digest: str, package: str, folder: Path, release: Path) -> None:
    done = run_gitlab_job(folder, package, digest and digest_of(release))
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 archive: 1 conformant" in done.stdout
    assert (folder / "pmproof.junit.xml").is_file()


def test_the_gitlab_job_runs_no_release_of_another_digest(package: str, folder: Path) -> None:
    done = run_gitlab_job(folder, package, "0" * 64)
    assert done.returncode != 0 and "FAILED" in done.stdout and "conformant" not in done.stdout


@pytest.mark.parametrize("gone", ["/nowhere/release.tar.gz", "http://127.0.0.1:1/release.tar.gz", "not found"])
def test_the_gitlab_job_fails_without_its_release(gone: str, folder: Path, served: str) -> None:
    done = run_gitlab_job(folder, gone if gone != "not found" else f"{served}.old", "")
    assert done.returncode != 0 and done.stdout == "" and done.stderr


def program(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return run(" ".join([str((HERE / "program").resolve()), *words]), folder, {})


def test_a_release_is_fetched_once_where_its_digest_is_given(folder: Path, release: Path, served: str) -> None:
    digest = digest_of(release)
    done = program(folder, served, digest)
    path = Path(done.stdout.strip())
    assert path == folder / f".cache/pmproof/programs/{digest}/pmproof" and digest_of(path) == digest_of(PMPROOF), done.stderr
    # It need not be there the second time.
    assert program(folder, "http://127.0.0.1:1/gone", digest).stdout == done.stdout
    # By a path, and without the digest, it is the same.
    assert program(folder, str(release)).stdout == done.stdout
    assert [entry.name for entry in path.parents[1].iterdir()] == [digest]


@pytest.mark.parametrize("package", ["wrong-digest", "junk", "missing", "http://127.0.0.1:1/gone"])
def test_what_is_no_release_is_refused(package: str, folder: Path, release: Path) -> None:
    (folder / "junk").write_bytes(b"junk")
    words = [str(release), "0" * 64] if package == "wrong-digest" else [package]
    done = program(folder, *words)
    assert done.returncode != 0 and done.stdout == "" and done.stderr
    assert list((folder / ".cache/pmproof/programs").iterdir()) == []


@pytest.mark.parametrize(("fail_on", "status"), [(None, 1), ("error", 0)])
def test_the_gitlab_job(fail_on: str | None, status: int, folder: Path) -> None:
    pipeline = example(".gitlab-ci.yml")
    (included,) = pipeline["include"]
    assert included["file"] == "qa/ci/gitlab.yml"
    job = pipeline["archives"]
    template = yaml.safe_load((HERE / "gitlab.yml").read_text(encoding="utf-8"))[job["extends"]]
    variables = job["variables"] | ({"PMPROOF_FAIL_ON": fail_on} if fail_on else {})
    assert template["image"] == "$PMPROOF_IMAGE" and variables["PMPROOF_IMAGE"]
    (folder / "bin").mkdir()
    (folder / "bin/pmproof").symlink_to(PMPROOF)  # as in the image
    done = run_job(jobs.gitlab(variables), folder)
    assert done.returncode == status, done.stdout + done.stderr
    report = (folder / template["artifacts"]["reports"]["junit"]).read_text(encoding="utf-8")
    assert report.count("<testcase") >= 2


@pytest.fixture(name="hooks")
def fixture_hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What pre-commit finds where pmproof is."""
    repository = tmp_path_factory.mktemp("pmproof")
    (repository / "qa/ci").mkdir(parents=True)
    shutil.copy(".pre-commit-hooks.yaml", repository)
    for name in ("pre_commit", "program"):
        shutil.copy(HERE / name, repository / "qa/ci")
    commit(repository, "init", "--quiet", "--initial-branch=main")
    return repository


def commit(repository: Path, *first: str) -> None:
    git = ["git", "-c", "user.name=n", "-c", "user.email=e@example"]
    for command in ([first] if first else []) + [("add", "."), ("commit", "--quiet", "--no-verify", "-m", "m")]:
        subprocess.run([*git, *command], cwd=repository, check=True, timeout=NET, env={"PATH": "/usr/bin:/bin", "HOME": "/"})


@pytest.mark.parametrize(("fault", "status"), [(True, 1), (False, 0)])
def test_the_pre_commit_hook(fault: bool, status: int, folder: Path, hooks: Path, release: Path) -> None:
    if not fault:
        shutil.rmtree(folder / "more")
    (folder / "pmcd.1.gz").write_bytes(b"\x1f\x8b\0\0")  # a manual page
    config = example(".pre-commit-config.yaml")
    config["repos"][0]["repo"] = str(hooks)
    (folder / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config), encoding="utf-8")
    commit(folder, "init", "--quiet")
    named = {"PMPROOF": str(PMPROOF)} if fault else {"PMPROOF_PACKAGE": str(release)}
    environment = named | {"PRE_COMMIT_HOME": str(hooks / ".git/home"), "NO_COLOR": "1"}
    done = run("pre-commit run --all-files", folder, environment)
    assert done.returncode == status, done.stdout + done.stderr
    assert "check PCP archives" in done.stdout
    assert ("ARC-1003" in done.stdout) == fault
    assert "pmcd.1" not in done.stdout
