# SPDX-License-Identifier: Apache-2.0
"""qa/ci/bare_root: the jobs for GitLab and GitHub in a root of Debian in which nothing but curl was installed."""

import argparse
import functools
import hashlib
import http.server
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from qa.ci import jobs

_SOURCE = Path(__file__).resolve().parents[2]
_LIMIT = 60.0  # seconds from nothing to the verdict
_VERDICT = "4 archives: 4 conformant"  # of golden/archive
# As in a container there is /proc, which is gone with the name space.
_IN_ROOT = ["unshare", "--mount", "--", "sh", "-c", 'mount --bind /proc "$1/proc" && exec chroot "$@"', "sh"]


def main(arguments: "list[str]") -> int:
    parser = argparse.ArgumentParser(prog="qa/ci/bare_root", description="Runs the jobs for GitLab and GitHub in a bare root of Debian.")
    parser.add_argument("tarball", type=Path, metavar="TARBALL", help="a release, as qa/dist/build makes it")
    parser.add_argument("release", nargs="?", default="bookworm", metavar="RELEASE", help="of Debian (default: bookworm)")
    parser.add_argument("mmdebstrap", nargs="*", metavar="ARGUMENT", help="of mmdebstrap, such as a mirror")
    given = parser.parse_args(arguments)
    if shutil.which("mmdebstrap") is None:
        parser.error("apt-get install mmdebstrap")
    with tempfile.TemporaryDirectory(prefix="pmproof-root.", dir="/var/tmp") as temporary, served(given.tarball) as url:
        root = Path(temporary, "root")
        subprocess.run(["mmdebstrap", "--quiet", "--variant=apt", "--include=curl", given.release, root, *given.mmdebstrap], check=True)
        shutil.copytree(_SOURCE / "golden/archive", root / "checkout/archives")
        shutil.copytree(_SOURCE / "qa/ci", root / "action/qa/ci")
        digest = hashlib.sha256(given.tarball.read_bytes()).hexdigest()
        gitlab = {"PMPROOF_ARCHIVES": "archives", "PMPROOF_PACKAGE": url, "PMPROOF_SHA256": digest}
        github = {"archives": "archives", "package": url, "sha256": digest}
        return max(
            run("the GitLab job", root, jobs.gitlab(gitlab)),
            run("the GitHub action", root, jobs.github(github, Path("/action/qa/ci/github"))),
        )


@contextmanager
def served(file: Path) -> Iterator[str]:
    """The address of a file, on this machine."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(file.resolve().parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/{file.name}"
    finally:
        server.shutdown()
        server.server_close()


def run(name: str, root: Path, job: jobs.Job) -> int:
    """Returns 0 if there was the right verdict in time. Prints how long it took."""
    (root / "checkout/job").write_text(f"cd /checkout\n{job.script}\n", encoding="utf-8")
    environment = job.environment | {
        "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
        "HOME": "/root",
        "GITHUB_OUTPUT": "/checkout/output",
        "GITHUB_STEP_SUMMARY": "/checkout/summary",
    }
    begin = time.monotonic()
    done = subprocess.run(
        [*_IN_ROOT, root, "bash", "-eo", "pipefail", "/checkout/job"],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    took = time.monotonic() - begin
    verdict = (done.stdout.splitlines() or ["nothing"])[-1]
    print(f"{name}: {took * 1000:.0f} ms, status {done.returncode}: {verdict}")
    return 0 if done.returncode == 0 and verdict.startswith(_VERDICT) and took < _LIMIT else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
