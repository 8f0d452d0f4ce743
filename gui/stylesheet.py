"""The one stylesheet. All lengths come from the body size, so a larger font gives a larger window."""

from pathlib import Path
from string import Template
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # theme imports this module
    from gui.theme import Theme

_ICONS = Path(__file__).resolve().parent.parent / "assets" / "icons"
_TEMPLATE = Template("""
* { outline: none; }
QMainWindow, QDialog { background: $background; }
QMainWindow::separator { background: transparent; width: ${gap}px; height: ${gap}px; }
QSplitter::handle { background: transparent; }
QSplitter::handle:horizontal { width: ${gap}px; }
QSplitter::handle:vertical { height: ${gap}px; }

QMenuBar { background: $panel; color: $text; border-bottom: 1px solid $line; padding: ${tiny}px ${small}px; }
QMenuBar::item { padding: ${tiny}px ${medium}px; border-radius: ${radius_small}px; background: transparent; }
QMenuBar::item:selected, QMenuBar::item:pressed { background: $hover; }
QMenu { background: $panel; color: $text; border: 1px solid $line; padding: ${tiny}px; }
QMenu::item { padding: ${small}px ${large}px ${small}px ${medium}px; border-radius: ${radius_small}px; }
QMenu::item:selected { background: $highlight; }
QMenu::item:disabled { color: $muted; }
QMenu::separator { height: 1px; background: $line; margin: ${tiny}px ${small}px; }
QMenu::icon { padding-left: ${small}px; }

QToolBar { background: $panel; border: none; border-bottom: 1px solid $line; spacing: ${small}px;
           padding: ${small}px ${medium}px; }
QStatusBar { background: $panel; color: $muted; border-top: 1px solid $line; }
QStatusBar::item { border: none; }
QToolTip { background: $panel; color: $text; border: 1px solid $line; padding: ${tiny}px ${small}px; }

QPushButton, QToolButton, QComboBox, QLineEdit, QSpinBox, QDoubleSpinBox {
    background: $panel; color: $text; border: 1px solid $line; border-radius: ${radius}px;
    padding: ${tiny}px ${small}px; min-height: ${control}px; }
QComboBox, QLineEdit, QSpinBox, QDoubleSpinBox { background: $field; selection-background-color: $accent;
    selection-color: $on_accent; }
QPushButton { padding: ${tiny}px ${medium}px; }
QPushButton:hover, QToolButton:hover, QComboBox:hover { background: $hover; }
QPushButton:pressed, QToolButton:pressed { background: $line; }
QPushButton:disabled, QToolButton:disabled, QComboBox:disabled, QLineEdit:disabled, QSpinBox:disabled {
    color: $muted; }
QPushButton:focus, QToolButton:focus, QComboBox:focus, QLineEdit:focus, QSpinBox:focus, QDoubleSpinBox:focus {
    border: 1px solid $accent; }
QPushButton[kind="primary"], QToolButton[kind="primary"] { background: $accent; color: $on_accent;
    border: 1px solid $accent; font-weight: 600; }
QPushButton[kind="primary"]:hover, QToolButton[kind="primary"]:hover { background: $accent_strong; }
QPushButton[kind="primary"]:focus, QToolButton[kind="primary"]:focus { border: 1px solid $text; }
QPushButton[kind="primary"]:disabled, QToolButton[kind="primary"]:disabled { background: $chip; color: $muted;
    border: 1px solid $line; }
QPushButton[kind="danger"], QToolButton[kind="danger"] { background: $bad_background; color: $bad;
    border: 1px solid $bad; }
QPushButton[kind="flat"], QToolButton[kind="flat"] { background: transparent; border: 1px solid transparent; }
QPushButton[kind="flat"]:hover, QToolButton[kind="flat"]:hover { background: $hover; }
QPushButton[kind="flat"]:focus, QToolButton[kind="flat"]:focus { border: 1px solid $accent; }
QToolButton[density="mini"] { min-height: 0; padding: 1px ${small}px; border-radius: ${radius_small}px;
    background: $field; border: 1px solid $line; color: $text; }
QToolButton[density="mini"]:hover { background: $hover; }
QToolButton[density="mini"]:disabled { background: transparent; color: $muted; }
QPushButton[kind="link"] { background: transparent; border: none; border-bottom: 1px solid transparent; color: $accent;
    border-radius: 0; min-height: 0; padding: 0; text-align: left; }
QPushButton[kind="link"]:hover, QPushButton[kind="link"]:focus { border: none; border-bottom: 1px solid $accent; }
QToolButton:checked, QToolButton[density="mini"]:checked { background: $highlight; border: 1px solid $accent;
    color: $text; }
QToolButton:checked:focus, QToolButton[density="mini"]:checked:focus { border: 1px solid $text; }
QToolButton::menu-indicator { image: none; }
QPushButton::menu-indicator { image: none; }

QComboBox::drop-down { border: none; width: ${large}px; }
QComboBox::down-arrow { image: url("$arrow_down"); width: ${icon}px; height: ${icon}px; }
QComboBox QAbstractItemView { background: $panel; color: $text; border: 1px solid $line; padding: ${tiny}px;
    selection-background-color: $highlight; selection-color: $text; }
QSpinBox::up-button, QSpinBox::down-button, QDoubleSpinBox::up-button, QDoubleSpinBox::down-button {
    width: ${large}px; border: none; background: transparent; }
QSpinBox::up-arrow, QDoubleSpinBox::up-arrow { image: url("$arrow_up"); width: ${icon}px; height: ${icon}px; }
QSpinBox::down-arrow, QDoubleSpinBox::down-arrow { image: url("$arrow_down"); width: ${icon}px;
    height: ${icon}px; }

QFrame#panel { background: $panel; border: 1px solid $line; border-radius: ${radius}px; }
QFrame#panelTitle { background: transparent; border: none; border-bottom: 1px solid $line; }
QFrame#panel[docked="true"] { border-top: none; border-top-left-radius: 0; border-top-right-radius: 0; }
QFrame#panelTitle[docked="true"] { background: $panel; border: 1px solid $line;
    border-top-left-radius: ${radius}px; border-top-right-radius: ${radius}px; }
QFrame#panel[spotlit="true"] { border: 1px solid $accent; border-top: none; }
QFrame#panelTitle[spotlit="true"] { border: 1px solid $accent; border-bottom: 1px solid $line; }
QToolButton#panelMenu { background: transparent; border: 1px solid transparent; padding: 0; }
QToolButton#panelMenu:hover { background: $hover; }
QToolButton#panelMenu:focus { border: 1px solid $accent; }
QMainWindow#dockArea { background: $background; }
QTabBar { background: transparent; }
QTabBar::tab { background: transparent; color: $muted; border: none; border-bottom: 2px solid transparent;
    padding: ${tiny}px ${medium}px; }
QTabBar::tab:selected { color: $text; border-bottom: 2px solid $accent; }
QTabBar::tab:hover { color: $text; }
QLabel { background: transparent; }
QLabel[kind="tag"] { background: $chip; color: $text; border: 1px solid $line; border-radius: ${radius_small}px;
    padding: 1px ${small}px; }
QLabel[tone="muted"] { color: $muted; }
QLabel[tone="bad"] { color: $bad; }
QLabel[tone="good"] { color: $good; }
QLabel[tone="oracle"] { color: $oracle; }
QLabel[tone="cached"] { color: $cached_ink; }

QTableView, QTreeView, QListView { background: $panel; color: $text; border: none; gridline-color: $line;
    selection-background-color: $highlight; selection-color: $text; }
QDialog QPlainTextEdit, QDialog QListView { border: 1px solid $line; border-radius: ${radius_small}px; padding: ${tiny}px; }
QHeaderView { background: $panel; }
QHeaderView::section { background: $panel; color: $muted; border: none; border-bottom: 1px solid $line;
    padding: ${tiny}px ${small}px; }
QScrollArea { background: transparent; border: none; }

QScrollBar:vertical { background: transparent; width: ${scroll}px; margin: 0; }
QScrollBar:horizontal { background: transparent; height: ${scroll}px; margin: 0; }
QScrollBar::handle { background: $handle; border-radius: ${scroll_radius}px; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::handle:vertical { min-height: ${large}px; margin: 1px; }
QScrollBar::handle:horizontal { min-width: ${large}px; margin: 1px; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QProgressBar { background: $chip; color: $text; border: none; border-radius: ${radius_small}px;
    text-align: right; margin-right: ${percent}px; }
QProgressBar::chunk { background: $accent; border-radius: ${radius_small}px; }
QDockWidget { color: $text; }
QDockWidget::title { background: transparent; padding: ${tiny}px ${small}px; }
""")


