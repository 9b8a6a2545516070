# SPDX-License-Identifier: Apache-2.0
import pytest

from qa.dev.agent_mutants.judge import MUST, OPEN, SHOULD, SOUND, Change, judge
from qa.dev.agent_mutants.label_sets import wrong_with
from qa.dev.agent_mutants.mutant import Mutant
from qa.dev.agent_mutants.operators import changed, replaced
from qa.dev.agent_mutants.pdus import fields_of, kind_of, pdu_of

_PDUS = {
    "CREDS": pdu_of("CREDS", bytes.fromhex("00000001 01020000"), 77),
    "ERROR": pdu_of("ERROR", (-12358).to_bytes(4, "big", signed=True)),
    "TAKEN": pdu_of("ERROR", bytes(4)),
    "REFUSED": pdu_of("ERROR", (-12387).to_bytes(4, "big", signed=True)),
    "DESC": pdu_of("DESC", bytes.fromhex("3f400001 00000000 3f400000 00000003 00000000")),
    "RESULT": pdu_of("RESULT", bytes.fromhex("00000000 00000000 00000001 3f400000 00000001 00000000 ffffffff 00000007")),
    "UNKNOWN": pdu_of("RESULT", bytes.fromhex("00000000 00000000 00000001 3f400009 ffffcfba")),
    "STRING": pdu_of("RESULT", bytes.fromhex("00000000 00000000 00000001 13400006 00000001 00000001 ffffffff 0000000b 06000007 61620000")),
    "EVENT": pdu_of(
        "RESULT",
        bytes.fromhex("00000000 00000000 00000001 13400009 00000001 00000001 ffffffff 0000000b 09000024")
        + bytes.fromhex("00000001 00000000 00000000 00000001 00000001 13400001 06000008")
        + b"abcd",
    ),
    "INSTANCE": pdu_of("INSTANCE", bytes.fromhex("3f400000 00000001 00000002 00000004") + b"blue"),
    "TEXT": pdu_of("TEXT", bytes.fromhex("3f400001 00000003") + b"abc~"),
    "PMNS_IDS": pdu_of("PMNS_IDS", bytes.fromhex("00000000 00000001 13400000")),
    "PMNS_NAMES": pdu_of("PMNS_NAMES", bytes.fromhex("00000004 00000000 00000001 00000003") + b"abc~"),
    "LABEL": pdu_of("LABEL", bytes.fromhex("000000fd 00000002 00000000 00000001 ffffffff 00000001 00000034 00000012 0002040200080009") + b'{"role":"testing"}'),
}


def _level(which: str, text: str) -> tuple[str, str]:
    """Of a mutant of one of these PDUs: `text` is FIELD/OPERATOR/WHEN."""
    pdu = _PDUS[which]
    mutant = Mutant.parsed(f"simple:{kind_of(pdu)}.{text}/first")
    if mutant.field == "pdu":
        sent = replaced(mutant.operator, pdu, _PDUS["PMNS_IDS"])
        change = Change("pdu", 0, pdu, sent, pdu, sent)
    else:
        fields = fields_of(pdu)
        at = [field[0] for field in fields].index(mutant.field)
        sent = changed(mutant.operator, mutant.kind, pdu, fields, at)
        _, begin, size = fields[at]
        change = Change(mutant.field, begin, pdu[begin : begin + size], sent[begin : begin + size], pdu, sent)
    found = judge(mutant, [change])
    return found.level, found.clause


