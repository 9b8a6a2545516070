# SPDX-License-Identifier: Apache-2.0
"""The page of `pmproof triage` in a real browser: search, order, choice, keys, widths, and ten thousand archives."""

import json
import os
import re
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


def run(*arguments: "str | Path") -> None:
    done = subprocess.run([PMPROOF, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr


@pytest.fixture(name="page", scope="module")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("folder")
    for name in ("alpha", "beta", "gamma"):
        run("generate", "--seed", "3", "--records", "20", "--no-truth", folder / name)
    run("mutate", "--rule", "ARC-1104", folder / "beta", folder / "broken")
    page = tmp_path_factory.mktemp("page") / "triage.html"
    run("triage", "--live-within", "0s", "--output", f"html:{page}", folder)
    return page


def script(driver: Any, text: str) -> Any:
    return driver.execute_script(text)


def rows(driver: webdriver.Chrome) -> list[list[str]]:
    """Condition and name of each row that is in the page."""
    found = driver.find_elements(By.CSS_SELECTOR, "#rows .item")
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "[role=cell]")][:2] for row in found]


def test_the_worst_is_first_and_chosen(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    assert rows(driver) == [["salvageable", "broken"], ["sound", "alpha"], ["sound", "beta"], ["sound", "gamma"]]
    detail = driver.find_element(By.ID, "detail").text
    assert "ARC-1104" in detail and "pmproof salvage " in detail


def test_it_is_as_all_pages_are(driver: webdriver.Chrome, page: Path) -> None:
    every_page.is_as_all_are(driver, page, "triage", "warning")
    assert driver.find_element(By.CSS_SELECTOR, ".verdict").text == "4 archives: 3 sound, 1 salvageable"


def test_search_boxes_and_headers_choose_and_order(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    driver.find_element(By.ID, "search").send_keys("arc-1104")
    assert rows(driver) == [["salvageable", "broken"]]
    driver.find_element(By.ID, "search").send_keys(Keys.BACKSPACE * 8)
    driver.find_element(By.CSS_SELECTOR, "[data-condition='4']").click()
    assert [name for _, name in rows(driver)] == ["alpha", "beta", "gamma"]
    head = driver.find_element(By.CSS_SELECTOR, "[data-key=name]")
    head.find_element(By.TAG_NAME, "button").click()
    head.find_element(By.TAG_NAME, "button").click()
    assert head.get_attribute("aria-sort") == "descending"
    assert [name for _, name in rows(driver)] == ["gamma", "beta", "alpha"]


def test_a_row_is_chosen_by_the_keyboard(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    driver.find_element(By.CSS_SELECTOR, "#rows .item").send_keys(Keys.ARROW_DOWN)
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert "alpha" in driver.find_element(By.CSS_SELECTOR, "#detail h3").text


def test_ten_thousand_archives_make_as_many_rows_as_can_be_seen(driver: webdriver.Chrome, page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    start, data, end = re.split(r'(?<=id="data">)(.*?)(?=</script>)', text, maxsplit=1, flags=re.DOTALL)
    (one, *_) = json.loads(data)
    many = [[f"/archives/{number:05}", *one[1:]] for number in range(10_000)]
    long = tmp_path / "long.html"
    long.write_text(start + json.dumps(many) + end, encoding="utf-8")
    browser.look(driver, long, 1200)
    assert "10000 of 10000" in driver.find_element(By.ID, "count").text
    assert 5 < len(rows(driver)) < 100
    script(driver, "document.getElementById('list').scrollTop = 1e9")
    driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert rows(driver)[-1][1] == "09999"