def stylesheet(theme: "Theme", body_px: int) -> str:
    """The application's stylesheet for a palette and a body size."""
    lengths = {
        "tiny": body_px * 3 // 12,
        "small": body_px * 6 // 12,
        "medium": body_px * 10 // 12,
        "large": body_px * 20 // 12,
        "percent": body_px * 36 // 12,
        "gap": max(4, body_px // 2),
        "radius": body_px * 6 // 12,
        "radius_small": body_px * 4 // 12,
        "control": body_px * 18 // 12,
        "icon": body_px * 10 // 12,
        "scroll": body_px * 10 // 12,
        "scroll_radius": body_px * 4 // 12,
    }
    colours = {
        name: getattr(theme, name).name()
        for name in [
            "background",
            "panel",
            "line",
            "text",
            "muted",
            "accent",
            "on_accent",
            "oracle",
            "cached_ink",
            "bad",
            "bad_background",
            "good",
            "chip",
            "highlight",
            "hover",
        ]
    }
    is_light = theme.name == "light"
    colours["field"] = theme.background.name()
    colours["handle"] = theme.line.darker(115).name() if is_light else theme.line.lighter(140).name()
    colours["accent_strong"] = (
        theme.accent.darker(112).name() if is_light else theme.accent.lighter(110).name()
    )
    arrows = {f"arrow_{way}": (_ICONS / f"arrow-{way}.svg").as_posix() for way in ("down", "up")}
    return _TEMPLATE.substitute({**lengths, **colours, **arrows})
