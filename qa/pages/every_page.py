# SPDX-License-Identifier: Apache-2.0
"""What holds of every page: one head, both themes, three widths, contrast, keys, print, and no network."""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver import Chrome, Keys
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from qa.suite import browser

WIDTHS = (390, 800, 1400)
_WHITE = "rgb(255, 255, 255)"

# Texts that can be seen whose colour is too near to what is behind them (WCAG 2.2, 1.4.3).
_FAINT_TEXTS = """
function channels(text) {
  const numbers = text.match(/[\\d.]+/g).map(Number);
  return [...numbers.slice(0, 3), numbers.length > 3 ? numbers[3] : 1];
}
function over(front, back) {
  return [0, 1, 2].map((i) => front[i] * front[3] + back[i] * (1 - front[3])).concat(1);
}
function luminance(color) {
  const [r, g, b] = color.slice(0, 3).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
function ratio(one, other) {
  const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
function behind(element) {
  const layers = [];
  for (let at = element; at; at = at.parentElement) layers.push(channels(getComputedStyle(at).backgroundColor));
  return layers.reverse().reduce((back, front) => over(front, back), [255, 255, 255, 1]);
}
const faint = [];
let seen = 0;
function look(element, text, style, color) {
  seen += 1;
  const back = behind(element);
  const found = ratio(over(channels(color), back), back);
  const size = parseFloat(style.fontSize);
  const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
  if (found < (large ? 3 : 4.5)) faint.push(`${text.trim().slice(0, 40)}: ${color} on ${back}: ${found.toFixed(2)}`);
}
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode.data;
  const element = walker.currentNode.parentElement;
  if (!text.trim() || ["SCRIPT", "STYLE", "NOSCRIPT", "title"].includes(element.tagName)) continue;
  if (!element.checkVisibility({ visibilityProperty: true })) continue;
  const style = getComputedStyle(element);
  look(element, text, style, element.closest("svg") ? style.fill : style.color);
}
for (const field of document.querySelectorAll("input[placeholder]")) {
  if (field.checkVisibility()) look(field, field.placeholder, getComputedStyle(field), getComputedStyle(field, "::placeholder").color);
}
return [seen, faint];
"""


def script(driver: Any, text: str) -> Any:
    return driver.execute_script(text)


def soon(driver: Chrome, holds: Callable[[], object]) -> None:
    """Waits for what the browser does after a click on a link, in its own time.

    `holds` may meet an element that a redraw has just replaced: it is asked again.
    """
    WebDriverWait(driver, 60, ignored_exceptions=[StaleElementReferenceException]).until(lambda _: holds())


def is_as_all_are(driver: Chrome, page: Path, command: str, style: str, *, searched: bool = True) -> None:
    """`command` made it; `style`: of its verdict. `searched`: it has a search.

    It is loaded once, for that takes its time.
    """
    driver.get("about:blank")
    browser.requests_of(driver)
    browser.complaints_of(driver)
    browser.look(driver, page, 1200)
    asks_nobody(driver, page)
    has_the_head(driver, command, style)
    if searched:
        has_keys(driver)
    is_readable_everywhere(driver, page.stem)
    prints_on_white(driver)


def asks_nobody(driver: Chrome, page: Path) -> None:
    """Nothing leaves the page, and its own policy forbids nothing that it does."""
    asked = {url.partition("#")[0] for url in browser.requests_of(driver) if not url.startswith(("about:", "data:"))}
    assert asked == {page.absolute().as_uri()}
    assert browser.complaints_of(driver) == []
    policy = driver.find_element(By.CSS_SELECTOR, 'meta[http-equiv="Content-Security-Policy"]').get_attribute("content")
    assert policy is not None and policy.startswith("default-src 'none'")


def has_the_head(driver: Chrome, command: str, style: str) -> None:
    """Title, verdict, what made it and when."""
    made = driver.find_element(By.CSS_SELECTOR, "body > header > .made")
    program, told, time = (one.text for one in made.find_elements(By.CSS_SELECTOR, "span, time"))
    assert re.match(r"pmproof \d+\.\d+\.\d+", program) and told == command
    assert re.fullmatch(r"\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\dZ)?", time)
    (title,) = driver.find_elements(By.TAG_NAME, "h1")
    assert title.text and driver.title == f"{title.text} - pmproof {command}"
    verdict = driver.find_element(By.CSS_SELECTOR, "header > .verdict")
    assert verdict.text and str(verdict.get_attribute("class")).split() == ["verdict", style]
    assert len(driver.find_elements(By.TAG_NAME, "main")) == 1


def has_keys(driver: Chrome) -> None:
    """What has the focus can be seen; / leads to the search, and Escape empties it."""
    keys = ActionChains(driver)
    for _ in range(4):
        keys.send_keys(Keys.TAB).perform()
        focused, style, width = script(
            driver,
            "const style = getComputedStyle(document.activeElement);"
            "return [document.activeElement !== document.body, style.outlineStyle, parseFloat(style.outlineWidth)]",
        )
        assert focused and style != "none" and width >= 2
    script(driver, "document.activeElement.blur()")
    keys.send_keys("/").perform()
    search, count = driver.find_element(By.ID, "search"), driver.find_element(By.ID, "count")
    assert driver.switch_to.active_element == search and search.get_attribute("value") == ""
    keys.send_keys("no such word/").perform()
    assert search.get_attribute("value") == "no such word/"
    assert count.text.startswith("0 of")
    keys.send_keys(Keys.ESCAPE).perform()
    assert search.get_attribute("value") == ""
    assert not count.text.startswith("0 of")


def is_readable_everywhere(driver: Chrome, name: str) -> None:
    """At each width, light and dark. Keeps a picture of each."""
    script(driver, "document.activeElement.blur(); scrollTo(0, 0)")
    for dark in (False, True):
        for width in WIDTHS:
            browser.shape(driver, width, dark)
            can_be_read(driver)
            background = script(driver, "return getComputedStyle(document.body).backgroundColor")
            assert (background == _WHITE) == (not dark)
            if folder := os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR"):
                driver.save_screenshot(f"{folder}/{name}-{width}{'-dark' if dark else ''}.png")


def can_be_read(driver: Chrome) -> None:
    """As it is shown just now: nothing sticks out, and all texts can be told from their ground."""
    wide, window = script(driver, "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]")
    assert wide <= window
    seen, faint = script(driver, _FAINT_TEXTS)
    assert seen > 10 and faint == []


def prints_on_white(driver: Chrome) -> None:
    """Also where the screen is dark, and without what paper cannot do."""
    dark = {"features": [{"name": "prefers-color-scheme", "value": "dark"}]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print", **dark})
    try:
        script(driver, "dispatchEvent(new Event('beforeprint'))")
        assert script(driver, "return getComputedStyle(document.body).backgroundColor") == _WHITE
        assert [one for one in driver.find_elements(By.CSS_SELECTOR, ".bar, input, select") if one.is_displayed()] == []
        can_be_read(driver)
    finally:
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", **dark})
