# SPDX-License-Identifier: Apache-2.0
"""The jobs of values/, "does my change of libpcp move values?", command by command, with a libpcp of one version against another."""

import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from qa.peers.peers import default_root
from qa.peers.testing import library_peer

HERE = Path("qa/ci")
PMPROOF = Path(os.environ["PMPROOF"]).resolve()
SUITE = Path("qa/suite/suite").resolve()
NET = 1500.0  # a net: nothing waits for it

Job = tuple[dict[str, str], list[str], str]


def of_github() -> Job:
    """Variables, commands, and what is kept."""
    workflow = yaml.safe_load((HERE / "values/github.yml").read_text(encoding="utf-8"))
    job = workflow["jobs"]["values"]
    checkout, *steps, kept = job["steps"]
    assert checkout["uses"].startswith("actions/checkout@") and kept["uses"].startswith("actions/upload-artifact@") and kept["if"] == "always()"
    return workflow["env"], [step["run"] for step in steps], kept["with"]["path"]


def of_gitlab() -> Job:
    job = yaml.safe_load((HERE / "values/gitlab.yml").read_text(encoding="utf-8"))["values"]
    assert job["artifacts"]["when"] == "always"
    (kept,) = job["artifacts"]["paths"]
    return job["variables"], job["script"], kept


@pytest.fixture(name="checkout")
def fixture_checkout(tmp_path: Path) -> Path:
    """Of a project that has archives; its build has nothing to do."""
    (tmp_path / "bin").mkdir()
    for name, program in (("pmproof-suite", SUITE), ("make", Path("/bin/true"))):
        (tmp_path / "bin" / name).symlink_to(program)
    (tmp_path / "archives").mkdir()
    for seed in ("1", "2"):
        command = [str(PMPROOF), "generate", "--seed", seed, "--scenario", "replay", "--records", "6", "--metrics", "3", "--instances", "1", "--no-truth"]
        subprocess.run([*command, str(tmp_path / f"archives/a{seed}")], check=True, timeout=NET, stdout=subprocess.DEVNULL)
    (tmp_path / "moved.txt").touch()
    return tmp_path


def run(job: Job, checkout: Path, versions: tuple[str, str]) -> tuple[int, str]:
    """As the services do: a command that fails ends the job."""
    variables, commands, _ = job
    asked = {"BASELINE": f"pcp:{versions[0]}", "CANDIDATE": f"pcp:{versions[1]}"}
    assert asked.keys() == variables.keys() and all(value.startswith("pcp:/") for value in variables.values())
    environment = {"PATH": f"{checkout}/bin:/usr/bin:/bin", "HOME": str(checkout), "PMPROOF": str(PMPROOF), "PMPROOF_PEERS": str(default_root())}
    script = "\n".join(commands)
    done = subprocess.run(
        ["bash", "-eo", "pipefail", "-c", script],
        cwd=checkout, env=environment | asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=NET, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


JOBS = pytest.mark.parametrize("job", [of_github(), of_gitlab()], ids=["github", "gitlab"])


@JOBS
def test_a_libpcp_that_moves_nothing_passes(job: Job, checkout: Path) -> None:
    """6.3.8 and 7.2 answer plain forward replay alike."""
    library_peer("6.3.8"), library_peer("7.2")
    status, said = run(job, checkout, ("6.3.8", "7.2"))
    assert status == 0, said
    values = re.search(r"^([0-9,]+) values compared, 0 differ$", said, re.M)
    assert values and int(values[1].replace(",", "")) > 1000, said
    assert "nothing differs" in said and "Nothing is new." in (checkout / job[2]).read_text(encoding="utf-8")


@JOBS
def test_a_libpcp_that_moves_values_fails_until_that_is_accepted(job: Job, checkout: Path) -> None:
    library_peer("6.0.3"), library_peer("7.2")
    status, said = run(job, checkout, ("6.0.3", "7.2"))
    assert status == 1, said
    kinds = set(re.findall(r"^  (none>none/\S+)", said, re.M))
    assert "none>none/instant/float/number" in kinds or "none>none/instant/double/number" in kinds, said
    assert all(kind in (checkout / job[2]).read_text(encoding="utf-8").replace("&gt;", ">") for kind in kinds)
    (checkout / "values.sqlite").unlink()  # the next job begins in a checkout of its own
    (checkout / "moved.txt").write_text("".join(f"{kind} | archives/* | as decided in issue 7\n" for kind in sorted(kinds)), encoding="utf-8")
    status, said = run(job, checkout, ("6.0.3", "7.2"))
    assert status == 0 and "nothing differs but what is accepted" in said, said


def test_the_jobs_have_ten_lines_or_hardly_more() -> None:
    counts = {name: len((HERE / f"values/{name}.yml").read_text(encoding="utf-8").splitlines()) for name in ("github", "gitlab")}
    assert max(counts.values()) <= 12, counts
