# SPDX-License-Identifier: Apache-2.0
"""The page of `suite run` in a real browser: table, cases, search, filters, keys, widths."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

from qa.pages import every_page
from qa.suite import browser
from qa.suite.cli import main
from qa.suite.testing import small_golden


@pytest.fixture(name="page", scope="module")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("page")
    golden = small_golden(folder / "golden")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        arguments = ["run", "fake:right", "fake:off-by-one", "fake:crashes-at-times", "--cases", str(golden), "--jobs", "2"]
        assert main([*arguments, "--quiet", "--html", str(folder / "page.html")]) == 1
    return folder / "page.html"


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[Chrome]:
    with browser.opened() as driver:
        yield driver


def shown(driver: Chrome, selector: str) -> list[WebElement]:
    return [one for one in driver.find_elements(By.CSS_SELECTOR, selector) if is_seen(one)]


def is_seen(element: WebElement) -> bool:
    """WebDriver's own answer does not know how browsers hide what is in a closed <details>."""
    return bool(element.parent.execute_script("return arguments[0].checkVisibility()", element))


def test_it_is_as_all_pages_are(driver: Chrome, page: Path) -> None:
    every_page.is_as_all_are(driver, page, "suite", "error")
    assert driver.find_element(By.CSS_SELECTOR, ".verdict").text == "3 implementations: 1 conformant, 2 not conformant"


def test_chapters_and_implementations_are_a_table_with_a_legend(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    rows = driver.find_elements(By.CSS_SELECTOR, "#matrix tr")
    assert [row.text.split()[0] for row in rows] == ["chapter", "derived", "metadata", "replay", "claim"]
    assert rows[0].text.split()[1:] == ["fake:right", "fake:off-by-one", "fake:crashes-at-times"]
    assert len(driver.find_elements(By.CSS_SELECTOR, "#legend li")) == 5


@pytest.mark.parametrize("width", every_page.WIDTHS)
def test_a_failing_case_opens_by_a_click_and_by_its_link(driver: Chrome, page: Path, width: int) -> None:
    browser.look(driver, page, width)
    case = driver.find_element(By.ID, "case-replay/worked-counter-25")
    assert not is_seen(case.find_element(By.CSS_SELECTOR, ".sides"))
    case.find_element(By.CSS_SELECTOR, "summary").click()
    sides = case.find_element(By.CSS_SELECTOR, ".sides")
    assert is_seen(sides) and "m.counter 870" in sides.text and "m.counter 871" in sides.text
    assert is_seen(case.find_element(By.CSS_SELECTOR, "svg.plot polyline.actual"))
    driver.find_element(By.CSS_SELECTOR, 'a[href="#case-metadata/semantics"]').click()
    other = driver.find_element(By.ID, "case-metadata/semantics")
    every_page.soon(driver, lambda: other.get_attribute("open"))
    every_page.can_be_read(driver)


def test_outcomes_and_words_choose_among_the_cases(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    every = len(shown(driver, "details.fold"))
    count = driver.find_element(By.ID, "count")
    assert count.text == f"{every} of {every} cases" and every == 5
    for one in shown(driver, "details.fold"):
        driver.execute_script("arguments[0].open = true", one)
    requests = len(shown(driver, ".request"))
    driver.find_element(By.CSS_SELECTOR, "[data-shows=pass]").click()
    # Of a case that is shown, requests that passed with all are not.
    left = shown(driver, ".request")
    assert 0 < len(left) < requests and all("fail" in str(one.get_attribute("data-kind")).split() for one in left)
    search = driver.find_element(By.ID, "search")
    search.send_keys("worked-counter-25")
    assert [one.get_attribute("id") for one in shown(driver, "details.fold")] == ["case-replay/worked-counter-25"]
    assert [one.get_attribute("id") for one in shown(driver, "section.group")] == ["chapter-replay"]
    driver.find_element(By.CSS_SELECTOR, "[data-shows=fail]").click()
    assert shown(driver, "details.fold") == [] and count.text == "0 of 5 cases"


def test_enter_opens_what_was_found_and_arrows_lead_on(driver: Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    driver.find_element(By.ID, "search").send_keys("replay/", Keys.ENTER)
    first, second = shown(driver, "details.fold")[:2]
    assert first.get_attribute("open") and not second.get_attribute("open")
    driver.switch_to.active_element.send_keys(Keys.ARROW_DOWN)
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert second.get_attribute("open")


def test_without_scripts_all_is_there(driver: Chrome, page: Path) -> None:
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.look(driver, page, 1200)
        assert not driver.find_element(By.ID, "controls").is_displayed()
        case = driver.find_element(By.ID, "case-replay/worked-counter-25")
        case.find_element(By.CSS_SELECTOR, "summary").click()
        assert "m.counter 870" in case.find_element(By.CSS_SELECTOR, ".sides").text
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
