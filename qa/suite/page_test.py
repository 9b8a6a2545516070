# SPDX-License-Identifier: Apache-2.0
"""The HTML report as a browser shows it."""

import os
from pathlib import Path

import pytest
from selenium.webdriver import Chrome
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webelement import WebElement

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


def test_the_page(page: Path) -> None:
    """One browser for all of it, for it takes its time to start."""
    with browser.opened() as driver:
        browser.look(driver, page, 1280)
        browser.requests_of(driver)

        for width, dark in ((1280, False), (390, False), (1280, True)):
            browser.look(driver, page, width, dark)

            # The matrix is there, with its legend.
            rows = driver.find_elements(By.CSS_SELECTOR, "#matrix tr")
            assert [row.text.split()[0] for row in rows] == ["chapter", "derived", "metadata", "replay", "claim"]
            assert rows[0].text.split()[1:] == ["fake:right", "fake:off-by-one", "fake:crashes-at-times"]
            assert len(driver.find_elements(By.CSS_SELECTOR, "#legend li")) == 5

            # A failing case opens: by a click, and by the link of the list of failures.
            case = driver.find_element(By.ID, "case-replay/worked-counter-25")
            assert not is_seen(case.find_element(By.CSS_SELECTOR, ".sides"))
            case.find_element(By.CSS_SELECTOR, "summary").click()
            sides = case.find_element(By.CSS_SELECTOR, ".sides")
            assert is_seen(sides)
            assert "m.counter 870" in sides.text and "m.counter 871" in sides.text
            assert is_seen(case.find_element(By.CSS_SELECTOR, "svg.plot polyline.actual"))
            driver.find_element(By.CSS_SELECTOR, 'a[href="#case-metadata/semantics"]').click()
            assert driver.find_element(By.ID, "case-metadata/semantics").get_attribute("open")

            # What did not fail can be put away.
            passed = driver.find_element(By.ID, "case-replay/set-refused")
            assert is_seen(passed)
            driver.find_element(By.ID, "failing").click()
            assert is_seen(passed) == ("quiet" not in str(passed.get_attribute("class")))
            assert is_seen(case)

            # It fits its window, and its text can be told from its paper.
            wide, window = driver.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
            assert wide <= width == window
            assert lightness(driver, "color") < 80 if not dark else lightness(driver, "color") > 180
            assert lightness(driver, "backgroundColor") > 200 if not dark else lightness(driver, "backgroundColor") < 50
            if folder := os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR"):
                driver.save_screenshot(f"{folder}/{width}{'-dark' if dark else ''}.png")

        # Nothing leaves the page, and its own policy forbids nothing that it does.
        asked = {url for url in browser.requests_of(driver) if not url.startswith(("about:", "data:"))}
        assert {url.partition("#")[0] for url in asked} == {page.absolute().as_uri()}
        assert browser.complaints_of(driver) == []


def is_seen(element: WebElement) -> bool:
    """WebDriver's own answer does not know how browsers hide what is in a closed <details>."""
    return bool(element.parent.execute_script("return arguments[0].checkVisibility()", element))


def lightness(driver: Chrome, what: str) -> float:
    """Of the body's color, from 0 to 255."""
    text = driver.execute_script(f"return getComputedStyle(document.body).{what}")
    channels = [float(one) for one in text[text.index("(") + 1 : -1].split(",")[:3]]
    return sum(channels) / 3
