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

from qa.suite import browser

PMPROOF = os.environ["PMPROOF"]


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[webdriver.Chrome]:
    with browser.opened() as driver:
        yield driver


@pytest.fixture(name="page", scope="module")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("page") / "agent.html"
    checks = ["--check", "CKA-001", "--check", "CKA-010", "--check", "CKA-030"]
    command = [PMPROOF, "agent", "check", *checks, "--output", f"html:{page}", "--", PMPROOF, "agent", "serve", "simple"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return page


def script(driver: Any, text: str) -> Any:
    return driver.execute_script(text)


def shown(driver: webdriver.Chrome) -> list[str]:
    rows = driver.find_elements(By.CSS_SELECTOR, "tr[data-outcome] td.rule")
    return [row.text for row in rows if row.is_displayed()]


def test_outcomes_and_words_choose(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    every = len(shown(driver))
    assert every > 100 and driver.find_element(By.ID, "count").text == f"{every} of {every} checks"
    driver.find_element(By.CSS_SELECTOR, "[data-outcome='not checked']").click()
    assert shown(driver) == ["CKA-001", "CKA-010", "CKA-030"]
    search = driver.find_element(By.ID, "search")
    search.send_keys("cka-010")
    assert shown(driver) == ["CKA-010"]
    search.send_keys(Keys.BACKSPACE * 7, "nothing of the kind")
    assert shown(driver) == [] and not any(one.is_displayed() for one in driver.find_elements(By.CSS_SELECTOR, "details.archive"))
    assert browser.complaints_of(driver) == []


@pytest.mark.parametrize("width", [390, 800, 1400])
def test_nothing_sticks_out_at_any_width(driver: webdriver.Chrome, page: Path, width: int) -> None:
    browser.look(driver, page, width)
    assert script(driver, "return document.documentElement.scrollWidth <= document.documentElement.clientWidth")
