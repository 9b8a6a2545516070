# SPDX-License-Identifier: Apache-2.0
"""The picture in README.md can be taken, and shows a whole report."""

import json
import os
import re
import struct
from pathlib import Path

from qa.docs import picture


def _size(path: Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    wide, high = struct.unpack(">II", data[16:24])
    return int(wide), int(high)


def test_the_picture_is_that_of_readme(tmp_path: Path) -> None:
    """Its pixels are those of a browser and its fonts, and not compared."""
    picture.take(Path(os.environ["PMPROOF"]).absolute(), tmp_path, tmp_path / "taken.png")
    wide, high = _size(tmp_path / "taken.png")
    assert wide == picture.WIDTH and high > 500
    assert abs(high - _size(Path("docs/images/report.png"))[1]) < 100
    assert (tmp_path / "taken.png").stat().st_size > 20_000

    # What README says of it.
    report = (tmp_path / "report.html").read_text(encoding="utf-8")
    (data,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', report, re.DOTALL)
    archives = json.loads(data)["archives"]
    assert [archive["conformant"] for archive in archives].count(False) == 2 and len(archives) == 4
    assert "four archives, two of them not conformant" in Path("README.md").read_text(encoding="utf-8")
