# SPDX-License-Identifier: Apache-2.0
"""Packages of any of Debian's suites, got by apt without touching what this machine has installed or configured.

Mirrors, proxies and credentials are those of the machine's own apt configuration; sources, lists, cache and package
status are private ones in a folder that the caller throws away.
"""

import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.peers.error import PeerError

# Names by which sources lists call a suite of Debian itself. Lists for its updates, and most foreign ones, have others.
_SUITES = frozenset(
    "oldoldstable oldstable stable testing unstable bullseye bookworm trixie forky duke sid".split()
)

_KEYRING_PACKAGE = "debian-archive-keyring"
_KEYRINGS = "usr/share/keyrings"

# Hooks for the machine's own state (package daemons, container images' cleaning) have no business with a private one.
_HOOKS = (
    "APT::Update::Pre-Invoke", "APT::Update::Post-Invoke", "APT::Update::Post-Invoke-Success",
    "DPkg::Pre-Invoke", "DPkg::Post-Invoke", "DPkg::Pre-Install-Pkgs", "APT::Architectures",
)  # fmt: skip


class UnknownKeyError(PeerError):
    """A suite is signed with a key that the keyring does not have."""


@dataclass(frozen=True)
class Mirror:
    """Where the machine gets Debian from, and the suite that it has from there."""

    uri: str
    suite: str


def find_mirrors(apt_options: Sequence[str] = ()) -> list[Mirror]:
    """The mirrors of the machine's sources.list and .sources files that look like Debian's, likeliest first.

    `apt_options` are handed to apt-get. What looks so may still be a foreign archive: Debian's signature decides.
    """
    query = ["-o", "APT::Get::IndexTargets::ReleaseInfo=false", "indextargets", "--format"]
    query += ["$(REPO_URI)\t$(RELEASE)\t$(COMPONENT)", "Created-By: Packages"]
    found = []
    for line in _apt_get([*apt_options, *query], "read the sources of packages").splitlines():
        uri, suite, component = line.split("\t")
        if component == "main" and suite in _SUITES and not uri.startswith("cdrom:"):
            found.append(Mirror(uri, suite))
    # Foreign archives that use Debian's suite names are seldom in a folder of that name.
    return sorted(dict.fromkeys(found), key=lambda mirror: not mirror.uri.rstrip("/").endswith("/debian"))


def machine_keyrings(root: Path = Path("/")) -> list[Path]:
    """The keyring files with Debian's archive keys in a root file system."""
    folder = root / _KEYRINGS
    return [path for path in (folder / f"{_KEYRING_PACKAGE}{end}" for end in (".pgp", ".gpg")) if path.is_file()]


