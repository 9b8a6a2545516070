# SPDX-License-Identifier: Apache-2.0
"""A real browser without a window (Debian's chromium and chromium-driver), for tests that look at pages."""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

_LOAD_SECONDS = 300  # a safety net: the machine may be slow


@contextmanager
def opened() -> Iterator[webdriver.Chrome]:
    # Its profile is long for a socket's path below Bazel's folders.
    profile = tempfile.mkdtemp(prefix="pmproof-chromium-", dir="/tmp")
    options = Options()
    options.binary_location = "/usr/bin/chromium"
    arguments = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"]
    arguments += ["--disable-background-networking", "--no-first-run", f"--user-data-dir={profile}"]
    if os.getuid() == 0:
        arguments.append("--no-sandbox")
    for argument in arguments:
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    service = Service("/usr/bin/chromedriver", env={"PATH": os.defpath, "HOME": profile, "LC_ALL": "C.UTF-8"})
    driver = webdriver.Chrome(service=service, options=options)
    try:
        driver.set_page_load_timeout(_LOAD_SECONDS)
        yield driver
    finally:
        driver.quit()
        shutil.rmtree(profile, ignore_errors=True)


def look(driver: webdriver.Chrome, page: Path, width: int, dark: bool = False) -> None:
    """Loads the page as a device of that width shows it."""
    shape(driver, width, dark)
    driver.get("about:blank")
    driver.get(page.absolute().as_uri())


def shape(driver: webdriver.Chrome, width: int, dark: bool = False) -> None:
    """Shows what is loaded as a device of that width does."""
    height = 900
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": scheme})


def requests_of(driver: webdriver.Chrome) -> list[str]:
    """The addresses of all that pages asked for since the last call."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    return [told["params"]["request"]["url"] for told in messages if told["method"] == "Network.requestWillBeSent"]


def complaints_of(driver: webdriver.Chrome) -> list[str]:
    """What the browser complains of, such as what a page's policy forbids."""
    return [str(entry["message"]) for entry in driver.get_log("browser")]
