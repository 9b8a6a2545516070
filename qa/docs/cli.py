# SPDX-License-Identifier: Apache-2.0
"""The command line of qa/docs/build."""

import argparse
import functools
import http.server
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from qa.docs import site

_ROOT = Path(__file__).resolve().parents[2]
_EPILOG = """\
Installs what is missing (qa/setup --docs). Nothing is fetched when the site is made or looked at. Its search needs a server, such as that of --serve.
Status: 0 done; 1 a page is wrong (a link that leads nowhere, for example), or mkdocs cannot be had; 2 wrong usage.
"""


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="build",
        description="Makes a searchable site of README.md, docs/, the specification and the pages that they link to.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    default = _ROOT / "bazel-site"
    parser.add_argument("--output", type=Path, default=default, metavar="DIR", help="where to (default: bazel-site); replaced if it is there")
    parser.add_argument("--serve", type=int, nargs="?", const=8000, metavar="PORT", help="then serve it on this machine (port 8000)")
    options = parser.parse_args(arguments)
    out: Path = options.output.absolute()
    if out.exists() and not (out / "search/search_index.json").is_file() and any(out.iterdir()):
        parser.error(f"{out} is no site, and not empty")
    if subprocess.run([_ROOT / "qa/setup", "--docs"], check=False).returncode != 0:
        return 1
    with tempfile.TemporaryDirectory() as work:
        made = Path(work, "site")
        try:
            pages = site.make(_ROOT, Path(work), made)
        except site.BrokenSite as error:
            print(f"build: {error}", file=sys.stderr)
            return 1
        shutil.rmtree(out, ignore_errors=True)
        shutil.move(made, out)
    print(f"{out}: {pages} pages")
    if options.serve is not None:
        _serve(out, options.serve)
    return 0


def _serve(folder: Path, port: int) -> None:
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", port), handler) as server:
        print(f"http://127.0.0.1:{server.server_port}/index.html (stop it with Ctrl-C)", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
