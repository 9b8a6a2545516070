# SPDX-License-Identifier: Apache-2.0
"""Archives as the adapter to PCP's tools reads them from pmdumplog."""

import re
from pathlib import Path

import pytest

from qa.adapters.scripted_tools import Json, Scripts, descriptor


@pytest.fixture(name="scripts")
def fixture_scripts(tmp_path: Path) -> Scripts:
    return Scripts(tmp_path)


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

    @pytest.mark.parametrize(("when", "outcome"), [("253402300799.999999999", "result"), ("253402300800", "skip")])
    def test_times_beyond_the_year_9999_are_not_asked_for(self, scripts: Scripts, when: str, outcome: str) -> None:  # OUT-505
        scripts.says("pmdumplog", {"*-e*": self.LABELS, "*": self.INSTANCES})
        scripts.says("pminfo", {"*-d*": descriptor("m.one PMID: 29.0.1"), "*-l*": '\nm.one\n    labels {"hostname":"i"}\n'})
        assert outcome in scripts.answer("archive.labels", metric="m.one", time=when)
        assert outcome in scripts.answer("archive.indom", indom="29.1", time=when)

    def test_labels_after_the_last_record_are_not_shown(self, scripts: Scripts) -> None:  # OUT-321
        scripts.says("pmdumplog", {"*": self.LABELS})
        scripts.says("pminfo", {"*-d*": descriptor("m.one PMID: 29.0.1"), "*-l*": "m.one: pmFetch: End of PCP archive\n"})
        result = scripts.answer("archive.labels", metric="m.one", time="1700000009")["result"]
        assert result["sets"] == [{"class": "context", "labels": '{"hostname":"i"}'}]
        assert [one["at"] for one in result["not_shown"]] == [["/merged", "/instances"]]

    @pytest.mark.parametrize(
        ("end", "option"),
        [
            ("Tue Jan 19 03:14:06.999999 2038", ""),
            ("Tue Jan 19 03:14:07.000000 2038", "-T @Tue Jan 19 03:14:08.000000000 2038 "),
            ("Tue Jan 19 03:14:16.500000 2038", "-T @Tue Jan 19 03:14:17.500000000 2038 "),
        ],
    )
    def test_records_from_2038_on_are_asked_for(self, scripts: Scripts, end: str, option: str) -> None:  # ARC-504
        label = self.LABEL.replace("Tue Nov 14 22:13:21.501000 2023", end)
        scripts.does("pmdumplog", f"""case "$*" in *-l*) cat <<'END'\n{label}END\n;; *) echo "$*" >>'{scripts.folder}/asked';; esac""")
        scripts.says("pminfo", {"*": descriptor("m.one")})
        scripts.says("pmprobe", {"*": "m.one 1 PM_IN_NULL PM_IN_NULL\n"})
        assert "result" in scripts.answer("replay.raw", metrics=["m.one"], start="1700000000", count=1)
        assert (scripts.folder / "asked").read_text(encoding="utf-8").startswith(f"-xxx -m {option}/")

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
