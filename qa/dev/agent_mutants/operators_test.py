# SPDX-License-Identifier: Apache-2.0
import pytest

from qa.dev.agent_mutants.operators import FIELD_OPERATORS, PDU_OPERATORS, changed, replaced
from qa.dev.agent_mutants.pdus import fields_of, pdu_of

_DESC = pdu_of("DESC", bytes.fromhex("3f400001 00000000 3f400000 00000003 00000000"))
_TEXT = pdu_of("TEXT", bytes.fromhex("3f400001 00000003") + b"abc~")


def _field(pdu: bytes, name: str, operator: str, kind: str) -> bytes:
    fields = fields_of(pdu)
    which = [field[0] for field in fields].index(name)
    _, at, size = fields[which]
    new = changed(operator, kind, pdu, fields, which)
    assert len(new) == len(pdu)
    return new[at : at + size]


_OF_NUMBERS = [
    ("flip-4", "00000013"),
    ("flip-36", "00000013"),
    ("plus-one", "00000004"),
    ("minus-one", "00000002"),
    ("zero", "00000000"),
    ("ones", "ffffffff"),
    ("other-0", "00000001"),
    ("other-1", "00000004"),
    ("swap", "00000000"),
]


@pytest.mark.parametrize(("operator", "after"), _OF_NUMBERS)
def test_a_number_is_changed(operator: str, after: str) -> None:
    assert _field(_DESC, "sem", operator, "DESC").hex() == after


_OF_OCTETS = [
    ("flip-0", b"`bc"),
    ("flip-8", b"acc"),
    ("plus-one", b"abd"),
    ("minus-one", b"abb"),
    ("zero", b"a\0c"),
    ("ones", b"\xff\xff\xff"),
    ("other-1", b"axc"),
    ("swap", b"bac"),
]


@pytest.mark.parametrize(("operator", "after"), _OF_OCTETS)
def test_octets_are_changed(operator: str, after: bytes) -> None:
    assert _field(_TEXT, "text", operator, "TEXT") == after


def test_numbers_wrap_within_their_field() -> None:
    assert _field(_DESC, "units", "minus-one", "DESC").hex() == "ffffffff"
    assert _field(_DESC, "datatype", "other-11", "DESC").hex() == "00000001"


def test_a_swap_exchanges_two_fields() -> None:
    fields = fields_of(_DESC)
    new = changed("swap", "DESC", _DESC, fields, [field[0] for field in fields].index("pmid"))
    assert new[12:20].hex() == "000000003f400001"


_OF_PDUS = [
    ("truncate", (28).to_bytes(4, "big") + _DESC[4:28]),
    ("cut", _DESC[:28]),
    ("extend", (36).to_bytes(4, "big") + _DESC[4:] + bytes(4)),
    ("excess", _DESC + bytes(4)),
    ("bare", (12).to_bytes(4, "big") + _DESC[4:12]),
    ("drop", b""),
    ("duplicate", _DESC + _DESC),
    ("delay-1", _DESC),
    ("stale", b"before"),
    ("error", bytes.fromhex("00000010 00007000 00000000 ffffcfc7")),
]


@pytest.mark.parametrize(("operator", "after"), _OF_PDUS)
def test_a_pdu_is_replaced(operator: str, after: bytes) -> None:
    assert replaced(operator, _DESC, b"before") == after


def test_every_operator_is_tried_here() -> None:
    fields = {operator.partition("-")[0] for operator, _ in (*_OF_NUMBERS, *_OF_OCTETS)}
    pdus = {operator.partition("-")[0] for operator, _ in _OF_PDUS}
    assert fields == set(FIELD_OPERATORS)
    assert pdus == set(PDU_OPERATORS)


def test_the_first_answer_has_none_before_it() -> None:
    assert replaced("stale", _DESC, b"") == _DESC
