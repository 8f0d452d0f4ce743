"""What the commands do that change how the window looks: theme, language, size of everything, scales."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QSize, Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from gui import i18n
from gui.application import theme_named
from gui.fonts import BODY_PX
from gui.settings import ZOOMS
from gui.theme import DARK, LIGHT, Theme, apply_theme, body_px, current_theme, set_body_px

if TYPE_CHECKING:
    from gui.main_window import MainWindow


class Looks(QObject):
    """The handlers of one window's commands about its look."""

    def __init__(self, window: "MainWindow") -> None:
        super().__init__(window)
        self._window = window
        self._size_before_growth: QSize | None = None
        QGuiApplication.styleHints().colorSchemeChanged.connect(self._on_system_changed)

    def handlers(self) -> dict[str, Callable[[], object]]:
        """One for each id."""
        return {
            "log_scale": self.switch_log,
            "mask_outline": self.switch_outline,
            "theme": self.switch_theme,
            "system_theme": self.follow_system,
            "language": self.switch_language,
            "zoom_in": lambda: self.zoom(1),
            "zoom_out": lambda: self.zoom(-1),
            "zoom_reset": lambda: self.zoom(0),
            "reset_layout": self._window.panels.reset_layout,
            "fullscreen": self.switch_fullscreen,
        }

    def switch_log(self) -> None:
        self.set_log(self._window.actions_["log_scale"].isChecked())

    def set_log(self, is_log: bool) -> None:
        self._window.actions_["log_scale"].setChecked(is_log)
        self._window.panels.attention.set_log(is_log)
        self._window.refresh()

    def switch_outline(self) -> None:
        self.set_outlined(self._window.actions_["mask_outline"].isChecked())
        self._remember(outlines_mask=self._window.actions_["mask_outline"].isChecked())
        self._window.refresh()

    def set_outlined(self, is_outlined: bool) -> None:
        self._window.actions_["mask_outline"].setChecked(is_outlined)
        self._window.panels.attention.set_outlined(is_outlined)

    def switch_theme(self) -> None:
        self._apply(LIGHT if current_theme().name == "dark" else DARK)
        self._remember(theme=current_theme().name)

    def follow_system(self) -> None:
        """Light or dark as the desktop is, also when that changes later."""
        self._remember(theme="system")
        self._apply(theme_named("system"))

    def _on_system_changed(self, _scheme: Qt.ColorScheme) -> None:
        if self._window.settings.theme == "system":
            self._apply(theme_named("system"))

    def switch_language(self) -> None:
        i18n.set_language("en" if i18n.language() == "zh" else "zh")
        self._remember(language=i18n.language())

    def zoom(self, way: int) -> None:
        """Everything larger or smaller by one notch; 0: the normal size."""
        now = min(range(len(ZOOMS)), key=lambda i: abs(ZOOMS[i] - body_px() / BODY_PX))
        index = ZOOMS.index(1.0) if way == 0 else min(len(ZOOMS) - 1, max(0, now + way))
        if index != now:
            wanted = self._size_before_growth or self._window.size()
            set_body_px(round(BODY_PX * ZOOMS[index]))
            self._apply(current_theme())
            self._remember(zoom=ZOOMS[index])
            QTimer.singleShot(0, self, lambda: self._resize_back(wanted))

    def _resize_back(self, wanted: QSize) -> None:
        """Larger text may need a larger window; smaller text gives the room back."""
        if not (self._window.isMaximized() or self._window.isFullScreen()):
            self._window.resize(wanted)
            self._size_before_growth = wanted if self._window.size() != wanted else None

    def switch_fullscreen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()

    def _apply(self, theme: Theme) -> None:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        apply_theme(app, theme)

    def _remember(self, **changes: object) -> None:
        self._window.settings = replace(self._window.settings, **changes)  # type: ignore[arg-type]
