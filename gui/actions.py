"""Every command once: menus, toolbar, keys and the key list all come from this table."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication, QObject, Qt
from PySide6.QtGui import QAction, QKeySequence

from core.text import QT_TRANSLATE_NOOP
from gui.icons import set_icon
from gui.run_stage import BUSY, Stage

CONTEXT = "actions"


@dataclass(frozen=True)
class Situation:
    """What decides which commands make sense now."""

    n_steps: int
    step: int
    stage: Stage
    n_layers: int
    n_heads: int
    n_batch_rows: int
    runs_scenarios: bool = False
    looks_for_cause: bool = False

    @property
    def can_run(self) -> bool:
        return self.stage is Stage.WAITING

    @property
    def has_trace(self) -> bool:
        return self.n_steps > 0

    @property
    def can_go_on(self) -> bool:
        return self.step < self.n_steps - 1 or self.can_run


@dataclass(frozen=True)
class ActionSpec:
    """One command: English text and keys (the first one is shown in menus)."""

    id: str
    text: str
    keys: tuple[str, ...] = ()
    icon: str = ""
    is_enabled: Callable[[Situation], bool] = lambda situation: True
    is_checkable: bool = False


def _has_trace(situation: Situation) -> bool:
    return situation.has_trace


ACTIONS: tuple[ActionSpec, ...] = (
    ActionSpec("open", QT_TRANSLATE_NOOP("actions", "&Open trace or target…"), ("Ctrl+O",), "open"),
    ActionSpec("open_folder", QT_TRANSLATE_NOOP("actions", "Open &model folder…"), ("Ctrl+Shift+O",)),
    ActionSpec("trusted", QT_TRANSLATE_NOOP("actions", "&Trusted files…"), ()),
    ActionSpec("save", QT_TRANSLATE_NOOP("actions", "&Save trace…"), ("Ctrl+S",), "save", _has_trace),
    ActionSpec("picture", QT_TRANSLATE_NOOP("actions", "Save &picture…"), ("Ctrl+Shift+E",), "camera"),
    ActionSpec("quit", QT_TRANSLATE_NOOP("actions", "&Quit"), ("Ctrl+Q",)),
    ActionSpec("step", QT_TRANSLATE_NOOP("actions", "&Step"), ("F10", "Right"), "step", lambda s: s.can_go_on),
    ActionSpec("back", QT_TRANSLATE_NOOP("actions", "Step &back"), ("Shift+F10", "Left"), "back", lambda s: s.step > 0),
    ActionSpec("first", QT_TRANSLATE_NOOP("actions", "&First step"), ("Home",), "first", lambda s: s.step > 0),
    ActionSpec("last", QT_TRANSLATE_NOOP("actions", "&Last step"), ("End",), "last", lambda s: s.can_go_on),
    ActionSpec("run", QT_TRANSLATE_NOOP("actions", "&Run or pause"), ("Space",), "play",
               lambda s: s.can_run or s.stage is Stage.RUNNING),
    ActionSpec("next_bad", QT_TRANSLATE_NOOP("actions", "&Next bad step"), ("F5", "B"), "next-bad", lambda s: s.can_go_on),
    ActionSpec("previous_bad", QT_TRANSLATE_NOOP("actions", "&Previous bad step"), ("Shift+F5", "Shift+B"), "previous-bad",
               lambda s: s.step > 0),
    ActionSpec("cancel", QT_TRANSLATE_NOOP("actions", "&Cancel run"), ("Esc",), "stop",
               lambda s: s.stage in BUSY or s.runs_scenarios or s.looks_for_cause),
    ActionSpec("all_scenarios", QT_TRANSLATE_NOOP("actions", "A&ll scenarios"), ("F6",), "check", lambda s: not s.runs_scenarios),
    ActionSpec("restart", QT_TRANSLATE_NOOP("actions", "Record &again"), ("Ctrl+R",), "reset"),
    ActionSpec("next_layer", QT_TRANSLATE_NOOP("actions", "Next la&yer"), ("F11",), "layers", lambda s: s.n_layers > 1),
    ActionSpec("previous_layer", QT_TRANSLATE_NOOP("actions", "Previous layer"), ("Shift+F11",), "", lambda s: s.n_layers > 1),
    ActionSpec("next_head", QT_TRANSLATE_NOOP("actions", "Next &head"), ("F12",), "", lambda s: s.n_heads > 1),
    ActionSpec("previous_head", QT_TRANSLATE_NOOP("actions", "Previous head"), ("Shift+F12",), "", lambda s: s.n_heads > 1),
    ActionSpec("next_row", QT_TRANSLATE_NOOP("actions", "Next batch ro&w"), ("R",), "", lambda s: s.n_batch_rows > 1),
    ActionSpec("log_scale", QT_TRANSLATE_NOOP("actions", "Attention on a &log scale"), ("Ctrl+L",), is_checkable=True),
    ActionSpec("theme", QT_TRANSLATE_NOOP("actions", "&Light or dark"), ("Ctrl+T",), "theme"),
    ActionSpec("language", QT_TRANSLATE_NOOP("actions", "中文 / &English"), ("Ctrl+Shift+L",), "language"),
    ActionSpec("reset_layout", QT_TRANSLATE_NOOP("actions", "R&eset layout"), ("Ctrl+Shift+R",)),
    ActionSpec("fullscreen", QT_TRANSLATE_NOOP("actions", "F&ull screen"), ("Alt+Return",)),
    ActionSpec("keys", QT_TRANSLATE_NOOP("actions", "&Keys"), ("F1", "?"), "help"),
    ActionSpec("about", QT_TRANSLATE_NOOP("actions", "&About KVScope"), (), "info"),
)  # fmt: skip


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
        set_icon(self._by_id["run"], "pause" if situation.stage is Stage.RUNNING else "play")

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


def plain_text(spec: ActionSpec) -> str:
    """The text without the mark of its menu letter."""
    text = QCoreApplication.translate(CONTEXT, spec.text)
    head, mark, _ = text.partition("(&")  # Chinese menus write the letter behind the text
    return (head if mark else text.replace("&", "")).rstrip("…")


def keys_text(spec: ActionSpec) -> str:
    """The keys as this platform writes them."""
    return " · ".join(QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText) for key in spec.keys)


def tool_tip(spec: ActionSpec) -> str:
    """What a button says when the mouse rests on it."""
    return f"{plain_text(spec)}  ({keys_text(spec)})" if spec.keys else plain_text(spec)
