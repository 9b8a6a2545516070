# SPDX-License-Identifier: Apache-2.0
"""The adapter to live exchanges, for each version that is there: what is recorded is what was said on a connection, what is
read is what the other side has understood, and what cannot be asked is skipped with its reason. The cases are in golden/."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qa.adapters import live
from qa.adapters.testee import Outcome, Testee
from qa.peers.peers import SUITES, Peer
from qa.peers.testing import library_peer

SCHEMA = json.loads(Path(os.environ["TESTEE_SCHEMA"]).read_text(encoding="utf-8"))
Json = dict[str, Any]


@pytest.fixture(params=SUITES, name="asked", scope="module")
def fixture_asked(request: pytest.FixtureRequest) -> "Iterator[Asked]":
    peer: Peer = library_peer(request.param)
    with Testee(peer.version, lambda: live.argv(peer)) as testee:
        yield Asked(testee, peer.version)


class Asked:
    """An adapter, each result held against the schema."""

    def __init__(self, testee: Testee, version: str) -> None:
        self.testee, self.version = testee, version

    def outcome(self, operation: str, args: Json) -> Outcome:
        outcome = self.testee.run(operation, {}, args)
        if outcome.kind == "result":
            schema = {"$ref": f"#/$defs/{operation}.result", "$defs": SCHEMA["$defs"]}
            told = {key: part for key, part in outcome.body.items() if key != "not_shown"}
            jsonschema.Draft202012Validator(schema).validate(told)
        return outcome

    def encoded(self, kind: str, /, **fields: Any) -> str:
        outcome = self.outcome("pdu.encode", {"pdus": [{"pdu": kind, "from": 0, **fields}]})
        return str(outcome.body["bytes"]) if outcome.kind == "result" else outcome.kind

    def decoded(self, octets: str) -> Json:
        """The one PDU without its name and where it comes from."""
        outcome = self.outcome("pdu.decode", {"bytes": octets})
        assert outcome.kind == "result", outcome.body
        [told] = outcome.body["pdus"]
        return {key: part for key, part in told.items() if key not in ("pdu", "from")}

    def skipped(self, operation: str, args: Json) -> str:
        outcome = self.outcome(operation, args)
        assert outcome.kind == "skip", outcome.body
        return outcome.message


def test_what_a_client_sends(asked: Asked) -> None:
    assert asked.encoded("DESC_REQ", pmid="3f400001") == "0000001000007004000000003f400001"
    fetch = asked.encoded("FETCH", context=0, pmids=["3f400000", "ffffffff"])
    assert fetch == "00000024000070030000000000000000000000000000000000000002" + "3f400000ffffffff"
    # The unused octets are those of the sender, and names are padded as it pads them.
    named = asked.encoded("INSTANCE_REQ", indom="3f400000", instance=-1, name="green")
    assert named == "0000002800007006000000003f4000000000000000000000ffffffff00000005677265656e7e7e7e"
    profile = asked.encoded("PROFILE", context=0, state=0, entries=[{"indom": "3f400000", "state": 1, "instances": [2, 0]}])
    assert profile.endswith("3f40000000000001000000020000000000000002" + "00000000")


def test_what_a_client_stores(asked: Asked) -> None:
    block = {"instance": -1, "type": 3, "body": "0000000000000007"}
    inside = {"instance": 0, "word": "0000002a"}
    sets = [{"pmid": "3f400001", "format": "dynamic", "values": [block]}, {"pmid": "3f400002", "format": "insitu", "values": [inside]}]
    stored = asked.encoded("RESULT", seconds=5, microseconds=7, sets=sets)
    head = "0000004c" + "00007001" + "00000000" + "00000005" + "00000007" + "00000002"
    assert stored == head + "3f4000010000000100000001ffffffff00000010" + "3f4000020000000100000000000000000000002a" + "0300000c0000000000000007"


def test_what_a_client_understands(asked: Asked) -> None:
    assert asked.decoded("00000010 00007000 00000000 ffffcfba") == {"code": -12358, "datum": None}
    descriptor = asked.decoded("00000020 00007005 00000000 3f400001 00000000 3f400000 00000003 01003000")["descriptor"]
    assert descriptor == {"pmid": "3f400001", "type": 0, "indom": "3f400000", "semantics": 3, "units": "01003000"}
    assert asked.decoded("00000018 00007009 00000000 0000403f 00000003 6162637e")["text"] == "abc"
    octets = "00000034 00007001 00000000 00000000 00000000 00000002 3f400063 ffffcfba 3f400000 00000001 00000000 ffffffff 00000009"
    assert asked.decoded(octets)["sets"] == [
        {"pmid": "3f400063", "status": -12358},
        {"pmid": "3f400000", "format": "insitu", "values": [{"instance": -1, "word": "00000009"}]},
    ]
    labels = "00000046 00007013 00000000 000000fd 00000002 00000000 00000001 ffffffff 00000001 00000034 00000012 00020402 00080009"
    [told] = asked.decoded(labels + "7b22726f6c65223a2274657374696e67227d")["sets"]
    assert (told["status"], told["json"]) == (0, '{"role":"testing"}')
    assert told["labels"] == [{"name_offset": 2, "name_length": 4, "flags": 2, "value_offset": 8, "value_length": 9}]


def test_what_pmcd_understands_of_requests(asked: Asked) -> None:
    octets = asked.encoded("INSTANCE_REQ", indom="3f400000", instance=7, name="")
    assert asked.decoded(octets) == {"indom": "3f400000", "instance": 7, "name": ""}
    octets = asked.encoded("INSTANCE_REQ", indom="3f400000", instance=-1, name="green")
    assert asked.decoded(octets) == {"indom": "3f400000", "instance": -1, "name": "green"}
    assert asked.decoded("00000014 00007008 00000000 3f400000 00000009") == {"identifier": "3f400000", "type": 9}
    names = [{"name": "simple.a", "status": None}, {"name": "simple.bc", "status": None}]
    assert asked.decoded(asked.encoded("PMNS_NAMES", names=names)) == {"names": names}
    # Agents of two domains are asked by one fetch.
    assert asked.decoded(asked.encoded("FETCH", context=0, pmids=["3f400000", "07400001"]))["pmids"] == ["3f400000", "07400001"]
    entries = [{"indom": "3f400000", "state": 1, "instances": [5, 3]}]
    octets = asked.encoded("PROFILE", context=0, state=0, entries=entries)
    assert asked.decoded(octets) == {"context": 0, "state": 0, "entries": entries}


def test_what_pmcd_writes_of_answers(asked: Asked) -> None:
    assert asked.encoded("ERROR", code=-12350, datum=None) == "000000100000700000000000ffffcfc2"
    instances = [{"instance": 0, "name": "red"}, {"instance": 2, "name": "green"}]
    octets = asked.encoded("INSTANCE", indom="3f400000", instances=instances)
    assert octets == "00000030000070070000000" + "03f400000000000020000000000000003" + "7265647e" + "0000000200000005677265656e7e7e7e"
    label = {"name_offset": 2, "name_length": 1, "flags": 2, "value_offset": 5, "value_length": 1}
    sets = [{"instance": -1, "status": 0, "json": '{"a":1}', "labels": [label]}]
    octets = asked.encoded("LABEL", identifier="000000fd", type=2, sets=sets)
    assert octets.startswith("0000003b0000701300000000000000fd00000002000000000000000")
    assert octets.endswith("0002010200050001" + b'{"a":1}'.hex())


@pytest.mark.parametrize(
    "octets",
    [
        "0000000b 00007004 00000000",  # pmcd: no length
        "00000014 00007004 00000000 3f400000 00000000",  # pmcd: too long
        "00000010 00007004 00000000 3f40",  # pmcd: the stream ends
        "0000000c 00007005 00000000",  # libpcp: too short
        "00000018 00007007 00000000 3f400000 00000005 00000000",  # libpcp: instances that are not there
        "00000010 0000700c 00000000 00000001",  # of an agent: no credential
        "3f400000 0000700c 00000001 00000001 0224fca0",  # of an agent: the stream ends
        "00000014 00007000 00000000 ffffcfc7",  # libpcp: the stream ends in what greets it
        "00000010 00007fff 00000000 00000000",  # no such type
    ],
)
def test_what_is_no_pdu_is_refused(asked: Asked, octets: str) -> None:
    outcome = asked.outcome("pdu.decode", {"bytes": octets})
    assert (outcome.kind, outcome.body.get("class")) == ("reject", "pdu"), outcome.body


def test_what_no_exchange_shows_is_skipped_or_marked(asked: Asked) -> None:
    creds = {"pdu": "CREDS", "from": 5, "credentials": [{"type": 1, "bytes": "020000"}]}
    assert "no call makes libpcp send it" in asked.skipped("pdu.encode", {"pdus": [creds]})
    assert "does not tell what it says" in asked.skipped("pdu.decode", {"bytes": "00000014 0000700c 00000005 00000001 01020000"})
    assert "takes metrics with values" in asked.skipped("pdu.encode", {"typed_result": {"pdu": "RESULT", "from": 0, "seconds": 0, "fraction": 0, "sets": []}})
    outcome = asked.outcome("pdu.decode", {"bytes": "00000018 00007009 00000000 0000403f 00000003 6162637e"})
    assert {at for one in outcome.body["not_shown"] for at in one["at"]} == {"/pdus/0/from", "/pdus/0/identifier"}


@pytest.mark.parametrize(
    ("octets", "why"),
    [
        ("00000014 00007000 00000000 00000000 02010e4c", "what a collector demands"),  # credentials
        ("00000014 00007000 00000000 00000000 02010ec4", "what a collector demands"),  # a certificate
        ("00000024 00007007 00000000 3f400000 00000001 00000005 00000008 6100636465666768", "up to a NUL"),
        ("00000018 00007009 00000000 0000403f 00000003 6100637e", "up to a NUL"),
        ("00000020 0000700e 00000000 00000004 00000000 00000001 00000003 6100637e", "up to a NUL"),
        ("0000001c 00007007 00000000 0740000a 00000001 9913ebc6 00000000", "a number below 0"),
        ("00000028 0000700e 00000000 00000006 00000000 00000002 00000003 6100637e 00000001 627e7e7e", "up to a NUL"),
        ("00000020 00007015 00000000 00000000 0000000000000009 0000000000000005 00000010 00007000 00000000 00000001", "one kind or the other"),
        ("00000018 0000700f 00000000 00000000 00000003 6100ed7e", "up to a NUL"),
        ("0000001c 00007013 00000000 0740000a 00000001 00000000 00000000", "another identifier"),
        ("0000001c 0000700d 00000000 ffffcfc7 00000002 3f400000 ffffffff", "a status below 0"),
        ("00000010 00007000 00000000 ffffcfba 00000014 00007000 00000000 fffffc18 00000000", "in the first PDU"),
        ("00000020 00007015 00000000 00000000 0000000000000009 0000000000000005 00000018 00007001 00000000 00000000 00000000 00000000", "one kind or the other"),
    ],
)
def test_what_libpcp_does_not_tell_is_skipped(asked: Asked, octets: str, why: str) -> None:
    assert why in asked.skipped("pdu.decode", {"bytes": octets})


def test_a_number_of_events_below_0_is_skipped(asked: Asked) -> None:  # PDU-174
    if asked.version.startswith("6.0"):
        return  # it reads on
    head = "00000040 00007001 00000000 00000009 00000005 00000001 3f400402 00000001 00000001 ffffffff 0000000b"
    assert "events below 0" in asked.skipped("pdu.decode", {"bytes": f"{head} 09000014 ffffffff 00000001 00000002 00000001"})


_EVENTS = "00007015 00000000 00000001 00000000 6553f100 00000000 00000005 0740000c 00000001 00000001 ffffffff 0000000d"


def test_a_number_of_parameters_below_0_is_none(asked: Asked) -> None:  # PDU-174
    if asked.version.startswith("6.0"):
        return  # it checks no numbers
    body = "00000002 0000000000000005 0000000000000007 00000001 fffffffd 0000000000000006 0000000000000008 00000001 00000000"
    told = asked.decoded(f"0000006c {_EVENTS} 0a000038 {body}")
    assert told["sets"][0]["values"][0]["body"] == body.replace(" ", "")


def test_a_parameter_that_is_shorter_than_its_type_is_skipped(asked: Asked) -> None:  # PDU-174
    if asked.version.startswith("6.0"):
        return  # it checks no numbers
    body = "00000002 0000000000000005 0000000000000007 00000001 00000001 0740000a 02000008 0000002e 0000000000000006 0000000000000008 00000001 00000000"
    assert "shorter than its type" in asked.skipped("pdu.decode", {"bytes": f"00000078 {_EVENTS} 0a000044 {body}"})


def test_fractions_of_seconds_that_wrap_are_told_as_they_are_read(asked: Asked) -> None:  # PDU-039
    sets = "00000001 0740000a 00000001 00000000 ffffffff 00000005"
    assert asked.decoded(f"0000002c 00007001 00000000 00000009 0020c49b {sets}")["microseconds"] == 2147483
    assert asked.decoded(f"0000002c 00007001 00000000 00000009 0020c49c {sets}")["microseconds"] == -2147483
    highres = f"00000034 00007015 00000000 {sets[:8]} 0000000000000009 0000000100000005 {sets[9:]}"
    assert asked.decoded(highres)["nanoseconds"] == 5


def test_a_profile_that_libpcp_cannot_have_is_handed_on_by_pmcd(asked: Asked) -> None:
    entries = [{"indom": "ffffffff", "state": 0, "instances": [1]}]  # to libpcp all instance domains
    profile = asked.encoded("PROFILE", context=0, state=0, entries=entries)
    assert profile == "00000030000070020000000000000000" + "000000000000000100000000" + "ffffffff000000000000000100000000" + "00000001"


def test_what_pmcd_says_itself_is_skipped(asked: Asked) -> None:
    ids = {"pdu": "PMNS_IDS", "from": 0, "status": 7, "pmids": ["3f400000"]}
    nobody = {"pdu": "PMNS_IDS", "from": 0, "status": 1, "pmids": ["ffffffff"]}
    assert "which status" in asked.skipped("pdu.encode", {"pdus": [nobody]})
    assert "which status" in asked.skipped("pdu.encode", {"pdus": [ids]})
    label = {"name_offset": 2, "name_length": 1, "flags": 2, "value_offset": 5, "value_length": 1}
    sets = [{"instance": -1, "status": 1, "json": '{"a":1}', "labels": [label]}]
    labels = {"pdu": "LABEL", "from": 0, "identifier": "000000fd", "type": 2, "sets": sets}
    assert "labels or an error" in asked.skipped("pdu.encode", {"pdus": [labels]})


def test_one_request_does_nothing_to_the_next(asked: Asked) -> None:
    before = asked.encoded("DESC_REQ", pmid="3f400001")
    asked.outcome("pdu.decode", {"bytes": "0000000b 00007004 00000000"})
    asked.outcome("pdu.decode", {"bytes": "00000010 00007005 00000000 3f400000"})
    assert asked.encoded("DESC_REQ", pmid="3f400001") == before
