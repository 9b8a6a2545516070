# SPDX-License-Identifier: Apache-2.0
"""PCP's own programs and the reference read name spaces, help texts and pmcd.conf alike (pmda.md section 14)."""

import os
import random
import re
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from qa.beside_pcp.libpcp import in_peer
from qa.beside_pcp.names import sources
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

_ANSWER = Path(os.environ["ANSWER"])
_NO_DERIVED = {"PCP_DERIVED_CONFIG": ""}


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


def answer(*words: str | Path, folder: Path) -> subprocess.CompletedProcess[str]:
    """The reference's answer, asked in that folder."""
    command = [_ANSWER.absolute(), *words]
    return subprocess.run(command, cwd=folder, capture_output=True, encoding="utf-8", errors="replace", check=False)


def write(folder: Path, texts: Sequence[str]) -> list[str]:
    """Files 000, 001, ... and their names; bytes are as in ISO 8859-1."""
    names = [f"{number:03}" for number in range(len(texts))]
    for name, text in zip(names, texts):
        (folder / name).write_bytes(text.encode("latin-1"))
    return names


def blocks(text: str) -> dict[str, str]:
    return {block.partition("\n")[0]: block.partition("\n")[2] for block in text.split("=== ")[1:]}


def compare_pmns(peer: Peer, folder: Path, names: Sequence[str], allowed: str, expected: int) -> None:
    """Both load each file to the same names or both refuse it; at least `expected` load and as many are refused."""
    command = ["sh", "-c", f'cd {folder} && exec "$@"', "sh", *in_peer.command(folder, "names", allowed, *names)]
    done = peer.run(command, [folder], timeout=300, environment=in_peer.environment(folder))
    theirs = blocks(done.stdout)
    ours = blocks(answer("pmns", allowed, *names, folder=folder).stdout)
    assert list(ours) == list(theirs) == list(names), done.stderr
    differing = [name for name in names if ours[name] != theirs[name]]
    assert differing == [], done.stderr[-1000:] + "\n".join(
        f"{(folder / name).read_text('latin-1')}\nlibpcp: {theirs[name]}reference: {ours[name]}"
        for name in differing[:5]
    )
    loaded = sum(block.startswith("load 0\n") for block in ours.values())
    assert loaded >= expected and len(names) - loaded >= (expected if expected else 0)


@pytest.mark.parametrize("allowed", ["many", "one"])
def test_libpcp_loads_the_same_names(peer: Peer, tmp_path: Path, allowed: str) -> None:  # PMD-300..306
    compare_pmns(peer, tmp_path, write(tmp_path, sources.PMNS), allowed, 15)


def test_libpcp_loads_the_same_random_names(peer: Peer, tmp_path: Path) -> None:  # PMD-300..306
    generator = random.Random(20260101)
    names = write(tmp_path, [sources.random_pmns(generator) for _ in range(400)])
    compare_pmns(peer, tmp_path, names, "many", 40)


def agent_folders(peer: Peer) -> list[Path]:
    """Those of the distribution that have names and help texts as sources."""
    folders = sorted((peer.folder / "usr/lib/pcp/pmdas").iterdir())
    return [path for path in folders if all((path / part).is_file() for part in ("root", "pmns", "help"))]


def numbers_of(peer: Peer) -> dict[str, str]:
    text = (peer.folder / "usr/lib/pcp/pmns/stdpmid.pcp").read_text("latin-1")
    return dict(re.findall(r"^(\w+)\s+(\d+)", text, re.MULTILINE))


def prepare_agents(peer: Peer, folder: Path) -> list[str]:
    """Copies the sources of agents as their installation makes them: with numbers of domains for symbols (PMD-313)."""
    numbers = numbers_of(peer)
    defines = "".join(f"#define {name} {number}\n" for name, number in numbers.items())
    names = []
    for source in agent_folders(peer):
        target = folder / source.name
        target.mkdir()
        (target / "stdpmid").write_text(defines)
        for part in ("root", "pmns", "help"):
            text = (source / part).read_bytes().decode("latin-1")
            if part == "help":
                text = re.sub(r"^(@\s*)(\w+)\.", lambda m: m[1] + numbers.get(m[2], m[2]) + ".", text, flags=re.M)
            (target / part).write_bytes(text.encode("latin-1"))
        names.append(source.name)
    return names


def compile_both(peer: Peer, folder: Path, cases: Sequence[tuple[str, str]]) -> list[int]:
    """Compiles the (name space, help source) of each case by newhelp and by the reference; gives the statuses."""
    limits = "7.2" if peer.version.startswith("7") else "6.0.3"
    script = "".join(
        f"/usr/lib/pcp/bin/newhelp -n {names} -o {source}.theirs {source} >/dev/null 2>&1; echo $?\n"
        for names, source in cases
    )
    done = peer.run(["sh", "-c", f"cd {folder}\n{script}"], writable=[folder], timeout=300, environment=_NO_DERIVED)
    theirs = [int(line) for line in done.stdout.split()]
    ours = [answer("help", names, limits, source, f"{source}.ours", folder=folder) for names, source in cases]
    assert len(theirs) == len(cases), done.stderr
    for (_, source), their_status, done_here in zip(cases, theirs, ours):
        told = f"{source}: {(folder / source).read_bytes()[:3000]!r}\n{done_here.stderr}"
        assert done_here.returncode == their_status, told
        for suffix in ("pag", "dir"):
            mine, real = ((folder / f"{source}.{whose}.{suffix}").read_bytes() for whose in ("ours", "theirs"))
            assert mine == real, told
    return theirs


