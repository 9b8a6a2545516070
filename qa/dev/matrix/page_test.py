# SPDX-License-Identifier: Apache-2.0
"""golden/matrix/matrix.html as a browser shows it."""

import os
from pathlib import Path

from selenium.webdriver.common.by import By

from qa.dev.matrix import results
from qa.suite import browser

FOLDER = Path("golden/matrix").resolve()


def test_the_page(tmp_path: Path) -> None:
    """One browser for all of it, for it takes its time to start."""
    found = results.load(FOLDER / "results.jsonl")
    page = tmp_path / "matrix.html"
    page.write_bytes((FOLDER / "matrix.html").read_bytes())
    with browser.opened() as driver:
        browser.look(driver, page, 1280)
        browser.requests_of(driver)
        for width, dark in ((1280, False), (390, False), (1280, True)):
            browser.look(driver, page, width, dark)

            # Both tables are there, with their legend.
            heads = [head.text for head in driver.find_elements(By.CSS_SELECTOR, "#golden tr:first-child th")]
            assert heads == ["chapter", *(one["name"] for one in found.implementations)]
            writers = driver.find_elements(By.CSS_SELECTOR, "#written tr")
            assert len(writers) == 1 + len(found.header["writers"])
            assert len(driver.find_elements(By.CSS_SELECTOR, "#legend li")) == 6

            # A cell leads to what does not agree, and opens it.
            inside = driver.find_element(By.ID, "writer-pmlogreduce-6.3.8").find_element(By.CSS_SELECTOR, ".inside")
            assert not driver.execute_script("return arguments[0].checkVisibility()", inside)
            driver.find_element(By.CSS_SELECTOR, '#written a[href="#writer-pmlogreduce-6.3.8"]').click()
            assert driver.execute_script("return arguments[0].checkVisibility()", inside)
            assert "ARC-1724" in inside.text

            # It fits its window: the tables scroll by themselves.
            wide, window = driver.execute_script("return [document.documentElement.scrollWidth, innerWidth]")
            assert wide <= width == window
            if folder := os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR"):
                driver.execute_script("scrollTo(0, 0)")
                driver.save_screenshot(f"{folder}/{width}{'-dark' if dark else ''}.png")

        # Nothing leaves the page, and its own policy forbids nothing that it does.
        asked = {url for url in browser.requests_of(driver) if not url.startswith(("about:", "data:"))}
        assert {url.partition("#")[0] for url in asked} == {page.absolute().as_uri()}
        assert browser.complaints_of(driver) == []
