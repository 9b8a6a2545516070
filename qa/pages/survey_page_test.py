# SPDX-License-Identifier: Apache-2.0
"""The page of `suite rules survey` in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By

from qa.pages import every_page
from qa.suite import browser
from qa.suite.cli import main
from qa.suite.survey_testing import A, B, C, Fake, make_archive, unanswered, words

_HOSTILE = "<script>alert(1)</script>\x1b[31m"


@pytest.fixture(name="page", scope="module")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        yield made(tmp_path_factory.mktemp("survey"), patch)


def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Of a second survey: a kind is known, two are new, one is accepted, and an archive cannot be read."""
    fake = Fake(tmp_path / "fake")
    monkeypatch.setenv("PMPROOF", str(fake.program))
    for name in ("a", "b", "c"):
        make_archive(tmp_path / "archives", name)
        fake.answers(name, {A: 4})
    assert main(words(tmp_path)) == 1
    (tmp_path / "budget").write_text(f"{C} | | as decided\n", encoding="utf-8")
    fake.answers("a", {A: 4, B: 3, C: 2}, unanswered=[unanswered("skip", 5, _HOSTILE)])
    fake.answers("c", status=4, failure={"file": "c.0", "message": _HOSTILE, "rule": None, "kind": "damaged", "offset": 0})
    assert main(words(tmp_path, "--html", tmp_path / "page.html", "--budget", tmp_path / "budget")) == 4
    return tmp_path / "page.html"


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[Chrome]:
    with browser.opened() as driver:
        yield driver


def test_it_is_as_all_pages_are(driver: Chrome, page: Path) -> None:
    every_page.is_as_all_are(driver, page, "rules survey", "fatal")
    assert driver.find_element(By.TAG_NAME, "h1").text == "old and new"
    assert "new since " in driver.find_element(By.CSS_SELECTOR, ".verdict").text


def test_what_is_new_opens_and_what_is_known_can_be_put_away(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    tables = {one.get_attribute("id") for one in driver.find_elements(By.TAG_NAME, "h2")}
    assert {"new", "known", "accepted", "groups", "clauses", "metrics", "unanswered", "not-compared"} == tables
    new = driver.find_element(By.ID, f"new-{B}")
    assert "3 values in 1 archive" in new.text
    new.find_element(By.TAG_NAME, "summary").click()
    assert "this kind was in no archive before" in new.text and "m.32 [1" in new.find_element(By.TAG_NAME, "pre").text
    every_page.can_be_read(driver)
    known = driver.find_element(By.ID, f"known-{A}")
    assert known.is_displayed()
    driver.find_element(By.CSS_SELECTOR, "[data-shows=known]").click()
    assert new.is_displayed() and not known.is_displayed()
    assert driver.find_element(By.ID, "count").text == "1 of 2 kinds"


def test_tables_are_searched_and_put_in_order(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    table = driver.find_element(By.CSS_SELECTOR, "#metrics ~ .scroll table")
    names = lambda: [one.text for one in table.find_elements(By.CSS_SELECTOR, "tbody tr:not([hidden]) td:first-child")]  # noqa: E731
    assert names() == ["m.float", "m.32", "m.u64"]
    head = table.find_element(By.CSS_SELECTOR, "th")
    head.find_element(By.TAG_NAME, "button").click()
    assert names() == ["m.32", "m.float", "m.u64"] and head.get_attribute("aria-sort") == "ascending"
    number = table.find_elements(By.CSS_SELECTOR, "th button")[3]
    number.click()
    number.click()
    assert names() == ["m.float", "m.32", "m.u64"] and head.get_attribute("aria-sort") is None
    driver.find_element(By.ID, "search").send_keys("m.u64")
    assert names() == ["m.u64"]


def test_foreign_text_is_text(driver: Chrome, page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in text and "<script>alert" not in text and "\x1b" not in text
