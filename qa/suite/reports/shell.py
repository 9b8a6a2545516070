# SPDX-License-Identifier: Apache-2.0
"""The shell of HTML pages, which is that of the program's pages: the same files of validator/text/html, and the same head as
validator/text/html_page.cc writes. A page needs nothing else, and works without its script."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import jinja2
import markupsafe

_SHARED = Path(__file__).resolve().parents[3] / "validator/text/html"


@dataclass(frozen=True)
class Head:
    """What stands above each report. `verdict`: in a line. `style`: its class: good, info, warning, error, fatal.

    `version`: of pmproof; empty where nobody knows. `time`: of the report, in UTC.
    """

    command: str
    title: str
    verdict: str
    style: str
    version: str
    time: str


def controls(placeholder: str, kinds: Mapping[str, str], what: str) -> markupsafe.Markup:
    """What rows.js wants of a page: the search, a box for each kind of its items, and how many of `what` are shown.

    Kinds are words of data-kind, with how they are called.
    """
    return markupsafe.Markup(_environment().get_template("page.controls.jinja").render(placeholder=placeholder, kinds=kinds, what=what))


def render(name: str, head: Head, **told: object) -> str:
    """Returns a page. `name`: of its template, which extends page.frame.jinja. `told`: what that shows."""
    return _environment().get_template(name).render(head=head, shared=_shared, controls=controls, **told)


def framed(head: Head, body: str) -> str:
    """Returns a page whose `body` is HTML."""
    return render("page.frame.jinja", head, body=body)


def _shared(name: str) -> markupsafe.Markup:
    """A file of the program's pages, as it is."""
    return markupsafe.Markup((_SHARED / name).read_text(encoding="utf-8"))


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=lambda file: file is not None and file.endswith(".jinja"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
