# SPDX-License-Identifier: Apache-2.0
"""The picture in README.md: the HTML report of `pmproof check` as a browser shows it."""

import subprocess
from pathlib import Path

from qa.suite import browser

WIDTH = 1100
# Name, seed, and the rule that is broken in it.
_ARCHIVES = (("db1", 42, "ARC-1104"), ("db2", 32, None), ("web1", 41, "ARC-1918"), ("web2", 31, "ARC-1825"))


def take(pmproof: Path, folder: Path, picture: Path) -> None:
    """Makes archives in an empty folder, checks them, and writes what a browser shows of the report, the worst archive opened (PNG)."""
    archives = folder / "archives"
    archives.mkdir()
    for name, seed, rule in _ARCHIVES:
        made = archives / name if rule is None else folder / name
        scenarios = ["--scenario", "indom-churn,labels,texts", "--records", "60", "--instances", "40"]
        _run(pmproof, "generate", "--no-truth", "--seed", str(seed), *scenarios, str(made))
        if rule is not None:
            _run(pmproof, "mutate", "--rule", rule, str(made), str(archives / name))
    # Names in the report are those of the command line.
    done = subprocess.run([pmproof, "check", "--output", "html:report.html", "archives"], cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 1:
        raise subprocess.CalledProcessError(done.returncode, done.args, done.stdout, done.stderr)
    with browser.opened() as driver:
        browser.look(driver, folder / "report.html", WIDTH)
        high = driver.execute_script("return Math.ceil(document.getElementById('detail').getBoundingClientRect().bottom) + 16")
        metrics = {"width": WIDTH, "height": high, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        if not driver.save_screenshot(str(picture)):
            raise OSError(f"{picture}: cannot be written")


def _run(pmproof: Path, *arguments: str) -> None:
    subprocess.run([pmproof, *arguments], capture_output=True, text=True, check=True)
