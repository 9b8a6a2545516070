# SPDX-License-Identifier: Apache-2.0
"""The HTML page of a survey as a browser shows it."""

import os
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By

from qa.suite import browser
from qa.suite.cli import main
from qa.suite.survey_testing import A, B, C, Fake, make_archive, unanswered, words

_HOSTILE = "<script>alert(1)</script>\x1b[31m"


@pytest.fixture(name="page")
def fixture_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
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


def test_the_page(page: Path) -> None:
    with browser.opened() as driver:
        browser.look(driver, page, 1280)
        browser.requests_of(driver)
        browser.complaints_of(driver)
        for width, dark in ((1280, False), (390, False), (1280, True)):
            browser.look(driver, page, width, dark)
            assert [one.text for one in driver.find_elements(By.TAG_NAME, "h1")] == ["old and new"]
            tables = {one.get_attribute("id") for one in driver.find_elements(By.TAG_NAME, "h2")}
            assert {"new", "known", "accepted", "groups", "clauses", "metrics", "unanswered", "not-compared"} == tables
            assert driver.execute_script("return document.documentElement.scrollWidth <= window.innerWidth")

            new = driver.find_element(By.ID, f"kind-fail-{B}")
            assert "3 values in 1 archive" in new.text
            new.find_element(By.TAG_NAME, "summary").click()
            assert "this kind was in no archive before" in new.text and "m.32 [1" in new.find_element(By.TAG_NAME, "pre").text

            # What is known can be put away.
            known = driver.find_element(By.ID, f"kind-skip-{A}")
            assert known.is_displayed()
            driver.find_element(By.ID, "failing").click()
            assert new.is_displayed() and not known.is_displayed()

            if folder := os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR"):
                driver.save_screenshot(f"{folder}/{width}{'-dark' if dark else ''}.png")
            background = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
            assert (background == "rgb(255, 255, 255)") == (not dark)
        assert [url for url in browser.requests_of(driver) if not url.startswith(("file:", "data:", "about:"))] == []
        assert browser.complaints_of(driver) == []
    text = page.read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)" in text and "<script>alert" not in text and "\x1b" not in text
