# SPDX-License-Identifier: Apache-2.0
"""The adapter to PCP's tools, with scripts in place of the tools that print what real ones were seen to print."""

import json
import os
import re
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from qa.adapters import tool_program, tool_run
from qa.adapters.tool_archive import Archives
from qa.adapters.tool_output import Parser
from qa.golden import as_shown

Json = dict[str, Any]

PMPROOF = os.path.abspath(os.environ["PMPROOF"])
SCHEMA = json.loads(Path(os.environ["TESTEE_SCHEMA"]).read_text(encoding="utf-8"))
ARCHIVE = {"path": "/data/archive"}

LABEL = """\
Log Label (Log Format Version 3)
Performance metrics from host localhost
    commencing Tue Nov 14 22:13:20.000000000 2023
    ending     Tue Nov 14 22:14:59.000000000 2023
"""


def descriptor(metric: str, kind: str = "32-bit unsigned int", indom: str = "PM_INDOM_NULL 0xffffffff") -> str:
    return f"\n{metric}\n    Data Type: {kind}  InDom: {indom}\n    Semantics: counter  Units: none\n"


def values(metric: str, *lines: str) -> str:
    head = ["", f"metric:    {metric}", "archive:   /data/archive", "host:      localhost", "start:     Tue Nov 14 22:13:20 2023"]
    head += ["end:       Tue Nov 14 22:14:59 2023", "semantics: cumulative counter", "units:     none", "samples:   5", "interval:  25.00 sec"]
    return "".join(f"{line}\n" for line in [*head, *lines])


