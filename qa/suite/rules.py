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

SIDES = ("--baseline", "--candidate")
_KINDS = ("pcp:", "tool:")


def run(words: Sequence[str]) -> int:
    """The exit status of pmproof, asked what follows `suite rules`. Raises UsageError and NotThereError."""
    if words[:1] == ["bisect"]:
        return _bisect(words)
    if words[:1] == ["diff"]:
        return _pmproof("rules", _resolved(words))
    raise UsageError(
        "suite rules diff --baseline SIDE --candidate SIDE ARCHIVE..., suite rules bisect IMPLEMENTATION [ARCHIVE...], or suite rules survey; "
        "see pmproof rules diff --help, pmproof rules bisect --help, suite rules survey --help"
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
        if option not in SIDES or (not equals and (side := next(left, "")) == ""):
            resolved.append(word)
            continue
        has_name = any(other.partition("=")[0] == f"{option}-name" for other in words)
        resolved += side_words(option, side, folders, None if has_name else side)
    return resolved


def side_words(option: str, side: str, folders: Sequence[Path], name: str | None) -> list[str]:
    """The words of pmproof for a side that sees the archives in `folders`, and for its `name`, which needs none where
    pmproof knows the side itself. Raises UsageError and NotThereError."""
    if not side.startswith(_KINDS) and side != "reference":  # what pmproof knows itself, or refuses
        return [option, side]
    words = [option, "exec:" + shlex.join(implementations.adapter(side, folders))]
    return words + ([f"{option}-name", name] if name is not None else [])


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
