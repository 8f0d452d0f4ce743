"""Nothing that was written is lost: a disk that fails, a process that is killed, a file that is cut off or replaced while open."""

import builtins
import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from core.errors import EnvironmentFault, UnreadableError, UsageError
from core.trace import writer
from core.trace.reader import Trace
from core.trace.save import repaired_copy, save_copy
from core.trace.writer import TraceWriter, part_path
from tests.core.support import DRIFT, ROOT, main
from tests.core.trace.test_trace_file import INFO, facts, write_trace


class Disk:
    """A disk of which the nth operation of a kind fails; the others are counted."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, kind: str, fails_at: int) -> None:
        self.kind, self.fails_at, self.counts = (
            kind,
            fails_at,
            dict.fromkeys(("write", "fsync", "replace"), 0),
        )
        original = {"fsync": os.fsync, "replace": os.replace}
        for name, function in original.items():
            monkeypatch.setattr(os, name, self._counted(name, function))
        monkeypatch.setattr(writer, "open", self._open, raising=False)

    def _counted(self, kind, function):
        def call(*args):
            self.operate(kind)
            return function(*args)

        return call

    def _open(self, *args, **options):
        return FailingFile(builtins.open(*args, **options), self)

    def operate(self, kind: str) -> None:
        self.counts[kind] += 1
        if kind == self.kind and self.counts[kind] == self.fails_at:
            raise OSError(28, "No space left on device")


class FailingFile:
    """A raw file: a write that fails has written half of what it was given."""

    def __init__(self, file, disk: Disk) -> None:
        self._file, self._disk = file, disk

    def write(self, data) -> int:
        try:
            self._disk.operate("write")
        except OSError:
            self._file.write(bytes(data)[: len(data) // 2])
            raise
        return self._file.write(data)

    def __getattr__(self, name: str):
        return getattr(self._file, name)


def operations(tmp_path: Path, kind: str) -> int:
    with pytest.MonkeyPatch.context() as patch:
        disk = Disk(patch, kind, 0)
        save_here(tmp_path, tmp_path / "count.kvtrace")
        return disk.counts[kind]


def save_here(tmp_path: Path, target: Path) -> None:
    with Trace.open(tmp_path / "source.kvtrace") as trace:
        save_copy(trace, target)


@pytest.mark.parametrize("kind", ["write", "fsync", "replace"])
def test_that_whatever_fails_while_saving_the_old_file_stays_and_nothing_is_left_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    write_trace(tmp_path / "source.kvtrace").close("complete")
    n_operations = operations(tmp_path, kind)
    assert n_operations >= {"write": 6, "fsync": 2, "replace": 2}[kind]
    target = tmp_path / "old.kvtrace"
    target.write_bytes(b"what was there")
    for fails_at in range(1, n_operations + 1):
        with pytest.MonkeyPatch.context() as patch:
            Disk(patch, kind, fails_at)
            try:
                save_here(tmp_path, target)
                error = None
            except EnvironmentFault as raised:
                error = str(raised)
        if error is None:  # only the folder's sync may fail without a word: the file is there and whole
            assert kind == "fsync"
            with Trace.open(target) as trace:
                assert trace.is_complete
            target.write_bytes(b"what was there")
        else:
            assert "No space left" in error
            assert target.read_bytes() == b"what was there"
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "count.kvtrace",
        "old.kvtrace",
        "source.kvtrace",
    ]


def test_that_a_full_disk_leaves_the_steps_before_and_a_recording_that_can_still_be_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.kvtrace"
    for fails_at in range(2, 5):  # the writes of three steps
        with pytest.MonkeyPatch.context() as patch:
            Disk(patch, "write", fails_at)
            recording = TraceWriter(path, INFO)
            for step_index in range(fails_at - 2):
                recording.add_step(facts(step_index), {"x": np.ones(99)})
            with pytest.raises(EnvironmentFault, match="steps written so far are kept"):
                recording.add_step(facts(fails_at - 2), {"x": np.ones(99)})
        with Trace.open(part_path(path)) as trace:
            assert len(trace) == fails_at - 2
            assert trace.facts(len(trace) - 1) == facts(len(trace) - 1) if len(trace) else True
        recording.close("failed", "the disk was full")
        with Trace.open(path) as trace:
            assert (len(trace), trace.end.status) == (fails_at - 2, "failed")


def test_that_saving_follows_no_symlink(tmp_path: Path) -> None:
    write_trace(tmp_path / "source.kvtrace").close("complete")
    (tmp_path / "precious").write_bytes(b"precious")
    link = tmp_path / "link.kvtrace"
    link.symlink_to(tmp_path / "precious")
    save_here(tmp_path, link)
    assert not link.is_symlink()
    part_path(tmp_path / "b.kvtrace").symlink_to(tmp_path / "precious")
    with pytest.raises(EnvironmentFault):
        TraceWriter(tmp_path / "b.kvtrace", INFO)
    assert (tmp_path / "precious").read_bytes() == b"precious"


def test_that_a_second_recording_of_the_same_name_is_refused(tmp_path: Path) -> None:
    first = write_trace(tmp_path / "a.kvtrace", 2)
    with pytest.raises(EnvironmentFault, match="being written by another"):
        TraceWriter(tmp_path / "a.kvtrace", INFO)
    first.close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert len(trace) == 2


def test_that_a_copy_keeps_what_was_found(tmp_path: Path) -> None:
    write_trace(tmp_path / "source.kvtrace").close("complete", findings=[DRIFT])
    save_here(tmp_path, tmp_path / "b.kvtrace")
    assert (tmp_path / "b.kvtrace").read_bytes() == (tmp_path / "source.kvtrace").read_bytes()


def test_that_a_copy_of_a_recording_that_goes_on_keeps_the_bookmarks_of_its_steps(tmp_path: Path) -> None:
    with Trace.open(write_trace(tmp_path / "a.kvtrace", 3).part_path) as trace:
        assert repaired_copy(trace, tmp_path / "b.kvtrace", [1, 7]) == 3
    with Trace.open(tmp_path / "b.kvtrace") as copy:
        assert copy.end is not None
        assert copy.end.bookmarks == [1]


@pytest.mark.parametrize("tail", [b"", b"\0" * 4096, b"PK\x03\x04\x14\0"])
def test_that_a_repaired_copy_has_every_complete_step_and_the_original_is_never_changed(
    tmp_path: Path, tail: bytes
) -> None:
    write_trace(tmp_path / "a.kvtrace").close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        end = trace._members[1].end
    cut = tmp_path / "cut.kvtrace.part"
    cut.write_bytes((tmp_path / "a.kvtrace").read_bytes()[: end + 7 if not tail else end] + tail)
    before = cut.read_bytes()
    with Trace.open(cut) as trace:
        assert f"2 complete steps are here, {len(tail) or 7} bytes" in str(trace.notice)
        assert repaired_copy(trace, tmp_path / "b.kvtrace") == 2
        with pytest.raises(UsageError, match="left as it is"):
            repaired_copy(trace, cut)
    assert cut.read_bytes() == before
    with Trace.open(tmp_path / "b.kvtrace") as copy:
        assert (len(copy), copy.end.status) == (2, "partial")


def test_that_a_copy_ends_before_the_first_damaged_step(tmp_path: Path) -> None:
    write_trace(tmp_path / "a.kvtrace").close("complete")
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        place = trace._members[1].end - 1
    data = bytearray((tmp_path / "a.kvtrace").read_bytes())
    data[place] ^= 1
    (tmp_path / "a.kvtrace").write_bytes(data)
    with Trace.open(tmp_path / "a.kvtrace") as trace:
        assert repaired_copy(trace, tmp_path / "b.kvtrace") == 1
        with pytest.raises(UsageError):
            repaired_copy(trace, tmp_path / "a.kvtrace")


def test_that_show_repairs_and_says_what_was_lost(tmp_path: Path) -> None:
    write_trace(tmp_path / "a.kvtrace", 2).abandon()
    part = tmp_path / "a.kvtrace.part"
    with open(part, "ab") as file:
        file.write(b"PK\x03\x04 and then")
    done = main("show", str(part), "--repair", str(tmp_path / "b.kvtrace"))
    assert done.returncode == 0, done.stderr
    assert "2 complete steps are here, 13 bytes after them" in done.stdout
    assert main("show", str(part), "--repair", str(tmp_path / "b.kvtrace")).returncode == 2  # it exists
    assert main("show", str(part), "--repair", str(part), "--force").returncode == 2
    assert part.exists()


def test_that_a_trace_replaced_or_cut_while_open_does_no_harm(tmp_path: Path) -> None:
    path = tmp_path / "a.kvtrace"
    write_trace(path).close("complete")
    write_trace(tmp_path / "b.kvtrace", 1).close("complete")
    with Trace.open(path) as trace:
        os.replace(tmp_path / "b.kvtrace", path)
        assert trace.tensor(2, "oracle/logits").tolist() == [[[2, 2, 2]]]
        assert trace.refresh() == 0
    write_trace(tmp_path / "c.kvtrace", 3).abandon()
    with Trace.open(tmp_path / "c.kvtrace.part") as trace:
        os.truncate(tmp_path / "c.kvtrace.part", 400)
        assert trace.refresh() == 0
        with pytest.raises(UnreadableError, match="changed or is cut off"):
            trace.tensor(2, "oracle/logits")
        with pytest.raises(UnreadableError, match="changed or is cut off"):
            trace.rows(2, "oracle/logits")


KILLED = """
import sys
from pathlib import Path
import numpy as np
from core.trace.save import save_copy
from core.trace.reader import Trace
from core.trace.writer import TraceWriter
from tests.core.trace.test_trace_file import INFO, facts
writer = TraceWriter(Path(sys.argv[1]), INFO)
print("start", flush=True)
for step_index in range(10**6):
    writer.add_step(facts(step_index), {"x": np.full(2000, step_index, np.float32)})
    print(step_index, flush=True)