class Scripts:
    """A folder of programs. Each prints what belongs to the first of its patterns that its arguments match."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.says("pmval", {"*--version*": "pmval version 6.0.3\n"})
        self.says("pmdumplog", {"*": LABEL})
        self.says("pminfo", {"*": descriptor("m.counter")})
        self.says("pmprobe", {"*": "m.counter 1 PM_IN_NULL PM_IN_NULL\n"})

    def says(self, tool: str, answers: Mapping[str, str], stderr: str = "", status: int = 0) -> None:
        lines = []
        for number, (pattern, text) in enumerate(answers.items()):
            told = self.folder / f"{tool}.{number}"
            told.write_text(text, encoding="utf-8")
            (self.folder / f"{tool}.stderr").write_text(stderr, encoding="utf-8")
            lines.append(f"{pattern}) cat '{told}'; cat '{self.folder / tool}.stderr' >&2; exit {status} ;;")
        self.does(tool, 'case "$*" in\n' + "\n".join(lines) + "\nesac\nexit 99")

    def does(self, tool: str, script: str) -> None:
        path = self.folder / tool
        path.unlink(missing_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def answer(self, operation: str, source: Json = ARCHIVE, limits: tool_run.Limits = tool_run.Limits(), **args: Any) -> Json:
        tools = tool_run.Tools(tool_run.of_folder(self.folder), "6.0.3", limits)
        request = {"cmd": "run", "seq": "k", "op": operation, "input": source, "args": args}
        told = tool_program.answer(Archives(tools, Parser(PMPROOF)), request)
        if "result" in told:
            schema = {"$ref": f"#/$defs/{operation}.result", "$defs": SCHEMA["$defs"]}
            jsonschema.Draft202012Validator(schema).validate(as_shown.stripped(told["result"]))
            schema["$ref"] = "#/$defs/reply"
            jsonschema.Draft202012Validator(schema).validate({"seq": "k", **told})
        return told

    def replay(self, *metrics: str, limits: tool_run.Limits = tool_run.Limits(), **more: Any) -> Json:
        args: Json = {"metrics": list(metrics) or ["m.counter"], "start": "1700000000", "interval": "25", "count": 5} | more
        return self.answer("replay.interp", limits=limits, **args)


@pytest.fixture(name="scripts")
def fixture_scripts(tmp_path: Path) -> Scripts:
    return Scripts(tmp_path)


def shown(fetch: Json) -> list[tuple[int | None, str, str]]:
    [metric] = fetch["metrics"]
    return [(value["instance"], value["type"], value["value"]) for value in metric["values"]]


class TestPmval:
    def test_values_by_time_and_the_end(self, scripts: Scripts) -> None:
        lines = [
            "Tue Nov 14 22:13:20.000000000 2023  No values available",
            f"Tue Nov 14 22:13:45.000000000 2023{'870':>200}",
            f"Tue Nov 14 22:14:10.000000000 2023{'1020':>200}",
            f"Tue Nov 14 22:14:35.000000000 2023{'1150':>200}",
        ]
        scripts.says("pmval", {"*": values("m.counter", *lines)})
        result = scripts.replay()["result"]
        assert [fetch["time"] for fetch in result["fetches"]] == [f"{1700000000 + 25 * i}.000000000" for i in range(5)]
        assert [shown(fetch) for fetch in result["fetches"][:4]] == [[], *([(None, "u32", v)] for v in ("870", "1020", "1150"))]
        assert result["fetches"][4]["error"] == "PM_ERR_EOL"
        # Neither whether there was an error, nor what comes after the end.
        assert [at for one in result["not_shown"] for at in one["at"]] == [
            "/fetches/0/metrics/0/status",
            "/fetches/0/metrics/0/error",
            "/fetches/4",
        ]

    def test_an_end_before_the_archive_ends_is_shown(self, scripts: Scripts) -> None:
        scripts.says("pmval", {"*": values("m.counter", f"Tue Nov 14 22:13:20.000000000 2023{'7':>200}")})
        result = scripts.replay(count=2)["result"]
        assert result["fetches"][1]["error"] == "PM_ERR_EOL"
        assert "not_shown" not in result

    def test_instances_have_their_numbers(self, scripts: Scripts) -> None:
        scripts.says("pminfo", {"*": descriptor("m.i", indom="60.1 0xf000001")})
        scripts.says("pmprobe", {"*": 'm.i 3 ?7 "i7" ?3 "a b" ?10 "i10"\n'})
        head = " " * 34 + "".join(f"{name:>200} " for name in ("a b", "i7", "i10"))
        row = "Tue Nov 14 22:13:20.000000000 2023" + "".join(f"{value:>200} " for value in ("1", "?", "3"))
        scripts.says("pmval", {"*": values("m.i", "", head, row)})
        assert shown(scripts.replay("m.i", count=1)["result"]["fetches"][0]) == [(3, "u32", "1"), (10, "u32", "3")]

    def test_reals_have_all_their_digits(self, scripts: Scripts) -> None:
        scripts.says("pminfo", {"*": descriptor("m.d", kind="double")})
        scripts.says("pmprobe", {"*": "m.d 1 PM_IN_NULL PM_IN_NULL\n"})
        tenth = "0.1000000000000000055511151231257827021181583404541015625".ljust(1076, "0")
        scripts.says("pmval", {"*-w*1400*-f*1074*": values("m.d", f"Tue Nov 14 22:13:20.000000000 2023{tenth:>1400}")})
        result = scripts.replay("m.d", count=1)["result"]
        assert shown(result["fetches"][0]) == [(None, "double", "0.1")]
        assert "not_shown" not in result

    def test_an_error_of_a_fetch_stands_on_stderr(self, scripts: Scripts) -> None:
        scripts.says("pmval", {"*": values("m.counter")}, stderr="\npmval: pmFetch: Unknown or illegal metric type\n")
        [fetch] = scripts.replay(count=1)["result"]["fetches"]
        assert (fetch["time"], fetch["error"]) == ("1700000000.000000000", "PM_ERR_TYPE")

    def test_an_error_among_values_is_skipped(self, scripts: Scripts) -> None:
        row = f"Tue Nov 14 22:13:20.000000000 2023{'7':>200}"
        scripts.says("pmval", {"*": values("m.counter", row)}, stderr="pmval: pmFetch: Unknown or illegal metric type\n")
        assert "without a time" in scripts.replay()["skip"]["reason"]

    @pytest.mark.parametrize(
        ("args", "reason"),
        [
            ({"interval": "-25"}, "forward only"),
            ({"start": "1700000000.0000001"}, "6 decimals"),
            ({"interval": "0.0005"}, "3 decimals"),
            ({"start": "1699999999"}, "where the archive begins"),
            ({"metrics": ["m.counter", "m.counter"]}, "twice"),
            ({"metrics": ["no.such"]}, "PM_ERR_NAME"),
        ],
    )
    def test_what_it_can_not_be_asked_is_skipped(self, scripts: Scripts, args: Json, reason: str) -> None:
        assert reason in scripts.replay(**args)["skip"]["reason"]

    def test_an_archive_that_is_not_opened_is_refused(self, scripts: Scripts) -> None:
        why = 'pminfo: Cannot open archive "/data/archive": Archives differ by host\n'
        scripts.says("pminfo", {"*": ""}, stderr=why, status=1)
        assert scripts.replay()["reject"]["class"] == "set.host"

    @pytest.mark.parametrize(
        ("archive", "refused"),
        [("/data/archive", "metadata.descriptors_differ"), ("/data/archive,/data/other", "set.units")],
    )
    def test_descriptors_differ_in_one_archive_or_in_a_set(self, scripts: Scripts, archive: str, refused: str) -> None:
        why = f'pminfo: Cannot open archive "{archive}": The units of a metric have changed in an archive\n'
        scripts.says("pminfo", {"*": ""}, stderr=why, status=1)
        assert scripts.replay()["reject"]["class"] == refused

    def test_what_changes_in_a_member_is_refused_as_of_the_set(self, scripts: Scripts) -> None:
        why = 'pmdumplog: Cannot open archive "/data/a": The type of a metric has changed in an archive\n'
        scripts.says("pmdumplog", {"*": ""}, stderr=why, status=1)
        assert scripts.answer("archive.describe", {"paths": ["/data/a", "/data/b"]})["reject"]["class"] == "set.type"
        assert scripts.answer("archive.describe", {"path": "/data/a"})["reject"]["class"] == "metadata.descriptors_differ"

    def test_what_no_rule_knows_is_an_error(self, scripts: Scripts) -> None:
        scripts.says("pmval", {"*": values("m.counter", "Well, hello there")})
        assert "Well, hello there" in scripts.replay()["error"]["context"]


    def test_a_second_of_ten_digits_is_the_one_behind_it(self, scripts: Scripts) -> None:  # OUT-222
        scripts.says("pmval", {"*": values("m.counter", f"Tue Nov 14 22:13:29.1000000000 2023{'7':>200}")})
        assert scripts.replay(count=1)["result"]["fetches"][0]["time"] == "1700000010.000000000"


class TestPmdumplog:
    """As PCP 6.0.3 prints the worked example (ARC-680)."""

    DESCRIPTORS = """
