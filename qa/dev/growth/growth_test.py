# SPDX-License-Identifier: Apache-2.0
"""What is called linear, and that each archive has what it is said to have many of."""

import os
import subprocess
from pathlib import Path

import pytest

from qa.dev.growth.inputs import KINDS, Kind, command_line
from qa.dev.growth.table import Sizes, markdown, not_linear

PMPROOF = Path(os.environ["PMPROOF"]).resolve()
MB = 1 << 20
COUNTS = (100, 200, 400)


@pytest.mark.parametrize("kind", KINDS, ids=[kind.name for kind in KINDS])
def test_each_command_reads_an_archive_with_few_and_one_with_many(kind: Kind, tmp_path: Path) -> None:
    for count in (kind.nothing, 50):
        base = tmp_path / f"{count}" / "a"
        base.parent.mkdir()
        kind.make(PMPROOF, base, count)
        for command in kind.commands:
            words = command_line(kind, command, base, tmp_path, count)
            done = subprocess.run([PMPROOF, *words], capture_output=True, text=True, check=False)
            assert done.returncode == 0, done


@pytest.mark.parametrize(
    ("seconds", "peaks", "is_linear"),
    [
        ((0.1, 0.2, 0.4), (MB, 2 * MB, 4 * MB), True),
        ((0.1, 0.2, 0.5), (MB, MB, MB), False),
        ((0.1, 0.23, 0.4), (MB, MB, MB), False),
        ((0.0, 0.001, 0.015), (MB, MB, MB), True),  # too short to be judged
        ((0.0, 0.001, 0.05), (MB, MB, MB), False),
        ((0.1, 0.2, 0.4), (MB, 3 * MB, 11 * MB), False),
        ((0.1, 0.2, 0.4), (MB, MB, MB + 1000), True),
    ],
)
def test_what_is_linear(seconds: tuple[float, float, float], peaks: tuple[int, int, int], is_linear: bool) -> None:
    sizes = Sizes(COUNTS, seconds, peaks)
    assert sizes.is_linear == is_linear
    assert not_linear({"kind": {"check": sizes}}) == ([] if is_linear else ["kind: check"])


def test_a_row_shows_seconds_doublings_and_memory() -> None:
    table = markdown({"kind": {"check": Sizes(COUNTS, (0.1, 0.2, 0.5), (MB, 2 * MB, 4 * MB))}})
    assert table.splitlines()[-1] == "| kind | check | 100 | 0.10 0.20 0.50 | **2.00 2.50** | 1 2 4 | 10486 |"
