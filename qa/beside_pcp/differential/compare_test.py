# SPDX-License-Identifier: Apache-2.0
"""An answer of libpcp that is not as it should be is found out, and what is explained is counted under its name."""

import copy
from typing import Any

from qa.adapters.testee import Outcome
from qa.beside_pcp.differential.compare import Circumstances, Comparison, compare_plain, compare_seeks, compare_set

Json = dict[str, Any]


def metric(name: str, *values: tuple[int, str], status: int = 0) -> Json:
    told = [{"instance": instance, "type": "u32", "value": value} for instance, value in values]
    return {"metric": name, "status": status, "values": told}


def fetch(second: int, *metrics: Json) -> Json:
    return {"time": f"{second}.000000000", "status": 0, "metrics": list(metrics)}


def result(*fetches: Json) -> Outcome:
    return Outcome("result", {"fetches": list(fetches)})


GOOD = (
    fetch(1, metric("a", (1, "10"), (2, "20")), metric("b", (-1, "5"))),
    fetch(2, metric("a", (1, "11")), metric("b")),
)


def died(*fetches: Json) -> Outcome:
    return Outcome("crash", {"fetches": list(fetches)}, "libpcp ended with SIGSEGV")


def plain(actual: Outcome, *, emulated: Outcome | None = None, misread: frozenset[str] = frozenset()) -> Comparison:
    return compare_plain(actual, result(*GOOD), lambda: emulated or result(*GOOD), Circumstances(misread))


def changed(number: int = 0) -> tuple[list[Json], list[Json]]:
    """Fetches to be changed, and the metrics of one of them."""
    fetches = copy.deepcopy(list(GOOD))
    return fetches, fetches[number]["metrics"]


class TestPlainSteps:
    def test_what_is_equal_is_counted(self) -> None:
        found = plain(result(*GOOD))
        assert found.unexplained == []
        assert (found.contexts, found.fetches, found.answers, found.values) == (1, 2, 4, 4)
        assert found.as_reference == 4

    def test_the_order_of_instances_is_of_no_significance(self) -> None:
        fetches, metrics = changed()
        metrics[0]["values"].reverse()
        assert plain(result(*fetches)).unexplained == []

    def test_a_wrong_bit(self) -> None:
        fetches, metrics = changed()
        metrics[0]["values"][0]["value"] = "11"
        (fault,) = plain(result(*fetches)).unexplained
        assert fault == "fetch 0 at 1.000000000: libpcp a = 1:11 2:20, the emulation a = 1:10 2:20"

    def test_another_type(self) -> None:
        fetches, metrics = changed()
        metrics[0]["values"][0]["type"] = "32"
        assert len(plain(result(*fetches)).unexplained) == 1

    def test_a_missing_instance(self) -> None:
        fetches, metrics = changed()
        del metrics[0]["values"][1]
        assert len(plain(result(*fetches)).unexplained) == 1

    def test_a_value_too_many(self) -> None:
        fetches, metrics = changed(1)
        metrics[1] = metric("b", (-1, "5"))
        assert len(plain(result(*fetches)).unexplained) == 1

    def test_an_error_in_place_of_values(self) -> None:
        fetches, metrics = changed()
        metrics[1] = metric("b", status=-12397)
        assert len(plain(result(*fetches)).unexplained) == 1

    def test_another_metric(self) -> None:
        fetches, metrics = changed()
        metrics[1]["metric"] = "c"
        assert len(plain(result(*fetches)).unexplained) == 1

    def test_a_metric_too_few(self) -> None:
        fetches, metrics = changed()
        del metrics[1]
        assert len(plain(result(*fetches)).unexplained) == 1

    def test_another_time(self) -> None:
        fetches, _ = changed()
        fetches[1]["time"] = "2.000000001"
        assert len(plain(result(*fetches)).unexplained) == 1

    def test_an_end_that_comes_too_early(self) -> None:
        end = {"time": "2.000000000", "status": -12370, "error": "PM_ERR_EOL"}
        assert len(plain(result(GOOD[0], end)).unexplained) == 1

    def test_a_fetch_too_few(self) -> None:
        assert len(plain(result(GOOD[0])).unexplained) == 1

    def test_a_crash(self) -> None:
        (fault,) = plain(died(GOOD[0])).unexplained
        assert "SIGSEGV in fetch 1" in fault

    def test_a_refusal(self) -> None:
        assert len(plain(Outcome("reject", {}, "no")).unexplained) == 1

    def test_a_refusal_by_both_is_none(self) -> None:
        refused = Outcome("reject", {}, "no")
        assert compare_plain(refused, refused, lambda: refused).unexplained == []