Descriptions for Metrics in the Log ...
PMID: 29.0.3 (m.in or n.in)
    Data Type: 64-bit unsigned int  InDom: 29.1 0x7400001
    Semantics: counter  Units: Kbyte
PMID: 29.0.1 (<noname>)
    Data Type: 32-bit unsigned int  InDom: PM_INDOM_NULL 0xffffffff
    Semantics: instant  Units: none
"""
    LABEL = """Log Label (Log Format Version 2)
Performance metrics from host h
    commencing Tue Nov 14 22:13:20.500000 2023
    ending     Tue Nov 14 22:13:21.501000 2023
Archive timezone: UTC
PID for pmlogger: 1234
"""
    INSTANCES = """
Instance Domains in the Log ...
InDom: 29.1
Tue Nov 14 22:13:20.500000000 2023 2 instances
   0 or "a"
   1 or "bc"
Tue Nov 14 22:13:21.500000000 2023 2 instances
   0 or "a"
   2 or "d"
"""
    LABELS = """
Metric Labels in the Log ...
Tue Nov 14 22:13:20.500000000 2023
    Context labels (16 bytes): {"hostname":"h"}
        [0] name(2,8) : value(12,3) [context]
    InDom 29.1[0] labels (9 bytes): {"k":"A"}
        [0] name(2,1) : value(5,3) [instances]
Tue Nov 14 22:13:22.500000000 2023
    Context labels (16 bytes): {"hostname":"i"}
        [0] name(2,8) : value(12,3) [context]
"""
    RECORDS = """
Tue Nov 14 22:13:20.500000000 2023 (0.000000000) 1700000000 2 metrics
    29.0.3 (m.in or n.in):
        inst [0 or "a"] value 5
        inst [1 or "bc"] value 1099511627776
    29.0.1 (m.one): value 7

Tue Nov 14 22:13:21.500000000 2023 (1.000000000) 1700000001 1 metric
    29.0.1 (m.one): Metric not supported by this version of monitored application
