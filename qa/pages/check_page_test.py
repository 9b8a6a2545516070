# SPDX-License-Identifier: Apache-2.0
"""The page of `pmproof check` in a real browser: search, filters, groups, bytes, time lines, keys, widths, and ten thousand archives."""

import json
import os
import re
import struct
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
NAMES = ["framing", "index", "counter", "sound"]  # the worst first
RULES = {"framing": "ARC-1104", "index": "ARC-1918", "counter": "ARC-1825"}


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[webdriver.Chrome]:
    with browser.opened() as driver:
        yield driver


def run(*arguments: "str | Path") -> None:
    done = subprocess.run([PMPROOF, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stderr


@pytest.fixture(name="folder", scope="module")
def fixture_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("folder")
    run("generate", "--seed", "3", "--scenario", "marks", "--records", "30", "--no-truth", folder / "sound")
    for name, rule in RULES.items():
        run("mutate", "--rule", rule, folder / "sound", folder / name)
    return folder


@pytest.fixture(name="page", scope="module")
def fixture_page(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("page") / "check.html"
    run("check", "--docs", "https://docs.example", "--output", f"html:{page}", folder)
    return page


def script(driver: Any, text: str) -> Any:
    return driver.execute_script(text)


def rows(driver: webdriver.Chrome) -> list[list[str]]:
    """Severity and name of each row that is in the page."""
    found = driver.find_elements(By.CSS_SELECTOR, "#rows .item")
    return [[cell.text for cell in row.find_elements(By.CSS_SELECTOR, "[role=cell]")][:2] for row in found]


def names(driver: webdriver.Chrome) -> list[str]:
    return [name for _, name in rows(driver)]


def click(driver: webdriver.Chrome, selector: str, number: int = 0) -> None:
    driver.find_elements(By.CSS_SELECTOR, selector)[number].click()


def test_the_worst_is_first_and_chosen(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    assert rows(driver) == [["fatal", "framing"], ["error", "index"], ["warning", "counter"], ["conformant", "sound"]]
    detail = driver.find_element(By.ID, "detail").text
    assert "not readable, not conformant" in detail and "ARC-1104" in detail and "pmproof salvage" in detail


def test_it_is_as_all_pages_are(driver: webdriver.Chrome, page: Path) -> None:
    every_page.is_as_all_are(driver, page, "check", "error")
    assert driver.find_element(By.CSS_SELECTOR, ".verdict").text.startswith("4 archives: 2 conformant, 2 not conformant (")


def test_a_finding_shows_its_bytes_with_the_place_marked(driver: webdriver.Chrome, page: Path, folder: Path) -> None:
    browser.look(driver, page, 1200)
    (finding, *_) = json.loads(subprocess.run([PMPROOF, "check", "--format", "json", folder / "framing"], capture_output=True, check=False).stdout)["archives"][0]["findings"]
    content = (folder / finding["file"]).read_bytes()
    marked = [mark.text for mark in driver.find_elements(By.CSS_SELECTOR, ".finding .dump mark")]
    place = content[finding["offset"] : finding["offset"] + finding["length"]]
    assert [text for text in marked if len(text) == 2] == [f"{byte:02x}" for byte in place]
    (word,) = struct.unpack(">I", place)
    assert finding["actual"] == str(word) and finding["actual"] in driver.find_element(By.CSS_SELECTOR, ".finding dl").text
    first = driver.find_element(By.CSS_SELECTOR, ".dump .faint").text
    begin = int(first, 16)
    assert begin % 16 == 0 and 0 < finding["offset"] - begin < 32
    line = driver.find_element(By.CSS_SELECTOR, ".dump").text.splitlines()[0]
    assert bytes.fromhex(line[10:58].replace(" ", "")) == content[begin : begin + 16]


def test_an_archive_has_its_marks_gaps_and_files_drawn(driver: webdriver.Chrome, page: Path, folder: Path) -> None:
    browser.look(driver, page, 1200)
    summary = json.loads(subprocess.run([PMPROOF, "check", "--format", "json", folder / "sound"], capture_output=True, check=False).stdout)["archives"][0]["summary"]
    assert len(driver.find_elements(By.CSS_SELECTOR, ".timeline .mark")) == summary["marks"] > 5
    assert len(driver.find_elements(By.CSS_SELECTOR, ".timeline .volume")) == 1
    assert 0 < len(driver.find_elements(By.CSS_SELECTOR, ".timeline .gap")) <= summary["marks"]
    assert [file.text for file in driver.find_elements(By.CSS_SELECTOR, ".maps > span:not(.amount)")] == ["framing.index", "framing.meta", "framing.0"]
    script(driver, "for (const one of document.querySelectorAll('.finding')) one.open = false")
    click(driver, ".map rect.fatal")
    assert script(driver, "return document.querySelector('.finding').open")


def test_search_severities_and_rules_choose(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    search = driver.find_element(By.ID, "search")
    search.send_keys("arc-1918")
    assert names(driver) == ["index"]
    search.send_keys(Keys.BACKSPACE * 8)
    click(driver, "[data-severity=fatal]")
    assert names(driver) == ["index", "counter", "sound"]
    click(driver, "#clean")
    assert names(driver) == ["index", "counter"]
    click(driver, "#rule option[value=ARC-1825]")
    assert names(driver) == ["counter"] and "1 of 4 archives" in driver.find_element(By.ID, "count").text
    search.send_keys("nothing")
    assert names(driver) == [] and "Nothing is left" in driver.find_element(By.ID, "detail").text


def test_by_rule_there_is_a_row_for_each_with_its_page_and_archives(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    click(driver, "input[name=group]", 1)
    assert [name.split()[0] for name in names(driver)] == ["ARC-1104", "ARC-1918", "ARC-1825"]
    click(driver, "#rows .item", 1)
    detail = driver.find_element(By.ID, "detail")
    assert "Why it matters" in detail.text and "What to do" in detail.text
    assert detail.find_element(By.LINK_TEXT, "the clause").get_attribute("href") == "https://docs.example/reference/spec/archive.html#arc-1918"
    detail.find_element(By.CSS_SELECTOR, "button.plain").click()
    assert names(driver) == NAMES and detail.find_element(By.TAG_NAME, "h3").text.endswith("/index")


def test_a_link_leads_to_a_rule(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    click(driver, ".finding summary a.rule")
    every_page.soon(driver, lambda: driver.find_element(By.CSS_SELECTOR, "#detail h3").text.startswith("ARC-1104: "))


def test_waiting_outlasts_a_redraw(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    held: list[str] = []

    def holds() -> bool:
        head = driver.find_element(By.CSS_SELECTOR, "#detail h3")
        if not held:
            held.append("an element that is replaced before it is read")
            click(driver, "#rows .item", 2)
        return head.text.endswith("/counter")

    every_page.soon(driver, holds)


def test_heads_put_it_in_order_and_keys_choose(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    head = driver.find_element(By.CSS_SELECTOR, "[data-key=name]")
    head.find_element(By.TAG_NAME, "button").click()
    assert names(driver) == sorted(NAMES) and head.get_attribute("aria-sort") == "ascending"
    driver.find_element(By.CSS_SELECTOR, "#rows .item").send_keys(Keys.ARROW_DOWN)
    driver.switch_to.active_element.send_keys(Keys.ENTER)
    assert driver.find_element(By.CSS_SELECTOR, "#detail h3").text.endswith("/framing")


def test_enter_in_the_search_chooses_the_first(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    driver.find_element(By.ID, "search").send_keys("arc-1825", Keys.ENTER)
    assert driver.find_element(By.CSS_SELECTOR, "#detail h3").text.endswith("/counter")
    assert "counter" in driver.switch_to.active_element.text


def test_what_is_opened_can_be_read_everywhere(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    script(driver, "for (const one of document.querySelectorAll('details')) one.open = true")
    every_page.is_readable_everywhere(driver, "check-archive")
    assert rows(driver)[0][0] == "fatal"
    click(driver, "input[name=group]", 1)
    click(driver, "#rows .item", 1)
    every_page.is_readable_everywhere(driver, "check-rule")


def test_foreign_text_is_text(driver: webdriver.Chrome, folder: Path, tmp_path: Path) -> None:
    name = "<img src=x onerror=alert(1)>\u202e\n" + os.fsdecode(b"\xff")
    for part in ("0", "meta", "index"):
        (tmp_path / f"{name}.{part}").write_bytes((folder / f"framing.{part}").read_bytes())
    page = tmp_path / "page.html"
    run("check", "--output", f"html:{page}", tmp_path)
    browser.look(driver, page, 1200)
    assert "<img src=x onerror=alert(1)>\\u202e\\n\\xff" in driver.find_element(By.CSS_SELECTOR, "#detail h3").text
    assert driver.find_elements(By.TAG_NAME, "img") == [] and browser.complaints_of(driver) == []


def test_ten_thousand_archives_make_as_many_rows_as_can_be_seen(driver: webdriver.Chrome, page: Path, tmp_path: Path) -> None:
    text = page.read_text(encoding="utf-8")
    start, data, end = re.split(r'(?<=id="data">)(.*?)(?=</script>)', text, maxsplit=1, flags=re.DOTALL)
    known = json.loads(data)
    broken = next(archive for archive in known["archives"] if archive["archive"].endswith("/index"))
    known["archives"] = [broken | {"archive": f"/archives/{number:05}"} for number in range(10_000)]
    long = tmp_path / "long.html"
    long.write_text(start + json.dumps(known) + end, encoding="utf-8")
    browser.look(driver, long, 1200)
    assert "10000 of 10000" in driver.find_element(By.ID, "count").text
    assert 5 < len(rows(driver)) < 100
    script(driver, "document.getElementById('list').scrollTop = 1e9")
    driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
    assert names(driver)[-1] == "09999"
    script(driver, "dispatchEvent(new Event('beforeprint'))")
    assert script(driver, "return document.querySelectorAll('#rows .item').length") == 10_000
    script(driver, "dispatchEvent(new Event('afterprint'))")
    assert len(rows(driver)) < 100
    click(driver, "input[name=group]", 1)
    assert "and 9950 more" in driver.find_element(By.ID, "detail").text
