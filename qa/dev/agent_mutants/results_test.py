# SPDX-License-Identifier: Apache-2.0
from dataclasses import replace
from pathlib import Path

import pytest

from qa.dev.agent_mutants import results
from qa.dev.agent_mutants.mutant import Mutant
from qa.dev.agent_mutants.results import Explained, ListError, Tried
from qa.dev.runs.last_run import BEGIN, END

_CAUGHT = Tried(1, "simple:DESC.pmid/zero/each/first", "must", "PMD-085", "", "not conformant", ["CKA-030"])
_SURVIVOR = replace(_CAUGHT, mutant="simple:ERROR.code/zero/each/first", clause="PMD-094", claim="conformant", errors=[])


def test_a_must_wants_an_error_and_a_should_any_failure() -> None:
    assert not _CAUGHT.survives
    assert _SURVIVOR.survives
    warned = replace(_SURVIVOR, warnings=["CKA-031"])
    assert warned.survives
    assert not replace(warned, level="should").survives
    assert not replace(_SURVIVOR, level="open").survives
    assert not replace(_SURVIVOR, level="not-applied").survives


def test_a_failure_of_what_is_sound_is_a_false_alarm() -> None:
    assert replace(_CAUGHT, level="sound").is_false_alarm
    assert not replace(_CAUGHT, level="open").is_false_alarm
    assert not replace(_SURVIVOR, level="sound", warnings=["CKA-045"]).is_false_alarm


def test_the_list_of_survivors_is_strict() -> None:
    why = {_SURVIVOR.mutant: Explained(_SURVIVOR.mutant, "blind", "because")}
    assert results.disagreements([_CAUGHT, _SURVIVOR], why) == []
    assert "does not say why" in results.disagreements([_SURVIVOR], {})[0]
    assert "does not survive any more" in results.disagreements([replace(_SURVIVOR, errors=["CKA-112"])], why)[0]
    assert "not among the results" in results.disagreements([_CAUGHT], why)[0]


@pytest.mark.parametrize("text", ["survivor = 1", "[[survivor]]\nmutant = 'a'", "[[survivor]]\nmutant='a'\nkind='b'\nreason='c'", "["])
def test_a_list_that_cannot_be_read_says_so(text: str, tmp_path: Path) -> None:
    (tmp_path / "survivors.toml").write_text(text, encoding="utf-8")
    with pytest.raises(ListError):
        results.explanations(tmp_path / "survivors.toml")


def test_results_are_read_as_they_are_written(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    results.save([_CAUGHT, _SURVIVOR], path)
    assert results.load(path) == [_CAUGHT, _SURVIVOR]
    path.write_text("{}\n", encoding="utf-8")
    with pytest.raises(ListError):
        results.load(path)


def test_the_recorded_run_is_the_one_of_the_page_and_of_the_list() -> None:
    recorded, explained = results.load(), results.explanations()
    assert recorded
    assert results.disagreements(recorded, explained) == []
    assert not [one.mutant for one in recorded if one.is_false_alarm or one.wrong]
    page = results.README.read_text(encoding="utf-8")
    assert page.partition(BEGIN)[2].partition(END)[0].lstrip("\n") == results.table(recorded, explained)
    assert all(str(Mutant.parsed(one.mutant)) == one.mutant for one in recorded)
