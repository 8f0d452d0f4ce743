"""The command palette: every command and its keys, found by a few letters."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from gui.fuzzy import Match, match
from gui.overlays.overlay import Overlay
from gui.theme import current_theme, ui_font
from gui.widgets.guard import guarded
from gui.widgets.key_caps import caps_width, paint_caps
from gui.widgets.painted import LEFT, RIGHT, draw_text

ENTRY = Qt.ItemDataRole.UserRole
ROWS = 11
ROW = 2.1  # lines of text
MOVES = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}


@dataclass(frozen=True)
class Entry:
    """A command: its name, the menu it is in, its first key, and an English word that finds it, too."""

    action: QAction
    name: str
    group: str
    keys: str = ""
    word: str = ""

    def matched(self, query: str) -> Match | None:
        found = match(query, self.name)
        others = f"{self.group} {self.name} {self.word}".lower()
        if found is None and all(word in others for word in query.lower().split()):
            return Match(0.0)  # these are not letters of the name
        return found


class CommandPalette(Overlay):
    """Type, choose with the arrows, run with Enter; what was used last comes first."""

    def __init__(self, window: QWidget, entries: Sequence[Entry], recent: list[str]) -> None:
        super().__init__(window, width_units=42, top_units=5)
        self._recent = recent
        self._entries = sorted(entries, key=lambda entry: _age(entry, recent))
        self._edit = QLineEdit()
        self._list = QListWidget()
        self._none = QLabel(self.tr("No command has these letters."))
        self._foot = QLabel(self.tr("↑ ↓ choose  ·  Enter run  ·  Esc close"))
        self._build()
        self._fill("")

    def start(self) -> None:
        """Open it, ready to type."""
        self.open(self._edit)

    @property
    def names(self) -> list[str]:
        """The commands in the list, the best first."""
        return [self._entry(row).name for row in range(self._list.count())]

    def _build(self) -> None:
        unit = self.fontMetrics().height()
        self._edit.setObjectName("paletteEdit")
        self._edit.setFont(ui_font(2))
        self._edit.setPlaceholderText(self.tr("Type a command"))
        self._edit.setAccessibleName(self.tr("Command"))
        self._edit.textChanged.connect(self._fill)
        self._list.setItemDelegate(_Delegate(self._list))
        self._list.setObjectName("paletteList")
        self._list.setAccessibleName(self.tr("Commands"))
        self._list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._list.setMouseTracking(True)
        # later: a command may open a dialog, and the list would be gone before its own click has ended
        self._list.clicked.connect(self._run_chosen, Qt.ConnectionType.QueuedConnection)
        for label in (self._none, self._foot):
            label.setProperty("tone", "muted")
            label.setContentsMargins(unit, unit // 2, unit, unit // 2)
        self._foot.setObjectName("overlayFoot")
        self._none.hide()
        for widget in (self._edit, self._none, self._list, self._foot):
            self.column.addWidget(widget)

    def _fill(self, query: str) -> None:
        found = [(entry, hit) for entry in self._entries if (hit := entry.matched(query)) is not None]
        if query.strip():
            found.sort(key=lambda pair: -pair[1].score - (0 if pair[0].action.isEnabled() else -5))
        self._list.clear()
        for entry, hit in found:
            item = QListWidgetItem(entry.name)
            item.setData(ENTRY, entry)
            item.setData(ENTRY + 1, hit.places)
            self._list.addItem(item)
        self._list.setCurrentRow(0)
        self._none.setVisible(not found)
        self._list.setVisible(bool(found))
        unit = self.fontMetrics().height()
        self._list.setFixedHeight(round(unit * ROW) * min(ROWS, len(found)) + unit // 2)
        self.place()

    def takes_key(self, event: QKeyEvent) -> bool:
        key = Qt.Key(event.key())
        if key in MOVES and self._list.count():
            by, last = MOVES[key], self._list.count() - 1
            row = self._list.currentRow() + by
            around = (0 if row > last else last if row < 0 else row) if abs(by) == 1 else row
            self._list.setCurrentRow(min(last, max(0, around)))
            return True
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._run_chosen()
            return True
        return super().takes_key(event)

    def _entry(self, row: int) -> Entry:
        entry = self._list.item(row).data(ENTRY)
        assert isinstance(entry, Entry)
        return entry

    def _run_chosen(self) -> None:
        if self.isHidden() or self._list.currentRow() < 0:
            return
        entry = self._entry(self._list.currentRow())
        if not entry.action.isEnabled():
            return
        name = entry.action.objectName()
        self._recent[:] = [name, *(other for other in self._recent if other != name)]
        self.dismiss()
        entry.action.trigger()


def _age(entry: Entry, recent: list[str]) -> int:
    name = entry.action.objectName()
    return recent.index(name) if name in recent else len(recent)


class _Delegate(QStyledItemDelegate):
    """Name with its matched letters, menu, keys."""

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(10, round(QFontMetricsF(ui_font()).height() * ROW))

    @guarded
    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        entry, places = index.data(ENTRY), set(index.data(ENTRY + 1) or ())
        theme, unit = current_theme(), QFontMetricsF(ui_font()).height()
        rect = QRectF(option.rect)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.highlight)
            painter.drawRoundedRect(rect.adjusted(unit * 0.4, 1, -unit * 0.4, -1), unit * 0.35, unit * 0.35)
        is_enabled = entry.action.isEnabled()
        inner = rect.adjusted(unit, 0, -unit, 0)
        if not entry.action.icon().isNull():
            size = round(unit)
            mode = entry.action.icon().Mode.Normal if is_enabled else entry.action.icon().Mode.Disabled
            square = QRectF(inner.left(), inner.center().y() - size / 2, size, size).toRect()
            entry.action.icon().paint(painter, square, Qt.AlignmentFlag.AlignCenter, mode)
        x = inner.left() + unit * 1.6
        ink = theme.text if is_enabled else theme.muted
        for place, letter in enumerate(entry.name):
            font = ui_font(bold=place in places)
            width = QFontMetricsF(font).horizontalAdvance(letter)
            colour = theme.accent if place in places and is_enabled else ink
            draw_text(
                painter, QRectF(x, rect.top(), width + 1, rect.height()), letter, colour, font, LEFT, False
            )
            x += width
        keys_width = caps_width(entry.keys) if entry.keys else 0.0
        if entry.keys:
            paint_caps(painter, inner, entry.keys, is_quiet=not is_enabled)
        group = QRectF(x + unit, rect.top(), inner.right() - x - unit * 1.6 - keys_width, rect.height())
        draw_text(painter, group, entry.group, theme.muted, ui_font(-1), RIGHT)
        painter.restore()
