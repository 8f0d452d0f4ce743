"""Made-up views for the tests of the widgets; no model has run for these numbers."""

import numpy as np

from core.text import Text
from core.verdict.diagnosis.slot_map import LayerSlots, Origin, State
from core.views.attention import AttentionView, LayerGridView
from core.views.cache import KvRow, KvTableView, PositionsView
from core.views.findings import FindingView, VerdictView
from core.views.logits import LogitRow, LogitsView
from core.views.slot_card import SlotCardView
from core.views.slot_states import SlotStatesView
from core.views.slots import SlotsView
from core.views.timeline import TimelineView
from core.views.tokens import TokenChip, TokenStripView

PROMPT = "Evidence EV-2047: 0x7f3a paid 1,250.00"
WRITTEN = " on 2024-05-12"


def token_strip(step: int = 4, n_written: int = 13, first_bad: int | None = 1) -> TokenStripView:
    text = (PROMPT + WRITTEN)[: len(PROMPT) + n_written]
    chips = []
    for i, char in enumerate(text):
        is_prompt = i < len(PROMPT)
        step_index = 0 if is_prompt else i - len(PROMPT)
        is_bad = first_bad is not None and not is_prompt and step_index >= first_bad
        chips.append(
            TokenChip(
                text=char,
                token_index=i,
                token_id=ord(char),
                step_index=step_index,
                is_prompt=is_prompt,
                is_selected=step_index == step,
                is_bad=is_bad,
                is_first_bad=is_bad and step_index == first_bad,
                is_sensitive=char.isdigit() or i in (9, 10),
                cached_text="7" if is_bad and step_index in (3, 5) else None,
            )
        )
    return TokenStripView(chips=tuple(chips))


def timeline(
    selected: int = 4, n_recorded: int = 13, n_planned: int = 12, is_healthy: bool = False
) -> TimelineView:
    rng = np.random.default_rng(1)
    values = np.full(n_recorded, -6.2) + rng.uniform(-0.3, 0.3, n_recorded)
    is_bad = np.zeros(n_recorded, dtype=bool)
    if not is_healthy:
        values[1:] = 0.3 + rng.uniform(-0.3, 0.4, max(0, n_recorded - 1))
        is_bad[1:] = True
    is_flip = is_bad & (np.arange(n_recorded) % 3 == 2)
    no = np.zeros(n_recorded, dtype=bool)
    return TimelineView(
        margin=np.full(n_recorded, 2.0),
        kl=np.full(n_recorded, 1e-3),
        log10_diff=values,
        is_bad=is_bad,
        is_nonfinite=no,
        is_flip=is_flip,
        is_exact=no,
        kinds=("prefill",) + ("decode",) * (n_recorded - 1),
        tolerance=5e-4,
        selected=selected,
        n_planned=n_planned,
        first_bad=None if is_healthy else 1,
        first_flip=None if is_healthy else 2,
    )


