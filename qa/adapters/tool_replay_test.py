# SPDX-License-Identifier: Apache-2.0
"""Values as the adapter to PCP's tools reads them from pmval and pmrep."""

from pathlib import Path

import pytest

from qa.adapters.scripted_tools import Json, Scripts, descriptor


@pytest.fixture(name="scripts")
def fixture_scripts(tmp_path: Path) -> Scripts:
    return Scripts(tmp_path)


def values(metric: str, *lines: str) -> str:
    head = ["", f"metric:    {metric}", "archive:   /data/archive", "host:      localhost", "start:     Tue Nov 14 22:13:20 2023"]
    head += ["end:       Tue Nov 14 22:14:59 2023", "semantics: cumulative counter", "units:     none", "samples:   5", "interval:  25.00 sec"]
    return "".join(f"{line}\n" for line in [*head, *lines])


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
