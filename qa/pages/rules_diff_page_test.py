# SPDX-License-Identifier: Apache-2.0
"""The page of `pmproof rules diff` in a real browser: curves, archives, search, filters, order, keys, widths."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from qa.pages import every_page
from qa.suite import browser

PMPROOF = os.environ["PMPROOF"]
SEEDS = {"alpha": 3, "beta": 5, "gamma": 7}


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[Chrome]:
    with browser.opened() as driver:
        yield driver


def run(*arguments: "str | Path") -> None:
    done = subprocess.run([PMPROOF, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two archives whose values differ, and one of which none does."""
    folder = tmp_path_factory.mktemp("folder")
    for name in ("alpha", "beta"):
        run("generate", "--seed", str(SEEDS[name]), "--scenario", "types,marks", "--records", "30", "--no-truth", folder / name)
    run("generate", "--seed", "7", "--records", "1", "--no-truth", folder / "gamma")
    return folder


def compared(page: Path, *archives: Path) -> Path:
    run("rules", "diff", "--baseline", "pcp-6.3.2", "--candidate", "documented", "--output", f"html:{page}", *archives)
    return page


@pytest.fixture(name="page", scope="module")
def fixture_page(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("page") / "rules_diff.html"
    return compared(page, *(folder / name for name in SEEDS))


def shown(driver: Chrome, selector: str) -> list[WebElement]:
    return [one for one in driver.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]


def names(driver: Chrome) -> list[str]:
    """The archives in the table."""
    return [one.text.rpartition("/")[2] for one in shown(driver, "#archives tbody a")]


def test_it_is_as_all_pages_are(driver: Chrome, page: Path) -> None:
    every_page.is_as_all_are(driver, page, "rules diff", "warning")


def test_a_page_of_one_archive_needs_no_search(driver: Chrome, folder: Path, tmp_path: Path) -> None:
    one = compared(tmp_path / "one.html", folder / "alpha")
    every_page.is_as_all_are(driver, one, "rules diff", "warning", searched=False)
    assert driver.find_elements(By.ID, "search") == []


def test_both_curves_are_drawn(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    curves = driver.find_elements(By.CSS_SELECTOR, "figure svg path.curve")
    assert len(curves) >= 4 and any(curve.get_attribute("d") for curve in curves)
    colors = {driver.execute_script("return getComputedStyle(arguments[0]).stroke", curve) for curve in curves}
    assert len(colors) == 2


def test_kinds_and_words_choose_among_the_archives(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    assert names(driver) == list(SEEDS)
    kinds = [one.get_attribute("data-kind") for one in driver.find_elements(By.CSS_SELECTOR, "details.fold")]
    assert kinds == ["differs", "differs", "same"]
    driver.find_element(By.CSS_SELECTOR, "[data-shows=same]").click()
    assert names(driver) == ["alpha", "beta"] and len(shown(driver, "details.fold")) == 2
    assert driver.find_element(By.ID, "count").text == "2 of 3 archives"
    driver.find_element(By.ID, "search").send_keys("/beta", Keys.ENTER)
    assert names(driver) == ["beta"] and len(shown(driver, "details.fold")) == 1


def test_heads_put_the_archives_in_order_and_links_lead_to_them(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    head = driver.find_element(By.CSS_SELECTOR, "#archives th:nth-child(3)")
    for order in ("ascending", "descending"):
        head.find_element(By.TAG_NAME, "button").click()
        numbers = [int(one.text) for one in shown(driver, "#archives tbody td:nth-child(3)")]
        assert head.get_attribute("aria-sort") == order
        assert numbers == sorted(numbers, reverse=order == "descending") and numbers != numbers[::-1]
    driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = false")
    (link,) = [one for one in shown(driver, "#archives tbody a") if one.text.endswith("/beta")]
    link.click()
    every_page.soon(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "details.fold[open]"))
    (opened,) = driver.find_elements(By.CSS_SELECTOR, "details.fold[open]")
    assert opened.find_element(By.TAG_NAME, "summary").text.split()[0].endswith("/beta")


def test_the_time_is_that_of_the_environment(folder: Path, tmp_path: Path) -> None:
    """So that the same archives give the same bytes."""
    page = tmp_path / "page.html"
    command = [PMPROOF, "rules", "diff", "--baseline", "pcp-6.3.2", "--candidate", "documented", "--output", f"html:{page}", str(folder / "gamma")]
    subprocess.run(command, env=os.environ | {"SOURCE_DATE_EPOCH": "1800000000"}, capture_output=True, check=True)
    assert "<time>2027-01-15T08:00:00Z</time>" in page.read_text(encoding="utf-8")
