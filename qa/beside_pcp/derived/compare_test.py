# SPDX-License-Identifier: Apache-2.0
"""What differs is found out, and what is undefined is not compared."""

from typing import Any

import pytest

from qa.beside_pcp.derived.compare import Comparison, compare, sorted_values

Json = dict[str, Any]

DESCRIPTOR = {"type": "32", "semantics": "instant", "indom": None, "units": 0}
OTHER = DESCRIPTOR | {"indom": "0.0"}
UNDEFINED = {"from": "binding", "clause": "DER-610", "why": ""}


def bound(**members: Any) -> Json:
    """Our answer to an expression that binds."""
    told: Json = {"text": "a", "global": {"descriptor": DESCRIPTOR}, "added": {"descriptor": DESCRIPTOR}}
    told |= {"emulated": "1:a 0:b |", "reference": "0:b 1:a |", "deviations": []}
    return told | members


def answer(**members: Any) -> Json:
    """libpcp's, which is the same."""
    told: Json = {"global": {"descriptor": DESCRIPTOR}, "values": "1:a 0:b |"}
    told["added"] = {"status": 0, "message": "", "descriptor": DESCRIPTOR}
    return told | members


def compared(ours: Json, theirs: Json, version: str = "7.2.2") -> Comparison:
    return compare(version, {"fetch_added": False, "expressions": [ours]}, [theirs])


def test_what_is_equal_is_counted() -> None:
    found = compared(bound(), answer())
    assert not found.unexplained
    counts = (found.expressions, found.bound, found.descriptors, found.fetched, found.answers, found.values)
    assert counts == (1, 1, 2, 1, 1, 2)
    assert found.as_reference == 1


@pytest.mark.parametrize(
    ("theirs", "kind"),
    [
        (answer(syntax={"position": 3, "message": ""}), "syntax"),
        (answer(syntax={"died": "signal 11"}), "death, parsing"),
        (answer(**{"global": {"descriptor": OTHER}}), "descriptor"),
        (answer(**{"global": {"died": "signal 6"}}), "death, binding or fetching"),
        (answer(added={"status": 0, "message": "", "descriptor": OTHER}), "added"),
        (answer(added={"died": "status 1"}), "death, added"),
        (answer(values="1:a 0:c |"), "values"),
        (answer(values="0:b 1:a |"), "values"),
        (answer(values=None), "no values"),
    ],
)
def test_what_differs_is_unexplained(theirs: Json, kind: str) -> None:
    found = compared(bound(), theirs)
    assert [fault["kind"] for fault in found.unexplained] == [kind]


def test_values_of_a_deviation_are_counted_by_its_name_and_others_are_a_fault() -> None:
    explained = compared(bound(reference="0:b |", deviations=["DEV-03", "DEV-04"]), answer())
    assert explained.deviations == {"DEV-03/DEV-04": 1}
    assert not explained.unexplained
    assert [fault["kind"] for fault in compared(bound(reference="0:b |"), answer()).unexplained] == ["replay"]


def test_refusals_are_compared_with_place_and_message() -> None:
    refused = {"position": 2, "error": "m", "clause": "DER-631"}
    ours = {"text": "a b", "global": refused, "added": refused | {"message": "M"}}
    theirs = {"syntax": {"position": 2, "message": "m"}, "added": {"status": -12409, "message": "M"}}
    assert compared(ours, theirs).refused == {"DER-631": 1}
    assert compared(ours, theirs | {"syntax": {"position": 3, "message": "m"}}).unexplained
    assert compared(ours, theirs | {"syntax": {"position": 2, "message": ""}}).unexplained
    assert compared(ours, theirs | {"added": {"status": -12409, "message": "N"}}).unexplained
    assert compared(ours, answer()).unexplained


def test_what_does_not_bind_is_compared_with_place_and_message() -> None:
    reason = {"where": "operand a", "reason": "R", "clause": "DER-701"}
    ours = {"text": "a", "global": reason, "added": reason | {"message": "M"}}
    added = {"status": -12409, "message": "M"}
    theirs = {"global": {"status": -12409, "where": "operand a", "message": "R"}, "added": added}
    silent = {"global": {"status": -12409, "where": "", "message": ""}, "added": added}
    assert compared(ours, theirs).unbound == {"DER-701": 1}
    assert not compared(ours, theirs).unexplained
    assert compared(ours, silent).unexplained
    assert not compared(ours, silent, "6.3.8").unexplained
    assert compared(ours, theirs, "6.3.8").unexplained


def test_what_is_undefined_is_counted_and_not_compared() -> None:
    text = {"text": "a", "undefined": {"from": "text", "clause": "DER-609", "why": ""}, "global": {}, "added": {}}
    assert compared(text, {}).undefined == {"DER-609 (text)": 1}
    binding = {"text": "a", "global": {"undefined": UNDEFINED}, "added": {"undefined": UNDEFINED}}
    found = compared(binding, {})
    assert not found.unexplained
    assert found.undefined == {"DER-610 (binding)": 1, "DER-610 (binding, added)": 1}
    values = bound(undefined={"from": "values", "clause": "DER-818", "why": ""})
    for member in ("emulated", "reference", "deviations"):
        del values[member]
    theirs = answer()
    del theirs["values"]
    found = compared(values, theirs)
    assert not found.unexplained
    assert (found.undefined, found.descriptors) == ({"DER-818 (values)": 1}, 2)


def test_values_are_sorted_by_instance_within_each_fetch() -> None:
    assert sorted_values("10:a 2:b 2:a |e-12351||E-12370|") == "2:b 2:a 10:a |e-12351||E-12370|"
