# SPDX-License-Identifier: Apache-2.0
"""The maths of the benchmark's figures."""

import pytest

from qa.dev.bench import results
from qa.dev.bench.results import Target, Timing, Unmeasured, combine


def _cpu(seconds: float) -> Timing:
    return Timing(cpu=seconds, wall=99.0)


def test_a_rate_is_in_millions_of_bytes_a_second_of_cpu_time() -> None:
    assert _cpu(2.0).rate(500_000_000) == 250.0


def test_twelve_times_faster_means_a_twelfth_of_the_cpu_time() -> None:
    assert results.faster(_cpu(6.0), _cpu(0.5)) == 12.0


def test_two_threads_are_compared_by_elapsed_time() -> None:
    one, two = Timing(cpu=2.0, wall=2.0), Timing(cpu=2.2, wall=1.0)
    assert results.speed_up(one, two) == 2.0


def test_a_compressed_check_is_held_against_decompressor_and_plain_check_together() -> None:
    assert results.compressed_factor(_cpu(2.6), _cpu(1.5), _cpu(0.5)) == pytest.approx(1.3)


def test_growth_is_one_where_time_grows_as_the_input_does() -> None:
    assert results.growth(_cpu(0.2), _cpu(0.4), 2) == pytest.approx(1.0)


def test_growth_is_two_where_time_grows_with_the_square() -> None:
    assert results.growth(_cpu(0.1), _cpu(0.4), 2) == pytest.approx(2.0)


def test_instructions_per_byte_leave_out_the_start_up() -> None:
    assert results.per_further_byte((1_000_000 + 4 * 400, 400), (1_000_000 + 4 * 800, 800)) == 4.0


def test_what_could_not_be_measured_makes_no_ratio_and_keeps_its_reason() -> None:
    ratio = combine(results.faster, Unmeasured("PCP is not there"), _cpu(1.0))
    assert ratio == Unmeasured("PCP is not there")


def test_a_failure_is_told_once_so_its_ratio_does_not_count_as_another() -> None:
    assert combine(results.faster, _cpu(1.0), Unmeasured("crashed", failed=True)) == Unmeasured("crashed")


def test_no_cpu_time_at_all_is_too_short_to_time() -> None:
    assert combine(results.faster, _cpu(1.0), _cpu(0.0)) == Unmeasured("too short to time")


@pytest.mark.parametrize(
    ("measured", "at_least", "verdict"),
    [
        (12.0, True, "met"),
        (11.9, True, "not met"),
        (12.0, False, "met"),
        (12.1, False, "not met"),
        (Unmeasured("why"), True, "not measured"),
    ],
)
def test_a_target_is_met_at_its_limit(measured: float | Unmeasured, at_least: bool, verdict: str) -> None:
    assert Target("name", "archive", measured, 12.0, at_least).verdict == verdict
