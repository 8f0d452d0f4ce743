"""Plain typed data between the window or command line and the engine process; tensors travel in the trace file."""

from typing import Literal

from msgspec import Struct

from core.errors import EXIT_ENVIRONMENT, KVScopeError
from core.text import Text
from core.trace.records import FindingFacts

DEFAULT_STEP_TIMEOUT_S = 600.0


class RunSpec(Struct, frozen=True, kw_only=True):
    """What to run. `prompt_ids` wins over `prompt`; None means the scenario's default."""

    target: str = "tiny:rope-gqa"
    scenario: str = "decode"
    layout: str = "concat"
    faults: tuple[str, ...] = ()
    prompt: str | None = None
    prompt_ids: tuple[int, ...] | None = None
    steps: int = 12
    tolerance: float | None = None
    dtype: str | None = None
    shared: bool = False
    allowed_sha256: tuple[str, ...] | None = (
        None  # contents that the user lets run; None = naming the file allows it
    )
    mode: Literal["forced", "free"] = "forced"  # free: besides, each lane on its own tokens
    temperature: float | None = None  # of the free run; None = greedy
    seed: int = 0
    oracle: Literal["stepwise", "one-pass", "auto"] = "stepwise"
    diagnoses: bool = False  # look for the cause of the first bad step when the run is complete
    device: str | None = None
    allow_network: bool = False
    step_timeout_s: float = DEFAULT_STEP_TIMEOUT_S


class StartRun(Struct, frozen=True, tag=True):
    """Load the target and record a run into `path` + ".part"; steps are made on request."""

    spec: RunSpec
    path: str


class MakeSteps(Struct, frozen=True, tag=True):
    """Record up to `count` more steps; None = to the end."""

    count: int | None = None


class Diagnose(Struct, frozen=True, tag=True):
    """Look for the cause of a recorded step; Diagnosing for each repair, then Diagnosed answers.

    A request that comes meanwhile ends the search.
    """

    step_index: int


class StopSearch(Struct, frozen=True, tag=True):
    """Look for no cause any more, neither now nor at the end of this run; the run itself goes on."""


class StopRun(Struct, frozen=True, tag=True):
    """Stop at the next step boundary; what was recorded stays."""


Request = StartRun | MakeSteps | Diagnose | StopSearch | StopRun


class RunStarted(Struct, frozen=True, tag=True):
    """The trace exists; `n_planned` steps will be in it when it is complete."""

    part_path: str
    n_planned: int


class StepRecorded(Struct, frozen=True, tag=True):
    """Step `step_index` can be read."""

    step_index: int


class Working(Struct, frozen=True, tag=True):
    """A piece of work that is no step of its own is done: the target has not hung."""


class Diagnosing(Struct, frozen=True, tag=True):
    """A repair is going to be tried; none are planned yet while the run is played again up to the step."""

    n_tried: int
    n_planned: int


class Diagnosed(Struct, frozen=True, tag=True):
    """What was found about a step; they are in the trace once it is closed."""

    step_index: int
    findings: list[FindingFacts]
    was_stopped: bool = False


class Paused(Struct, frozen=True, tag=True):
    """The requested steps are there; the engine waits."""


class RunEnded(Struct, frozen=True, tag=True):
    """The trace was closed and lies at `path`; the explicit word of success."""

    path: str
    status: str


class RunSkipped(Struct, frozen=True, tag=True):
    """The target cannot do this scenario, or the scenario has nothing to compare."""

    template: str
    values: dict[str, str | int | float] = {}

    @property
    def text(self) -> Text:
        return Text(self.template, dict(self.values))


class RunFailed(Struct, frozen=True, tag=True):
    """What went wrong, in the parts of a Text, and the exit code that fits."""

    template: str
    values: dict[str, str | int | float] = {}
    exit_code: int = EXIT_ENVIRONMENT
    traceback: str | None = None

    @property
    def text(self) -> Text:
        return Text(self.template, dict(self.values))

    @property
    def error(self) -> KVScopeError:
        """The same as an exception, with its exit code and traceback."""
        error = KVScopeError(self.template, **self.values)
        error.exit_code, error.traceback = self.exit_code, self.traceback
        return error


Event = (
    RunStarted | StepRecorded | Working | Diagnosing | Diagnosed | Paused | RunEnded | RunSkipped | RunFailed
)