@dataclass(frozen=True)
class PrivateApt:
    """apt for one suite of one mirror; everything it writes is in `folder`, which has to exist."""

    folder: Path
    mirror: str
    suite: str
    keyrings: Sequence[Path]
    options: Sequence[str] = field(default=())

    def download(self, packages: Sequence[str]) -> list[Path]:
        """Gets the packages with all they depend on, and returns the package files, sorted by name.

        Raises UnknownKeyError or PeerError.
        """
        for part in ("state/lists/partial", "cache/archives/partial"):
            (self.folder / part).mkdir(parents=True)
        (self.folder / "status").touch()
        keys = ",".join(map(str, self.keyrings))
        # The target option keeps out what else a machine's configuration makes apt download: file lists, icons.
        (self.folder / "sources.list").write_text(
            f"deb [signed-by={keys} target=Packages] {self.mirror} {self.suite} main\n", encoding="utf-8"
        )
        architecture = native_architecture()
        clears = "".join(f"#clear {name};\n" for name in _HOOKS)
        (self.folder / "apt.conf").write_text(
            f'{clears}APT::Architecture "{architecture}";\nAPT::Architectures {{ "{architecture}"; }};\n',
            encoding="utf-8",
        )
        goal = f"get {self.suite} from {self.mirror}"
        _apt_get([*self._options(), "update"], goal)
        _apt_get([*self._options(), "--yes", "--download-only", "install", *packages], goal)
        return sorted((self.folder / "cache/archives").glob("*.deb"))

    def _options(self) -> list[str]:
        settings = {
            "Dir::Etc::sourcelist": self.folder / "sources.list",
            "Dir::Etc::sourceparts": "/dev/null",
            "Dir::Etc::preferences": "/dev/null",
            "Dir::Etc::preferencesparts": "/dev/null",
            "Dir::State": self.folder / "state",
            "Dir::State::lists": self.folder / "state/lists",
            "Dir::State::status": self.folder / "status",
            "Dir::State::extended_states": self.folder / "extended_states",
            "Dir::Cache": self.folder / "cache",
            "Dir::Cache::archives": self.folder / "cache/archives",
            "Debug::NoLocking": "1",
            "APT::Sandbox::User": "",
            "APT::Default-Release": "",
            "APT::Install-Recommends": "false",
            "APT::Install-Suggests": "false",
            "APT::Keep-Downloaded-Packages": "true",
            "APT::Update::Error-Mode": "any",
            "Acquire::Languages": "none",
            "Acquire::Retries": "3",
            # The release file of a suite that moves may have run out on a mirror that lags; of the others, it has none.
            "Acquire::Check-Valid-Until": "false",
        }
        options = ["-qq", "--config-file", str(self.folder / "apt.conf")]
        for key, value in settings.items():
            options += ["-o", f"{key}={value}"]
        return [*options, *self.options]


def native_architecture() -> str:
    """Debian's name of this machine's architecture."""
    return run_tool(["dpkg", "--print-architecture"], "ask for this machine's architecture").strip()


def newer_keyring(folder: Path, mirror: Mirror, options: Sequence[str]) -> list[Path]:
    """Debian's newest keyring files of the machine's own suite, got into `folder`, trusted by the machine's keyring.

    Debian adds the keys of a new suite to the keyring package of the suites before it.
    """
    (folder / "apt").mkdir(parents=True)
    apt = PrivateApt(folder / "apt", mirror.uri, mirror.suite, machine_keyrings(), options)
    for package in apt.download([_KEYRING_PACKAGE]):
        if package.name.startswith(f"{_KEYRING_PACKAGE}_"):
            run_tool(["dpkg-deb", "--extract", str(package), str(folder)], "unpack Debian's keyring")
    return machine_keyrings(folder)


def run_tool(argv: Sequence[str], goal: str) -> str:
    """Runs one of Debian's tools and returns what it printed; PeerError says in one line why `goal` failed."""
    # Without sbin a user's PATH has no ldconfig.
    environment = os.environ | {"LC_ALL": "C", "PATH": f"{os.environ.get('PATH', os.defpath)}:/usr/sbin:/sbin"}
    try:
        done = subprocess.run(
            argv, env=environment, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False
        )
    except FileNotFoundError as error:
        raise PeerError(f"cannot {goal}: this machine has no {argv[0]} (a Debian system is needed)") from error
    if done.returncode != 0:
        if "NO_PUBKEY" in done.stderr or "Missing key" in done.stderr:
            raise UnknownKeyError(f"cannot {goal}: it is signed with a key that this machine does not know")
        raise PeerError(f"cannot {goal}: {_first_error(done.stderr, argv[0])}")
    return done.stdout


def _apt_get(arguments: Sequence[str], goal: str) -> str:
    return run_tool(["apt-get", *arguments], goal)


def _first_error(stderr: str, tool: str) -> str:
    lines = [" ".join(line.split()) for line in stderr.splitlines() if line.strip()]
    errors = [line.removeprefix("E: ") for line in lines if line.startswith("E: ")]
    return (errors or lines or [f"{tool} failed without a word"])[0]
