# SPDX-License-Identifier: Apache-2.0
import os
from pathlib import Path

import pytest

from qa.support.new_file import written_whole


def test_it_is_there_once_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with written_whole(path) as out:
        out.write("text\r\n")
        assert not path.exists()
    assert path.read_bytes() == b"text\r\n"
    assert os.listdir(tmp_path) == ["file"]
    mask = os.umask(0o022)
    os.umask(mask)
    assert path.stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError])
def test_what_ends_the_writing_leaves_what_was_there(error: type[BaseException], tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old", encoding="utf-8")
    with pytest.raises(error):
        with written_whole(path) as out:
            out.write("new")
            raise error
    assert path.read_text(encoding="utf-8") == "old"
    assert os.listdir(tmp_path) == ["file"]


def test_another_file_is_not_replaced_also_when_it_comes_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with pytest.raises(FileExistsError):
        with written_whole(path, replace=False) as out:
            path.write_text("theirs", encoding="utf-8")
            out.write("ours")
    with pytest.raises(FileExistsError):
        with written_whole(path, replace=False):
            pass
    assert path.read_text(encoding="utf-8") == "theirs"
    assert os.listdir(tmp_path) == ["file"]


def test_a_link_stays_a_link_and_a_device_a_device(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to("file")
    with written_whole(tmp_path / "link") as out:
        out.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text(encoding="utf-8") == "new"
    with written_whole(Path("/dev/null")) as out:
        out.write("nothing")
    assert not Path("/dev/null").is_file()
