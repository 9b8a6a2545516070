# SPDX-License-Identifier: Apache-2.0
"""The two sides of a survey: the words that pmproof is given, and all that can be seen of what will answer."""

import functools
import hashlib
import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from qa.fleet.checking import digests
from qa.peers.error import PeerError
from qa.suite import implementations
from qa.suite.implementations import NotThereError, UsageError
from qa.suite.survey.kinds import Json

_DIGEST = functools.partial(hashlib.blake2b, digest_size=16)
# Below the root of a PCP: its library, and the tool that prints values.
_OF_PCP = ("usr/lib/*/libpcp*.so*", "usr/lib/libpcp*.so*", "usr/lib64/libpcp*.so*", "lib/*/libpcp*.so*", "usr/bin/pmval")


def evidence(sides: Sequence[str], pmproof: str) -> Json:
    """Digests of the files by which the sides answer, as far as they can be seen from here, by side. What an adapter
    imports or connects to is not among them."""
    return {"pmproof": _digests([pmproof]), **{side: _digests(_files(side)) for side in sides}}


def _files(side: str) -> Iterator[str]:
    kind, _, what = side.partition(":")
    if kind == "exec":
        try:
            words = shlex.split(what)
        except ValueError as error:
            raise UsageError(f"{side}: {error}") from error
        yield from ([shutil.which(words[0]) or words[0]] if words else [])
        yield from words[1:]
    elif kind in ("pcp", "tool") and what:
        try:
            root = implementations.peer(what).folder
        except PeerError as error:
            raise NotThereError(f"{side}: {error}") from error
        yield from (str(path) for pattern in _OF_PCP for path in sorted(root.glob(pattern)))


def _digests(files: Iterable[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for file in files:
        if os.path.isfile(file):
            path = os.path.abspath(file)
            found |= {path: digest for digest in digests(path, [Path(path).name], _DIGEST).values()}
    return found
