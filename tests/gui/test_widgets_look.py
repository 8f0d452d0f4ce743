"""Palette, icons, panels, findings, numbers, and what keeps a broken paint from ending the process."""

import sys
from itertools import product

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QColor, QTextDocumentFragment
from PySide6.QtWidgets import QApplication, QLabel, QWidget

from core.text import Text
from core.views.findings import VerdictView
from core.views.numbers import data_size, scientific, short, signed
from gui.colormaps import difference_lut, sequential_lut
from gui.icons import FOLDER, icon, set_icon
from gui.theme import DARK, LIGHT, Theme, apply_theme, current_theme, theme_events
from gui.widgets.finding_banner import FindingBanner, _Entry
from gui.widgets.guard import guarded
from gui.widgets.panel import ElidedLabel, PanelFrame
from tests.gui import sample_views

INKS = ("text", "muted", "accent", "oracle", "cached_ink", "bad", "good")
GROUNDS = ("background", "panel", "chip", "highlight", "hover", "bad_background", "good_background", "unseen")


@pytest.fixture
def app(qapp):
    assert isinstance(qapp, QApplication)
    yield qapp
    apply_theme(qapp, LIGHT)


def luminance(colour: QColor) -> float:
    parts = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour.getRgbF()[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(a: QColor, b: QColor) -> float:
    light, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
@pytest.mark.parametrize(
    ("ink", "ground"), [*product(INKS, GROUNDS), ("on_accent", "accent"), ("on_bad", "bad")]
)
def test_that_words_stand_out_from_their_ground(theme: Theme, ink, ground):
    assert contrast(getattr(theme, ink), getattr(theme, ground)) >= 4.5


def test_that_changing_the_palette_is_announced(app, qtbot):
    with qtbot.waitSignal(theme_events().changed):
        apply_theme(app, DARK)
    assert current_theme() is DARK


def test_that_icons_follow_the_palette(app):
    apply_theme(app, LIGHT)
    action = QAction()
    set_icon(action, "stop")
    before = action.icon().pixmap(32).toImage().pixelColor(16, 16)
    apply_theme(app, DARK)
    after = action.icon().pixmap(32).toImage().pixelColor(16, 16)
    assert (before, after) == (LIGHT.text, DARK.text)


def test_that_every_icon_draws_something(app):
    for path in FOLDER.glob("*.svg"):
        picture = icon(path.stem).pixmap(24).toImage()
        assert any(
            picture.pixelColor(x, y).alpha() for x in range(picture.width()) for y in range(picture.height())
        ), path.stem


@pytest.mark.parametrize("name", ["light", "dark"])
def test_that_the_middle_of_the_difference_map_is_the_panel_itself(name):
    middle = QColor(int(difference_lut(name)[128]))
    panel = {"light": LIGHT, "dark": DARK}[name].panel
    assert max(abs(a - b) for a, b in zip(middle.getRgb()[:3], panel.getRgb()[:3], strict=True)) <= 4


def test_that_the_sequential_map_gets_lighter_all_the_way():
    lights = [luminance(QColor(int(colour))) for colour in sequential_lut()]
    assert np.all(np.diff(lights) > -1e-3)


def test_that_a_panel_says_what_is_missing_and_offers_help(qtbot):
    panel = PanelFrame("KV cache")
    qtbot.addWidget(panel)
    panel.set_body(QLabel("body"))
    assert not panel.is_empty
    panel.show_empty("Nothing is recorded yet.", "Make a step")
    with qtbot.waitSignal(panel.empty_action):
        panel._empty_button.click()
    panel.show_body()
    assert not panel.is_empty
    assert panel.accessibleName() == "KV cache"


def test_that_rich_text_is_cut_with_an_ellipsis_and_keeps_its_colours(app, qtbot):
    label = ElidedLabel()
    qtbot.addWidget(label)
    label.resize(label.fontMetrics().horizontalAdvance("[batch, kv_h"), 20)
    label.set_full_text('[batch, <span style="color:#ff0000">kv_heads</span>, head_dim]')
    shown = QTextDocumentFragment.fromHtml(label.text()).toPlainText()
    assert shown.startswith("[batch, ")
    assert shown.endswith("…")
    assert "#ff0000" in label.text()
    label.resize(1000, 20)
    label.set_full_text("<b>all</b> of it")
    assert label.text() == "<b>all</b> of it"


def test_that_a_click_on_a_finding_leads_to_its_place(qtbot):
    banner = FindingBanner()
    qtbot.addWidget(banner)
    banner.resize(800, 80)
    banner.set_view(sample_views.verdict())
    banner.show()
    entry = banner.findChildren(_Entry)[-1]
    with qtbot.waitSignal(banner.finding_clicked) as clicked:
        qtbot.mouseClick(entry, Qt.MouseButton.LeftButton)
    assert clicked.args == [0]


def test_that_a_verdict_without_findings_shows_its_status(qtbot):
    banner = FindingBanner()
    qtbot.addWidget(banner)
    banner.set_view(VerdictView("equivalent", Text("{n} steps compared", {"n": 13}), ()))
    assert next(label.text() for label in banner.findChildren(QLabel)) == "13 steps compared"


def test_that_a_long_finding_is_not_cut(qtbot):
    banner = FindingBanner()
    qtbot.addWidget(banner)
    banner.resize(420, 60)
    banner.set_view(sample_views.verdict())
    banner.show()
    qtbot.waitUntil(lambda: banner._scroll.height() >= banner._list.height())


def test_that_an_exception_in_paint_is_reported_once_and_does_not_escape(qtbot, monkeypatch):
    seen: list[type[BaseException]] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, *_: seen.append(kind))

    class Broken(QWidget):
        @guarded
        def paintEvent(self, event):
            raise ZeroDivisionError

    widget = Broken()
    qtbot.addWidget(widget)
    widget.grab()
    widget.grab()
    qtbot.waitUntil(lambda: len(seen) > 0)
    assert seen == [ZeroDivisionError]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.411, "0.41"),
        (12.345, "12.3"),
        (0.03, "0.03"),
        (2.1e-6, "2.1e-6"),
        (123456.0, "1.2e5"),
        (float("nan"), "NaN"),
        (float("-inf"), "-∞"),
    ],
)
def test_that_numbers_are_short(value, text):
    assert short(value) == text


def test_that_a_small_number_is_never_rounded_to_nothing():
    assert short(0.03, 1) == "0.03"


def test_that_signs_are_typographic():
    assert (signed(0.41), signed(-4.7, 1), signed(0.0)) == ("+0.41", "\u22124.7", "0")


def test_that_exponents_have_no_padding():
    assert scientific(5e-4) == "5.0e-4"


@pytest.mark.parametrize(
    ("nbytes", "text"), [(999, "999 B"), (21_504, "21.5 kB"), (3_500_000, "3.5 MB"), (123_456_789, "123 MB")]
)
def test_that_sizes_have_units(nbytes, text):
    assert data_size(nbytes) == text
