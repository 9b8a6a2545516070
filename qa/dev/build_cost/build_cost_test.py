# SPDX-License-Identifier: Apache-2.0
"""The parts of build_cost, without a build."""

import gzip
import json
from datetime import date
from pathlib import Path

from qa.dev.build_cost.headers import parse_seconds, precompiled_flags
from qa.dev.build_cost.includes import direct, users
from qa.dev.build_cost.profile import seconds_by_source
from qa.dev.build_cost.table import Cost, Header, table


def test_a_header_counts_for_each_file_that_includes_it_by_another(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n#include <vector>\n')
    (tmp_path / "b.h").write_text("#include <nlohmann/json.hpp>\n")
    (tmp_path / "one.cc").write_text('#include "a.h"\n')
    (tmp_path / "two.cc").write_text('#include "b.h"\n#include "a.h"\n')
    (tmp_path / "three.cc").write_text("#include <string>\n")
    included = direct(tmp_path, ["a.h", "b.h", "one.cc", "two.cc", "three.cc"])
    assert users(included, ["one.cc", "two.cc", "three.cc"]) == {"a.h": 2, "b.h": 2, "nlohmann/json.hpp": 2}


def test_headers_that_include_each_other_end(tmp_path: Path) -> None:
    (tmp_path / "a.h").write_text('#include "b.h"\n')
    (tmp_path / "b.h").write_text('#include "a.h"\n')
    (tmp_path / "one.cc").write_text('#include "a.h"\n')
    assert users(direct(tmp_path, ["a.h", "b.h", "one.cc"]), ["one.cc"]) == {"a.h": 1, "b.h": 1}


def test_compilations_are_read_from_the_profile(tmp_path: Path) -> None:
    events = [
        {"cat": "action processing", "name": "Compiling validator/main.cc", "dur": 1_500_000},
        {"cat": "action processing", "name": "Linking validator/pmproof", "dur": 9_000_000},
        {"cat": "general information", "name": "Compiling validator/main.cc", "dur": 7_000_000},
    ]
    profile = tmp_path / "profile.gz"
    with gzip.open(profile, "wt", encoding="utf-8") as file:
        json.dump({"traceEvents": events}, file)
    assert seconds_by_source(profile) == {"validator/main.cc": 1.5}


def test_a_build_without_precompiled_headers_has_no_flags_for_them(tmp_path: Path) -> None:
    assert precompiled_flags(tmp_path, tmp_path) == []


def test_headers_are_read_after_what_is_precompiled(tmp_path: Path) -> None:
    built = tmp_path / "bazel-out" / "k8" / "bin" / "qa" / "dev" / "bazel" / "precompiled" / "for_programs.h"
    built.parent.mkdir(parents=True)
    built.write_text("#include <vector>\n")
    (tmp_path / "own.h").write_text("inline std::vector<int> made;\n")
    folder = tmp_path / "folder"
    folder.mkdir()
    flags = precompiled_flags(tmp_path, folder)
    (folder / "for_programs.h").write_text("#error this is not what was precompiled\n")
    assert parse_seconds("own.h", ["-iquote", str(tmp_path), *flags], tmp_path) > 0


def test_the_dearest_come_first_and_the_rest_is_cut() -> None:
    cost = Cost("//x", 2, 10.0, {"cheap.cc": 1.0, "dear.cc": 3.0}, [Header("small.h", 100, 0.01), Header("big.h", 2, 1.0)])
    text = table(cost, 1, date(2026, 1, 2))
    assert "Last run (2026-01-02): `//x` from nothing with 2 compilers at once took 10 s: 2 files, 4 action seconds." in text
    assert "| dear.cc | 3.0 |" in text and "cheap.cc" not in text
    assert "| big.h | 2 | 1.00 | 2 |" in text and "small.h" not in text
