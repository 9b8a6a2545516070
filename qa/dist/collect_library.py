# SPDX-License-Identifier: Apache-2.0
"""Puts the objects and headers of library.bzl into one folder."""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
# Bazel's folders of what is made for one target: bazel-out/CONFIGURATION/bin/PACKAGE/_objs/TARGET/NAME.o.
_PLACE = re.compile(r"^bazel-out/[^/]+/bin/|/?_objs(?=/)")


def main(arguments: "list[str]") -> int:
    parser = argparse.ArgumentParser(fromfile_prefix_chars="@")
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--object", type=Path, action="append", default=[], dest="objects")
    parser.add_argument("--known", action="append", default=[], help="PATH=FILE: the header that is included by that path")
    parser.add_argument("--header", action="append", default=[], dest="headers")
    given = parser.parse_args(arguments)
    known = {path: Path(file) for path, _, file in (each.partition("=") for each in given.known)}
    try:
        headers = included(given.headers, known)
    except KeyError as error:
        print(f"collect_library: {error.args[0]} is in none of the deps", file=sys.stderr)
        return 1
    for path in headers:
        to = given.into / "include/pmproof" / path
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_bytes(known[path].read_bytes())
    (given.into / "lib").mkdir(parents=True)
    archive(given.objects, given.into / "lib/libpmproof.a")
    return 0


def included(headers: "list[str]", known: Mapping[str, Path]) -> "list[str]":
    """Returns the headers and all that they include, sorted.

    Raises KeyError with the path of one that is not known.
    """
    found: set[str] = set()
    left = list(headers)
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += _INCLUDE.findall(known[path].read_text(encoding="utf-8"))
    return sorted(found)


def archive(objects: "list[Path]", into: Path) -> None:
    """Writes an archive without times and owners. Each member has a name of its own, which says where it is from."""
    with tempfile.TemporaryDirectory() as temporary:
        members = []
        for path in sorted(objects):
            member = Path(temporary, _PLACE.sub("", path.as_posix()).replace("/", "-"))
            member.symlink_to(path.resolve())
            members.append(member)
        if len(set(members)) != len(members):
            raise ValueError("two objects of one name")
        subprocess.run(["ar", "qcsD", into, *members], check=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
