# SPDX-License-Identifier: Apache-2.0
"""`pmproof units` as a user meets it: texts read, printed and converted; refusals and exit statuses."""

import json
from typing import Any

import pytest

from validator.testing.run import pmproof


def told(*arguments: str) -> Any:
    return json.loads(pmproof("units", *arguments, "--format", "json").stdout)


def test_units_are_read_and_printed_in_pcps_form() -> None:  # MET-211, MET-222, MET-227
    done = pmproof("units", "2 KB/4s")
    assert done.returncode == 0
    assert done.stdout == (
        "Kbyte / sec\n"
        "  word 0x1f013000\n"
        "  dimensions: space 1, time -1, count 0\n"
        "  scales: space 1, time 3, count 0\n"
        "  multiplier 2\n"
    )


def test_json() -> None:
    assert told("power (W)") == {
        "ok": True,
        "units": "power (W)",
        "word": "0x00000022",
        "dimensions": {"space": 0, "time": 0, "count": 0},
        "scales": {"space": 0, "time": 0, "count": 0},
        "extra": {"unit": 4, "scale": 2},
        "multiplier": "1",
    }


def test_none() -> None:
    assert pmproof("units", "").stdout.splitlines()[0] == "none"
    assert told("")["units"] == ""


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("Mbyte/sec", "--to", "Kbyte/hour"), "1 Mbyte / sec = 3686400 Kbyte / hour"),
        (("byte", "--to", "KB", "--value", "1536", "--type", "32"), "1536 byte = 2 Kbyte"),
        (("byte", "--to", "KB", "--value", "-1536", "--type", "32"), "-1536 byte = -1 Kbyte"),
        (("hour", "--to", "ns", "--type", "32"), "1 hour = 817405952 nanosec"),
        (("", "--to", "count x 10^3", "--value", "500", "--type", "u32"), "500 none = 1 count x 10^3"),
        (
            ("temperature (C)", "--to", "temperature (F)", "--value", "100"),
            "100 temperature (C) = 212 temperature (F)",
        ),
        (("KB", "--to", "2KB", "--value", "10"), "10 Kbyte = 5 (2KB)"),
        (("2KB", "--to", "byte", "--value", "10"), "10 (2KB) = 20480 byte"),
        (("60", "--to", "sec/min"), "1 (60) = 3600 (sec/min)"),
    ],
)
def test_a_conversion(arguments: tuple[str, ...], line: str) -> None:  # MET-241..246
    done = pmproof("units", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (0, f"{line}\n", "")


def test_a_conversion_in_json() -> None:
    done = told("Mbyte", "--to", "Kbyte", "--value", "3", "--type", "u64")
    assert done["to"]["units"] == "Kbyte"
    assert (done["type"], done["value"], done["result"]) == ("u64", "3", "3072")


def test_what_is_no_unit_is_pointed_at() -> None:  # MET-228
    done = pmproof("units", "sec / 3 foo")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == 'pmproof: "sec / 3 foo", offset 8: unrecognized or duplicate base unit [MET-228]\n'
    assert told("sec / 3 foo") == {
        "text": "sec / 3 foo",
        "ok": False,
        "position": 8,
        "code": "PM_ERR_CONV",
        "message": "unrecognized or duplicate base unit",
    }


def test_a_version_has_its_own_units() -> None:  # MET-226
    assert pmproof("units", "power (W)", "--pcp", "6.3.8").returncode == 1
    assert "extra" not in told("sec", "--pcp", "6.0.3")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("byte", "--to", "sec"), "byte cannot be converted to sec: their dimensions differ [MET-241] (PM_ERR_CONV)"),
        (
            ("byte", "--to", "Zbyte"),
            "byte cannot be converted to Zbyte: a scale has no size [MET-242, MET-246] (PM_ERR_UNIT)",
        ),
        (
            ("byte^2", "--to", "Tbyte^2"),
            "byte^2 cannot be converted to Tbyte^2: the factor overflows [MET-244] (PM_ERR_CONV)",
        ),
    ],
)
def test_units_that_do_not_convert(arguments: tuple[str, ...], reason: str) -> None:
    done = pmproof("units", *arguments)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"pmproof: {reason}\n")
    refused = told(*arguments)
    assert not refused["ok"]
    assert refused["code"] in reason


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "UNITS is required"),
        (("sec", "--value", "3"), "--value goes with --to"),
        (("sec", "--to", "ms", "--value", "x"), "x is not a number of type double"),
        (("sec", "--to", "ms", "--value", "-1", "--type", "u32"), "-1 is not a number of type u32"),
        (("2KB", "--to", "byte", "--type", "32"), "units with a multiplier need --type float or double"),
        (("sec", "--pcp", "5"), "--pcp"),
        (("sec", "--type", "string"), "--type"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...], message: str) -> None:
    done = pmproof("units", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert "See pmproof units --help." in done.stderr


def test_text_of_somebody_else_does_nothing_to_a_terminal() -> None:
    assert "\x1b" not in pmproof("units", "\x1b[31m").stderr
