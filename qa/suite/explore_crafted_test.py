# SPDX-License-Identifier: Apache-2.0
"""Archives made field by field, and what `suite explore` asks about them."""

import os
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from qa.adapters.process import Stop
from qa.adapters.protocol import Messages
from qa.adapters.testee import Limits, Testee
from qa.suite.explore import crafted_scenes
from qa.suite.explore.crafted.archive import Crafted
from qa.suite.explore.crafted.dice import Dice, word
from qa.suite.explore.crafted.many import Many
from qa.suite.explore.crafted.metadata import DOMAINS, NULL, PMIDS, Metric, framed
from qa.suite.explore.crafted.storage import stored
from qa.suite.explore.pair import Pair
from qa.suite.explore.scene import CLAUSES, Ask, Json, Variants

PMPROOF = os.path.abspath(os.environ["PMPROOF"])
_ARCHIVES = 1500
_RULES = 235  # of the 260 and more that there are


@pytest.fixture(name="reference")
def fixture_reference() -> Iterator[Testee]:
    with Testee("reference", lambda: [PMPROOF, "testee"], Limits(), messages=Messages(), stop=Stop()) as reference:
        reference.start()
        yield reference


def _found(reference: Testee, folder: Path, made: Crafted) -> list[tuple[str, str]]:
    for file in folder.glob("c.*"):
        file.unlink()
    for part, content in made.files.items():
        (folder / f"c.{part}").write_bytes(content)
    answer = reference.run("archive.validate", {"path": str(folder / "c")}, {"least": "info"})
    assert answer.kind == "result", answer
    return [(one["rule"], one["severity"]) for one in answer.body["findings"]]


def test_the_same_chance_makes_the_same_archive() -> None:
    for seed in range(100):
        one, other = (Crafted.of(random.Random(seed)) for _ in range(2))
        assert one.files == other.files and "meta" in one.files


def test_an_archive_without_mistakes_is_sound_and_nearly_all_rules_are_broken_by_the_others(reference: Testee, tmp_path: Path) -> None:
    rules: Counter[str] = Counter()
    sound = 0
    for number in range(_ARCHIVES):
        made = Crafted.of(random.Random(f"rules/{number}"))
        found = _found(reference, tmp_path, made)
        rules.update(rule for rule, _ in found)
        if made.dice.wrong == made.focus[1].wrong == 0 and 10**9 < made.begin // 10**9 < 18 * 10**8:
            assert [one for one in found if one[1] != "info"] == [], number
            sound += 1
    assert sound > 100
    assert len(rules) >= _RULES, sorted(rules)
    # Each needs more than one field to be as it is.
    for rule in ("ARC-1111", "ARC-1421", "ARC-1511", "ARC-1530", "ARC-1711", "ARC-1716", "ARC-1819", "ARC-1920"):
        assert rules[rule] > 0, rule


def _of_many(chance: random.Random, wrong: float) -> tuple[Crafted, list[dict[int, str]]]:
    """An archive of one domain, with a record of it for each of eight seconds; and the instances after each."""
    dice = Dice(chance, wrong)
    metric = Metric(PMIDS[0], 1, DOMAINS[0], 3, 0, (b"m",))
    made = Crafted(Dice(chance, 0.0), ("", dice), chance.choice((2, 3)), [metric], 1_700_000_000 * 10**9, b"host", b"UTC")
    many = Many(dice, made.version, chance.random() < 0.3, wrong > 0 and chance.random() < 0.5)
    meta, states = made.label(-1) + metric.record(made.dice), []
    for second in range(8):
        meta += many.next(made.time(made.begin + 10**9 * second) + word(DOMAINS[0]), 0.3 if wrong else 0.0)[0]
        states.append({number: name.decode("latin-1") for number, name in many.now})
    made.files["meta"] = meta
    made.files["0"] = made.label(0) + framed(made.time(made.begin) + word(1) + word(metric.pmid) + word(0))
    return made, states


