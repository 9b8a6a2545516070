# SPDX-License-Identifier: Apache-2.0
"""`suite rules diff`, `suite rules bisect` and `suite derive diff`: those of pmproof with the implementations that are
known here by name.

pmproof itself starts adapters by their command (exec:COMMAND). What pcp: and tool: mean is said in one place,
implementations.py: the command behind the name is put in its place, and the name stays in the report.
"""

import glob
import shlex
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from qa.suite import implementations
from qa.suite.implementations import UsageError

_SIDES = ("--baseline", "--candidate")
_KINDS = ("pcp:", "tool:")


def run(words: Sequence[str]) -> int:
    """The exit status of pmproof, asked what follows `suite rules`. Raises UsageError and NotThereError."""
    if words[:1] == ["bisect"]:
        return _bisect(words)
    if words[:1] == ["diff"]:
        return _pmproof("rules", _resolved(words))
    raise UsageError(
        "suite rules diff --baseline SIDE --candidate SIDE ARCHIVE..., or suite rules bisect IMPLEMENTATION [ARCHIVE...]; "
        "see pmproof rules diff --help, pmproof rules bisect --help"
    )


def derive(words: Sequence[str]) -> int:
    """Likewise, of what follows `suite derive`."""
    if words[:1] != ["diff"]:
        raise UsageError("suite derive diff --baseline SIDE --candidate SIDE --derived-config PATH ARCHIVE...; see pmproof derive diff --help")
    return _pmproof("derive", _resolved(words))


def _pmproof(group: str, words: Sequence[str]) -> int:
    done = subprocess.run([implementations.pmproof(), group, *words], check=False)
    return done.returncode if done.returncode >= 0 else 128 - done.returncode


def _bisect(words: Sequence[str]) -> int:
    """The first word that names an implementation is the one that is asked. It sees the folder of generated archives."""
    with tempfile.TemporaryDirectory(prefix="pmproof-bisect-") as scratch:
        folders = list(dict.fromkeys([Path(scratch), *_folders(words)]))
        place = next((i for i, word in enumerate(words) if word.startswith(_KINDS) or word == "reference"), None)
        if place is None:  # what pmproof knows itself, or refuses
            return _pmproof("rules", words)
        name = words[place]
        command = "exec:" + shlex.join(implementations.adapter(name, folders))
        resolved = [*words[:place], command, *words[place + 1 :]]
        if not any(word.partition("=")[0] == "--name" for word in words):
            resolved += ["--name", name]
        if not any(word.partition("=")[0] == "--scratch" for word in words):
            resolved += ["--scratch", scratch]
        return _pmproof("rules", resolved)


def _resolved(words: Sequence[str]) -> list[str]:
    folders = list(dict.fromkeys(_folders(words)))
    resolved: list[str] = []
    left = iter(words)
    for word in left:
        option, equals, side = word.partition("=")
        if option not in _SIDES or (not equals and (side := next(left, "")) == ""):
            resolved.append(word)
            continue
        if side.startswith(_KINDS) or side == "reference":
            resolved += [option, "exec:" + shlex.join(implementations.adapter(side, folders))]
            if not any(other.partition("=")[0] == f"{option}-name" for other in words):
                resolved += [f"{option}-name", side]
        else:  # what pmproof knows itself, or refuses
            resolved += [option, side]
    return resolved


def _folders(words: Sequence[str]) -> Iterator[Path]:
    """Those of the archives, which an implementation with a file system of its own has to see. A word that happens to
    name one too does no harm: what is shown is not written to."""
    for word in words:
        for name in word.split(","):
            path = Path(name)
            if name and path.is_dir():
                yield path
            elif name and not name.startswith("-") and (path.exists() or glob.glob(f"{glob.escape(name)}.*")):
                yield path.parent
