# SPDX-License-Identifier: Apache-2.0
"""The adapter to real libpcp, for each version that is there: its messages are those of the schema, what libpcp refuses
is told apart, and one request does nothing to the next. What libpcp answers is in golden/."""

import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qa.adapters import libpcp
from qa.adapters.testee import Outcome, Testee
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

SCHEMA = json.loads(Path(os.environ["TESTEE_SCHEMA"]).read_text(encoding="utf-8"))
START = 1700000000


@pytest.fixture(params=SUITES, name="peer", scope="module")
def fixture_peer(request: pytest.FixtureRequest) -> Peer:
    return library_peer(request.param)


@pytest.fixture(name="asked", scope="module")
def fixture_asked(peer: Peer, tmp_path_factory: pytest.TempPathFactory) -> "Iterator[Asked]":
    # In a runfiles tree the archive is a link, which leads nowhere in the peer's root.
    folder = tmp_path_factory.mktemp("archive")
    shutil.copytree("golden/archive/base-v2", folder, dirs_exist_ok=True)
    with Testee(peer.version, lambda: libpcp.argv(peer, [folder])) as testee:
        yield Asked(testee, {"path": str(folder / "base")})


class Asked:
    """A libpcp that is asked, each result held against the schema."""

    def __init__(self, testee: Testee, archive: dict[str, Any]) -> None:
        self.testee, self.archive = testee, archive

    def outcome(self, operation: str, source: dict[str, Any] | None = None, /, **args: Any) -> Outcome:
        outcome = self.testee.run(operation, source or {}, args)
        if outcome.kind == "result":
            schema = {"$ref": f"#/$defs/{operation}.result", "$defs": SCHEMA["$defs"]}
            jsonschema.Draft202012Validator(schema).validate(outcome.body)
        return outcome

    def definitions(self, *definitions: dict[str, Any], **args: Any) -> list[dict[str, Any]]:
        outcome = self.outcome("derive.parse", self.archive, definitions=list(definitions), **args)
        found: list[dict[str, Any]] = outcome.body["definitions"]
        return found


def definition(expression: str, name: str = "d.x", **more: Any) -> dict[str, Any]:
    return {"name": name, "expression": expression} | more


def test_definitions_bind_or_say_why_not(asked: Asked) -> None:
    told = asked.definitions(
        definition("rate(m.cnt)"),
        definition("1"),
        definition("m.cnt * m.cnt", "d.y"),
        definition("a b", "d.z"),
        definition("m.cnt", per_context=True),
        definition("m.cnt * m.cnt", "d.w", per_context=True),
        definition("a b", "d.z", per_context=True),
        definition("1", per_context=True),
    )
    assert [one.get("stage") for one in told] == [None, "name", "bind", "syntax", None, "bind", "syntax", "name"]
    assert [one.get("position") for one in told] == [None, 0, None, 2, None, None, 2, 0]
    # The definition per context hides the one of all contexts.
    assert told[0]["descriptor"]["semantics"] == "counter"
    assert told[2]["where"] == "m.cnt * m.cnt"
    assert told[2]["message"] == told[5]["message"] == "Illegal operator for counters"
    assert told[3]["message"] == told[6]["message"] is not None
    assert told[7]["message"] == "Duplicate per-context derived metric name"


def test_nothing_is_left_of_a_request(asked: Asked) -> None:
    for _ in range(2):
        [told] = asked.definitions(definition("m.cnt"), pmids=True)
        assert (told["ok"], told["pmid"]) == (True, "511.0.3")


def test_without_an_archive_the_syntax_is_looked_at(asked: Asked) -> None:
    outcome = asked.outcome("derive.parse", definitions=[definition("nope + 1"), definition("", "d.y")])
    assert outcome.body["definitions"][0] == {"name": "d.x", "ok": True}
    assert outcome.body["definitions"][1]["position"] == -1
    assert asked.outcome("derive.parse", definitions=[definition("1", per_context=True)]).kind == "error"


def test_a_configuration_is_loaded(asked: Asked) -> None:
    config = "a.b = m.cnt\na.b(oneline) = hello\n  \nlost = 1"
    told = asked.outcome("derive.parse", asked.archive, config=config, metrics=["a.b", "lost", "m.cnt"]).body
    assert told["config"]["registered"] == 1
    assert told["config"]["diagnostics"][0].startswith("[F:3] Error: pmLoadDerivedConfig: missing")
    known, lost, base = told["metrics"]
    assert (known["oneline"], known["helptext"], lost["error"]) == ("hello", "hello", "PM_ERR_NAME")
    assert "oneline" not in base


