"""What may run, remembered by content and place; names of targets; widths that fit."""

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QLabel, QPlainTextEdit
from pytestqt.qtbot import QtBot

from core.engine.messages import RunSpec
from core.errors import UnreadableError
from gui import settings, targets, trust
from gui.consent_dialog import ConsentDialog
from gui.trust import Trusted, read_target_file
from gui.trusted_dialog import TrustedDialog
from gui.widgets.kv_model import Column
from gui.widgets.kv_table import shared_widths
from gui.widgets.row_selector import MOST_BUTTONS, RowSelector


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    path = tmp_path / "my_model.py"
    path.write_text("def full(ids): ...\n")
    return path


def test_that_a_changed_file_is_not_trusted(model_file: Path) -> None:
    trusted = Trusted()
    trusted.add(read_target_file(model_file))
    assert trusted.holds(read_target_file(model_file))
    model_file.write_text("import os\n")
    assert not trusted.holds(read_target_file(model_file))


def test_that_the_same_text_in_another_folder_is_not_trusted(model_file: Path, tmp_path: Path) -> None:
    trusted = Trusted()
    trusted.add(read_target_file(model_file))
    (tmp_path / "other").mkdir()
    copied = tmp_path / "other" / model_file.name
    copied.write_bytes(model_file.read_bytes())
    assert not trusted.holds(read_target_file(copied))


def test_that_trust_comes_back_from_the_settings(model_file: Path, tmp_path: Path) -> None:
    trusted = Trusted()
    trusted.add(read_target_file(model_file))
    store = QSettings(str(tmp_path / "kvscope.ini"), QSettings.Format.IniFormat)
    settings.save(store, settings.Settings(trusted=trusted.keys))
    again = settings.load(QSettings(store.fileName(), QSettings.Format.IniFormat))
    assert Trusted(again.trusted).holds(read_target_file(model_file))


def test_that_a_file_far_too_large_for_a_program_is_refused(
    model_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust, "MOST_BYTES", 4)
    with pytest.raises(UnreadableError):
        read_target_file(model_file)


def test_that_the_question_says_what_would_run_and_means_no_by_default(
    qtbot: QtBot, model_file: Path
) -> None:
    file = read_target_file(model_file)
    dialog = ConsentDialog(file)
    qtbot.addWidget(dialog)
    words = "\n".join(label.text() for label in dialog.findChildren(QLabel))
    assert str(model_file) in words
    assert file.sha256[:16] in words
    assert "your rights" in words
    assert dialog.refuse_button.isDefault()
    dialog.show()
    with qtbot.waitSignal(dialog.rejected):
        qtbot.keyClick(dialog, Qt.Key.Key_Return)


def test_that_the_file_can_be_read_before_it_runs_and_hides_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "a<b>\u202eyp.py"
    path.write_text("x = 1  # \u202ehidden\n")
    dialog = ConsentDialog(read_target_file(path))
    qtbot.addWidget(dialog)
    dialog.show()
    dialog.show_button.click()
    content = dialog.findChild(QPlainTextEdit)
    assert content.isVisible()
    assert "\\u{202e}hidden" in content.toPlainText()
    assert not any("\u202e" in label.text() for label in dialog.findChildren(QLabel))


def test_that_trust_can_be_taken_back(qtbot: QtBot, model_file: Path) -> None:
    trusted = Trusted()
    trusted.add(read_target_file(model_file))
    dialog = TrustedDialog(trusted)
    qtbot.addWidget(dialog)
    dialog.list.selectAll()
    with qtbot.waitSignal(dialog.changed):
        dialog.remove_button.click()
    assert not trusted.holds(read_target_file(model_file))
    assert dialog.list.count() == 0


@pytest.mark.parametrize(
    ("target", "kind"),
    [
        ("tiny:rope-gqa", "builtin"),
        ("hf:/models/a", "data"),
        ("/x/my_model.py", "program"),
        ("tiny:what", "program"),
    ],
)
def test_that_whatever_is_not_known_counts_as_a_program(target: str, kind: str) -> None:
    assert targets.is_builtin(target) == (kind == "builtin")
    assert targets.is_program(target) == (kind == "program")


def test_that_a_path_tells_what_it_is_to_be_opened_as(tmp_path: Path) -> None:
    assert targets.target_of_path(tmp_path) == f"hf:{tmp_path}"
    assert targets.target_of_path(tmp_path / "m.gguf") == f"hf:{tmp_path / 'm.gguf'}"
    assert targets.target_of_path(tmp_path / "m.py") == str(tmp_path / "m.py")
    assert targets.target_of_path(tmp_path / "m.kvtrace") is None
    assert targets.target_of_path(tmp_path / "m.kvtrace.part") is None


def test_that_a_foreign_name_is_shown_without_control_characters() -> None:
    assert targets.shown_name("/x/evil\x1b[31m\n.py") == "evil\ufffd[31m\ufffd.py"


def test_that_another_target_takes_what_fits_it() -> None:
    spec = RunSpec(faults=("slot-lost",), layout="paged", prompt="Note", steps=7)
    foreign = targets.with_target(spec, "/x/my_model.py")
    assert (foreign.faults, foreign.prompt, foreign.steps) == ((), None, 7)
    assert targets.with_target(spec, "hf:/models/a").layout == "dynamic"
    assert targets.with_target(spec, "tiny:alibi-mqa").faults == ("slot-lost",)
    assert targets.with_target(targets.with_target(spec, "hf:/models/a"), "tiny:rope-gqa").layout == "concat"


def test_that_missing_room_is_taken_from_the_slots_first() -> None:
    wanted = [50] * len(Column)
    least = {Column.SLOTS: 20, Column.NBYTES: 30}
    widths = shared_widths(wanted, least, sum(wanted) - 40, 20)
    assert sum(widths) == sum(wanted) - 40
    assert (widths[Column.SLOTS], widths[Column.NBYTES]) == (20, 40)
    assert sum(shared_widths(wanted, least, sum(wanted) + 22, 20)) == sum(wanted) + 22


def test_that_batch_rows_are_chosen_by_buttons_and_many_from_a_list(qtbot: QtBot) -> None:
    selector = RowSelector()
    qtbot.addWidget(selector)
    selector.show_rows(1, 0)
    assert selector.isHidden()
    selector.show_rows(2, 0)
    with qtbot.waitSignal(selector.row_clicked) as clicked:
        selector._group.button(1).click()
    assert clicked.args == [1]
    selector.show_rows(MOST_BUTTONS + 1, 2)
    assert selector._list.currentIndex() == 2
    assert not selector._list.isHidden()
