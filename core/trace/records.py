"""The JSON parts of a trace: facts about the run, about each step, and how it ended. Arrays travel beside them.

Non-finite numbers are None, since JSON has no word for them.
"""

from typing import Literal

from msgspec import Struct

FORMAT = "kvtrace"
VERSION = "1.0"

StepKind = Literal["prefill", "decode", "chunk", "turn", "draft"]
EndStatus = Literal["complete", "cancelled", "failed", "partial"]
LANES = ("oracle", "cached")
COMPARE = "compare"  # the scenario of a comparison of two traces


class ModelShape(Struct, frozen=True, kw_only=True):
    """The model as far as it is known; None where a target does not say."""

    dtype: str
    vocab_size: int
    n_layers: int | None = None
    n_heads: int | None = None
    n_kv_heads: int | None = None
    head_dim: int | None = None
    max_length: int | None = None
    position_scheme: str | None = None
    window: int | None = None


class RunInfo(Struct, frozen=True, kw_only=True):
    """`kvtrace.json`: what was run, fixed before the first step."""

    target: str
    scenario: str
    model: ModelShape
    prompt_ids: list[list[int]]
    steps: int
    tolerance: float
    format: str = FORMAT
    version: str = VERSION
    prompt: str | None = None
    layout: str | None = None
    faults: list[str] = []
    mode: str = "forced"
    versions: dict[str, str] = {}
    notes: list[str] = []
    modules: list[
        str
    ] = []  # names of recorded module outputs in the order in which they are made, where it is known
    logits: Literal["raw", "log-probs"] = "raw"
    logits_floor: float | None = None  # log-probs are cut off so far below the largest one


class LayerFacts(Struct, frozen=True, kw_only=True):
    """The cache of one layer in one lane, after the step; K and V are [batch, n_kv_heads, kv_len, head_dim]."""

    k_shape: list[int]
    v_shape: list[int]
    dtype: str
    nbytes: int
    allocated_nbytes: int
    capacity: int | None = None
    storage: str | None = None
    block_table: list[list[int]] | None = None
    block_size: int | None = None


class LaneFacts(Struct, frozen=True, kw_only=True):
    """One lane of one step."""

    elapsed_ms: float
    layers: list[LayerFacts] = []
    output_errors: dict[
        int, float
    ] = {}  # layers whose recorded weights do not give the output that the model got


class StepFacts(Struct, frozen=True, kw_only=True):
    """One call of the cached lane and the same rows of the oracle."""

    step_index: int
    kind: StepKind
    tokens: list[list[int]]
    text_len: int
    max_abs_diff: float | None
    argmax_oracle: list[int]
    argmax_cached: list[int]
    wide_max_abs_diff: float | None = None
    judged_in: str | None = None
    narrow_limit: float | None = None  # what max_abs_diff may be where another dtype judges
    worst_at: list[int] = []
    n_nonfinite: int = 0
    rel_l2: float | None = None
    kl: float | None = None
    margin: float | None = None
    pads: list[int] = []
    before: str | None = None
    oracle: LaneFacts | None = None
    cached: LaneFacts | None = None
    token_texts: dict[str, str] = {}
    notes: list[str] = []
    is_compared: bool = True  # False where there is one lane only: max_abs_diff says nothing then

    @property
    def judged_diff(self) -> float | None:
        """The difference that the tolerance is for: that of the wider run where one was made."""
        return self.max_abs_diff if self.judged_in is None else self.wide_max_abs_diff

    @property
    def q_len(self) -> int:
        return len(self.tokens[0])

    @property
    def flips(self) -> bool:
        """Whether the lanes would choose different tokens."""
        return self.argmax_oracle != self.argmax_cached


class TextFacts(Struct, frozen=True):
    """A sentence as a template and its values, so that it can be translated where it is shown."""

    template: str
    values: dict[str, str | int | float] = {}


class FindingFacts(Struct, frozen=True, kw_only=True):
    """A cause of the taxonomy with its place and proof.

    `healed` is the share of the step's difference that the repair heals, None where the cause is inferred;
    `null_control` that of an equally large repair elsewhere; `also` are causes that the repair cannot tell apart.
    `before` and `after` are the largest logit difference without and with the repair, on top of those of the findings
    before this one; None where it is not finite.
    """

    step: int
    cause: str
    sentence: TextFacts
    evidence: list[TextFacts] = []
    healed: float | None = None
    null_control: float | None = None
    before: float | None = None
    after: float | None = None
    also: list[str] = []
    tensor: str | None = None
    layer: int | None = None
    batch_row: int | None = None
    slot: int | None = None
    head: int | None = None


CACHED = "cached()"  # a word of Doubt.left_narrow


class Doubt(Struct, frozen=True, kw_only=True):
    """What was measured at a step whose difference may be rounding or a defect; what follows is the verdict's business.

    `noise` is how far full() itself moves when only the shape of its computation changes, `wide_noise` the same in the
    wider `dtype`; each is None where it was not measured or is not finite.
    """

    step_index: int
    noise: float | None = None
    dtype: str | None = None  # of the wider run, None where there was none
    wide_max_abs_diff: float | None = None
    wide_noise: float | None = None
    stable_max_abs_diff: float | None = None  # in its own dtype, where each top-k takes the first of equals
    left_narrow: list[
        str
    ] = []  # what stayed in its own dtype there: kinds of modules, CACHED for tensors of it
    reason: str | None = None  # why there was no wider run


class FreeFacts(Struct, frozen=True, kw_only=True):
    """A free run: what each lane wrote on its own tokens, and what the cached lane answers on the oracle's text.

    Token ids per batch row, one for each step. `temperature` is None for greedy tokens.
    """

    oracle: list[list[int]]
    cached: list[list[int]]
    anchored: list[list[int]]
    texts: dict[str, str] = {}
    temperature: float | None = None
    seed: int | None = None


class EndFacts(Struct, frozen=True, kw_only=True):
    """`end.json`: how the recording ended."""

    status: EndStatus
    n_steps: int
    reason: str | None = None
    notes: list[str] = []
    findings: list[FindingFacts] = []
    doubts: list[Doubt] = []
    bookmarks: list[int] = []  # steps that a reader has marked
    free: FreeFacts | None = None
    checksums: dict[str, str] = {}
    header_crcs: str = (
        ""  # CRC-32 of each step's header, 8 hex digits a step: facts are read without the arrays
    )