def test_derived_metrics_are_fetched_among_others(asked: Asked) -> None:
    outcome = asked.outcome(
        "derive.eval",
        asked.archive,
        derived=[definition("delta(m.cnt)"), definition("nope", "d.y")],
        metrics=["d.x", "m.cnt", "d.y", "d.z"],
        start=str(START),
        interval="5",
        count=2,
    )
    last = outcome.fetches[1]["metrics"]
    assert [metric["status"] for metric in last] == [0, 0, -12358, -12357]
    assert [metric["values"][0]["value"] for metric in last[:2]] == ["50", "1050"]


def test_records_are_read_as_they_are(asked: Asked) -> None:
    args = {"metrics": ["m.cnt"], "start": str(START), "count": 3, "raw": True}
    outcome = asked.outcome("derive.eval", asked.archive, **args)
    assert [fetch["time"] for fetch in outcome.fetches] == [f"{START + i}.000000000" for i in range(3)]


def test_a_missing_operand_may_be_no_value(asked: Asked) -> None:
    args = {"definitions": [definition("count(nope)")], "missing_is_novalue": True}
    outcome = asked.outcome("derive.parse", asked.archive, **args)
    if asked.testee.name < "7.1.3":
        assert outcome.kind == "skip"
    else:
        assert outcome.body["definitions"][0]["ok"] is True


def test_refusals_have_classes(asked: Asked) -> None:
    def refused(operation: str, **args: Any) -> str:
        outcome = asked.outcome(operation, **args)
        assert outcome.kind == "reject", outcome
        return str(outcome.body["class"])

    assert refused("units.parse", text="sec sec") == "units.unknown"
    assert refused("units.parse", text="1e400 s") == "units.number"
    assert refused("units.parse", text="sec^15") == "units.time"
    convert = {"type": "u32", "value": "1", "to": "byte"}
    assert refused("units.convert", **convert, **{"from": "Zbyte"}) == "units.unit"
    assert refused("units.convert", **convert, **{"from": "sec"}) == "units.conversion"
    assert refused("value.extract", **{"from": "32", "value": "-1", "to": "u32"}) == "value.sign"
    assert refused("value.extract", **{"from": "u64", "value": str(2**40), "to": "u32"}) == "value.truncate"
    assert refused("value.extract", **{"from": "string", "value": "1", "to": "u32"}) == "value.type"


def test_one_archive_whose_descriptors_differ_is_no_set(peer: Peer, tmp_path: Path) -> None:  # ARC-307
    shutil.copytree("golden/archive/base-v2", tmp_path, dirs_exist_ok=True)
    meta = tmp_path / "base.meta"
    label = 132
    octets = meta.read_bytes()
    first = bytearray(octets[label : label + int.from_bytes(octets[label : label + 4])])
    first[23] = 4 if first[23] != 4 else 3  # semantics
    meta.chmod(0o644)
    meta.write_bytes(octets + first)
    with Testee(peer.version, lambda: libpcp.argv(peer, [tmp_path])) as testee:
        outcome = testee.run("archive.describe", {"path": str(tmp_path / "base")}, {})
    assert (outcome.kind, outcome.body["class"]) == ("reject", "metadata.descriptors_differ")


def test_several_archives_are_not_described(asked: Asked) -> None:
    outcome = asked.outcome("archive.describe", {"paths": [asked.archive["path"], asked.archive["path"]]})
    assert outcome.kind == "skip"


def test_blocks_are_turned_as_who_reads_an_archive_turns_them(asked: Asked) -> None:  # ARC-231, ARC-234
    def text(kind: str) -> str:
        return str(asked.outcome("value.format", style="print", type=kind, value="base64:zBGsVw==", format="ptr").body["text"])

    assert text("float") == "-38187356"
    assert text("32") == text("u32") == "3.7838487e+14 [cc11ac57]"


def test_values_are_printed(asked: Asked) -> None:
    def text(**args: Any) -> str:
        return str(asked.outcome("value.format", **args).body["text"])

    assert text(style="print", type="double", value="0.1", width=6) == "   0.1"
    assert text(style="atom", type="string", value="grün") == '"grün"'
    assert text(style="print", type="string", value="base64:/wA=") == "base64:Iv8i"
    assert text(style="type", value="3") == "U64"


def test_what_makes_no_sense_is_an_error(asked: Asked) -> None:
    assert asked.outcome("units.convert", type="u32", value="x", to="s", **{"from": "s"}).kind == "error"
    assert asked.outcome("units.convert", type="u32", value="1", to="s", **{"from": "2 s"}).kind == "error"
    assert asked.outcome("value.format", style="roman", value="5").kind == "error"
    assert asked.outcome("archive.decode").kind == "skip"
