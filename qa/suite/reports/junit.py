# SPDX-License-Identifier: Apache-2.0
"""JUnit XML: a test suite for each implementation, a test case for each check."""

from xml.etree import ElementTree

from qa.golden.cases import Json
from qa.suite.journal import Implemented, Run
from qa.suite.reports.text import chapter_of, details, why_not


def _text(text: str) -> str:
    """Without what XML 1.0 has no place for."""
    return "".join(c if c in "\t\n" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "?" for c in text)


def _case(run: Run, one: Implemented, verdict: Json) -> ElementTree.Element:
    name = f"{one.name}.{chapter_of(verdict)}"
    seconds = f"{verdict['seconds']:.3f}"
    element = ElementTree.Element("testcase", name=_text(verdict["id"]), classname=_text(name), time=seconds)
    told = _text(why_not(verdict))
    if verdict["status"] == "fail" and verdict["outcome"] != "wrong":
        ElementTree.SubElement(element, "error", type=verdict["outcome"], message=told)
    elif verdict["status"] in ("fail", "surprise"):
        ElementTree.SubElement(element, "failure", type=verdict["status"], message=told)
    elif verdict["status"] in ("deviation", "skip"):
        # There is no other word for what may fail.
        ElementTree.SubElement(element, "skipped", type=verdict["status"], message=told)
    if len(element) and verdict["status"] != "skip":
        element[0].text = _text("\n".join(details(run, verdict)))
    return element


def _suite(run: Run, one: Implemented) -> ElementTree.Element:
    cases = [_case(run, one, verdict) for verdict in one.verdicts]
    problems = one.problems + ([] if one.is_complete else [one.end.get("because") or "the run was stopped"])
    for problem in problems:
        case = ElementTree.Element("testcase", name=_text(problem), classname=_text(f"{one.name}.run"), time="0")
        ElementTree.SubElement(case, "error", type="run", message=_text(problem))
        cases.append(case)
    suite = ElementTree.Element("testsuite", name=_text(one.name), timestamp=run.header["started"][:19])
    suite.set("tests", str(len(cases)))
    for plural, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        suite.set(plural, str(sum(case.find(tag) is not None for case in cases)))
    suite.set("time", f"{sum(verdict['seconds'] for verdict in one.verdicts):.3f}")
    suite.extend(cases)
    return suite


def render(run: Run) -> str:
    root = ElementTree.Element("testsuites", name="pmproof suite")
    suites = [_suite(run, one) for one in run.implementations]
    for key in ("tests", "failures", "errors", "skipped"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in suites)))
    root.extend(suites)
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, encoding="unicode")}\n'
