# SPDX-License-Identifier: Apache-2.0
"""golden/matrix/matrix.html in a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By

from qa.dev.matrix import results
from qa.pages import every_page
from qa.suite import browser

FOLDER = Path("golden/matrix").resolve()
RESULTS = results.load(FOLDER / "results.jsonl")


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[Chrome]:
    with browser.opened() as driver:
        yield driver


@pytest.fixture(name="page", scope="module")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("page") / "matrix.html"
    page.write_bytes((FOLDER / "matrix.html").read_bytes())
    return page


def names(driver: Chrome) -> list[str]:
    """Of the writers in the table."""
    return [one.text for one in driver.find_elements(By.CSS_SELECTOR, "#written tr[data-kind] th") if one.is_displayed()]


def test_it_is_as_all_pages_are(driver: Chrome, page: Path) -> None:
    every_page.is_as_all_are(driver, page, "matrix", "good")


def test_both_tables_are_there_with_their_legend(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    heads = [head.text for head in driver.find_elements(By.CSS_SELECTOR, "#golden tr:first-child th")]
    assert heads == ["chapter", *(one["name"] for one in RESULTS.implementations)]
    assert names(driver) == [one["name"] for one in RESULTS.header["writers"]]
    assert len(driver.find_elements(By.CSS_SELECTOR, "#legend li")) == 6


@pytest.mark.parametrize("width", every_page.WIDTHS)
def test_a_cell_leads_to_what_does_not_agree_and_opens_it(driver: Chrome, page: Path, width: int) -> None:
    browser.look(driver, page, width)
    inside = driver.find_element(By.ID, "writer-pmlogreduce-6.3.8").find_element(By.CSS_SELECTOR, ".inside")
    assert not driver.execute_script("return arguments[0].checkVisibility()", inside)
    driver.find_element(By.CSS_SELECTOR, '#written a[href="#writer-pmlogreduce-6.3.8"]').click()
    every_page.soon(driver, lambda: driver.execute_script("return arguments[0].checkVisibility()", inside))
    assert "ARC-1724" in inside.text
    every_page.can_be_read(driver)


def test_classes_and_words_choose(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    driver.find_element(By.CSS_SELECTOR, "[data-shows=theirs]").click()
    assert 0 < len(names(driver)) < len(RESULTS.header["writers"])
    assert driver.find_element(By.ID, "golden-reference").is_displayed()  # it agrees
    driver.find_element(By.ID, "search").send_keys("pmlogreduce 6.3.8", Keys.ENTER)
    assert names(driver) == ["pmlogreduce 6.3.8"]
    every_page.soon(driver, lambda: driver.find_element(By.ID, "writer-pmlogreduce-6.3.8").get_attribute("open"))
