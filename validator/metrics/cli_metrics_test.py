# SPDX-License-Identifier: Apache-2.0
"""`pmproof metrics` on archives that are generated, described by hand, and damaged."""

import csv
import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import pmproof

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="ascii"))
DESCRIPTION = {
    "schema": "pmproof-archive/1",
    "metrics": {
        "disk.reads": {"pmid": "60.0.1", "type": "u32", "semantics": "counter", "units": {"count": [1, 0]}, "indom": "60.1"},
        "disk.bytes": {"pmid": "60.0.2", "type": "u64", "semantics": "counter", "units": {"space": [1, 0]}, "indom": "60.1"},
        "disks": {"pmid": "60.0.3", "type": "string", "semantics": "discrete"},
        "load": {"pmid": "60.0.4", "type": "float", "semantics": "instant"},
    },
    "indoms": [
        {"indom": "60.1", "time": 0, "instances": {"0": "sda", "1": "sdb"}},
        {"indom": "60.1", "time": 5, "instances": {"0": "renamed", "2": "=sdc"}},
    ],
    "records": [{"time": 0, "values": {"load": 1}}, {"time": 9, "values": {"load": 2}}],
}


@pytest.fixture(name="archive")
def fixture_archive(tmp_path: Path) -> Path:
    (tmp_path / "d.json").write_text(json.dumps(DESCRIPTION))
    done = pmproof("generate", "--description", tmp_path / "d.json", tmp_path / "a")
    assert done.returncode == 0, done.stderr
    return tmp_path / "a"


def listed(*arguments: str | Path) -> dict[str, Any]:
    done = pmproof("metrics", "--format", "json", *arguments)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.validate(report, SCHEMA, jsonschema.Draft202012Validator)
    return report


def test_each_metric_has_what_its_descriptor_says(archive: Path) -> None:
    report = listed(archive)
    assert report["archives"] == [str(archive)]
    assert report["metrics"] == [
        {"name": "disk.bytes", "pmid": "60.0.2", "type": "u64", "semantics": "counter", "units": "byte", "indom": "60.1", "instances": 3},
        {"name": "disk.reads", "pmid": "60.0.1", "type": "u32", "semantics": "counter", "units": "count", "indom": "60.1", "instances": 3},
        {"name": "disks", "pmid": "60.0.3", "type": "string", "semantics": "discrete", "units": "", "indom": None, "instances": None},
        {"name": "load", "pmid": "60.0.4", "type": "float", "semantics": "instant", "units": "", "indom": None, "instances": None},
    ]
    assert report["footer"]["metrics"] == 4


def test_instances_are_those_of_all_time_by_their_last_names(archive: Path) -> None:
    (domain,) = listed(archive)["indoms"]
    assert domain == {
        "indom": "60.1",
        "instances": [{"id": 0, "name": "renamed"}, {"id": 1, "name": "sdb"}, {"id": 2, "name": "=sdc"}],
    }


def test_text_has_a_line_for_each_name(archive: Path) -> None:
    assert pmproof("metrics", "--instances", "--metric", "disk.reads", "--metric", "load", archive).stdout == (
        "name        pmid    type   semantics  units  instances\n"
        "disk.reads  60.0.1  u32    counter    count  3 of 60.1\n"
        "load        60.0.4  float  instant    none   -\n"
        "\n"
        "instances of 60.1\n"
        "  0  renamed\n"
        "  1  sdb\n"
        "  2  =sdc\n"
    )


def test_a_name_stands_for_all_below_it_and_for_nothing_that_only_begins_alike(archive: Path) -> None:
    assert [metric["name"] for metric in listed("--metric", "disk", archive)["metrics"]] == ["disk.bytes", "disk.reads"]


def test_a_wrong_name_is_refused_with_the_nearest(archive: Path) -> None:
    done = pmproof("metrics", "--metric", "load", "--metric", "disk.read", archive)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("pmproof: --metric: there is no disk.read; nearest: disk.reads")


def test_csv_is_one_record_for_each_name(archive: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(pmproof("metrics", "--format", "csv", archive).stdout)))
    assert [row["name"] for row in rows] == ["disk.bytes", "disk.reads", "disks", "load"]
    assert (rows[1]["indom"], rows[1]["instances"], rows[2]["indom"], rows[2]["instances"]) == ("60.1", "3", "", "")


def test_several_archives_are_opened_as_one(archive: Path, tmp_path: Path) -> None:
    later = {
        **DESCRIPTION,
        "metrics": {"more": {"pmid": "60.0.9", "type": "32", "semantics": "instant"}},
        "indoms": [],
        "records": [{"time": 100, "values": {"more": 1}}],
        "start": 100,
    }
    (tmp_path / "later.json").write_text(json.dumps(later))
    done = pmproof("generate", "--description", tmp_path / "later.json", tmp_path / "b")
    assert done.returncode == 0, done.stderr
    assert {metric["name"] for metric in listed(archive, tmp_path / "b")["metrics"]} == {"disk.bytes", "disk.reads", "disks", "load", "more"}


def test_it_agrees_with_the_counts_of_info(tmp_path: Path) -> None:
    assert pmproof("generate", "--seed", "3", "--no-truth", tmp_path / "a").returncode == 0
    (info,) = json.loads(pmproof("info", "--format", "json", tmp_path / "a").stdout)["archives"]
    report = listed(tmp_path / "a")
    assert len({metric["pmid"] for metric in report["metrics"]}) == info["metadata"]["metrics"]
    assert len(report["metrics"]) == info["metadata"]["names"]


def test_what_cannot_be_opened_says_why(archive: Path, tmp_path: Path) -> None:
    assert pmproof("metrics", tmp_path / "none").returncode == 4
    assert pmproof("metrics").returncode == 2
    for suffix in ("0", "meta"):
        shutil.copy(f"{archive}.{suffix}", tmp_path / f"bad.{suffix}")
    meta = (tmp_path / "bad.meta").read_bytes()
    (tmp_path / "bad.meta").write_bytes(meta[:-7])
    done = pmproof("metrics", tmp_path / "bad")
    assert (done.returncode, done.stdout) == (4, "")
    assert "bad.meta" in done.stderr


def test_the_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert json.loads(pmproof("metrics", "--schema").stdout) == SCHEMA
