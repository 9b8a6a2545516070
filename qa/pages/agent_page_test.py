# SPDX-License-Identifier: Apache-2.0
"""The page of `pmproof agent check` in a real browser: outcomes and words choose among its checks."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from qa.pages import every_page
from qa.suite import browser

PMPROOF = os.environ["PMPROOF"]


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[webdriver.Chrome]:
    with browser.opened() as driver:
        yield driver


def checked(page: Path, status: int, *agent: str) -> Path:
    checks = ["--check", "CKA-001", "--check", "CKA-010", "--check", "CKA-030"]
    command = [PMPROOF, "agent", "check", *checks, "--output", f"html:{page}", "--", *agent]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stderr
    return page


@pytest.fixture(name="page", scope="module")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checked(tmp_path_factory.mktemp("page") / "agent.html", 0, PMPROOF, "agent", "serve", "simple")


@pytest.fixture(name="failing", scope="module")
def fixture_failing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of an agent that says what no agent says."""
    return checked(tmp_path_factory.mktemp("page") / "failing.html", 3, "/bin/sh", "-c", "echo hello hello hello hello; exec cat")


def script(driver: Any, text: str) -> Any:
    return driver.execute_script(text)


def shown(driver: webdriver.Chrome) -> list[str]:
    rows = driver.find_elements(By.CSS_SELECTOR, "tr[data-kind] td.rule")
    return [row.text for row in rows if row.is_displayed()]


def test_outcomes_and_words_choose(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    every = len(shown(driver))
    assert every > 100 and driver.find_element(By.ID, "count").text == f"{every} of {every} checks"
    driver.find_element(By.CSS_SELECTOR, "[data-shows=not-checked]").click()
    assert shown(driver) == ["CKA-001", "CKA-010", "CKA-030"]
    search = driver.find_element(By.ID, "search")
    search.send_keys("cka-010")
    assert shown(driver) == ["CKA-010"]
    search.send_keys(Keys.BACKSPACE * 7, "nothing of the kind")
    assert shown(driver) == [] and not any(one.is_displayed() for one in driver.find_elements(By.CSS_SELECTOR, "details.fold"))


def test_it_is_as_all_pages_are(driver: webdriver.Chrome, page: Path) -> None:
    every_page.is_as_all_are(driver, page, "agent check", "warning")
    assert driver.find_element(By.CSS_SELECTOR, ".verdict").text == "undetermined"


def test_heads_put_the_checks_of_a_section_in_order(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    (section, *_) = driver.find_elements(By.CSS_SELECTOR, "details.fold")
    head = section.find_elements(By.TAG_NAME, "th")[1]
    head.find_element(By.TAG_NAME, "button").click()
    severities = [row.text for row in section.find_elements(By.CSS_SELECTOR, "tbody td:nth-child(2)")]
    assert severities == sorted(severities) and len(set(severities)) > 1 and head.get_attribute("aria-sort") == "ascending"


def test_what_failed_is_on_top_with_its_octets(driver: webdriver.Chrome, failing: Path) -> None:
    every_page.is_as_all_are(driver, failing, "agent check", "warning")
    browser.look(driver, failing, 1200)
    (failure, *_) = driver.find_elements(By.CSS_SELECTOR, "section.rule-page")
    assert failure.find_elements(By.CSS_SELECTOR, ".exchange code")
    failure.find_element(By.TAG_NAME, "summary").click()
    every_page.can_be_read(driver)
    driver.find_element(By.CSS_SELECTOR, "[data-shows=failed]").click()
    assert not failure.is_displayed() and not driver.find_element(By.TAG_NAME, "h2").is_displayed()
