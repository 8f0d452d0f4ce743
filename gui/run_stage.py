"""What a run is doing and how far it shall go."""

from dataclasses import dataclass
from enum import Enum

from gui.stop_condition import NEVER, StopCondition

FOLLOW = 1 << 62  # the cursor stays at the newest step


class Stage(Enum):
    """What the engine is doing for this window."""

    NOTHING = "nothing"
    STARTING = "starting"
    WAITING = "waiting"
    RUNNING = "running"
    STOPPING = "stopping"
    FINISHED = "finished"


BUSY = (Stage.STARTING, Stage.RUNNING, Stage.STOPPING)


@dataclass(frozen=True)
class Goal:
    """How far to go: to a step, and no further than the first one where `stop` holds. The cursor follows up to its own step.

    `is_search`: a bad step is looked for, and it is said when there is none.
    """

    last_step: int
    stop: StopCondition = NEVER
    cursor_step: int = FOLLOW
    is_search: bool = False
