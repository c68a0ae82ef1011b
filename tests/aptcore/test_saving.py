"""Files written whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from aptcore.errors import reason
from aptcore.saving import save_text, saving

posix = pytest.mark.skipif(os.name != "posix", reason="needs modes, links and devices of POSIX")


def fail_half_way(path: Path) -> None:
    with saving(path) as fresh:
        fresh.write_text("new")
        raise ValueError("half")


def test_an_error_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "one.txt"
    save_text(path, "old\n")
    with pytest.raises(ValueError, match="half"):
        fail_half_way(path)
    assert path.read_bytes() == b"old\n"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_link_is_followed_and_the_mode_stays(tmp_path: Path) -> None:
    path, link = tmp_path / "one.txt", tmp_path / "link"
    save_text(path, "old")
    path.chmod(0o600)
    link.symlink_to(path)
    save_text(link, "new \udcff")
    assert link.is_symlink()
    assert path.read_bytes() == b"new \xff"
    assert path.stat().st_mode & 0o777 == 0o600


@posix
def test_a_device_is_written_through() -> None:
    save_text(os.devnull, "gone")
    assert Path(os.devnull).is_char_device()


def test_a_full_disk_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="space") as told, saving(tmp_path / "graphs.amr"):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    assert reason(told.value) == f"{tmp_path / 'graphs.amr'}: no space left on device"


def test_a_folder_that_is_not_there_is_told_by_the_name_that_was_given(tmp_path: Path) -> None:
    path = tmp_path / "absent" / "graphs.amr"
    with pytest.raises(FileNotFoundError) as told:
        save_text(path, "")
    assert told.value.filename == str(path)
