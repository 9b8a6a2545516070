# SPDX-License-Identifier: Apache-2.0
"""truth.json as a reader in Python takes it: typed entries, and what is in force when."""

import json
from pathlib import Path
from typing import Any

import pytest

from qa.beside_pcp.generate.entries import float_bits, time_text, to_bytes, to_entry, to_record, to_time
from qa.beside_pcp.generate.testing import load, write_example
from qa.beside_pcp.generate.truth import Truth, entries_of, in_force, merge

_HEAD = {"schema": "pmproof-truth/1", "archive_version": 3, "label": {"start": "1.000000000"}, "violates": []}


def write(path: Path, log: list[dict[str, Any]], end: str = "]}\n") -> Path:
    lines = ",\n".join(json.dumps(entry) for entry in log)
    path.write_text(json.dumps(_HEAD)[:-1] + ',\n"log":[\n' + lines + "\n" + end, encoding="ascii")
    return path


def truth_of(path: Path, log: list[dict[str, Any]]) -> Truth:
    write(Path(f"{path}/a.truth.json"), log)
    return load(path / "a")


def indom(time: int, *ids: int, **more: Any) -> dict[str, Any]:
    instances = [{"instance": number, "name": f"i{number}"} for number in ids]
    change = {"type": "indom", "time": f"{time}.000000000", "indom": "1.1", "stored": "full", "instances": instances}
    return change | more


def context(time: int, value: str) -> dict[str, Any]:
    labels = [{"name": "a", "value": value, "flags": 1}]
    sets = [{"instance": None, "json": f'{{"a":{value}}}', "labels": labels}]
    return {"type": "labels", "time": f"{time}.000000000", "class": "context", "identifier": 2**32 - 1, "sets": sets}


def test_the_base_archive_has_all_that_the_specification_says(tmp_path: Path) -> None:
    truth = load(write_example("base", 3, tmp_path))
    start = 1700000000 * 10**9
    assert (truth.version, truth.start, truth.end) == (3, start, start + 5 * 10**9)
    assert (len(truth.descs), len(truth.records), len(truth.texts)) == (10, 6, 3)
    assert truth.instances("29.1", start + 3 * 10**9 - 1) == {0: b"a", 1: b"b"}
    assert truth.instances("29.1", start + 3 * 10**9) == {0: b"a", 2: b"c"}
    assert truth.instances("29.1", start - 1) is None
    assert truth.instances("29.2", start) is None


def test_of_domains_with_one_time_the_last_in_the_file_counts(tmp_path: Path) -> None:  # ARC-346
    truth = truth_of(tmp_path, [indom(1, 1), indom(2, 1, 2), indom(2, 3)])
    assert truth.instances("1.1", 2 * 10**9) == {3: b"i3"}
    assert [change.time for change in truth.indom_in_time("1.1")] == [10**9, 2 * 10**9]


def test_of_labels_with_one_time_the_first_in_the_file_counts(tmp_path: Path) -> None:  # ARC-400, ARC-403
    truth = truth_of(tmp_path, [context(1, "1"), context(2, "2"), context(2, "3"), context(3, "2"), context(4, "1")])
    changes = truth.label_changes("context", 2**32 - 1)
    found = [(each.time // 10**9, each.sets[0].labels[0].value) for each in changes]
    assert found == [(1, b"1"), (2, b"2"), (4, b"1")]
    assert in_force(changes, 10**9 - 1) == ()
    assert in_force(changes, 3 * 10**9)[0].labels[0].value == b"2"


def test_the_first_descriptor_defines_a_metric_and_later_ones_add_names(tmp_path: Path) -> None:  # ARC-307
    desc: dict[str, Any] = {"type": "desc", "pmid": "1.2.3", "semantics": "instant", "indom": None, "units_word": 0}
    first = {**desc, "names": ["a", "b", "a"], "metric_type": "u32"}
    truth = truth_of(tmp_path, [first, {**desc, "names": ["b", "c"], "metric_type": "64"}])
    assert truth.descs["1.2.3"].names == (b"a", b"b", b"c")
    assert truth.descs["1.2.3"].type == "u32"


def test_archives_that_are_opened_together_have_a_mark_between_them(tmp_path: Path) -> None:  # ARC-553, ARC-556
    desc: dict[str, Any] = {"type": "desc", "pmid": "1.2.3", "semantics": "instant", "indom": None, "units_word": 0}
    desc["metric_type"] = "u32"
    mark = {"type": "mark", "volume": 0, "time": "2.000000000"}
    first = truth_of(tmp_path, [{**desc, "names": ["a"]}, indom(1, 1), context(1, "1"), mark])
    second = truth_of(tmp_path, [{**desc, "names": ["b"]}, indom(3, 2), {**mark, "time": "3.000000000"}])
    both = merge([first, second])
    assert both.descs["1.2.3"].names == (b"a", b"b")
    assert [record.time for record in both.records] == [2 * 10**9, 2 * 10**9 + 10**6, 3 * 10**9]
    assert both.instances("1.1", 2 * 10**9) == {1: b"i1"}
    assert both.instances("1.1", 3 * 10**9) == {2: b"i2"}
    assert (both.archives, both.end, len(both.labels)) == (2, 3 * 10**9, 1)


def test_a_domain_that_is_out_of_order_is_refused(tmp_path: Path) -> None:  # ARC-347
    with pytest.raises(ValueError, match="not in the order of time"):
        truth_of(tmp_path, [indom(2, 1), indom(1, 1, out_of_order=True)])


def test_a_log_without_end_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.truth.json", [indom(1, 1)], end="")
    with pytest.raises(ValueError, match="the log has no end"):
        list(entries_of(path))


def test_another_document_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.truth.json").write_text('{"schema":"pmproof-report/1",\n"log":[\n]}\n', encoding="ascii")
    with pytest.raises(ValueError, match="not a pmproof-truth/1"):
        load(tmp_path / "a")


def test_an_undecoded_record_is_refused() -> None:
    with pytest.raises(KeyError, match="raw"):
        to_entry({"type": "raw", "payload": "base64:AAAA"})


@pytest.mark.parametrize("text", ["0.000000000", "1.500000000", "-0.500000000", "-1.000000001", "5000000000.000000001"])
def test_a_time_comes_back_as_its_text(text: str) -> None:
    assert time_text(to_time(text)) == text


@pytest.mark.parametrize("text", ["1.5", "5.+2000000000", "5.-1"])
def test_a_fraction_out_of_range_is_no_time(text: str) -> None:  # ARC-003
    with pytest.raises(ValueError, match="not a time in nanoseconds"):
        to_time(text)


def test_bytes_that_are_no_text_are_told_in_base64() -> None:
    assert to_bytes("café") == "café".encode()
    assert to_bytes("base64:Y2Fm6Q==") == b"caf\xe9"


def test_floats_are_their_bits_so_that_nan_equals_itself_and_zeros_differ() -> None:
    def value(kind: str, **told: str) -> Any:
        values = [{"instance": None, "type": kind, **told}]
        sets = [{"pmid": "1.2.3", "status": 0, "values": values}]
        return to_record({"time": "1.000000000", "metrics": sets}).sets[0].values[0].data

    assert value("double", value="nan", bits="9221120237041090561") == 0x7FF8000000000001
    assert value("double", value="-0") == 1 << 63 != value("double", value="0")
    assert value("float", value="0.1") == 0x3DCCCCCD == float_bits("float", 0.1)
    assert value("u64", value="base64:AAAAAA==") == bytes(4)