class TestDeviations:
    def emulated(self, *named: str, value: str = "12") -> tuple[Outcome, Outcome]:
        """What libpcp says, and the emulation."""
        fetches, metrics = changed(1)
        metrics[0]["values"][0]["value"] = value
        actual = result(*copy.deepcopy(fetches))
        metrics[0]["deviations"] = list(named)
        return actual, result(*fetches)

    def test_what_the_emulation_names_is_counted(self) -> None:
        actual, emulated = self.emulated("DEV-03")
        found = plain(actual, emulated=emulated)
        assert found.unexplained == []
        assert (found.deviations, found.as_reference, found.as_emulated) == ({"DEV-03": 1}, 3, 4)

    def test_what_it_names_but_libpcp_does_not_do_is_a_fault(self) -> None:
        _, emulated = self.emulated("DEV-03")
        actual, _ = self.emulated(value="13")
        assert len(plain(actual, emulated=emulated).unexplained) == 1

    def test_what_it_does_not_name_is_a_fault(self) -> None:
        for named in ((), ("unexplained",)):
            actual, emulated = self.emulated(*named)
            assert len(plain(actual, emulated=emulated).unexplained) == 1
            assert len(compare_seeks(actual, emulated).unexplained) == len(named)

    def test_once_memory_is_destroyed_nothing_is_compared_and_a_crash_is_explained(self) -> None:
        fetches, _ = changed()
        fetches[1]["undefined"] = "DEV-05"
        found = plain(died(GOOD[0]), emulated=result(*fetches))
        assert found.unexplained == []
        assert (found.undefined, found.crashes, found.fetches) == ({"DEV-05": 1}, {"DEV-05": 1}, 1)
        actual, _ = self.emulated()
        assert plain(actual, emulated=result(*fetches)).unexplained == []

    def test_a_crash_before_that_is_not(self) -> None:
        fetches, _ = changed()
        fetches[1]["undefined"] = "DEV-05"
        assert len(plain(died(), emulated=result(*fetches)).unexplained) == 1

    def test_what_comes_before_is_compared(self) -> None:
        fetches, metrics = changed()
        wrong = copy.deepcopy(fetches)
        fetches[1]["undefined"] = "DEV-05"
        metrics[0]["values"][0]["value"] = "0"
        assert len(plain(died(wrong[0]), emulated=result(*fetches)).unexplained) == 1

    def test_what_an_old_version_misreads_is_explained_where_instances_are_missing(self) -> None:
        fetches, metrics = changed()
        del metrics[0]["values"][1]
        found = plain(result(*fetches), misread=frozenset({"a"}))
        assert (found.unexplained, found.deviations) == ([], {"DEV-24": 1})
        assert len(plain(result(*fetches), misread=frozenset({"b"})).unexplained) == 1
        metrics[0]["values"][0]["value"] = "12"
        assert len(plain(result(*fetches), misread=frozenset({"a"})).unexplained) == 1

    def test_so_is_its_crash(self) -> None:
        assert plain(died(), misread=frozenset({"a"})).crashes == {"DEV-24": 1}


class TestWhatTheEmulationDoesNotModel:
    skipped = Outcome("skip", {}, "an index entry that points to no record")

    def test_it_is_counted_where_there_is_a_difference(self) -> None:
        fetches, metrics = changed()
        metrics[0]["values"][0]["value"] = "11"
        assert plain(result(*fetches), emulated=self.skipped).aside == {self.skipped.message: 1}
        assert plain(result(*GOOD), emulated=self.skipped).aside == {}
        assert compare_seeks(result(*GOOD), self.skipped).aside == {self.skipped.message: 1}

    def test_it_explains_no_crash(self) -> None:
        assert len(plain(died(), emulated=self.skipped).unexplained) == 1
        assert len(compare_seeks(died(), self.skipped).unexplained) == 1


class TestSeeks:
    def test_what_is_equal_is_counted(self) -> None:
        found = compare_seeks(result(*GOOD), result(*GOOD))
        assert (found.unexplained, found.as_emulated, found.as_reference) == ([], 4, 4)

    def test_the_order_of_instances_counts(self) -> None:
        fetches, metrics = changed()
        metrics[0]["values"].reverse()
        assert len(compare_seeks(result(*fetches), result(*GOOD)).unexplained) == 1

    def test_a_wrong_bit(self) -> None:
        fetches, metrics = changed()
        metrics[0]["values"][0]["value"] = "11"
        assert len(compare_seeks(result(*fetches), result(*GOOD)).unexplained) == 1

    def test_an_emulation_that_fails(self) -> None:
        assert len(compare_seeks(result(*GOOD), died()).unexplained) == 1


END = 2 * 10**9


def no_excuse(_: str) -> str:
    return ""


class TestSets:
    def test_what_differs_is_counted_under_its_excuse(self) -> None:
        fetches, metrics = changed()
        metrics[0]["values"][0]["value"] = "11"
        found = compare_set(result(*fetches), result(*GOOD), lambda metric: "DEV-03" if metric == "a" else "", END)
        assert (found.unexplained, found.deviations, found.as_reference) == ([], {"DEV-03": 1}, 3)

    def test_so_is_a_crash(self) -> None:
        found = compare_set(died(GOOD[0]), result(*GOOD), lambda metric: "DEV-02" if metric == "b" else "", END)
        assert (found.unexplained, found.crashes) == ([], {"DEV-02": 1})

    def test_without_excuse_it_is_a_fault(self) -> None:
        fetches, metrics = changed()
        metrics[0]["values"][0]["value"] = "11"
        assert len(compare_set(result(*fetches), result(*GOOD), no_excuse, END).unexplained) == 1
        assert len(compare_set(died(), result(*GOOD), no_excuse, END).unexplained) == 1
        assert len(compare_set(result(GOOD[0]), result(*GOOD), no_excuse, END).unexplained) == 1

    def test_behind_the_end_there_may_be_an_answer_or_none(self) -> None:
        end = {"time": "2.000000000", "status": -12370, "error": "PM_ERR_EOL"}
        for actual, reference in ((GOOD, (GOOD[0], end)), ((GOOD[0], end), GOOD)):
            found = compare_set(result(*actual), result(*reference), no_excuse, END - 1)
            assert (found.unexplained, found.deviations) == ([], {"INT-206": 1})
            assert len(compare_set(result(*actual), result(*reference), no_excuse, END).unexplained) == 1