@pytest.mark.parametrize(
    ("which", "text", "level", "clause"),
    [
        ("CREDS", "cred.version/plus-one/each", MUST, "PDU-130"),
        ("CREDS", "cred.flags/other-0/each", SOUND, "PDU-130"),
        ("CREDS", "cred.flags/flip-0/each", SHOULD, "PDU-130"),
        ("ERROR", "code/plus-one/each", MUST, "PMD-085"),
        ("TAKEN", "code/plus-one/each", MUST, "PDU-050"),
        ("TAKEN", "code/minus-one/each", OPEN, "PMD-094"),
        ("REFUSED", "code/plus-one/each", SOUND, "PMD-094"),
        ("REFUSED", "code/zero/each", MUST, "PMD-094"),
        ("DESC", "datatype/plus-one/each", SOUND, "PDU-102"),
        ("DESC", "datatype/plus-one/every-2", MUST, "PMD-085"),
        ("DESC", "datatype/other-8/each", MUST, "PDU-102"),
        ("DESC", "datatype/ones/each", MUST, "PMD-086"),
        ("DESC", "sem/plus-one/each", OPEN, "PDU-037"),
        ("DESC", "sem/minus-one/each", MUST, "PDU-037"),
        ("DESC", "units/plus-one/each", SHOULD, "PDU-035"),
        ("DESC", "units/other-0/each", SOUND, "PDU-034"),
        ("DESC", "indom/flip-0/each", SOUND, "PDU-108"),
        ("DESC", "indom/flip-22/each", MUST, "PMD-005"),
        ("RESULT", "value/plus-one/each", OPEN, "PMD-080"),
        ("RESULT", "numval/plus-one/each", MUST, "PDU-100"),
        ("RESULT", "seconds/other-0/each", SHOULD, "PDU-111"),
        ("RESULT", "seconds/plus-one/each", MUST, "PDU-110"),
        ("UNKNOWN", "numval/zero/each", MUST, "PMD-081"),
        ("UNKNOWN", "numval/plus-one/each", SHOULD, "PMD-081"),
        ("STRING", "valfmt/plus-one/each", SOUND, "PDU-101"),
        ("STRING", "valfmt/zero/each", MUST, "PDU-101"),
        ("STRING", "block.value/other-0/each", OPEN, "PMD-080"),
        ("STRING", "block.value/plus-one/each", MUST, "PDU-105"),
        ("STRING", "block.pad/ones/each", SOUND, "PDU-010"),
        ("STRING", "block.len/plus-one/each", MUST, "PDU-105"),
        ("EVENT", "parameter.type/zero/each", OPEN, "PDU-170"),
        ("EVENT", "parameter.type/plus-one/each", OPEN, "PDU-170"),
        ("EVENT", "parameter.type/other-2/each", MUST, "PDU-174"),
        ("EVENT", "parameter.type/flip-4/each", MUST, "PDU-174"),
        ("INSTANCE", "name/plus-one/each", MUST, "PMD-088"),
        ("TEXT", "ident/ones/each", SOUND, "PDU-066"),
        ("TEXT", "buflen/minus-one/each", OPEN, "PDU-067"),
        ("TEXT", "buflen/flip-4/each", MUST, "PDU-067"),
        ("TEXT", "pdu/extend/each", SOUND, "PDU-067"),
        ("TEXT", "pdu/truncate/each", MUST, "PDU-067"),
        ("PMNS_IDS", "status/plus-one/each", SOUND, "PDU-070"),
        ("PMNS_IDS", "status/minus-one/each", MUST, "PDU-070"),
        ("PMNS_NAMES", "nstrbytes/plus-one/each", SHOULD, "PDU-069"),
        ("PMNS_NAMES", "nstrbytes/minus-one/each", MUST, "PDU-069"),
        ("LABEL", "label.flags/flip-7/each", SOUND, "PDU-077"),
        ("LABEL", "label.flags/flip-0/each", MUST, "PDU-076"),
        ("LABEL", "text/other-9/each", SOUND, "PDU-077"),
        ("LABEL", "text/other-1/each", MUST, "PDU-077"),
        ("LABEL", "json/plus-one/each", MUST, "PDU-074"),
        ("DESC", "pdu/drop/every-7", MUST, "PMD-047"),
        ("DESC", "pdu/delay-1/each", SOUND, "PMD-041"),
        ("DESC", "pdu/delay-5500/each", MUST, "PMD-041"),
        ("DESC", "len/plus-one/each", MUST, "PDU-002"),
        ("DESC", "from/plus-one/each", SHOULD, "PDU-008"),
    ],
)  # fmt: skip
def test_what_a_change_violates(which: str, text: str, level: str, clause: str) -> None:
    assert _level(which, text) == (level, clause)


def test_the_gravest_of_several_changes_counts() -> None:
    mutant = Mutant.parsed("simple:ERROR.code/plus-one/each/first")
    changes = []
    for name in ("REFUSED", "ERROR", "TAKEN"):
        pdu = _PDUS[name]
        sent = changed("plus-one", "ERROR", pdu, fields_of(pdu), 3)
        changes.append(Change("code", 12, pdu[12:16], sent[12:16], pdu, sent))
    assert judge(mutant, changes[:1]).level == SOUND
    assert judge(mutant, changes).level == MUST
    assert judge(mutant, []).level == SOUND


def test_labels_of_the_specification_are_sound() -> None:
    assert wrong_with(_PDUS["LABEL"]) == ""
    assert wrong_with(pdu_of("LABEL", bytes.fromhex("ffffffff 00000010 00000000 00000000"))) == ""
