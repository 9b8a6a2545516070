# SPDX-License-Identifier: Apache-2.0
"""PCP's own programs answer as the golden cases of names.parse, help.parse and configuration.parse expect."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from qa.beside_pcp.libpcp import in_peer
from qa.golden import cases
from qa.golden.cases import Json, Request
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_CASES = cases.load_all(Path("golden"), ["pmda/*"])


def requests_of(operation: str) -> list[Request]:
    return [request for case in _CASES for request in case.requests if request.operation == operation]


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def dialect_of(peer: Peer) -> str:
    return "7.2.2" if peer.version.startswith("7") else peer.version


def copied(request: Request, folder: Path) -> Path:
    """The file of a request, with all that lies beside it, where the peer can see it."""
    file = Path(request.source["file"])
    here = folder / file.parent.name
    if not here.exists():
        shutil.copytree(file.parent, here)
    return here / file.name


def identifier(word: str) -> str:
    pmid = int(word, 16)
    return f"{pmid >> 22}.{pmid >> 10 & 0xfff}.{pmid & 0x3ff}"


def blocks(text: str) -> dict[str, list[str]]:
    found = [block.splitlines() for block in text.split("=== ")[1:]]
    return {lines[0]: lines[1:] for lines in found}


def loaded(lines: list[str]) -> list[Json] | None:
    """None: it was refused."""
    if lines[0] != "load 0":
        return None
    found = [line.split() for line in lines[1:] if not line.startswith("children ")]
    return [{"name": name, "pmid": identifier(pmid)} for name, pmid in found]


@pytest.mark.parametrize("allowed", ["many", "one"])
def test_libpcp_loads_the_names(peer: Peer, tmp_path: Path, allowed: str) -> None:  # PMD-300..306
    requests = [request for request in requests_of("names.parse") if not request.args.get("agent")]
    asked = {copied(request, tmp_path): request for request in requests
             if request.args.get("one_name", False) == (allowed == "one")}  # fmt: skip
    script = ""
    for folder in sorted({path.parent for path in asked}):
        files = [path.name for path in asked if path.parent == folder]
        words = in_peer.command(tmp_path, "names", allowed, *files)
        script += f"cd {folder}; echo '+++ {folder}'; {shlex.join(map(str, words))}\n"
    done = peer.run(["sh", "-c", script], [tmp_path], timeout=120, environment=in_peer.environment(tmp_path))
    answers: dict[Path, object] = {}
    for part in done.stdout.split("+++ ")[1:]:
        name_of, _, rest = part.partition("\n")
        answers |= {Path(name_of) / name: loaded(lines) for name, lines in blocks(rest).items()}
    expected = {path: request.expect.get("result", {}).get("names") for path, request in asked.items()}
    assert answers == expected, done.stderr
    assert len(asked) >= (40 if allowed == "many" else 2)


def entries_of(pag: bytes) -> list[tuple[str, str]]:
    """The texts of compiled help (PMD-314)."""
    parts = pag.removeprefix(b"PcPh22\n").split(b"\0")
    pairs = zip(parts[::2], parts[1::2])
    return [(one.removeprefix(b"\n@ ").partition(b" ")[2].decode(), full.decode()) for one, full in pairs]


def test_newhelp_compiles_the_texts(peer: Peer, tmp_path: Path) -> None:  # PMD-310..314
    requests = [request for request in requests_of("help.parse") if dialect_of(peer) in request.dialects]
    asked = [(copied(request, tmp_path), request) for request in requests]
    script = "".join(
        f"cd {path.parent}; /usr/lib/pcp/bin/newhelp -n names -o {path.name}.made {path.name} >&2; echo $?\n"
        for path, _ in asked
    )
    done = peer.run(["sh", "-c", script], writable=[tmp_path], timeout=60, environment={"PCP_DERIVED_CONFIG": ""})
    for (path, request), status in zip(asked, done.stdout.split(), strict=True):
        expected = request.expect["result"]
        assert int(status) == expected["status"], request.title
        pag, directory = (Path(f"{path}.made.{suffix}").read_bytes() for suffix in ("pag", "dir"))
        assert entries_of(pag) == [(entry["oneline"], entry["help"]) for entry in expected["entries"]], request.title
        if request.args.get("compile") == "little":
            assert (directory.hex(), pag.hex()) == (expected["dir"], expected["pag"])
    assert len(asked) > 10


def test_pmcd_refuses_the_same_lines(peer: Peer, tmp_path: Path) -> None:  # PMD-320..323
    requests = [request for request in requests_of("configuration.parse") if request.args["form"] == "pmcd.conf"]
    asked = {copied(request, tmp_path): request.expect["result"]["refused_lines"] for request in requests}
    script = "".join(
        f"echo === {path}; /usr/lib/pcp/bin/pmcd -v -f -c {path} -l /tmp/log -x /tmp/fatal 2>&1; cat /tmp/log 2>/dev/null; rm -f /tmp/log\n"
        for path in asked
    )
    done = peer.run(["sh", "-c", script], [tmp_path], timeout=60)
    found = re.compile(r"pmcd config\[line (\d+)\]: (?:Error|Warning)")
    told = {path: found.findall("\n".join(lines)) for path, lines in blocks(done.stdout).items()}
    assert {Path(path): sorted({int(line) for line in lines}) for path, lines in told.items()} == asked
    assert len(asked) > 5


def test_the_cases_say_what_has_seen_them() -> None:
    for case in _CASES:
        if any(request.operation == "help.parse" for request in case.requests):
            assert json.dumps(case.provenance).count("newhelp") == len(SUITES), case.id