"""

    def test_an_archive_is_described(self, scripts: Scripts) -> None:
        scripts.says("pmdumplog", {"*-L*": self.LABEL, "*-d*": self.DESCRIPTORS})
        result = scripts.answer("archive.describe")["result"]
        assert (result["start"], result["end"]) == ("1700000000.500000000", "1700000001.501000000")
        assert result["labels"] == [{"version": 2, "pid": 1234, "start": "1700000000.500000000", "host": "h", "timezone": "UTC"}]
        assert [(one["pmid"], one["names"]) for one in result["metrics"]] == [("29.0.1", []), ("29.0.3", ["m.in", "n.in"])]

    def test_instances_at_a_time(self, scripts: Scripts) -> None:
        scripts.says("pmdumplog", {"*": self.INSTANCES})

        def at(when: str, indom: str = "29.1") -> Json:
            result: Json = scripts.answer("archive.indom", indom=indom, time=when)["result"]
            return result

        assert [one["name"] for one in at("1700000001.499999999")["instances"]] == ["a", "bc"]
        assert [one["name"] for one in at("1700000001.5")["instances"]] == ["a", "d"]
        assert at("1700000001", indom="29.2")["error"] == "PM_ERR_INDOM_LOG"
        assert at("1700000000")["not_shown"]

    def test_labels_in_force(self, scripts: Scripts) -> None:
        scripts.says("pmdumplog", {"*": self.LABELS})
        described = descriptor("m.in PMID: 29.0.3", indom="29.1 0x7400001")
        merged = '\nm.in\n    labels {"hostname":"h"}\n    inst [0 or "a"] labels {"hostname":"h","k":"A"}\n'
        scripts.says("pminfo", {"*-d*": described, "*-l*": merged})
        result = scripts.answer("archive.labels", metric="m.in", time="1700000001")["result"]
        assert result["sets"] == [{"class": "context", "labels": '{"hostname":"h"}'}]
        assert result["instances"] == [{"instance": 0, "labels": '{"k":"A"}', "merged": '{"hostname":"h","k":"A"}'}]
        # Those of 22.5 s may be meant by what pminfo merges.
        assert [one["at"] for one in result["not_shown"]] == [["/merged", "/instances"]]

    @pytest.mark.parametrize(("when", "is_shown"), [("253402300799.999999999", True), ("253402300800", False)])
    def test_labels_beyond_the_year_9999_are_not_shown(self, scripts: Scripts, when: str, is_shown: bool) -> None:  # OUT-505
        scripts.says("pmdumplog", {"*": self.LABELS})
        scripts.says("pminfo", {"*-d*": descriptor("m.one PMID: 29.0.1"), "*-l*": '\nm.one\n    labels {"hostname":"i"}\n'})
        result = scripts.answer("archive.labels", metric="m.one", time=when)["result"]
        assert ("not_shown" not in result) == is_shown

    def test_labels_after_the_last_record_are_not_shown(self, scripts: Scripts) -> None:  # OUT-321
        scripts.says("pmdumplog", {"*": self.LABELS})
        scripts.says("pminfo", {"*-d*": descriptor("m.one PMID: 29.0.1"), "*-l*": "m.one: pmFetch: End of PCP archive\n"})
        result = scripts.answer("archive.labels", metric="m.one", time="1700000009")["result"]
        assert result["sets"] == [{"class": "context", "labels": '{"hostname":"i"}'}]
        assert [one["at"] for one in result["not_shown"]] == [["/merged", "/instances"]]

    def test_records_as_they_are(self, scripts: Scripts) -> None:
        scripts.says("pmdumplog", {"*-l*": self.LABEL, "*-m*": self.RECORDS})
        scripts.says("pminfo", {"*": descriptor("n.in", indom="29.1 0x7400001") + descriptor("m.one")})
        scripts.says("pmprobe", {"*": 'n.in 2 ?0 "a" ?1 "bc"\nm.one 1 PM_IN_NULL PM_IN_NULL\n'})
        result = scripts.answer("replay.raw", metrics=["n.in", "m.one"], start="1700000000", count=4)["result"]
        first, second, third, fourth = result["fetches"]
        assert [value["value"] for value in first["metrics"][0]["values"]] == ["5", "1099511627776"]
        assert [(metric["metric"], metric.get("error")) for metric in second["metrics"]] == [("n.in", None), ("m.one", "PM_ERR_APPVERSION")]
        assert third["error"] == fourth["error"] == "PM_ERR_EOL"
        assert [one["at"] for one in result["not_shown"]] == [
            ["/fetches/1/metrics/0/status", "/fetches/1/metrics/0/error"],
            ["/fetches/3"],
        ]

    @pytest.mark.parametrize("records, shown", [(RECORDS, 2), ("", 0)], ids=["after records", "at once"])
    def test_a_record_that_cannot_be_read_is_the_last_that_is_told(self, scripts: Scripts, records: str, shown: int) -> None:
        why = "pmdumplog: pmFetch: Corrupted record in a PCP archive\n"
        scripts.says("pmdumplog", {"*-l*": self.LABEL, "*-m*": records}, stderr=why, status=1)  # INT-1007
        scripts.says("pminfo", {"*": descriptor("n.in", indom="29.1 0x7400001") + descriptor("m.one")})
        scripts.says("pmprobe", {"*": 'n.in 2 ?0 "a" ?1 "bc"\nm.one 1 PM_IN_NULL PM_IN_NULL\n'})
        result = scripts.answer("replay.raw", metrics=["n.in", "m.one"], start="1700000000", count=4)["result"]
        assert [fetch["status"] for fetch in result["fetches"][:shown]] == [0] * shown
        assert {fetch["error"] for fetch in result["fetches"][shown:]} == {"PM_ERR_LOGREC"}
        told = [one["at"] for one in result["not_shown"] if "after an error" in one["because"]]
        assert told == [[f"/fetches/{i}" for i in range(shown + 1, 4)]]

    def test_an_archive_whose_end_is_unknown_has_a_window(self, scripts: Scripts) -> None:
        label = re.sub("ending .*", "ending     UNKNOWN", self.LABEL)
        assert label != self.LABEL
        scripts.says("pmdumplog", {"*-l*": label, "*-m*": self.RECORDS})
        scripts.says("pminfo", {"*": descriptor("n.in", indom="29.1 0x7400001") + descriptor("m.one")})
        scripts.says("pmprobe", {"*": 'n.in 2 ?0 "a" ?1 "bc"\nm.one 1 PM_IN_NULL PM_IN_NULL\n'})
        assert len(scripts.answer("replay.raw", metrics=["m.one"], start="1700000000", count=1)["result"]["fetches"]) == 1

    def test_a_member_that_the_tools_pass_over_is_not_described(self, scripts: Scripts) -> None:
        """ARC-554, as tools of 7.2.2 warn."""
        cut = 'pmdumplog: Cannot open archive "/data/b": Missing PCP archive file'
        scripts.does("pmdumplog", f'case " $*" in\n*" /data/b"*) echo \'{cut}\' >&2; exit 1 ;;\n*) cat <<"E"\n{self.LABEL}E\nesac')
        several: Json = {"paths": ["/data/a", "/data/b"]}
        assert scripts.answer("archive.describe", several, metrics=["m.counter"])["reject"]["class"] == "replay.refused"
        warning = '[Sat Nov 28 21:40:51] pminfo(2) Warning: initarchive: skipping corrupt/unreadable archive "/data/b": Missing PCP archive file\n'
        scripts.says("pminfo", {"*": descriptor("m.counter PMID: 29.0.1")}, stderr=warning)
        result = scripts.answer("archive.describe", several, metrics=["m.counter"])["result"]
        assert len(result["labels"]) == 1 and result["metrics"][0]["status"] == 0

    def test_a_tool_that_takes_one_archive_is_not_asked_for_several(self, scripts: Scripts) -> None:  # OUT-427
        told = "pmdumplog: Multiple archives are not supported\n"
        of_each = f"*' /data/a,/data/b'*|*' /data/folder'*) echo '{told.strip()}' >&2; exit 1 ;;"
        scripts.does("pmdumplog", f'case " $*" in\n{of_each}\n*) cat <<"E"\n{self.LABEL}E\nesac')
        scripts.says("pminfo", {"*": descriptor("m.counter PMID: 29.0.1")})
        several: Json = {"paths": ["/data/a", "/data/b"]}
        folder: Json = {"path": "/data/folder"}
        for source in (several, folder):
            answer = scripts.answer("replay.raw", source, metrics=["m.counter"], start="1700000000", count=2)
            assert "no more than one archive" in answer["skip"]["reason"]
        assert scripts.answer("archive.describe", several, metrics=["m.counter"])["result"]["metrics"][0]["status"] == 0
        assert "no more than one archive" in scripts.answer("archive.describe", folder, metrics=["m.counter"])["skip"]["reason"]

    def test_what_a_folder_has_may_be_refused_all_the_same(self, scripts: Scripts) -> None:
        scripts.says("pmdumplog", {"*": ""}, stderr="pmdumplog: Multiple archives are not supported\n", status=1)
        why = 'pminfo: Cannot open archive "/data/folder": Archives overlap in time\n'
        scripts.says("pminfo", {"*": ""}, stderr=why, status=1)
        answer = scripts.answer("archive.describe", {"path": "/data/folder"}, metrics=["m.counter"])
        assert answer["reject"]["class"] == "set.overlap"

    def test_a_failure_without_a_line_is_not_an_empty_archive(self, scripts: Scripts) -> None:
        scripts.does("pmdumplog", f'case "$*" in *-m*) echo "pmdumplog: no such luck" >&2; exit 1;; esac\ncat <<"E"\n{self.LABEL}E')
        answer = scripts.answer("replay.raw", metrics=["m.counter"], start="1700000000", count=2)
        assert "no such luck" in answer["error"]["context"]

    def test_the_largest_double_is_rounded_up(self, scripts: Scripts) -> None:  # MET-504
        scripts.says("pmdumplog", {"*-l*": self.LABEL, "*-m*": self.RECORDS.replace("value 7", "value -1.797693134862316e+308")})
        scripts.says("pminfo", {"*": descriptor("m.one", "double")})
        scripts.says("pmprobe", {"*": "m.one 1 PM_IN_NULL PM_IN_NULL\n"})
        result = scripts.answer("replay.raw", metrics=["m.one"], start="1700000000", count=1)["result"]
        [value] = result["fetches"][0]["metrics"][0]["values"]
        assert value["value"] == "-1.7976931348623157e+308"
        assert [one.get("within") for one in result["not_shown"]] == ["5e292"]

    def test_a_system_error_without_a_name_has_its_number(self, scripts: Scripts) -> None:
        for printed, told in (("Unknown error 199", -199), ("Unknown error 201", None)):
            scripts.says("pmdumplog", {"*-l*": self.LABEL, "*-m*": self.RECORDS.replace("value 7", printed)})
            scripts.says("pminfo", {"*": descriptor("m.one")})
            scripts.says("pmprobe", {"*": "m.one 1 PM_IN_NULL PM_IN_NULL\n"})
            answer = scripts.answer("replay.raw", metrics=["m.one"], start="1700000000", count=1)
            if told is None:
                assert "has no name" in answer["skip"]["reason"]
            else:
                [metric] = answer["result"]["fetches"][0]["metrics"]
                assert (metric["status"], metric["error"]) == (told, "errno 199")

    def test_a_number_of_few_digits_may_have_been_rounded(self, scripts: Scripts) -> None:  # MET-504
        scripts.says("pmdumplog", {"*-l*": self.LABEL, "*-m*": self.RECORDS.replace("value 7", "value 2")})
        scripts.says("pminfo", {"*": descriptor("m.one", "double")})
        scripts.says("pmprobe", {"*": "m.one 1 PM_IN_NULL PM_IN_NULL\n"})
        result = scripts.answer("replay.raw", metrics=["m.one"], start="1700000000", count=1)["result"]
        assert result["not_shown"] == [{"at": ["/fetches/0/metrics/0/values/0/value"], "because": "fewer digits are printed than the value has", "within": "5e-16"}]


class TestPmrep:
    ROWS = 'Time,"d.x[i0]","d.x[i1]","d.s"\n2023-11-14 22:13:20,0.25' + "0" * 1072 + ',,"a_b"\n'

    def evaluate(self, scripts: Scripts, *more: str) -> Json:
        scripts.says("pminfo", {"*": descriptor("d.x", "double", "60.1 0xf000001").replace("counter", "instant") + "".join(more)})
        scripts.says("pmprobe", {"*": 'd.x 2 ?4 "i0" ?5 "i1"\nd.s 1 PM_IN_NULL PM_IN_NULL\n'})
        args: Json = {"metrics": ["d.x", "d.s"], "start": "1700000000", "count": 1, "raw": True}
        return scripts.answer("derive.eval", derived=[{"name": "d.x", "expression": "m.x / 4"}], **args)

    def test_a_row_is_a_record(self, scripts: Scripts) -> None:
        scripts.says("pmrep", {"*-u*-r*": self.ROWS})
        result = self.evaluate(scripts, descriptor("d.s", "string").replace("counter", "discrete"))["result"]
        number, text = result["fetches"][0]["metrics"]
        assert number["values"] == [{"instance": 4, "type": "double", "value": "0.25"}]
        assert text["values"] == [{"instance": None, "type": "string", "value": "a_b"}]
        assert {at for one in result["not_shown"] for at in one["at"]} == {"/fetches/0/time", "/fetches/0/metrics/1/values/0/value"}

    def test_rates_are_not_taken_for_values(self, scripts: Scripts) -> None:
        scripts.says("pmrep", {"*": self.ROWS})
        assert "rates" in self.evaluate(scripts, descriptor("d.s"))["skip"]["reason"]


class TestDefinitions:
    STDERR = """\
