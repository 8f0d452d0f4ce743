"""What a run is doing and how far it shall go."""

from dataclasses import dataclass
from enum import Enum

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
    """How far to go: to a step, and no further than the next bad one if asked. The cursor follows up to its own step."""

    last_step: int
    stop_at_bad: bool = False
    cursor_step: int = FOLLOW
