"""Choosing what to plant: a submenu for each part of the cache that breaks, in which several faults can be ticked."""

from collections.abc import Callable
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QLabel, QMenu, QWidget, QWidgetAction

from core.catalog import FAULTS, FaultInfo, why_invisible
from core.engine.messages import RunSpec
from core.fault_catalog import GROUPS
from gui.i18n import show_text
from gui.theme import current_theme
from gui.widgets.guard import guarded

TOLD_CHARACTERS = 64  # a line of what is said of a fault
TOLD_LINES = 6


class FaultMenu(QMenu):
    """No fault, or any of the catalogue."""

    chosen = Signal(object)  # the ids of all that shall be planted, a tuple

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spec = RunSpec()
        self._none = self.addAction("")
        self._none.setCheckable(True)
        self._none.setObjectName("fault-none")
        self._none.triggered.connect(lambda: self.chosen.emit(()))
        self.addSeparator()
        self._groups = {group: self._add_group(group) for group in GROUPS}
        self.show_spec(self._spec)

    def _add_group(self, group: str) -> "GroupMenu":
        menu = GroupMenu([fault for fault in FAULTS if fault.group == group], self._told, self)
        menu.toggled.connect(self._on_toggled)
        self.addMenu(menu)
        return menu

    def show_spec(self, spec: RunSpec) -> None:
        """Tick what a run has planted."""
        self._spec = spec
        self._none.setChecked(not spec.faults)
        for menu in self._groups.values():
            menu.show_faults(spec.faults)
        self.retranslate()

    def retranslate(self) -> None:
        self._none.setText(self.tr("No fault"))
        for group, menu in self._groups.items():
            n_planted = sum(fault.group == group and fault.id in self._spec.faults for fault in FAULTS)
            title = show_text(GROUPS[group])
            menu.setTitle(
                self.tr("{group}: {count} planted").format(group=title, count=n_planted)
                if n_planted
                else title
            )
            menu.retranslate()

    def _on_toggled(self, fault_id: str) -> None:
        planted = self._spec.faults
        if fault_id in planted:
            self.chosen.emit(tuple(fault for fault in planted if fault != fault_id))
        else:
            self.chosen.emit((*planted, fault_id))

    def _told(self, fault: FaultInfo) -> str:
        """Return what is said of a fault as rich text: how it happens, where it was reported, why it cannot show here."""
        text, muted = current_theme().text.name(), current_theme().muted.name()
        parts = [f'<span style="color:{text}">{escape(show_text(fault.how))}</span>']
        small = [self.tr("Cause: {cause}").format(cause=fault.cause)] if fault.cause != "none" else []
        if fault.report is not None:
            small.append(self.tr("as in {report}").format(report=fault.report))
        if fault.from_tokens:
            small.append(self.tr("from {count} tokens on").format(count=fault.from_tokens))
        parts.append(f'<span style="color:{muted}">{escape(" · ".join(small))}</span>')
        spec = self._spec
        invisible = why_invisible(fault.id, spec.target, spec.scenario, spec.layout)
        if invisible is not None:
            parts.append(f'<b style="color:{text}">{escape(show_text(invisible))}</b>')
        return "<br>".join(parts)


class GroupMenu(QMenu):
    """The faults of one part. A click ticks and keeps the menu open; below the list is said what the fault under it is."""

    toggled = Signal(str)  # a fault's id

    def __init__(self, faults: list[FaultInfo], told: Callable[[FaultInfo], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._told = told
        self._faults = [(fault, self._add(fault)) for fault in faults]
        self._label = QLabel()
        self._label.setWordWrap(True)
        self._label.setTextFormat(Qt.TextFormat.RichText)
        self._label.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._label.setObjectName("told")
        self.addSeparator()
        holder = QWidgetAction(self)
        holder.setDefaultWidget(self._label)
        holder.setEnabled(False)  # a label, nothing to choose
        self.addAction(holder)
        self.aboutToShow.connect(self._on_about_to_show)

    def _add(self, fault: FaultInfo) -> QAction:
        action = self.addAction("")
        action.setCheckable(True)
        action.setObjectName(f"fault-{fault.id}")
        action.triggered.connect(lambda: self.toggled.emit(fault.id))
        action.hovered.connect(lambda: self._label.setText(self._told(fault)))
        return action

    def show_faults(self, planted: tuple[str, ...]) -> None:
        for fault, action in self._faults:
            action.setChecked(fault.id in planted)

    def retranslate(self) -> None:
        for fault, action in self._faults:
            action.setText(f"{show_text(fault.title)}\t{fault.id}".replace("&", "&&"))

    def _on_about_to_show(self) -> None:
        """The label has room for the longest text from the start: a menu does not grow while it is open."""
        metrics = QFontMetrics(self.font())
        unit = metrics.lineSpacing()
        self._label.setContentsMargins(round(unit * 1.6), unit // 3, unit, unit // 3)
        self._label.setMinimumWidth(metrics.averageCharWidth() * TOLD_CHARACTERS)
        self._label.setFixedHeight(unit * TOLD_LINES)
        planted = [fault for fault, action in self._faults if action.isChecked()]
        self._label.setText(self._told(planted[0] if planted else self._faults[0][0]))

    @guarded
    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.activeAction()
        if (
            action is not None
            and action.isCheckable()
            and self.actionAt(event.position().toPoint()) is action
        ):
            action.trigger()
        else:
            super().mouseReleaseEvent(event)

    @guarded
    def keyPressEvent(self, event: QKeyEvent) -> None:
        action = self.activeAction()
        if event.key() == Qt.Key.Key_Space and action is not None and action.isCheckable():
            action.trigger()
        else:
            super().keyPressEvent(event)