def test_newhelp_compiles_to_the_same_bytes(peer: Peer, tmp_path: Path) -> None:  # PMD-310..314, T46
    (tmp_path / "names").write_text(sources.HELP_NAMES)
    statuses = compile_both(peer, tmp_path, [("names", source) for source in write(tmp_path, sources.HELP)])
    assert {0, 1, 2} == set(statuses)


def test_newhelp_compiles_random_sources_to_the_same_bytes(peer: Peer, tmp_path: Path) -> None:  # PMD-310..314
    (tmp_path / "names").write_text(sources.HELP_NAMES)
    generator = random.Random(20260101)
    names = write(tmp_path, [sources.random_help(generator) for _ in range(300)])
    assert {0, 1, 2} == set(compile_both(peer, tmp_path, [("names", source) for source in names]))


def test_names_and_help_of_the_distributions_agents_are_read(peer: Peer, tmp_path: Path) -> None:  # PMD-300..314
    agents = prepare_agents(peer, tmp_path)
    assert len(agents) >= 20
    compare_pmns(peer, tmp_path, [f"{agent}/root" for agent in agents], "many", 0)
    roots = blocks(answer("pmns", "many", *(f"{agent}/root" for agent in agents), folder=tmp_path).stdout)
    read = [agent for agent in agents if roots[f"{agent}/root"].startswith("load 0\n")]
    assert len(read) >= 20
    assert compile_both(peer, tmp_path, [(f"{agent}/root", f"{agent}/help") for agent in read]).count(0) >= 20


def test_whole_name_spaces_of_the_distribution_are_read(peer: Peer, tmp_path: Path) -> None:  # PMD-300..306
    found = sorted((peer.folder / "usr/lib/pcp/pmns").glob("root_*"))
    assert len(found) >= 5
    defines = "".join(f"#define {name} {number}\n" for name, number in numbers_of(peer).items())
    (tmp_path / "stdpmid").write_text(defines)
    for path in found:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    compare_pmns(peer, tmp_path, [path.name for path in found], "many", 0)


def test_pmcd_finds_errors_on_the_same_lines(peer: Peer, tmp_path: Path) -> None:  # PMD-320..323
    names = write(tmp_path, sources.CONF)
    script = "".join(
        f"echo === {name}; /usr/lib/pcp/bin/pmcd -v -f -c {name} -l /tmp/log -x /tmp/fatal 2>&1; "
        "cat /tmp/log 2>/dev/null; rm -f /tmp/log\n"
        for name in names
    )
    done = peer.run(["sh", "-c", f"cd {tmp_path}\n{script}"], [tmp_path], timeout=300)
    theirs = {
        name: {int(line) for line in re.findall(r"pmcd config\[line (\d+)\]: (?:Error|Warning)", block)}
        for name, block in blocks(done.stdout).items()
    }
    lines = [line.partition(":") for line in answer("conf", *names, folder=tmp_path).stdout.splitlines()]
    ours = {name: {int(number) for number in numbers.split()} for name, _, numbers in lines}
    assert list(theirs) == names
    differing = [f"{text}\npmcd: {theirs[name]} reference: {ours[name]}"
                 for name, text in zip(names, sources.CONF) if ours[name] != theirs[name]]  # fmt: skip
    assert differing == []
    assert sum(bool(numbers) for numbers in theirs.values()) > 25


def test_pmcd_starts_the_same_commands(peer: Peer, tmp_path: Path) -> None:  # PMD-320
    agent = tmp_path / "agent"
    agent.write_text('#!/bin/sh\n{ for word; do printf "%s|" "$word"; done; echo; } >>/tmp/words\n')
    agent.chmod(0o755)
    lines = (f"a{number} {number} pipe binary {agent} {words}\n" for number, words in enumerate(sources.ARGUMENTS, 1))
    conf = "".join(lines)
    (tmp_path / "conf").write_bytes(conf.encode())
    (tmp_path / "names").write_text("root { a 1:2:3 }\n")
    script = f"""/usr/lib/pcp/bin/pmcd -f -n {tmp_path}/names -c {tmp_path}/conf -l /tmp/log -U root -s /tmp/socket &
        for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
          [ "$(grep -c '|$' /tmp/words 2>/dev/null)" = {len(sources.ARGUMENTS)} ] && break; sleep 0.5
        done; kill $!; cat /tmp/words"""
    done = peer.run(["sh", "-c", script], [tmp_path], timeout=60)
    ours = answer("commands", "conf", folder=tmp_path).stdout.replace(f"{agent}|", "")
    assert sorted(done.stdout.split("\n")) == sorted(ours.split("\n")), done.stderr
    assert ours.count("\n") == len(sources.ARGUMENTS)


def test_the_register_of_domains_is_read(peer: Peer, tmp_path: Path) -> None:  # pmda.md 14.4
    folder = peer.folder / "usr/lib/pcp/pmns"
    done = answer("register", folder / "stdpmid.pcp", folder / "stdpmid.local", folder=tmp_path)
    count, *problems = done.stdout.splitlines()
    assert int(count) > 100 and problems == []
