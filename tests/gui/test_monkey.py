"""Ten thousand clicks, keys, sizes and dropped files at random, always the same ones: nothing may break, Qt may not complain."""

import os
import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import (
    QEvent,
    QMimeData,
    QPoint,
    QPointF,
    Qt,
    QTimer,
    QtMsgType,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QDropEvent, QMouseEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gui import i18n
from gui.fonts import BODY_PX, set_body_px
from gui.main_window import MainWindow
from gui.theme import LIGHT, apply_theme
from tests.gui.conftest import SPEC
from tests.gui.small_trace import write_small_trace

SEED, N_ACTIONS = int(os.environ.get("KVSCOPE_MONKEY_SEED", "20")), 10_000
KEYS = [
    "Right",
    "Left",
    "Shift+Right",
    "Shift+Left",
    "Home",
    "End",
    "Space",
    "F10",
    "Shift+F10",
    "F5",
    "Shift+F5",
    "F11",
    "Shift+F11",
    "F12",
    "F9",
    "F6",
    "Ctrl+G",
    "Ctrl+F",
    "Ctrl+B",
    "Ctrl+Shift+B",
    "Alt+Left",
    "Alt+Right",
    "Esc",
    "Ctrl+K",
    "?",
    "Ctrl+T",
    "Ctrl+Shift+L",
    "Ctrl++",
    "Ctrl+-",
    "Ctrl+0",
    "Ctrl+Shift+R",
    "Ctrl+L",
    "Ctrl+R",
    "R",
    "B",
    "Tab",
    "Shift+Tab",
    "Return",
    "Up",
    "Down",
    "PgDown",
    "PgUp",
    "F7",
    "F8",
    "a",
    "7",
    "#",
    "Backspace",
    "Ctrl+C",
    "Ctrl+Shift+C",
    "Ctrl+Shift+H",
    "F1",
    "+",
    "-",
    "0",
    "Del",
]
SIZES = ((1500, 950), (1280, 800), (1920, 1080), (900, 600), (640, 400), (1, 1), (2600, 1500))
OFFSCREEN_SAYS = "This plugin does not support"  # of the platform, not of us


@contextmanager
def complaints() -> Iterator[list[str]]:
    """What Qt warns of and what is raised in a slot or an override."""
    heard: list[str] = []

    def on_message(kind: QtMsgType, _context: object, text: str) -> None:
        if kind != QtMsgType.QtDebugMsg and OFFSCREEN_SAYS not in text:
            heard.append(text)

    before, sys.excepthook = (
        sys.excepthook,
        lambda kind, error, trace: heard.append(f"{kind.__name__}: {error}"),
    )
    old = qInstallMessageHandler(on_message)
    try:
        yield heard
    finally:
        qInstallMessageHandler(old)
        sys.excepthook = before


class Monkey:
    """Does one thing after another to a window."""

    def __init__(self, window: MainWindow, files: list[Path]) -> None:
        self._window = window
        self._files = files
        self._random = random.Random(SEED)
        self.history: list[str] = []

    def act(self) -> None:
        kinds: tuple[Callable[[], str], ...] = (
            self._click,
            self._press,
            self._type,
            self._wheel,
            self._resize,
            self._drop,
        )
        self.history.append(self._random.choices(kinds, (42, 42, 6, 6, 2, 2))[0]())

    def _click(self) -> str:
        root = self._random.choice(
            [w for w in QApplication.topLevelWidgets() if w.isVisible()] or [self._window]
        )
        place = QPoint(
            self._random.randrange(max(1, root.width())), self._random.randrange(max(1, root.height()))
        )
        target = root.childAt(place) or root
        there = target.mapFrom(root, place)
        button = self._random.choices((Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton), (9, 1))[0]
        name = f"click {type(target).__name__} {target.objectName()} {there.toTuple()}"
        press, release = QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonRelease
        twice = (QEvent.Type.MouseButtonDblClick, release) if self._random.random() < 0.1 else ()
        for kind in (press, release, *twice):
            if not isValid(
                target
            ):  # what a press opens may be closed, and the widget gone, before the release
                break
            held = Qt.MouseButton.NoButton if kind == release else button
            place_on_screen = QPointF(target.mapToGlobal(there))
            modifiers = Qt.KeyboardModifier.NoModifier
            event = QMouseEvent(kind, QPointF(there), place_on_screen, button, held, modifiers)
            QApplication.sendEvent(target, event)
        return name

    def _press(self) -> str:
        keys = self._random.choice(KEYS)
        QTest.keySequence(self._focus(), keys)
        return f"press {keys}"

    def _type(self) -> str:
        text = self._random.choice(("1e-3", "abc", "12", "nan", "词元", "-1"))
        QTest.keyClicks(self._focus(), text) if text.isascii() else None
        return f"type {text}"

    def _wheel(self) -> str:
        place = QPoint(
            self._random.randrange(self._window.width()), self._random.randrange(self._window.height())
        )
        target = self._window.childAt(place)
        if target is not None:
            there, turn = (
                QPointF(target.mapFrom(self._window, place)),
                QPoint(0, self._random.choice((-120, 120))),
            )
            event = QWheelEvent(
                there, target.mapToGlobal(there), QPoint(), turn, Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase, False,
            )  # fmt: skip
            QApplication.sendEvent(target, event)
        return f"wheel {place.toTuple()}"

    def _resize(self) -> str:
        size = self._random.choice(SIZES)
        self._window.resize(*size)
        return f"resize {size}"

    def _drop(self) -> str:
        paths = self._random.sample(self._files, self._random.choice((1, 1, 2)))
        data = QMimeData()
        data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
        event = QDropEvent(
            QPointF(10, 10),
            Qt.DropAction.CopyAction,
            data,
            Qt.MouseButton.LeftButton,
            Qt.KeyboardModifier.NoModifier,
        )
        self._window.dropEvent(event)
        return f"drop {[path.name for path in paths]}"

    def _focus(self) -> QWidget:
        return QApplication.focusWidget() or self._window


def close_what_blocks() -> None:
    """Menus and dialogs have an event loop of their own, in which the monkey would wait for ever."""
    blocking = QApplication.activePopupWidget() or QApplication.activeModalWidget()
    if blocking is not None:
        blocking.close()


@pytest.fixture
def looks_as_before(qapp: QApplication) -> Iterator[None]:
    """Language, theme and size are the process's: other tests want theirs back."""
    yield
    i18n.set_language("en")
    set_body_px(BODY_PX)
    apply_theme(qapp, LIGHT)


@pytest.mark.slow
@pytest.mark.usefixtures("looks_as_before")
def test_that_ten_thousand_random_actions_break_nothing(qtbot: QtBot, tmp_path: Path) -> None:
    files = [
        tmp_path / name
        for name in (
            "good.kvtrace",
            "junk.kvtrace",
            "empty.kvtrace",
            "picture.png",
            "target.py",
            "gone.kvtrace",
        )
    ]
    write_small_trace(files[0], [0.0, 1e-7, 0.5, None] + [1e-7] * 30, bookmarks=[3])
    for path, content in zip(
        files[1:5], (b"PK\3\4junk", b"", b"\x89PNG", b"def full(ids): raise SystemExit"), strict=True
    ):
        path.write_bytes(content)
    window = MainWindow()
    window.actions_["quit"].triggered.disconnect()
    window.show()
    window.session.start(SPEC)
    monkey = Monkey(window, files)
    closer = QTimer(interval=60)
    closer.timeout.connect(close_what_blocks)
    closer.start()
    with complaints() as heard:
        for number in range(N_ACTIONS):
            monkey.act()
            if number % 5 == 0:
                qtbot.wait(1)
            assert heard == [], f"after {number} actions: {monkey.history[-8:]}"
            assert window.isVisible(), monkey.history[-8:]
        window.close()
        qtbot.wait(50)
    assert heard == []
