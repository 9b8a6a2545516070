# SPDX-License-Identifier: Apache-2.0
"""The site: mkdocs makes it of the pages without a complaint, and all of it leads somewhere, in a browser too.

Without mkdocs (qa/setup --docs) this is skipped, and says so.
"""

import functools
import http.server
import os
import re
import threading
import urllib.parse
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.support.wait import WebDriverWait

from qa.docs import clauses, site
from qa.suite import browser

# Pages are everywhere in the workspace, most of them not among the data of this test.
ROOT = Path("README.md").resolve().parent

pytestmark = pytest.mark.skipif(not site.is_there(), reason="mkdocs is not there: qa/setup --docs")


class Page(HTMLParser):
    """Its anchors, where it leads to, and what a browser fetches to show it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.fetched: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.anchors.update(told[name] for name in ("id", "name") if name in told)
        if tag == "a" and "href" in told:
            self.links.append(told["href"])
        for name in ("src", "href"):
            if name in told and tag in ("link", "script", "img", "iframe", "source") and told.get("rel") not in ("canonical", "next", "prev"):
                self.fetched.append(told[name])


@pytest.fixture(name="made", scope="module")
def fixture_made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    assert site.make(ROOT, folder, folder / "site") > 50
    return folder / "site"


@pytest.fixture(name="pages", scope="module")
def fixture_pages(made: Path) -> dict[str, Page]:
    found = sorted(made.rglob("*.html"))
    return {str(path.relative_to(made)): Page(path.read_text(encoding="utf-8")) for path in found if path.name != "404.html" and not _is_copied(path, made)}


def _is_copied(path: Path, made: Path) -> bool:
    """A file of the workspace that a page links to, such as the matrix as HTML."""
    return (ROOT / path.relative_to(made)).is_file()


def test_a_page_that_mkdocs_complains_of_ends_it(tmp_path: Path) -> None:
    (tmp_path / "root/docs").mkdir(parents=True)
    (tmp_path / "root/README.md").write_text("# Home\n\n[the list](docs/README.md)\n", encoding="utf-8")
    (tmp_path / "root/docs/README.md").write_text("# List\n\n## A\n\n- [nothing](nothing.md)\n", encoding="utf-8")
    with pytest.raises(site.BrokenSite, match="nothing.md"):
        site.make(tmp_path / "root", tmp_path / "work", tmp_path / "site")


def test_every_link_leads_to_a_page_and_a_place_in_it(made: Path, pages: dict[str, Page]) -> None:
    wrong = []
    for name, page in pages.items():
        for link in page.links + page.fetched:
            told = urllib.parse.urlsplit(link)
            if told.scheme:
                continue
            path = os.path.normpath(os.path.join(os.path.dirname(name), urllib.parse.unquote(told.path))) if told.path else name
            if not (made / path).is_file() and not (made / path / "index.html").is_file():
                wrong.append((name, link, "no such file"))
            elif told.fragment and path in pages and urllib.parse.unquote(told.fragment) not in pages[path].anchors:
                wrong.append((name, link, "no such anchor"))
    assert wrong == []


def test_nothing_is_fetched_from_elsewhere(pages: dict[str, Page]) -> None:
    assert [(name, one) for name, page in pages.items() for one in page.fetched if urllib.parse.urlsplit(one).netloc] == []


def test_each_clause_of_the_specification_has_an_anchor(pages: dict[str, Page]) -> None:
    count = 0
    for chapter in sorted((ROOT / clauses.CHAPTERS).glob("*.md")):
        page = chapter.relative_to(ROOT)
        defined = clauses.defined_in(page, chapter.read_text(encoding="utf-8"))
        anchors = pages[clauses.html_of(page.as_posix())].anchors
        assert [one.id for one in defined if one.anchor not in anchors] == []
        count += len(defined)
    assert count > 1500


@pytest.fixture(name="address", scope="module")
def fixture_address(made: Path) -> Iterator[str]:
    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(made))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_in_a_browser(address: str) -> None:
    """One browser for all of it, for it takes its time to start."""
    with browser.opened() as driver:
        wait = WebDriverWait(driver, 300)  # the machine may be slow
        for width in (1280, 390):
            metrics = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600}
            driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            for page in ("index.html", "docs/commands/check.html", "docs/benchmark.html", "reference/spec/archive.html"):
                driver.get(f"{address}/{page}")
                assert driver.find_element(By.TAG_NAME, "h1").is_displayed()
                wide = driver.execute_script("return document.documentElement.scrollWidth")
                assert wide <= width, (page, width)
                broken = "return [...document.images].filter(one => !one.complete || !one.naturalWidth).map(one => one.src)"
                assert driver.execute_script(broken) == []
                if folder := os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR"):
                    driver.save_screenshot(f"{folder}/{page.replace('/', '-')}-{width}.png")

        # The search knows clauses by their identifiers, and options.
        metrics = {"width": 1280, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        for query, found in (("ARC-208", "reference/spec/archive.html#arc-208"), ("--disclose", "docs/commands/check.html#before-you-publish-an-archive")):
            driver.get(f"{address}/index.html")
            box = driver.find_element(By.CSS_SELECTOR, "input.md-search__input")
            driver.execute_script("arguments[0].focus()", box)
            box.send_keys(query)
            results = "a.md-search-result__link"
            wait.until(lambda _: driver.find_elements(By.CSS_SELECTOR, results))
            addresses = [str(one.get_attribute("href")) for one in driver.find_elements(By.CSS_SELECTOR, results)]
            assert found in [re.sub(r"\?[^#]*", "", one).removeprefix(f"{address}/") for one in addresses], addresses
            if folder := os.environ.get("TEST_UNDECLARED_OUTPUTS_DIR"):
                driver.save_screenshot(f"{folder}/search-{query}.png")

        # A clause's address leads to it.
        driver.get(f"{address}/reference/spec/archive.html#arc-208")
        top = driver.execute_script("return document.getElementById('arc-208').getBoundingClientRect().top")
        assert 0 <= top < 400

        asked = {url for url in browser.requests_of(driver) if not url.startswith(("about:", "data:", "blob:", "chrome"))}
        assert {url for url in asked if not url.startswith(address)} == set()
