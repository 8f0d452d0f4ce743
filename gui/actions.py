"""The table of actions as QActions of one window."""

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from gui.action_table import ACTIONS, CONTEXT, ActionSpec, Situation, plain_text, tool_tip
from gui.icons import set_icon
from gui.run_stage import Stage


class Actions(QObject):
    """The table as QActions of one window."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._by_id = {spec.id: self._make(spec) for spec in ACTIONS}
        self.retranslate()

    def __getitem__(self, action_id: str) -> QAction:
        return self._by_id[action_id]

    def all(self) -> list[QAction]:
        return list(self._by_id.values())

    def connect_all(self, handlers: dict[str, Callable[[], object]]) -> None:
        """Give every command what it does; a missing or unknown one is a mistake in the code."""
        assert handlers.keys() == self._by_id.keys(), handlers.keys() ^ self._by_id.keys()
        for action_id, handler in handlers.items():
            self._by_id[action_id].triggered.connect(lambda checked=False, call=handler: call())

    def update(self, situation: Situation) -> None:
        """Enable what makes sense now."""
        for spec in ACTIONS:
            self._by_id[spec.id].setEnabled(spec.is_enabled(situation))
        is_running = situation.stage is Stage.RUNNING or situation.is_playing
        set_icon(self._by_id["run"], "pause" if is_running else "play")

    def retranslate(self) -> None:
        for spec in ACTIONS:
            action = self._by_id[spec.id]
            text = QCoreApplication.translate(CONTEXT, spec.text)
            action.setText(text)
            action.setIconText(plain_text(spec))  # what buttons show
            action.setToolTip(tool_tip(spec))

    def _make(self, spec: ActionSpec) -> QAction:
        action = QAction(self.parent())
        action.setObjectName(spec.id)
        action.setCheckable(spec.is_checkable)
        action.setShortcuts([QKeySequence(key) for key in spec.keys])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        if spec.icon:
            set_icon(action, spec.icon)
        return action
