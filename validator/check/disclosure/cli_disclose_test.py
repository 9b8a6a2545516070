# SPDX-License-Identifier: Apache-2.0
"""`check --disclose`: what an archive tells of people and machines, before it is published."""

import json
import os
import re
from pathlib import Path

import jsonschema

from validator.testing.run import pmproof

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))


def made(folder: Path) -> Path:
    """Its host is acme.example.com."""
    done = pmproof("generate", "--records", "20", folder / "a")
    assert done.returncode == 0, done.stderr
    return folder / "a"


def test_the_report_says_field_place_and_example(tmp_path: Path) -> None:
    archive = made(tmp_path)
    done = pmproof("check", "--disclose", archive)
    assert done.returncode == 0
    assert "  tells    host        hostname of the archive's labels: acme.example.com\n" in done.stdout
    assert "3 places, first a.0 offset 36" in done.stdout or "3 places, first a.index offset 36" in done.stdout
    report = json.loads(pmproof("check", "--disclose", "--format", "json", archive).stdout)
    jsonschema.validate(report, SCHEMA)
    field = report["archives"][0]["disclosures"]["fields"][0]
    assert (field["kind"], field["count"], field["example"]) == ("host", 3, "acme.example.com")
    for place in field["places"]:
        octets = (tmp_path / place["file"]).read_bytes()
        assert octets[place["offset"] :][: place["length"]] == b"acme.example.com"


def test_a_compressed_archive_tells_the_same(tmp_path: Path) -> None:
    archive = made(tmp_path)
    assert pmproof("rewrite", "--compress", "zstd", archive, tmp_path / "z").returncode == 0

    def fields(path: Path) -> list[tuple[str, str, int]]:
        report = json.loads(pmproof("check", "--disclose", "--format", "json", path).stdout)
        return [(one["kind"], one["field"], one["count"]) for one in report["archives"][0]["disclosures"]["fields"]]

    assert fields(archive) == fields(tmp_path / "z") != []


def data_of(page: str) -> str:
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)
    return str(data)


def test_the_page_has_it_and_nothing_is_told_without_the_option(tmp_path: Path) -> None:
    archive = made(tmp_path)
    page = pmproof("check", "--disclose", "--format", "html", archive).stdout
    (shown,) = json.loads(data_of(page))["archives"]
    assert "acme.example.com" in [field["example"] for field in shown["disclosures"]["fields"]]
    told = [pmproof("check", "--format", form, archive).stdout for form in ("json", "text")]
    told.append(data_of(pmproof("check", "--format", "html", archive).stdout))
    for text in told:
        assert "disclos" not in text and "acme.example.com" not in text


def test_without_a_verdict_nothing_is_told(tmp_path: Path) -> None:
    archive = made(tmp_path)
    for file in tmp_path.glob("a.[0m]*"):
        file.write_bytes(b"junk")
    report = json.loads(pmproof("check", "--disclose", "--format", "json", archive).stdout)
    assert all("disclosures" not in one for one in report["archives"] if one["failure"])