def test_domains_of_many_instances_change_without_a_mistake_or_with_one(reference: Testee, tmp_path: Path) -> None:
    """Each rule on them (ARC-14xx) is broken by some, in records that are full or deltas; ARC-1423 and ARC-1429 are notes."""
    for number in range(60):
        found = {rule for rule, _ in _found(reference, tmp_path, _of_many(random.Random(f"sound/{number}"), 0.0)[0]) if rule.startswith("ARC-14")}
        assert found <= {"ARC-1423"}, number
    rules: Counter[str] = Counter()
    for number in range(600):
        rules.update({rule for rule, _ in _found(reference, tmp_path, _of_many(random.Random(f"many/{number}"), 0.5)[0])})
    for rule in ("04", "08", "09", "10", "11", "15", "16", "19", "20", "21", "23", "24", "25", "27", "29", "31"):
        assert rules[f"ARC-14{rule}"] > 0, (rule, sorted(rules))


def test_the_instances_of_a_domain_of_many_are_those_that_its_records_lead_to(reference: Testee, tmp_path: Path) -> None:
    """Also where deltas change so many that readers make the state anew (ARC-372)."""
    for number in range(40):
        made, states = _of_many(random.Random(f"state/{number}"), 0.0)
        _found(reference, tmp_path, made)
        for second, expected in enumerate(states):
            answer = reference.run("archive.indom", {"path": str(tmp_path / "c")}, {"indom": "29.0", "time": str(made.begin // 10**9 + second)})
            assert {one["instance"]: one["name"] for one in answer.body["instances"]} == expected, (number, second)


def test_one_that_follows_goes_on_with_the_same_metrics(reference: Testee, tmp_path: Path) -> None:
    rules: Counter[str] = Counter()
    before = Crafted.of(random.Random("first"))
    for number in range(300):
        made = Crafted.of(random.Random(f"next/{number}"), before)
        paths = []
        for name, one in (("a", before), ("b", made)):
            for file in tmp_path.glob(f"{name}.*"):
                file.unlink()
            for part, content in one.files.items():
                (tmp_path / f"{name}.{part}").write_bytes(content)
            paths.append(str(tmp_path / name))
        answer = reference.run("archive.validate", {"paths": paths}, {"least": "info"})
        rules.update(one["rule"] for one in answer.body["findings"] if one["rule"].startswith("ARC-21"))
        before = made if made.dice.wrong < 0.2 else before
    assert len(rules) >= 5, rules


def test_what_is_stored_by_all_ways_is_read(reference: Testee, tmp_path: Path) -> None:
    made = next(one for one in (Crafted.of(random.Random(seed)) for seed in range(100)) if one.dice.wrong == one.focus[1].wrong == 0)
    endings: set[str] = set()
    for seed in range(20):
        for file in tmp_path.glob("c.*"):
            file.unlink()
        files = stored(Dice(random.Random(seed), 0.0), made.files)
        endings |= {name.rpartition(".")[2] for name in files}
        for name, content in files.items():
            (tmp_path / f"c.{name}").write_bytes(content)
        answer = reference.run("archive.decode", {"path": str(tmp_path / "c")}, {})
        assert answer.kind == "result", answer
    assert endings >= {"gz", "bz2", "xz", "zst"}


def test_what_is_no_file_is_found_among_the_files(reference: Testee, tmp_path: Path) -> None:
    """ARC-1016: folders, links that lead nowhere or to themselves; those that lead to another file are read."""
    wants = Variants(frozenset({"archive.validate"}), [], [])
    met: Counter[str] = Counter()
    for number in range(20):
        folder = tmp_path / str(number)
        folder.mkdir()
        for ask in crafted_scenes.crafted("odd", number, wants, folder, reference.run).asks:
            met["refused"] += reference.run(ask.operation, ask.source_in(folder), ask.args).body.get("class") == "files.unreadable"
        for file in folder.glob("*/*"):
            met["folder"] += file.is_dir() and not file.is_symlink()
            met["nowhere"] += file.is_symlink() and os.readlink(file) == "nowhere"
            met["itself"] += file.is_symlink() and os.readlink(file) == file.name
            met["file"] += file.is_symlink() and file.is_file()
    assert all(met[one] > 0 for one in ("refused", "folder", "nowhere", "itself", "file")), met


def test_a_type_below_minus_1_is_described(reference: Testee, tmp_path: Path) -> None:
    """Where nobody knows it: the schema of the protocol takes its number."""
    made = next(one for one in (Crafted.of(random.Random(seed)) for seed in range(100)) if one.dice.wrong == one.focus[1].wrong == 0)
    metric = made.metrics[0]
    meta = made.files["meta"].replace(word(metric.pmid) + word(metric.type), word(metric.pmid) + word(-2), 1)
    for part, content in {**made.files, "meta": meta}.items():
        (tmp_path / f"c.{part}").write_bytes(content)
    answer = reference.run("archive.describe", {"path": str(tmp_path / "c")}, {})
    assert answer.kind == "result", answer
    assert "type--2" in [one["descriptor"]["type"] for one in answer.body["metrics"]]


def test_each_archive_is_checked_and_sound_ones_are_asked_about_more(reference: Testee, tmp_path: Path) -> None:
    wants = Variants(frozenset(reference.hello["capabilities"]), ["documented"], ["7.2.2"])
    met: Counter[str] = Counter()
    for number in range(3):
        folder = tmp_path / str(number)
        folder.mkdir()
        scene = crafted_scenes.crafted("1", number, wants, folder, reference.run)
        assert scene.asks == crafted_scenes.crafted("1", number, wants, _new(tmp_path / f"again-{number}"), reference.run).asks
        for ask in scene.asks:
            answer = reference.run(ask.operation, ask.source_in(folder), ask.args)
            met[f"{ask.operation} {answer.kind}"] += 1
            met["a set"] += "paths" in ask.source
    assert not any(kind in what for what in met for kind in ("error", "crash", "protocol")), met
    for what in ("archive.validate result", "archive.decode result", "archive.decode reject", "archive.write result", "archive.labels result", "replay.raw result", "a set"):
        assert met[what] > 0, (what, met)


def _new(folder: Path) -> Path:
    folder.mkdir()
    return folder


def test_an_answer_that_is_longer_than_the_protocol_takes_is_not_judged(reference: Testee, tmp_path: Path) -> None:
    """Names share their bytes: 40 MB of them in 70 KB."""
    made = next(one for one in (Crafted.of(random.Random(f"long/{number}")) for number in range(100)) if one.version == 3 and one.dice.wrong == one.focus[1].wrong == 0)
    count, length = 8000, 5000
    body = word(5) + made.time(made.begin) + word(DOMAINS[0]) + word(count) + b"".join(map(word, range(count))) + b"".join(word(one % 9) for one in range(count))
    (tmp_path / "c").mkdir()
    for part, content in made.files.items():
        (tmp_path / "c" / f"c.{part}").write_bytes(content + (framed(body + b"a" * length + b"\0") if part == "meta" else b""))
    asked: list[tuple[str, Json]] = [("archive.decode", {}), ("archive.indom", {"indom": "29.0", "time": "1900000000"})]
    for operation, args in asked:
        expected = reference.run(operation, {"path": str(tmp_path / "c/c")}, args)
        assert expected.kind == "error", expected
        with Testee("testee", lambda: [PMPROOF, "testee"], Limits(), stop=Stop()) as testee:
            judged = Pair(reference, testee, None).judge(Ask(operation, {"path": "c/c"}, args, CLAUSES[operation]), tmp_path)
        assert (judged.verdict, judged.expected.kind) == ("aside", "error"), judged
        assert "longer than" in judged.why


def test_limits_that_chance_alone_seldom_meets_are_met() -> None:
    """ARC-1529, ARC-1505, ARC-1004, ARC-1807: numbers beyond a double that begin with 0, sets of as many labels as readers take and one more, files of one byte, domains without a record."""
    met: Counter[str] = Counter()
    for number in range(3000):
        made = Crafted.of(random.Random(f"limits/{number}"))
        meta = made.files["meta"]
        met["zero"] += b"0.1e310" in meta
        met["255"] += b'"l254":1}' in meta and b'"l255"' not in meta
        met["256"] += b'"l255":1}' in meta
        met["byte"] += any(len(content) == 1 for content in made.files.values())
        met["domain"] += any(one.indom != NULL for one in made.metrics) and not made.domains
    assert all(met[one] > 0 for one in ("zero", "255", "256", "byte", "domain")), met


def test_an_archive_may_have_nothing_in_its_metadata(monkeypatch: pytest.MonkeyPatch) -> None:
    """ARC-1332: each mistake is made as often as not, however rare it is."""
    monkeypatch.setattr(Dice, "slips", lambda dice, factor=1.0: dice.chance.random() < 0.5)
    made = [Crafted.of(random.Random(f"empty/{number}")) for number in range(1000)]
    assert any(len(one.files["meta"]) in (132, 808) for one in made)
