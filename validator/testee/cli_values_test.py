# SPDX-License-Identifier: Apache-2.0
"""Operations on units and values of `pmproof testee`, from outside. What they answer is in golden/metadata; here is
what a request may be."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from validator.testee.testing.session import Json, Session, open_session


@pytest.fixture(name="session")
def _session() -> Iterator[Session]:
    with open_session() as session:
        yield session


def test_units_are_read_and_written(session: Session) -> None:
    assert session.answer("units.parse", text="2 Kbyte / sec")["result"] == {
        "units": "Kbyte / sec",
        "dimension": [1, -1, 0, 0],
        "scale": [1, 3, 0, 0],
        "multiplier": "0.5",
    }
    assert session.answer("units.parse", word="1f025300")["result"]["units"] == "Mbyte / hour"


def test_a_refusal_has_a_class_and_the_words_of_pcp(session: Session) -> None:
    assert session.answer("units.parse", text="sec sec") == {
        "reject": {"class": "units.unknown", "message": "unrecognized or duplicate base unit"}
    }


def test_units_are_those_of_the_dialect(session: Session) -> None:
    assert session.answer("units.parse", text="power (W)")["result"]["dimension"] == [0, 0, 0, 4]
    assert session.answer("units.parse", text="power (W)", dialect="6.3.8")["reject"]["class"] == "units.unknown"


@pytest.mark.parametrize("text", ["power (W) foo", "power (W) sec sec", "foo power (W)"])
def test_where_pcp_loops_there_is_an_error_in_time(session: Session, text: str) -> None:  # MET-229
    before = time.monotonic()
    assert session.answer("units.parse", text=text)["reject"]["class"] == "units.unknown"
    assert time.monotonic() - before < 1


def test_time_scales_without_a_size_cancel_without_a_crash(session: Session) -> None:  # MET-229
    assert set(session.answer("units.parse", text="time-6 / time-7")) <= {"result", "reject"}


def test_a_value_in_other_units(session: Session) -> None:
    asked = {"type": "u32", "value": "5", "to": "byte"}
    assert session.answer("units.convert", **asked, **{"from": "Kbyte"})["result"] == {"type": "u32", "value": "5120"}
    assert session.answer("units.convert", **asked, **{"from": "sec"})["reject"]["class"] == "units.conversion"
    assert session.answer("units.convert", **asked, **{"from": "Zbyte"})["reject"]["class"] == "units.unit"
    assert session.answer("units.convert", **asked, **{"from": "foo"})["reject"]["class"] == "units.unknown"
    assert "multiplier" in session.answer("units.convert", **asked, **{"from": "2 byte"})["error"]["context"]


def test_an_undefined_factor_is_refused(session: Session) -> None:  # MET-244: PCP divides by 0
    asked = {"type": "u32", "value": "5", "from": "byte^2", "to": "Tbyte^2"}
    assert session.answer("units.convert", **asked)["reject"]["class"] == "units.conversion"


def test_a_value_as_another_type(session: Session) -> None:
    def extracted(source: str, value: str, to: str, **more: Any) -> Json:
        return session.answer("value.extract", **{"from": source, "value": value, "to": to}, **more)

    assert extracted("u64", "5", "32")["result"] == {"type": "32", "value": "5"}
    assert extracted("u64", "4294967296", "32")["reject"]["class"] == "value.truncate"
    assert extracted("32", "-1", "u64")["reject"]["class"] == "value.sign"
    assert extracted("string", "x", "u64")["reject"]["class"] == "value.type"
    assert extracted("float", "0.5", "double", format="insitu")["result"]["value"] == "0.5"
    assert extracted("32", "-5", "string", dialect="6.0.3")["reject"]["class"] == "value.type"
    # MET-411: undefined in PCP.
    for value in ("nan", "-1e19"):
        assert extracted("double", value, "64")["reject"]["class"] == "value.truncate"


def test_values_as_text(session: Session) -> None:
    def text(**args: Any) -> str:
        return str(session.answer("value.format", **args)["result"]["text"])

    assert text(style="print", type="float", value="0.1", width=8) == "     0.1"
    assert text(style="atom", type="string") == "<null>"
    assert text(style="number", value="1000") == "  1.00K"
    assert text(style="pmid", value="121634817") == "29.0.1"
    assert text(style="print", type="string", value="base64:/wA=") == "base64:Iv8i"


@pytest.mark.parametrize(
    ("operation", "args"),
    [
        ("units.parse", {}),
        ("units.parse", {"text": "s", "word": "00000000"}),
        ("units.parse", {"text": 1}),
        ("units.parse", {"word": "0000000"}),
        ("units.parse", {"word": "+1f02530"}),
        ("units.parse", {"word": "1f025300ff"}),
        ("units.convert", {"type": "u32", "value": "1", "from": "s"}),
        ("units.convert", {"type": "u32", "value": "1", "from": 1, "to": "s"}),
        ("units.convert", {"type": "u31", "value": "1", "from": "s", "to": "s"}),
        ("value.format", {"style": "print", "type": "u32"}),
        ("value.format", {"style": "print", "type": "u32", "value": "1", "width": 1001}),
        ("value.format", {"style": "print", "type": "u32", "value": "1", "width": "8"}),
        ("value.format", {"style": "print", "type": "u32", "value": "1", "squash_newlines": 1}),
        ("value.extract", {"from": "u32", "value": 1, "to": "u32"}),
        ("value.extract", {"from": "u32", "value": "1", "to": "u32", "block_type": 256}),
        ("value.extract", {"from": "u32", "value": "1", "to": "u32", "block_type": 18446744073709551615}),
        ("value.extract", {"from": "u32", "value": "1", "to": "u32", "format": "static"}),
    ],
)
def test_what_makes_no_sense_is_an_error(session: Session, operation: str, args: Json) -> None:
    assert "error" in session.nonsense(operation, **args)


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        ("u32", "-1"),
        ("u32", "4294967296"),
        ("32", "1.0"),
        ("64", ""),
        ("double", "1x"),
        ("double", " 1"),
        ("float", "1e39"),
        ("double", "base64:AA"),
        ("double", "base64:A==="),
        ("aggregate", "abc"),
        ("event", "1"),
    ],
)
def test_a_value_that_the_type_does_not_have_is_an_error(session: Session, kind: str, value: str) -> None:
    assert "error" in session.answer("value.extract", **{"from": kind, "value": value, "to": "u32"})


def test_damaged_events_are_printed_as_far_as_they_go(session: Session) -> None:
    for payload in ("base64:", "base64:AAAAAQ==", "base64:f////w==", "base64://///w=="):
        for style in ("atom", "print"):
            assert "result" in session.answer("value.format", style=style, type="event", value=payload)


def test_an_unknown_key_is_not_passed_over(session: Session) -> None:
    assert "skip" in session.nonsense("units.parse", text="s", colour="red")
    assert "skip" in session.nonsense("units.parse", {"path": "x"}, text="s")
    assert "skip" in session.nonsense("value.format", style="roman", value="5")
