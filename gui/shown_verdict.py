"""The verdict in words for what is shown, also while there is nothing to judge yet."""

import sys

from core.text import QT_TRANSLATE_NOOP, Text
from core.views.findings import VerdictView, verdict
from gui.app_state import AppState

NOTHING = VerdictView(
    state="nothing", status=Text(QT_TRANSLATE_NOOP("core", "Nothing is recorded yet")), findings=()
)
STARTING = VerdictView(
    state="nothing",
    status=Text(QT_TRANSLATE_NOOP("core", "The engine is starting and loads the model…")),
    findings=(),
)


def shown_verdict(state: AppState, is_coming: bool) -> VerdictView:
    """Of the recorded steps at the tolerance of now; `is_coming`: a run is on its way."""
    if state.n_steps == 0 or state.trace is None:
        return STARTING if is_coming else NOTHING
    try:
        return verdict(state.trace, state.tolerance, state.findings)
    except Exception as error:  # a foreign trace may hold what nobody expects
        sys.excepthook(type(error), error, error.__traceback__)
        return NOTHING