def attention(n: int = 42, prompt_len: int = 38, cell: tuple[int, int] | None = (41, 30)) -> AttentionView:
    rng = np.random.default_rng(2)
    scores = rng.normal(0, 1.2, (n, n)) + 3.0 * np.eye(n) + 2.0 * (np.arange(n)[None, :] == 0)
    seen = np.tril(np.ones((n, n), dtype=bool))
    weights = np.where(seen, np.exp(scores), 0)
    oracle = weights / weights.sum(axis=1, keepdims=True)
    cached = oracle.copy()
    for row in range(prompt_len, n):
        other = np.where(seen[row], np.exp(rng.normal(0, 1, n) - 0.12 * np.arange(n)), 0)
        cached[row] = other / other.sum()
    difference = cached - oracle
    worst = np.unravel_index(int(np.abs(difference).argmax()), difference.shape)
    text = (PROMPT + WRITTEN) * (1 + n // 50)
    return AttentionView(
        oracle=oracle.astype(np.float32),
        cached=cached.astype(np.float32),
        difference=difference.astype(np.float32),
        seen=seen,
        labels=tuple(text[:n]),
        layer=0,
        head=2,
        prompt_len=prompt_len,
        max_abs_diff=float(np.abs(difference).max()),
        worst_cell=(int(worst[0]), int(worst[1])),
        cell=cell,
        cell_positions=(41, 4),
    )


def layer_grid(n_layers: int = 4, n_heads: int = 4) -> LayerGridView:
    values = np.random.default_rng(3).uniform(0.05, 0.7, (n_layers, n_heads)).astype(np.float32)
    is_bad = np.zeros((n_layers, n_heads), dtype=bool)
    is_bad[0] = True
    return LayerGridView(values=values, is_bad=is_bad, selected=(0, 2))


def logits() -> LogitsView:
    figures = [
        ("1", 12.4, 7.7), ("0", 11.9, 9.3), ("2", 9.6, 9.8), ("5", 8.0, 7.5), (" ", 5.5, 8.0), ("-", 4.9, 3.2),
        ("4", 3.3, 3.0), ("年", -1.0, 0.4),
    ]  # fmt: skip
    rows = tuple(
        LogitRow(text, i, a, b, is_bad=abs(a - b) > 2, is_oracle_choice=i == 0, is_cached_choice=i == 2)
        for i, (text, a, b) in enumerate(figures)
    )
    return LogitsView(rows=rows, max_abs_diff=4.7, worst_text="1", kl=1.92, margin=0.31, top1_differs=True)


def kv_table(n_layers: int = 4, capacity: int = 64) -> KvTableView:
    rows = tuple(
        KvRow(
            layer=i,
            oracle_shape=(1, 2, 42, 32),
            cached_shape=(1, 2, 42, 32),
            grew=1,
            expected_growth=1,
            kv_len=42,
            capacity=capacity,
            dtype="float32",
            storage=f"#{i + 1}",
            nbytes=21_504,
            max_dk=3.9 + 0.4 * i,
            max_dv=2e-7 if i == 0 else 1.4 + 0.5 * i,
            dk_is_bad=True,
            dv_is_bad=i > 0,
            length_is_bad=False,
        )
        for i in range(n_layers)
    )
    return KvTableView(rows=rows, positions=PositionsView((41,), (0,)), nbytes_total=86_016)


def slots(n_layers: int = 4, n_slots: int = 42, n_bad: int = 4) -> SlotsView:
    rng = np.random.default_rng(4)
    dk = rng.uniform(0, 1e-6, (n_layers, n_slots)).astype(np.float32)
    dk[:, n_slots - n_bad :] = rng.uniform(1, 5, (n_layers, n_bad))
    is_new = np.zeros(n_slots, dtype=bool)
    is_new[-1] = True
    positions = np.arange(n_slots, dtype=np.int64)
    told = positions.copy()
    told[n_slots - n_bad :] = 0
    return SlotsView(dk=dk, dv=dk * 0.4, is_new=is_new, oracle_positions=positions, cached_positions=told)


def slot_states(states: np.ndarray) -> SlotStatesView:
    """States [layers, slots] whose rows, where they are out of place, come from layer 3, row 0, position 5."""
    layers = []
    for row in states:
        token = np.where(np.isin(row, (State.DUPLICATE, State.STALE)), -1, np.arange(len(row)))[None]
        is_found = np.isin(row, (State.OTHER_LAYER, State.OTHER_ROW, State.MISPLACED, State.DUPLICATE))[None]
        origin = Origin(*(np.where(is_found, value, -1) for value in (0, 3, 0, 5)))
        far = np.zeros(token.shape)
        layers.append(LayerSlots(token, row[None].astype(np.int64), far, far, origin, origin, token, ((),)))
    sizes = np.where(np.isin(states, (State.OK, State.PAD)), 0, 2.5).astype(np.float32)
    is_new = np.zeros(states.shape, bool)
    is_new[:, -1] = True
    return SlotStatesView(
        states.astype(np.int8), sizes, sizes / 2, ((),) * len(states), tuple(layers), 0, (0,), is_new
    )


def slots_with_states(states: np.ndarray, selected: tuple[int, int] | None = None) -> SlotsView:
    found, n = slot_states(states), states.shape[1]
    told = np.arange(n, dtype=np.int64)
    card = SlotCardView(
        Text("layer {layer}, slot {slot}", dict(zip(("layer", "slot"), selected, strict=True))), found.read_out(*selected), False,
        (Text("written in step 0 (prefill)"), Text("changed in step 3")), None,
    ) if selected else None  # fmt: skip
    return SlotsView(found.dk, found.dv, found.is_new[0], told, told, told, found, None, card, selected)


def verdict() -> VerdictView:
    detail = Text(
        "Every decode step is told to start at position 0; the shapes stay right, so nothing fails. V agrees in all "
        "slots. Look at where position_ids are built for the decode call."
    )
    finding = FindingView(
        headline=Text("Step {step}, layer 0, k, slot 37: rotated as position 0, expected 37", {"step": 1}),
        detail=detail,
        step=1,
        layer=0,
    )
    return VerdictView(
        state="divergent", status=Text("divergent from step {step}", {"step": 1}), findings=(finding,)
    )
