# SPDX-License-Identifier: Apache-2.0
"""The operations of `pmproof testee` on archives and PDUs, beside the golden cases: what makes no sense, and limits."""

import base64
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from validator.testee.testing.session import Json, Session, open_session

BASE = Path("golden/archive/base-v3/base")
SOURCE = {"path": str(BASE)}
DESCRIPTION: Json = {
    "schema": "pmproof-archive/1",
    "version": 3,
    "metrics": {"m.one": {"type": "u32", "semantics": "instant"}},
    "records": [{"time": "0", "values": {"m.one": 7}}],
}


@pytest.fixture(name="session", scope="module")
def _session() -> Iterator[Session]:
    with open_session() as session:
        yield session


def files_of(reply: Json) -> dict[str, bytes]:
    return {part: base64.b64decode(told.removeprefix("base64:")) for part, told in reply["result"]["files"].items()}


def test_an_archive_is_written_in_the_other_version(session: Session) -> None:
    there = files_of(session.answer("archive.write", {"path": "golden/archive/worked-v2/worked"}, version=3))
    assert [(part, there[part][4:8].hex()) for part in ("meta", "0")] == [("meta", "50052603"), ("0", "50052603")]
    back = files_of(session.answer("archive.write", SOURCE, version=2))
    assert back["0"][4:8].hex() == "50052602"


_RESULT: Json = {"pdu": "RESULT", "from": 0, "seconds": 0, "fraction": 0, "sets": []}


def _of_value(value: Json) -> Json:
    return {**_RESULT, "sets": [{"pmid": "3f400402", "values": [value]}]}


@pytest.mark.parametrize(
    ("operation", "source", "args"),
    [
        ("archive.decode", {}, {}),
        ("archive.validate", SOURCE, {"least": "grave"}),
        ("archive.validate", SOURCE, {"profile": "dead"}),
        ("archive.write", SOURCE, {"version": 1}),
        ("archive.write", SOURCE, {"description": 1}),
        ("archive.write", {}, {"description": DESCRIPTION, "version": 3}),
        ("archive.describe", SOURCE, {"metrics": []}),
        ("archive.indom", SOURCE, {}),
        ("archive.indom", SOURCE, {"indom": "29"}),
        ("archive.indom", SOURCE, {"indom": "29.x"}),
        ("archive.indom", SOURCE, {"indom": "29.1", "time": "now"}),
        ("archive.labels", SOURCE, {"metric": "m.cnt"}),
        ("archive.text", SOURCE, {"metric": "m.cnt"}),
        ("archive.text", SOURCE, {"metric": "m.cnt", "indom": "29.1", "kind": "help"}),
        ("archive.text", SOURCE, {"metric": "m.cnt", "kind": "long"}),
        ("replay.raw", SOURCE, {"metrics": ["m.cnt"], "start": "0"}),
        ("pdu.decode", {}, {}),
        ("pdu.decode", {}, {"bytes": "0"}),
        ("pdu.decode", {}, {"bytes": "0x00"}),
        ("pdu.encode", {}, {"pdus": []}),
        ("pdu.encode", {}, {"pdus": [1]}),
        ("pdu.encode", {}, {"pdus": [{"pdu": "DANCE", "from": 0}]}),
        ("pdu.encode", {}, {"pdus": [{"pdu": "DESC_REQ", "from": 2**31, "pmid": "00000000"}]}),
        ("pdu.encode", {}, {"pdus": [{"pdu": "DESC_REQ", "from": 0, "pmid": "0"}]}),
        ("pdu.encode", {}, {"pdus": [{"pdu": "FETCH", "from": 0, "context": 0, "pmids": 1}]}),
        ("pdu.encode", {}, {"pdus": [{"pdu": "PROFILE", "from": 0, "context": 0, "state": 0, "entries": [{}]}]}),
        ("pdu.encode", {}, {"pdus": [_RESULT], "typed_result": _RESULT}),
        ("pdu.encode", {}, {"typed_result": []}),
        ("pdu.encode", {}, {"typed_result": {**_RESULT, "pdu": "FETCH"}}),
        ("pdu.encode", {}, {"typed_result": {**_RESULT, "sets": [1]}}),
        ("pdu.encode", {}, {"typed_result": {**_RESULT, "sets": [{"pmid": "3f400402"}]}}),
        ("pdu.encode", {}, {"typed_result": {**_RESULT, "sets": [{"pmid": "3f4", "status": -1}]}}),
        ("pdu.encode", {}, {"typed_result": _of_value({"instance": -1, "type": "u16", "value": "1"})}),
        ("pdu.encode", {}, {"typed_result": _of_value({"instance": -1, "type": "event", "value": "1"})}),
        ("pdu.encode", {}, {"typed_result": _of_value({"instance": -1, "type": "event", "records": [{"time": "x", "missed": 1}]})}),
    ],
)
def test_what_makes_no_sense_is_an_error(session: Session, operation: str, source: Json, args: Any) -> None:
    assert "error" in session.nonsense(operation, source, **args)


