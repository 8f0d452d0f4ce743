"""The window: places the parts and connects them; what they show is decided elsewhere."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QSettings
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QFontMetrics
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from core.engine.messages import RunFailed, RunSkipped
from core.trace.reader import Trace
from core.views.selection import Selection
from gui import settings
from gui.actions import Actions
from gui.app_state import AppState
from gui.background import is_large
from gui.commands import Commands
from gui.consent import Consent
from gui.exporting import Exporting
from gui.fault_menu import FaultMenu
from gui.first_minute import FirstMinute
from gui.focus_ring import RingedWindow
from gui.history import SelectionHistory
from gui.i18n import show_text
from gui.icons import app_icon
from gui.key_guard import KeyGuard
from gui.lab import LabEntry
from gui.lanes import lanes
from gui.late_part import LatePart
from gui.looks import Looks
from gui.measuring import Measuring
from gui.menus import Menus
from gui.moving import Moving
from gui.notice_bar import NoticeBar
from gui.opening import Opening
from gui.panel_area import PanelArea
from gui.panels.tokens import TokensPanel
from gui.player import Player
from gui.plotting import plotting
from gui.prompt_bar import PromptBar
from gui.refresher import Refresher
from gui.run_bar import RunBar
from gui.run_stage import Stage
from gui.scenario_runner import ScenarioRunner
from gui.session import Session
from gui.shell_style import shell_stylesheet
from gui.shown_target import takes_text, target_name
from gui.shown_verdict import shown_verdict
from gui.situation import situation_of
from gui.status_bar import StatusBar
from gui.targets import is_builtin
from gui.theme import current_theme, theme_events, ui_font
from gui.transport import Transport
from gui.trust import Trusted
from gui.widgets.guard import guarded
from gui.widgets.panel import action_button
from gui.window_place import place_window
from gui.writing import Writing

LONGEST_REASON = 240
COMING = (Stage.NOTHING, Stage.STARTING, Stage.RUNNING)  # before the first step is there


class MainWindow(RingedWindow):
    """One run and everything about it."""

    def __init__(self, store: QSettings | None = None) -> None:
        super().__init__()
        self.store = store
        self.settings = settings.load(store) if store is not None else settings.Settings()
        self.state = AppState(self)
        self.session = Session(self.state, self)
        self.consent = Consent(self, Trusted(self.settings.trusted))
        self.session.gate = self.consent.allow
        self.session.permit = self.consent.with_permission
        self.history = SelectionHistory(self.state, self)
        self.player = Player(self.state, self.session, self)
        self.scenarios = ScenarioRunner(self.consent.is_allowed, self.consent.with_permission, self)
        self.actions_ = Actions(self)
        self._make_parts()
        self._arrange()
        self._connect()
        self._apply_style()
        self.retranslate()
        self._restore()
        self._show_tolerance()
        self.refresh()
        self.tokens.strip.setFocus()

    # ---- building

    def _make_parts(self) -> None:
        self.fault_menu = FaultMenu()
        self.run_bar = RunBar(self.fault_menu)
        self.transport = Transport(self.actions_)
        self.tokens = TokensPanel(self.state.select)
        self.notices = NoticeBar()
        self.panels = PanelArea(self.state.select)
        self.status = StatusBar(self.actions_)
        self.menus = Menus(self.menuBar(), self.actions_, self.fault_menu, self)
        self.opening = Opening(self)
        self.prompt = PromptBar(self.panels, self.tokens.strip.setFocus)
        self.moving = Moving(self)
        self.looks = Looks(self)
        self.exporting = Exporting(self)
        self.first_minute = FirstMinute(self)
        self.writing = Writing(self)
        self.measuring = Measuring(self)
        self.lab = LabEntry(self)
        self.commands = Commands(self)
        self._late_slots = LatePart(
            self._show_slots,
            self,
            lambda: self.panels.begin_slots(*self._shown),
            lambda: is_large(self.state),
        )
        self._refresher = Refresher(self._parts, lambda: self.session.stage is Stage.RUNNING, self)
        self._guard = KeyGuard(self)

    def _arrange(self) -> None:
        self.setObjectName("kvscope")
        self.setWindowIcon(app_icon())
        self.setAcceptDrops(True)
        centre = QWidget()
        column = QVBoxLayout(centre)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for part in (self._make_top_row(), self.tokens, self.notices):
            column.addWidget(part)
        self.side_row = QHBoxLayout()  # the lab stands beside the panels
        self.side_row.setSpacing(0)
        self.side_row.addWidget(self.panels, 1)
        column.addLayout(self.side_row, 1)
        self.setCentralWidget(centre)
        self.setStatusBar(self.status)
        self.panels.timeline.add_title_widget(action_button(self.actions_["all_scenarios"]))
        for action in self.actions_.all():
            self.addAction(action)  # keys work when the menus are hidden, too
        self._guard.guard(self)

    def _make_top_row(self) -> QFrame:
        bar = QFrame()
        bar.setObjectName("runBar")
        self._top_row = row = QHBoxLayout(bar)
        row.addWidget(self.run_bar, 1)
        row.addWidget(self.transport)
        return bar

    def _connect(self) -> None:
        state, session = self.state, self.session
        for signal in (
            state.trace_changed,
            state.step_added,
            state.selection_changed,
            state.findings_changed,
        ):
            signal.connect(self._refresher.soon)
            signal.connect(self.update_actions)  # at once, so that keys in quick succession all count
        state.findings_changed.connect(self._show_tolerance)
        state.trace_changed.connect(self._show_tolerance)
        session.stage_changed.connect(self._on_stage_changed)
        session.causes.changed.connect(self._on_search_changed)
        session.spec_changed.connect(self._show_spec)
        state.trace_changed.connect(self._show_spec)
        session.notice.connect(lambda text: self.notices.say(show_text(text)))
        session.refused.connect(lambda text: self.notices.warn(show_text(text)))
        session.skipped.connect(self._on_skipped)
        session.failed.connect(self._on_failed)
        session.busy_changed.connect(lambda: self.status.show_file(session))
        for changed in (self.history.changed, self.player.changed, session.bookmarks.changed):
            changed.connect(self.update_actions)
        session.bookmarks.changed.connect(self._show_bookmarks)
        self.consent.problem.connect(lambda text: self.warn_of(show_text(text)))
        self.consent.trusted_changed.connect(self._remember_trusted)
        self.scenarios.changed.connect(self._refresher.soon)
        self.scenarios.changed.connect(self.update_actions)
        self.panels.scenarios.opened.connect(self.commands.open_scenario)
        self.panels.scenarios.cancelled.connect(self.scenarios.cancel)
        self.run_bar.spec_edited.connect(session.restart)
        self.run_bar.all_asked.connect(self.actions_["all_scenarios"].trigger)
        self.run_bar.tolerance_edited.connect(session.set_tolerance)
        self.panels.tolerance_dragged.connect(state.set_tolerance)
        self.panels.tolerance_changed.connect(session.set_tolerance)
        self.panels.attention.log_switched.connect(self.looks.set_log)
        for panel in self.panels.panels:
            panel.empty_action.connect(self.actions_["restart"].trigger)
        self.panels.menu_asked.connect(self.exporting.fill)
        self.panels.seen.connect(self._refresher.soon)
        self.state.trace_changed.connect(lambda: lanes().show(self.state.trace))
        self.state.trace_changed.connect(self._late_slots.stop)
        self.state.trace_changed.connect(self.panels.kv.forget)
        plotting().ready.connect(self._refresher.soon)
        self.actions_.connect_all(self.commands.handlers())
        self.menus.panels.aboutToShow.connect(lambda: self.panels.fill_menu(self.menus.panels))
        self.menus.recent.aboutToShow.connect(self._fill_recent)
        theme_events().changed.connect(self._apply_style)

    # ---- showing

    def refresh(self) -> None:
        """Show the selection everywhere, at once."""
        self._refresher.now()

    def _parts(self) -> Iterator[Callable[[], object]]:
        """What a refresh consists of. Each part shows what there is when its turn comes."""
        yield lambda: self.panels.set_starting(self._is_coming, is_builtin(self.session.spec.target))
        yield lambda: self.tokens.show_run(*self._shown)
        for panel in self.panels.panels:
            if panel is not self.panels.slots:
                yield partial(self.panels.show_panel, panel, *self._shown)
        yield self._late_slots.ask  # it looks at every cached row
        yield self._refresh_verdict
        yield lambda: self.status.show_run(self.session)
        yield self.update_actions

    @property
    def _shown(self) -> tuple[Trace | None, Selection, float]:
        return self.state.trace, self.state.selection, self.state.tolerance

    @property
    def _is_coming(self) -> bool:
        return self.session.stage in COMING

    def _show_slots(self) -> None:
        self.panels.show_panel(self.panels.slots, *self._shown)

    def _refresh_verdict(self) -> None:
        view = shown_verdict(self.state, self._is_coming)
        self.panels.show_verdict(view)
        if not self.panels.scenarios.is_out_of_sight:
            self.panels.scenarios.show_outcomes(self.scenarios, self.state.tolerance)
        self.status.show_verdict(view)

    @property
    def is_settled(self) -> bool:
        """Whether everything that happened has been shown."""
        late = (self._late_slots, self.panels.kv.late_check)
        return self._refresher.is_settled and not any(part.is_waiting for part in late)

    def update_actions(self) -> None:
        """Enable the commands that make sense now."""
        self.actions_.update(situation_of(self))

    def _show_spec(self) -> None:
        now = (self.session.spec, self.state.trace)
        self.actions_["free_run"].setChecked(self.session.spec.mode == "free")
        self.run_bar.show_spec(self.session.spec, target_name(*now), takes_text(*now))

    def _show_bookmarks(self) -> None:
        self.tokens.strip.set_bookmarks(self.session.bookmarks.steps)
        self.panels.timeline.set_bookmarks(self.session.bookmarks.steps)

    def _show_tolerance(self) -> None:
        self.run_bar.show_tolerance(self.state.tolerance)

    def _on_stage_changed(self) -> None:
        self.status.show_stage(self.session)
        self.update_actions()
        self._show_title()
        self._refresher.soon()

    def _on_search_changed(self) -> None:
        self.status.show_stage(self.session)
        self.update_actions()

    def _on_skipped(self, event: RunSkipped) -> None:
        text = self.tr("The scenario {scenario} was not run: {reason}")
        self.notices.warn(text.format(scenario=self.session.spec.scenario, reason=show_text(event.text)))

    def _on_failed(self, event: RunFailed) -> None:
        self.warn_of(show_text(event.text), event.traceback or "")

    def warn_of(self, text: str, details: str = "") -> None:
        """The reason in one line; the rest of it goes to the details."""
        first, _, more = text.strip().partition("\n")
        headline = first if len(first) <= LONGEST_REASON else first[:LONGEST_REASON] + "…"
        whole = text if more or headline != first else ""
        self.notices.warn(headline, "\n\n".join(part for part in (whole, details) if part))

    def _remember_trusted(self) -> None:
        """At once: a consent is not lost with a crash, and a revoked one does not come back."""
        self.settings = replace(self.settings, trusted=self.consent.trusted.keys)
        if self.store is not None:
            settings.save(self.store, self.settings)

    def _show_title(self) -> None:
        name = (
            self.session.file.name
            if self.session.file is not None
            else target_name(self.session.spec, self.state.trace)
        )
        self.setWindowTitle(f"{name} — KVScope")

    def _apply_style(self) -> None:
        line = QFontMetrics(ui_font()).height()
        self.setStyleSheet(shell_stylesheet(current_theme(), line))
        self._top_row.setContentsMargins(line // 2, line // 2, line // 2, line // 2)
        self._top_row.setSpacing(line // 3)
        self._refresher.soon()  # figures in titles carry colours

    def retranslate(self) -> None:
        parts: tuple[Callable[[], object], ...] = (
            self.actions_.retranslate,
            self.menus.retranslate,
            self.fault_menu.retranslate,
            self.run_bar.retranslate,
            self.transport.retranslate,
            self.tokens.retranslate,
            self.notices.retranslate,
            self.panels.retranslate,
            self.status.retranslate,
        )
        for part in parts:
            part()
        self._show_title()

    # ---- files, settings, events

    def _fill_recent(self) -> None:
        there = tuple(path for path in self.settings.recent if Path(path).exists())
        self.menus.show_recent(there, self.opening.open_path)

    def _restore(self) -> None:
        place_window(self, self.settings.geometry)
        self.looks.set_outlined(self.settings.outlines_mask)
        self.panels.restore_layout(self.settings.layout)

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
            self._refresher.soon()

    @guarded
    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if any(url.isLocalFile() for url in event.mimeData().urls()):
            event.acceptProposedAction()

    @guarded
    def dropEvent(self, event: QDropEvent) -> None:
        paths = [url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            self.opening.open_paths(paths)

    @guarded
    def closeEvent(self, event: QCloseEvent) -> None:
        self._refresher.stop()
        self._late_slots.stop()
        self.panels.stop()
        self.session.close()
        self.scenarios.close()
        self.measuring.profiler.close()
        self.lab.close()
        self.commands.remember()
        super().closeEvent(event)
