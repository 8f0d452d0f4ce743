"""Report, notes and profile of what is shown."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from core.report.profile import ProfileSpec
from gui import i18n, profiler
from gui.main_window import MainWindow
from gui.plotting import plotting
from gui.run_stage import Stage
from tests.core.profile.test_profile import RESULT
from tests.core.report.test_notes import sections_of
from tests.gui.conftest import FAULT, PATIENCE_MS, SPEC, press, settle

QUICK = ProfileSpec(lengths=(8, 16, 24), batches=(1,), repeats=1, warm_up=0)


def message(window: MainWindow) -> str:
    return window.panels.profile._empty_label.text()


def test_that_report_and_notes_are_written_in_the_language_of_the_window(
    window: MainWindow, qtbot: QtBot, tmp_path: Path
) -> None:
    press(window, "run")
    settle(window, qtbot, Stage.FINISHED)
    i18n.set_language("zh")
    assert window.writing.write_report(tmp_path / "report")
    assert window.writing.write_notes(tmp_path / "notes")
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert 'lang="zh-Hans"' in page
    assert "--prompt" in page
    assert "Pay 12" in page
    sections = sections_of((tmp_path / "notes.md").read_bytes())
    assert sections["时间与内存"] == []  # nothing was measured
    assert all(lines for heading, lines in sections.items() if heading != "时间与内存")
    assert "notes.md" in window.notices.text


def test_that_a_profile_of_the_same_settings_is_in_report_and_notes(
    window: MainWindow, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(
        window.measuring.profiler._results, profiler.measured_settings(replace(SPEC, steps=9)), RESULT
    )
    window.writing.write_report(tmp_path / "a.html")
    window.writing.write_notes(tmp_path / "a.md")
    assert "Caching does not pay at length 32, 64." in (tmp_path / "a.html").read_text(encoding="utf-8")
    assert len(sections_of((tmp_path / "a.md").read_bytes())["Time and memory"]) > 4
    window.exporting.copy("profile", lambda cells: cells.text("\t"))
    copied = QGuiApplication.clipboard().text().splitlines()
    assert copied[1].startswith("decode\tconcat\t1\t256\t1.0\t")
    window.session.start(replace(SPEC, prompt="another"))
    settle(window, qtbot, Stage.WAITING)
    window.writing.write_notes(tmp_path / "b.md")
    assert sections_of((tmp_path / "b.md").read_bytes())["Time and memory"] == []


def test_that_a_file_that_cannot_be_written_is_an_error_in_the_window(
    window: MainWindow, tmp_path: Path
) -> None:
    assert not window.writing.write_notes(tmp_path / "missing" / "a.md")
    assert window.notices.property("tone") == "bad"
    assert window.notices.text


def test_that_the_file_menu_writes_what_was_asked_for(
    window: MainWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(window.writing, "_ask", lambda title, what, suffix: tmp_path / f"run{suffix}")
    press(window, "save_report")
    press(window, "save_notes")
    assert {path.name for path in tmp_path.iterdir()} == {"run.html", "run.md"}


def test_that_a_run_that_has_not_passed_is_not_measured(window: MainWindow, qtbot: QtBot) -> None:
    press(window, "profile")
    assert "no decode step has been compared" in message(window)
    assert window.panels.profile._empty_button.isVisible()  # runs to the end
    window.session.start(replace(SPEC, faults=(FAULT,)), last_step=2)
    settle(window, qtbot, Stage.WAITING)
    assert "differ from step 1 on" in message(window)
    assert not window.panels.profile._empty_button.isVisible()
    window.measuring.start()
    assert not window.measuring.profiler.is_measuring
    window.panels.reset_layout()
    assert window.panels.profile.is_out_of_sight


@pytest.mark.slow
def test_that_the_panel_runs_to_the_end_checks_every_layout_and_shows_the_figures(
    window: MainWindow, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(profiler, "WANTED", QUICK)
    plotting().load_soon()
    press(window, "profile")
    panel = window.panels.profile
    panel._empty_button.click()
    settle(window, qtbot, Stage.FINISHED)
    assert panel._empty_button.text() == "Measure time and memory"
    panel._empty_button.click()
    assert window.measuring.profiler.is_measuring
    press(window, "cancel")
    assert message(window) == "Measuring was cancelled."
    panel._empty_button.click()
    qtbot.waitUntil(lambda: not window.measuring.profiler.is_measuring, timeout=6 * PATIENCE_MS)
    assert window.measuring.profiler.problem_of(window.session.spec) is None
    qtbot.waitUntil(lambda: plotting().is_ready and not panel.is_empty, timeout=PATIENCE_MS)
    model = panel.figures.table.lines
    assert [model.text(row, 0) for row in range(model.rowCount())][::3] == [
        "concat",
        "static",
        "paged",
        "sliding",
    ]
    assert len(panel.figures.plot._curves) == 5
    window.panels.reset_layout()
