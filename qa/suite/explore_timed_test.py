# SPDX-License-Identifier: Apache-2.0
"""Archives whose times are hard for a reader, definitions that refer to each other, and what `suite explore` asks about them."""

import os
import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from qa.adapters.process import Stop
from qa.adapters.protocol import Messages
from qa.adapters.testee import Limits, Testee
from qa.suite.explore import definitions, timed_scenes
from qa.suite.explore.archive_scenes import Programs
from qa.suite.explore.exploration import Maker
from qa.suite.explore.scene import Ask, Variants
from qa.suite.explore.timed_archives import set_of

PMPROOF = os.path.abspath(os.environ["PMPROOF"])
_VERSIONS = ["6.0.3", "6.3.8", "7.2.2"]
_WANTS = Variants(
    frozenset({"replay.raw", "replay.interp", "derive.eval", "derive.parse", "archive.labels"}), ["pcp-legacy", "pcp-6.3.2", "documented"], _VERSIONS, emulates=_VERSIONS
)


@pytest.fixture(name="reference")
def fixture_reference() -> Iterator[Testee]:
    with Testee("reference", lambda: [PMPROOF, "testee"], Limits(), messages=Messages(), stop=Stop()) as reference:
        reference.start()
        yield reference


def _asks(number: int, folder: Path, wants: Variants = _WANTS) -> list[Ask]:
    folder.mkdir()
    return timed_scenes.timed("1", number, wants, folder).asks


def test_the_same_seed_asks_the_same(tmp_path: Path) -> None:
    one, other = (_asks(7, tmp_path / name) for name in ("one", "other"))
    assert one == other and len(one) > 20
    files = [sorted(path.relative_to(tmp_path / name) for path in (tmp_path / name).rglob("*")) for name in ("one", "other")]
    assert files[0] == files[1] and all((tmp_path / "one" / path).read_bytes() == (tmp_path / "other" / path).read_bytes() for path in files[0] if path.suffix)


def test_an_archive_without_faults_breaks_no_rule(reference: Testee, tmp_path: Path) -> None:
    for number in range(60):
        for place, member in enumerate(set_of(random.Random(number), 3, unsound=False)):
            assert not member.odd
            for part, content in member.files.items():
                (tmp_path / f"{number}-{place}.{part}").write_bytes(content)
            answer = reference.run("archive.validate", {"path": str(tmp_path / f"{number}-{place}")}, {"least": "error"})
            assert answer.kind == "result" and answer.body["findings"] == [], (number, answer)
        answer = reference.run("archive.validate", {"paths": [str(tmp_path / f"{number}-{place}") for place in range(3)]}, {"least": "error"})
        assert answer.body["findings"] == [], number


def test_pcp_is_not_asked_about_them() -> None:  # INT-310
    about = {wants.unsound: Maker(Programs(PMPROOF, ""), "1", wants) for wants in (_WANTS, replace(_WANTS, unsound=False))}
    assert "timed" in about[True]._kinds and about[False].is_possible and "timed" not in about[False]._kinds


def test_sets_keep_their_direction_and_are_not_emulated(tmp_path: Path) -> None:  # INT-905, INT-1408
    met: Counter[str] = Counter()
    for number in range(8):
        for ask in _asks(number, tmp_path / str(number)):
            is_set = "paths" in ask.source
            seeks = [fetch["interval"] for fetch in ask.args.get("fetches", ()) if "interval" in fetch]
            turns = len({one.startswith("-") for one in seeks}) > 1
            assert not (is_set and (turns or "emulate" in ask.args))
            met.update([ask.operation, f"{len(ask.source.get('paths', [0]))} archives"])
            met.update(word for word in ("emulate", "fetches", "raw", "instances", "counter_wrap") if word in ask.args)
            met["turns"] += turns
    assert set(met) >= {*_WANTS.operations, "1 archives", "2 archives", "3 archives", "emulate", "fetches", "raw", "instances", "counter_wrap"} and met["turns"]
    of_nobody = _asks(0, tmp_path / "nobody", replace(_WANTS, emulates=()))
    assert of_nobody and not any("emulate" in ask.args for ask in of_nobody)


def test_what_readers_decide_is_met_and_nothing_is_no_request(reference: Testee, tmp_path: Path) -> None:
    met: Counter[str] = Counter()
    for number in range(24):  # about as many as there are among 10,000 requests
        folder = tmp_path / str(number)
        for ask in _asks(number, folder):
            answer = reference.run(ask.operation, ask.source_in(folder), ask.args)
            assert answer.kind in ("result", "reject", "skip"), (ask, answer)
            met[f"{ask.operation} {answer.body.get('class', answer.kind)}"] += 1
            for fetch in answer.fetches if answer.kind == "result" and "fetches" in answer.body else ():
                told = [metric["status"] for metric in fetch.get("metrics", ())] + [fetch["status"]]
                met.update(f"{ask.operation} {status}" for status in told)
            if ask.operation == "derive.eval":
                met.update(re.findall(r'"(inf|5e-324)"', str(answer.body).replace("'", '"')))
    wanted = ["set.overlap", "-12401", "-12373", "-12370"]
    assert set(met) >= {*(f"replay.raw {one}" for one in wanted), "replay.interp -12373", "replay.interp -12370", "derive.eval set.overlap", "replay.interp skip", "inf"}, met


def test_definitions_refer_to_what_is_before_them(reference: Testee, tmp_path: Path) -> None:  # DER-213: a circle is undefined
    member = next(one for seed in range(99) for one in set_of(random.Random(seed), 1, unsound=False) if one.metrics[0].type < 6)
    for part, content in member.files.items():
        (tmp_path / f"a.{part}").write_bytes(content)
    met: Counter[str] = Counter()
    for number in range(400):
        dialect = _VERSIONS[number % 3]
        told = definitions.of(random.Random(number), dialect, ["m.n0"])
        for place, one in enumerate(told):
            named = set(re.findall(r"[xy](?:\.[a-c])+", one["expression"]))
            assert named <= {str(other["name"]) for other in told[:place]} - {one["name"]}, told
        answer = reference.run("derive.parse", {"path": str(tmp_path / "a")}, {"definitions": told, "dialect": dialect})
        assert answer.kind == "result", answer
        met.update(str(one.get("message") or one.get("stage", "ok")).partition(":")[0] for one in answer.body["definitions"])
    assert set(met) >= {"ok", "Duplicate global derived metric name", "Illegal nested derived metric", "Metadata for operand metric not available"}, met