"""


@pytest.mark.slow
def test_that_a_recording_killed_at_any_moment_keeps_every_step_that_it_acknowledged(tmp_path: Path) -> None:
    chance = random.Random(0)
    for attempt in range(200):
        path = tmp_path / f"{attempt}.kvtrace"
        child = subprocess.Popen([sys.executable, "-c", KILLED, str(path)], cwd=ROOT, stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert child.stdout.readline() == b"start\n"
        said = [child.stdout.readline() for _ in range(chance.randrange(60))]
        child.send_signal(signal.SIGKILL)
        said += child.stdout.read().splitlines(keepends=True)
        child.wait()
        child.stdout.close()
        acknowledged = sum(line.endswith(b"\n") for line in said)
        with Trace.open(part_path(path)) as trace:
            assert len(trace) >= acknowledged
            for step_index in range(len(trace)):
                assert trace.facts(step_index) == facts(step_index)
                assert (trace.tensor(step_index, "x") == step_index).all()
        part_path(path).unlink()


SAVING = """
import sys
from pathlib import Path
from core.trace.reader import Trace
from core.trace.save import save_copy
with Trace.open(sys.argv[1]) as trace:
    print("start", flush=True)
    while True:
        save_copy(trace, Path(sys.argv[2]))
"""


@pytest.mark.slow
def test_that_saving_killed_at_any_moment_leaves_the_old_file_or_the_new_one(tmp_path: Path) -> None:
    chance = random.Random(1)
    write_trace(tmp_path / "source.kvtrace").close("complete")
    wanted = (tmp_path / "source.kvtrace").read_bytes()
    target = tmp_path / "target.kvtrace"
    for _ in range(30):
        target.write_bytes(b"old")
        child = subprocess.Popen(
            [sys.executable, "-c", SAVING, str(tmp_path / "source.kvtrace"), str(target)], cwd=ROOT, stdout=subprocess.PIPE
        )  # fmt: skip
        assert child.stdout is not None
        child.stdout.readline()
        try:
            child.wait(chance.random() * 0.02)
        except subprocess.TimeoutExpired:
            child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert target.read_bytes() in (b"old", wanted)
