# SPDX-License-Identifier: Apache-2.0
"""The page of `pmproof agent bench` in a real browser: plots within their frames, in a colour for each agent."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from qa.suite import browser

PMPROOF = os.environ["PMPROOF"]


@pytest.fixture(name="driver", scope="module")
def fixture_driver() -> Iterator[webdriver.Chrome]:
    with browser.opened() as driver:
        yield driver


@pytest.fixture(name="page", scope="module")
def fixture_page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("page") / "bench.html"
    agent = [PMPROOF, "agent", "serve"]
    options = ["--count", "300", "--clients", "1", "--beside", " ".join([*agent, "trivial"])]
    command = [PMPROOF, "agent", "bench", *options, "--output", f"html:{page}", "--", *agent, "simple"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return page


@pytest.mark.parametrize("width", [1200, 400])
def test_every_curve_lies_in_its_plot(driver: webdriver.Chrome, page: Path, width: int) -> None:
    browser.look(driver, page, width)
    plots = driver.find_elements(By.CSS_SELECTOR, "svg[role=img]")
    assert len(plots) == 3  # rate, latencies of all metrics, memory
    for plot in plots:
        frame = plot.rect
        curves = plot.find_elements(By.CSS_SELECTOR, ".curve, .dot, text")
        assert len(curves) > 4
        for curve in curves:
            assert frame["x"] - 1 <= curve.rect["x"], plot.text
            assert curve.rect["x"] + curve.rect["width"] <= frame["x"] + frame["width"] + 1, plot.text
            assert frame["y"] - 1 <= curve.rect["y"]
            assert curve.rect["y"] + curve.rect["height"] <= frame["y"] + frame["height"] + 1


def test_each_agent_has_a_colour(driver: webdriver.Chrome, page: Path) -> None:
    browser.look(driver, page, 1200)
    curves = [driver.find_element(By.CSS_SELECTOR, f"svg[role=img] .curve.agent-{agent}") for agent in (0, 1)]
    assert len({curve.value_of_css_property("stroke") for curve in curves}) == 2
