# SPDX-License-Identifier: Apache-2.0
"""The development tarball: the library, its headers, and what CMake and pkg-config find them by."""

import tempfile
from pathlib import Path

from qa.dist import notices
from qa.dist.error import DistError
from qa.dist.executable import run
from qa.dist.tree import File, gzipped

# The packages of Debian whose code is in the objects. The other libraries are linked by whoever uses this one.
COMPILED_IN = ("libexpected-dev", "libstdc++6", "nlohmann-json3-dev")

_DOCUMENTS = "share/doc/pmproof-dev"
_FOUND_BY = {
    "pmproof-config.cmake": "lib/cmake/pmproof",
    "pmproof-config-version.cmake": "lib/cmake/pmproof",
    "pmproof.pc": "lib/pkgconfig",
}


def files(source: Path, library: Path, version: str) -> "dict[str, File]":
    """Returns the files by their paths in the tarball. `library`: the folder that //qa/dist:library makes.

    Raises DistError.
    """
    headers = sorted(path for path in (library / "include").rglob("*.h") if path.is_file())
    static = library / "lib/libpmproof.a"
    if not headers or not static.is_file():
        raise DistError(f"{library} has no library in it: give what //qa/dist:library makes")
    tree = {path.relative_to(library).as_posix(): File(path.read_bytes()) for path in headers}
    with tempfile.TemporaryDirectory(prefix="pmproof-dist-") as temporary:
        stripped = Path(temporary, static.name)
        run("strip", "--strip-debug", "--enable-deterministic-archives", f"--output-file={stripped}", str(static))
        tree["lib/libpmproof.a"] = File(stripped.read_bytes())
    for name, folder in _FOUND_BY.items():
        text = (source / "qa/dist/development" / name).read_text(encoding="utf-8")
        tree[f"{folder}/{name}"] = File(text.replace("@VERSION@", version).encode())
    for name in ("CMakeLists.txt", "records.cc"):
        tree[f"{_DOCUMENTS}/example/{name}"] = File((source / "qa/dist/example" / name).read_bytes())
    tree[f"{_DOCUMENTS}/copyright"] = File(notices.notices(source / "LICENSE", COMPILED_IN).encode())
    tree[f"{_DOCUMENTS}/CHANGELOG.md.gz"] = File(gzipped((source / "CHANGELOG.md").read_bytes()))
    return tree