def test_a_typed_value_that_its_type_does_not_have_is_an_error(session: Session) -> None:
    assert "error" in session.answer("pdu.encode", typed_result=_of_value({"instance": -1, "type": "u32", "value": "x"}))


def test_an_indom_that_no_word_holds_is_an_error(session: Session) -> None:
    for indom in ("512.1", "29.4194304", "99999999999.1"):
        assert "error" in session.answer("archive.indom", SOURCE, indom=indom)


def test_a_description_that_is_none_is_an_error(session: Session) -> None:
    assert "error" in session.answer("archive.write", description={"schema": "pmproof-archive/2"})


@pytest.mark.parametrize("operation", ["archive.decode", "archive.validate", "archive.write", "archive.describe"])
def test_what_is_no_archive_is_refused(session: Session, operation: str, tmp_path: Path) -> None:
    reject = session.answer(operation, {"path": str(tmp_path / "none")})["reject"]
    assert reject["class"].startswith("files.")


def test_damage_is_refused_with_its_place(session: Session, tmp_path: Path) -> None:
    for name in ("meta", "0"):
        content = (BASE.parent / f"base.{name}").read_bytes()
        (tmp_path / f"base.{name}").write_bytes(content)
    damaged = bytearray((tmp_path / "base.0").read_bytes())
    damaged[808 + 364 - 1] ^= 1  # the trailing length of the first record
    (tmp_path / "base.0").write_bytes(damaged)
    reject = session.answer("archive.decode", {"path": str(tmp_path / "base")})["reject"]
    assert (reject["class"], reject["offset"]) == ("record.trailer", 808)


_START: Json = {"start": "1700000000.000000000", "interval": "1", "count": 1}


@pytest.mark.parametrize(
    ("operation", "args", "version_is"),
    [
        ("archive.describe", {}, "dialect"),
        ("archive.labels", {"metric": "m.cnt", "time": "1700000000.000000000"}, "dialect"),
        ("derive.parse", {"definitions": [{"name": "d.x", "expression": "m.cnt"}]}, "dialect"),
        ("derive.eval", {"derived": [{"name": "d.x", "expression": "m.cnt"}], "metrics": ["d.x"], **_START}, "dialect"),
        ("replay.interp", {"metrics": ["m.cnt"], **_START}, "emulate"),
    ],
)
def test_a_set_is_opened_as_the_version_opens_it(
    session: Session, operation: str, args: Json, version_is: str, tmp_path: Path
) -> None:
    """ARC-554: one archive that cannot be opened is passed over since 7.1.4, and refuses the set before."""
    for part in ("meta", "0", "index"):
        content = bytearray((BASE.parent / f"base.{part}").read_bytes())
        content[7] ^= 0xFF  # the version of the label
        (tmp_path / f"broken.{part}").write_bytes(content)
    of_both = {"paths": [str(BASE), str(tmp_path / "broken")]}
    for version in ("6.0.3", "6.3.8"):
        reply = session.answer(operation, of_both, **args, **{version_is: version})
        assert reply["reject"]["class"] == "label.version"
    assert "result" in session.answer(operation, of_both, **args, **{version_is: "7.2.2"})


def test_bytes_that_are_no_text_come_back(session: Session) -> None:
    pdu = {"pdu": "ATTR", "from": 0, "attribute": 11, "value": "base64:/wA="}
    told = session.answer("pdu.encode", pdus=[pdu])["result"]["bytes"]
    assert told == "0000001200007011000000000000000bff00"
    assert session.answer("pdu.decode", bytes=told)["result"]["pdus"] == [pdu]
