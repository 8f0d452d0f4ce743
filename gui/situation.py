"""What decides which commands make sense now, gathered from the parts of a window."""

from typing import TYPE_CHECKING

from gui.action_table import Situation
from gui.recorded_spec import NO_TARGET

if TYPE_CHECKING:
    from gui.main_window import MainWindow


def situation_of(window: "MainWindow") -> Situation:
    """The situation of this moment."""
    state, session = window.state, window.session
    trace = state.trace
    model = trace.info.model if trace is not None else None
    return Situation(
        n_steps=state.n_steps,
        step=state.selection.step,
        stage=session.stage,
        n_layers=(model.n_layers or 0) if model else 0,
        n_heads=(model.n_heads or 0) if model else 0,
        n_batch_rows=len(trace.info.prompt_ids) if trace else 0,
        runs_scenarios=window.scenarios.is_running,
        looks_for_cause=session.causes.is_searching,
        is_playing=window.player.is_playing,
        is_measuring=window.measuring.profiler.is_measuring,
        is_known=session.spec.target != NO_TARGET or window.opening.pair is not None,
        has_bookmarks=bool(session.bookmarks.steps),
        can_go_back=window.history.can_go_back,
        can_go_forward=window.history.can_go_forward,
    )