[F:2] Error: pmRegisterDerived(x.b, ...) syntax error
1 +
  ^
Arithmetic expression expected to follow PLUS
Semantic error: derived metric x.c: m.counter * m.counter: Illegal operator for counters
"""

    def test_each_line_has_its_answer(self, scripts: Scripts) -> None:
        # The real one names the file of the configuration.
        scripts.does("pminfo", f'sed "s|^.F:|[$PCP_DERIVED_CONFIG:|" >&2 <<"E"\n{self.STDERR}E\ncat <<"E"\n{descriptor("x.a")}E')
        definitions = [
            {"name": "x.a", "expression": "m.counter"},
            {"name": "x.b", "expression": "1 +"},
            {"name": "x.c", "expression": "m.counter * m.counter"},
        ]
        first, second, third = scripts.answer("derive.parse", definitions=definitions)["result"]["definitions"]
        assert first["descriptor"] == {"type": "u32", "semantics": "counter", "indom": None, "units": ""}
        assert (second["stage"], second["position"], second["message"]) == ("syntax", 2, "Arithmetic expression expected to follow PLUS")
        assert (third["stage"], third["where"], third["message"]) == ("bind", "m.counter * m.counter", "Illegal operator for counters")

    def test_the_configuration_is_the_definitions(self, scripts: Scripts, tmp_path: Path) -> None:
        scripts.does("pminfo", f'cat "$PCP_DERIVED_CONFIG" > {tmp_path}/seen')
        scripts.answer("derive.parse", definitions=[{"name": "x.a", "expression": "1 "}, {"name": "x.b", "expression": "2"}])
        assert (tmp_path / "seen").read_text(encoding="utf-8") == "x.a=1 \nx.b=2\n"

    def test_names_without_a_point_are_asked_first(self, scripts: Scripts, tmp_path: Path) -> None:  # OUT-309
        """A help text may have a line that looks like one of them."""
        scripts.does("pminfo", f'case "$*" in *-T*) echo "$*" > {tmp_path}/seen ;; esac')
        scripts.answer("derive.parse", definitions=[{"name": "x", "expression": "1"}], metrics=["a.b", "x", "c.d"])
        assert (tmp_path / "seen").read_text(encoding="utf-8").endswith(" x a.b c.d\n")

    LIMIT = "Warning: failed to set derived metric control c=5: Attempt to use an illegal context"

    @pytest.mark.parametrize("source", [ARCHIVE, {}])
    def test_a_limit_of_contexts_that_fails_for_want_of_one(self, scripts: Scripts, source: Json) -> None:  # DER-402
        """Tools load before they open the archive, an adapter to the library afterwards."""
        scripts.does("pminfo", f'echo "[$PCP_DERIVED_CONFIG:1] {self.LIMIT}" >&2')
        result = scripts.answer("derive.parse", source, config="#control c=5\n")["result"]
        assert result["config"]["diagnostics"] == [f"[F:1] {self.LIMIT}"]
        unshown = [place for one in result["not_shown"] for place in one["at"]]
        assert unshown == ["/config/registered", *(["/config/diagnostics"] if source else [])]

    @pytest.mark.parametrize(
        "definition",
        [
            {"name": "a b", "expression": "1"},
            {"name": "x.a", "expression": ""},
            {"name": "x.a", "expression": "1\n+ 2"},
            {"name": "x.a", "expression": "1 \\"},
            {"name": "x.a", "expression": "1", "per_context": True},
        ],
    )
    def test_what_a_configuration_can_not_say_is_skipped(self, scripts: Scripts, definition: Json) -> None:
        assert scripts.answer("derive.parse", definitions=[definition])["skip"]["reason"]


class TestRunning:
    def test_the_environment_is_clean(self, scripts: Scripts, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("PCP_COUNTER_WRAP", "")
        monkeypatch.setenv("PCP_SQUASH_NEWLINES", "")
        scripts.does("pmval", "env")
        done = tool_run.Tools(tool_run.of_folder(scripts.folder), "").run(["pmval"])
        found = dict(line.split("=", 1) for line in done.stdout.decode().splitlines())
        for unimportant in ("PWD", "_", "SHLVL", "OLDPWD"):
            found.pop(unimportant, None)
        fixed = {"PCP_DERIVED_CONFIG": "", "PCP_STDERR": "", "LC_ALL": "C", "TZ": "UTC"}
        assert found == {"PATH": os.defpath, "HOME": "/nonexistent", **fixed}

    def test_a_death_is_a_crash(self, scripts: Scripts) -> None:
        scripts.does("pmval", "kill -SEGV $$")
        error = scripts.replay()["error"]
        assert (error["outcome"], error["context"]) == ("crash", "pmval ended with signal 11")

    def test_silence_is_ended(self, scripts: Scripts) -> None:
        scripts.does("pmval", "exec sleep 1000")
        assert scripts.replay(limits=tool_run.Limits(seconds=1))["error"]["outcome"] == "timeout"

    def test_nothing_is_left_of_a_tool(self, scripts: Scripts, tmp_path: Path) -> None:
        scripts.does("pmval", f"sleep 1000 >/dev/null 2>&1 & echo $! > {tmp_path}/child")
        scripts.replay()
        child = (tmp_path / "child").read_text(encoding="utf-8").strip()
        end = time.monotonic() + 60
        while Path(f"/proc/{child}").exists() and not _is_dead(child):
            assert time.monotonic() < end
            time.sleep(0.05)

    def test_endless_output_is_ended(self, scripts: Scripts) -> None:
        scripts.does("pmval", "yes")
        assert "bytes and more" in scripts.replay(limits=tool_run.Limits(output=100_000))["error"]["context"]

    def test_a_tool_that_is_not_there(self, scripts: Scripts) -> None:
        (scripts.folder / "pmval").unlink()
        assert "no program 'pmval'" in scripts.replay()["error"]["context"]

    def test_as_a_program_it_speaks_the_protocol(self, scripts: Scripts) -> None:
        adapter = Path(tool_run.__file__).with_name("tool_adapter")
        argv = ["/usr/bin/python3", "-B", str(adapter), "--pmproof", PMPROOF, "--programs", str(scripts.folder)]
        lines = [
            '{"cmd": "hello", "protocol": 1}',
            '{"cmd": "hello", "protocol": 99}',
            "nonsense",
            '{"cmd": "run", "seq": 1, "op": "units.parse", "input": {}, "args": {"text": "sec"}}',
            '{"cmd": "run", "seq": 2, "op": "replay.interp", "input": {}, "args": {}}',
            '{"cmd": "bye"}',
        ]
        done = subprocess.run(argv, input="\n".join(lines), capture_output=True, text=True, timeout=120, check=True)
        hello, refused, unread, skipped, failed = map(json.loads, done.stdout.splitlines())
        assert hello["implementation"]["version"] == "6.0.3"
        assert refused["ok"] is False
        assert unread["seq"] is None and unread["error"]
        assert skipped["seq"] == 1 and skipped["skip"]["reason"]
        assert failed["seq"] == 2 and failed["error"]["context"]


class TestRunsAsTheyAre:
    """tool.run."""

    def run(self, scripts: Scripts, *arguments: str, tool: str = "pmval", source: Json = ARCHIVE, **more: Any) -> Json:
        return scripts.answer("tool.run", source, tool=tool, arguments=list(arguments), **more)

    def test_the_archive_and_an_empty_file_stand_in_the_arguments_and_their_names_in_the_lines(self, scripts: Scripts) -> None:
        scripts.does("pmval", 'test -f "$2" && test ! -s "$2" || exit 9\necho "$2 of $4"; echo "cannot open $4.0" >&2; exit 1')
        told = self.run(scripts, "-c", "{empty}", "-a", "{archive}", "m.x")
        assert told["result"] == {"status": 1, "stdout": ["{empty} of {archive}"], "stderr": ["cannot open {archive}.0"]}

    def test_archives_together_and_each_of_them(self, scripts: Scripts) -> None:
        scripts.does("pmstat", 'printf "%s\\n" "$@"')
        source = {"paths": ["/data/a", "/data/b"]}
        told = self.run(scripts, "{archive}", "{archive.2}", "{archive.1}.meta", tool="pmstat", source=source)
        assert told["result"]["stdout"] == ["{archive}", "{archive.2}", "{archive.1}.meta"]

    def test_what_is_no_placeholder_stays(self, scripts: Scripts) -> None:
        scripts.does("pmval", 'printf "%s\\n" "$@"')
        assert self.run(scripts, "{archive.7}", "{}", "{other}")["result"]["stdout"] == ["{archive.7}", "{}", "{other}"]

    def test_the_environment_is_that_of_out_101_and_what_is_asked_for(self, scripts: Scripts) -> None:
        scripts.does("pmval", 'echo "$TZ $LC_ALL ${PCP_STDERR-none} ${PCP_COUNTER_WRAP-none}"')
        assert self.run(scripts)["result"]["stdout"] == ["UTC C  none"]
        asked = {"TZ": "EST+5", "PCP_COUNTER_WRAP": "1"}
        assert self.run(scripts, environment=asked)["result"]["stdout"] == ["EST+5 C  1"]

    def test_bytes_that_are_no_utf_8_and_what_looks_like_them(self, scripts: Scripts) -> None:
        scripts.does("pmval", r"printf 'gr\303\274n \377 \\x41 \\d\n\nend'")
        assert self.run(scripts)["result"]["stdout"] == ["grün \\xff \\x5cx41 \\d", "", "end"]

    @pytest.mark.parametrize(
        ("args", "told"),
        [
            ({"tool": "pmlogger"}, "none of the tools"),
            ({"tool": "../../bin/sh"}, "none of the tools"),
            ({"environment": {"LD_PRELOAD": "x"}}, "none of the variables"),
        ],
    )
    def test_nothing_but_tools_is_run(self, scripts: Scripts, args: Json, told: str) -> None:
        assert told in self.run(scripts, **args)["error"]["context"]

    def test_a_crash_is_one(self, scripts: Scripts) -> None:
        scripts.does("pmval", "kill -SEGV $$")
        assert self.run(scripts)["error"]["outcome"] == "crash"


def _is_dead(pid: str) -> bool:
    """Nobody may have waited for it yet."""
    try:
        return ") Z " in Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return True
