# SPDX-License-Identifier: Apache-2.0
"""Real libpcp takes, binds and evaluates expressions as the reference does: a small run of qa/beside_pcp/derived/run.

What goes wrong is found out: another version's answers differ, and a death is that of its expression.
"""

import ast
import os
from pathlib import Path

import pytest

from qa.beside_pcp.derived import cli, questions
from qa.beside_pcp.derived.compare import Comparison, compare
from qa.beside_pcp.derived.libpcp import Libpcp
from qa.beside_pcp.derived.questions import Programs
from qa.beside_pcp.derived.survey import Chunk, Setting, Worker
from qa.beside_pcp.libpcp import in_peer
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

PROGRAMS = Programs(Path(os.environ["PMPROOF"]), Path(os.environ["EXPRESSIONS"]))
_COUNT = 1000


@pytest.fixture(params=SUITES, name="peer")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_libpcp_and_the_reference_agree(peer: Peer, number: int, tmp_path: Path) -> None:
    worker = Worker(Setting(PROGRAMS, (peer.version,), tmp_path))
    try:
        found = worker.run(Chunk(peer.version, 1, number, _COUNT)).found
    finally:
        worker.close()
    assert found.unexplained == []
    assert found.expressions >= _COUNT
    assert found.bound > _COUNT / 3
    assert found.refused.total() > _COUNT / 10
    assert found.unbound.total() > _COUNT / 10
    assert found.values > 5 * _COUNT


def test_the_answers_of_another_version_differ(peer: Peer, tmp_path: Path) -> None:
    other = "6.0.3" if peer.version != "6.0.3" else "7.2.2"
    archive = questions.make_archive(PROGRAMS.pmproof, tmp_path, "1/3", "6.0.3")
    found = Comparison()
    with Libpcp(peer, tmp_path) as library:
        for batch in questions.batches(PROGRAMS.expressions, archive, other, 1, 300):
            for expression in batch["expressions"]:
                expression.pop("emulated", None)  # some would crash
            found.add(compare(peer.version, batch, library.ask(questions.request_of(archive, batch))))
    assert len(found.unexplained) > 5


# Stands in for libpcp: dies of the third expression, in the midst of others.
_DYING = """
import os, signal
from qa.beside_pcp.libpcp import expressions
def work(numbers):
    for number in numbers:
        if number == 2:
            os.kill(os.getpid(), signal.SIGKILL)
    for number in numbers:
        yield number, {"values": str(number)}
examination = expressions.Examination({"expressions": [{}] * 5})
examination._together("global", [0, 1, 2, 3, 4], work)
print(examination._answers)
"""


def test_a_death_is_that_of_its_expression(peer: Peer, tmp_path: Path) -> None:
    in_peer.command(tmp_path, "expressions")  # copies it
    command = ["python3", "-B", "-c", _DYING]
    done = peer.run(command, [tmp_path], timeout=60, environment=in_peer.environment(tmp_path))
    fine: list[object] = [{"values": str(number), "global": {}} for number in range(5)]
    fine[2] = {"global": {"died": "signal 9"}}
    assert ast.literal_eval(done.stdout) == fine


def test_the_command_runs_and_goes_on(peer: Peer, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--expressions", "50", "--versions", peer.suite, "--jobs", "1", "--keep", str(tmp_path / "kept")]
    words += ["--pmproof", str(PROGRAMS.pmproof), "--generator", str(PROGRAMS.expressions)]
    words += ["--output", str(tmp_path / "result.json")]
    assert cli.main(words) == 0
    table = capsys.readouterr().out
    assert "| **unexplained** | 0 |" in table
    assert cli.main(words) == 0  # nothing is left to do
    assert capsys.readouterr().out.splitlines()[2:] == table.splitlines()[2:]
    assert cli.main([*words, "--seed", "2"]) == 2
