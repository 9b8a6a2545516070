# SPDX-License-Identifier: Apache-2.0
"""The page of `pmproof derive diff` in a real browser: definitions, what each side says, search, kinds, order, widths."""

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
DEFINITIONS = """\
# DER-104: 6.0.3 takes no expression as the operand of a function.
disk.busy = rate(plain.reads)
disk.double = delta(plain.reads * 2)
disk.twice = plain.reads * 2
disk.wrong = 1 +
"""


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[Chrome]:
    with browser.opened() as driver:
        yield driver


def run(*arguments: "str | Path") -> None:
    done = subprocess.run([PMPROOF, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr


@pytest.fixture(name="page", scope="module")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two archives; one definition means something else, and one means nothing to both sides."""
    folder = tmp_path_factory.mktemp("folder")
    for name in ("monday", "tuesday"):
        run("generate", "--seed", "7", "--scenario", "marks", "--records", "12", "--metrics", "2", "--instances", "2", "--no-truth", folder / name)
    config = folder / "derived.conf"
    config.write_text(DEFINITIONS, encoding="utf-8")
    page = tmp_path_factory.mktemp("page") / "derive_diff.html"
    sides = ("--baseline", "6.0.3", "--candidate", "7.2.2")
    run("derive", "diff", *sides, "--derived-config", config, "--output", f"html:{page}", folder)
    return page


def shown(driver: Chrome, selector: str) -> list[WebElement]:
    return [one for one in driver.find_elements(By.CSS_SELECTOR, selector) if one.is_displayed()]


def names(driver: Chrome) -> list[str]:
    """The definitions in the table."""
    return [one.text.split()[0] for one in shown(driver, "#definitions tbody tr")]


def test_it_is_as_all_pages_are(driver: Chrome, page: Path) -> None:
    every_page.is_as_all_are(driver, page, "derive diff", "warning")
    verdict = driver.find_element(By.CSS_SELECTOR, ".verdict").text
    assert verdict.startswith("1 of 4 definitions changes its meaning over 2 archives (")


def test_a_definition_that_changes_shows_both_sides_and_the_clause(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    (fold,) = shown(driver, "details.fold[data-kind]")
    assert fold.find_element(By.TAG_NAME, "summary").text.startswith("disk.double ")
    assert "derived.conf:3" in fold.text and "disk.double = delta(plain.reads * 2)" in fold.text
    assert "one side refuses it DER-104" in fold.text and "/monday and 1 more" in fold.text
    baseline, candidate = (fold.find_element(By.CSS_SELECTOR, f"td.{role} code").text for role in ("baseline", "candidate"))
    assert baseline.startswith("PM_ERR_") and candidate.startswith("type ")
    assert [one.text for one in fold.find_elements(By.CSS_SELECTOR, "th[scope=row]")] == ["6.0.3", "7.2.2"]


def test_kinds_and_words_choose_among_the_definitions(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    assert names(driver) == ["disk.busy", "disk.double", "disk.twice", "disk.wrong"]
    assert driver.find_element(By.ID, "count").text == "4 of 4 definitions"
    driver.find_element(By.CSS_SELECTOR, "[data-shows=same]").click()
    assert names(driver) == ["disk.double", "disk.wrong"]
    driver.find_element(By.CSS_SELECTOR, "[data-shows=refused]").click()
    assert names(driver) == ["disk.wrong"] and shown(driver, "details.fold[data-kind]") == []
    driver.find_element(By.CSS_SELECTOR, "[data-shows=refused]").click()
    driver.find_element(By.ID, "search").send_keys("der-104", Keys.ENTER)
    assert names(driver) == ["disk.double"] and len(shown(driver, "details.fold[data-kind]")) == 1
    assert driver.find_element(By.ID, "count").text == "1 of 4 definitions"


def test_heads_put_the_definitions_in_order_and_links_lead_to_them(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    head = driver.find_element(By.CSS_SELECTOR, "#definitions th:nth-child(3)")
    head.find_element(By.TAG_NAME, "button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert names(driver) == ["disk.wrong", "disk.double", "disk.busy", "disk.twice"]  # both, one, the same
    driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = false")
    driver.find_element(By.LINK_TEXT, "disk.double").click()
    every_page.soon(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "#definition-1[open]"))
