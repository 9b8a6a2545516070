# SPDX-License-Identifier: Apache-2.0
"""The generator's program, and what is asked of libpcp: nothing that is undefined."""

import os
from pathlib import Path

import pytest

from qa.beside_pcp.derived import archives, questions
from qa.beside_pcp.derived.questions import ProgramError

PMPROOF, EXPRESSIONS = Path(os.environ["PMPROOF"]), Path(os.environ["EXPRESSIONS"])
SEEDS = ("1/1", "1/2", "1/3")  # one for each form of archive


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("version", ["6.0.3", "6.3.8", "7.2.2"])
def test_batches_are_the_same_for_the_same_seed(tmp_path: Path, seed: str, version: str) -> None:
    archive = questions.make_archive(PMPROOF, tmp_path, seed, version)
    made = list(questions.batches(EXPRESSIONS, archive, version, 5, 150))
    assert made == list(questions.batches(EXPRESSIONS, archive, version, 5, 150))
    expressions = [expression for batch in made for expression in batch["expressions"]]
    assert len(expressions) >= 150
    assert any("descriptor" in ours["global"] for ours in expressions)
    assert any("position" in ours["global"] for ours in expressions)
    assert any(ours.get("emulated", "").count(":") > 5 for ours in expressions)


def test_forms_of_archives_differ(tmp_path: Path) -> None:
    for version in ("6.0.3", "7.2.2"):
        texts = []
        for seed in SEEDS:
            questions.make_archive(PMPROOF, tmp_path, seed, version)
            texts.append((tmp_path / "a.json").read_text(encoding="utf-8"))
        assert {text.count('"version": 2') for text in texts} == {0, 1}
        assert any('"delta"' in text for text in texts) == (version != "6.0.3")  # DEV-24


def test_what_is_undefined_is_not_asked(tmp_path: Path) -> None:
    archive = questions.make_archive(PMPROOF, tmp_path, SEEDS[0], "7.2.2")
    metric = next(name for name in archives.description(SEEDS[0], 2, False)["metrics"] if name.startswith("dbl.i.s."))
    texts = ["anon(x)", f"!{metric}", metric, f"{metric} +"]
    batch = questions.answers_to(EXPRESSIONS, archive, "7.2.2", 1, texts)
    told = questions.request_of(archive, batch)["expressions"]
    assert told[0] == {"text": None}
    assert (told[1]["describe"], told[1]["fetch"]) == (True, False)
    assert (told[2]["describe"], told[2]["fetch"]) == (True, True)
    assert (told[3]["text"], told[3]["fetch"]) == (f"{metric} +", False)


def test_failures_are_told(tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="status 2"):
        list(questions.batches(EXPRESSIONS, tmp_path / "none", "7.2.2", 1, 10))
    archive = questions.make_archive(PMPROOF, tmp_path, SEEDS[0], "7.2.2")
    with pytest.raises(ProgramError, match="no dialect"):
        list(questions.batches(EXPRESSIONS, archive, "9.9", 1, 10))
