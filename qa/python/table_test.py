# SPDX-License-Identifier: Apache-2.0
"""Tables lose nothing: neither nanoseconds nor 64 bits of a value."""

from collections.abc import Sequence
from pathlib import Path

import pandas
import pytest

import pmproof
from pmproof.answers import Answer, Data, Value
from pmproof.table import table_of
from qa.python.testing import generate


def table(*columns: tuple[str, Sequence[Data]], time: pmproof.Time = pmproof.Time(1, 0)) -> pandas.DataFrame:
    return table_of(
        Answer(time, f"m.{kind}", 0, tuple(Value(i, f"i{i}", kind, value) for i, value in enumerate(values)))
        for kind, values in columns
    )


def test_a_row_for_each_value(tmp_path: Path) -> None:
    archive = generate(tmp_path / "demo")
    found = pmproof.replay(archive, metrics=["plain.reads"], at=["@1700000001.500000001"]).to_pandas()
    assert list(found.columns) == ["time", "metric", "instance", "name", "value"]
    assert found["time"].dtype == "datetime64[ns, UTC]"
    assert [time.value for time in found["time"]] == [1_700_000_001_500_000_001] * 2
    assert list(found["name"]) == ["dev0", "dev1"] and list(found["instance"]) == [0, 1]
    assert found["value"].dtype == "int64"


def test_reasons_are_a_column(tmp_path: Path) -> None:
    archive = generate(tmp_path / "demo")
    found = pmproof.replay(archive, metrics=["plain.reads"], at=["+1.5s"], reason=True).to_pandas()
    assert list(found["clause"]) == ["INT-601", "INT-601"]


@pytest.mark.parametrize(
    ("columns", "dtype"),
    [
        ([("32", [1]), ("u32", [2**32 - 1])], "int64"),
        ([("u64", [2**64 - 1, 0])], "uint64"),
        ([("u64", [2**64 - 1]), ("64", [-1])], "object"),
        ([("float", [0.1]), ("double", [1e300])], "float64"),
        ([("u64", [2**53 + 1]), ("double", [0.5])], "object"),
        ([("string", ["a"]), ("aggregate", [b"\xff"])], "object"),
        ([], "object"),
    ],
)
def test_values_are_what_they_were(columns: list[tuple[str, list[Data]]], dtype: str) -> None:
    found = table(*columns)
    assert found["value"].dtype == dtype
    assert list(found["value"]) == [value for _, values in columns for value in values]


def test_a_metric_without_instances_has_none() -> None:
    found = table_of([Answer(pmproof.Time(1, 0), "a", 0, (Value(None, None, "32", 1),))])
    assert found["instance"].isna().all() and list(found["name"]) == [None]


def test_a_time_beyond_64_bits_is_an_error() -> None:
    with pytest.raises(OverflowError, match="64 bits of nanoseconds"):
        table(("32", [1]), time=pmproof.Time(2**40, 0))
