"""Outputs are refused before a run where something of the user's would be lost."""

from pathlib import Path

import pytest

from core.cli.output import check_recordable
from core.errors import UsageError
from core.trace.writer import TraceWriter, part_path
from tests.core.trace.test_trace_file import write_trace


def killed_recording(path: Path, n_steps: int) -> TraceWriter:
    writer = write_trace(path, n_steps)
    writer.abandon()
    return writer


def test_that_what_a_killed_recording_left_is_not_recorded_over(tmp_path: Path) -> None:
    path = tmp_path / "a.kvtrace"
    killed_recording(path, 2)
    held = part_path(path).read_bytes()
    with pytest.raises(UsageError, match=r"a\.kvtrace\.part holds 2 steps .* --repair FILE, or give --force"):
        check_recordable(path, force=False)
    assert part_path(path).read_bytes() == held
    check_recordable(path, force=True)


@pytest.mark.parametrize("left", [None, b"", b"no recording"])
def test_that_a_part_without_a_step_is_in_nobodys_way(tmp_path: Path, left: bytes | None) -> None:
    path = tmp_path / "a.kvtrace"
    killed_recording(path, 0)
    if left is not None:
        part_path(path).write_bytes(left)
    check_recordable(path, force=False)
