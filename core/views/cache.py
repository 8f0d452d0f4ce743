"""The KV cache of the selected step: per layer the shapes of both lanes, their growth, dtype and storage."""

from dataclasses import dataclass

from core.trace.kept import kept
from core.trace.reader import Trace
from core.trace.records import LaneFacts, LayerFacts, StepFacts
from core.verdict.locate import RELATIVE
from core.verdict.pads import compared, n_pads
from core.views.selection import Selection

APPEND_DIM = 2


@dataclass(frozen=True)
class KvRow:
    """One layer. Shapes are (batch, n_kv_heads, kv_len, head_dim); None where the lane recorded no cache."""

    layer: int
    oracle_shape: tuple[int, ...] | None
    cached_shape: tuple[int, ...] | None
    grew: int | None  # rows more than after the step before
    expected_growth: int
    kv_len: int
    capacity: int
    dtype: str
    storage: str
    nbytes: int
    max_dk: float | None
    max_dv: float | None
    dk_is_bad: bool
    dv_is_bad: bool
    length_is_bad: bool
    oracle_dtype: str | None = None
    oracle_storage: str | None = None
    shares_with: tuple[int, ...] = ()  # layers of the cached lane that lie in the same storage

    @property
    def dtype_differs(self) -> bool:
        """Whether both lanes have a dtype and not the same."""
        return bool(self.oracle_dtype and self.dtype) and self.oracle_dtype != self.dtype


@dataclass(frozen=True)
class PositionsView:
    """Position ids that the lanes were told for the new tokens of the step, one batch row; empty where none were seen."""

    oracle: tuple[int, ...]
    cached: tuple[int, ...]

    @property
    def is_mismatch(self) -> bool:
        """Whether both are known and differ."""
        return bool(self.oracle and self.cached) and self.oracle != self.cached


@dataclass(frozen=True)
class KvTableView:
    """All layers of the selected step."""

    rows: tuple[KvRow, ...]
    positions: PositionsView | None
    nbytes_total: int
    n_pads: int = 0  # of the selected batch row
    n_valid: int = 0  # its tokens without them


def kv_table(trace: Trace, selection: Selection) -> KvTableView | None:
    """Return the cache of the selected step, layer by layer; None where the trace has none."""
    return _kv_table(trace, selection.step, selection.batch_row) if len(trace) else None


@kept
def _kv_table(trace: Trace, step: int, batch_row: int) -> KvTableView | None:
    selection, facts = Selection(step=step, batch_row=batch_row), trace.facts(step)
    n_layers = max(len(_layers(facts.oracle)), len(_layers(facts.cached)))
    if not n_layers:
        return None
    largest = [_largest(trace, selection, name, n_layers) for name in "kv"]
    rows = tuple(
        _row(trace, selection, layer, largest[0][layer], largest[1][layer]) for layer in range(n_layers)
    )
    pads = n_pads(trace, selection.step, selection.batch_row)
    n_bytes = sum(row.nbytes for row in rows)
    return KvTableView(rows, positions(trace, selection), n_bytes, pads, facts.text_len - pads)


def _row(trace: Trace, selection: Selection, layer: int, dk: float | None, dv: float | None) -> KvRow:
    facts = trace.facts(selection.step)
    oracle, cached = _layer(facts.oracle, layer), _layer(facts.cached, layer)
    shown = cached or oracle
    assert shown is not None
    kv_len, grew, expected = (
        shown.k_shape[APPEND_DIM],
        _growth(trace, selection.step, layer),
        _expected_growth(trace, selection.step),
    )
    scale = trace.tensor(selection.step, "diff/scale")
    k_limit, v_limit = (
        (RELATIVE, RELATIVE)
        if scale is None
        else (float(scale[layer][1]) * RELATIVE, float(scale[layer][2]) * RELATIVE)
    )
    return KvRow(
        layer=layer, oracle_shape=tuple(oracle.k_shape) if oracle else None, cached_shape=tuple(cached.k_shape) if cached else None,
        grew=grew, expected_growth=expected, kv_len=kv_len, capacity=shown.capacity or kv_len, dtype=shown.dtype,
        storage=shown.storage or "", nbytes=shown.nbytes, max_dk=dk, max_dv=dv,
        dk_is_bad=dk is not None and not dk <= k_limit, dv_is_bad=dv is not None and not dv <= v_limit,
        length_is_bad=kv_len != expected_length(trace, facts), oracle_dtype=oracle.dtype if oracle else None,
        oracle_storage=oracle.storage if oracle else None, shares_with=_shares_with(_layers(facts.cached), layer),
    )  # fmt: skip


def _shares_with(layers: list[LayerFacts], layer: int) -> tuple[int, ...]:
    storage = layers[layer].storage if layer < len(layers) else None
    same = (other for other, facts in enumerate(layers) if facts.storage == storage and other != layer)
    return tuple(same) if storage else ()


def expected_length(trace: Trace, facts: StepFacts) -> int:
    """Return the rows that a right cache holds after the step: all tokens, or the window's."""
    window = trace.info.model.window
    return facts.text_len if window is None else min(facts.text_len, window)


def _expected_growth(trace: Trace, step_index: int) -> int:
    facts = trace.facts(step_index)
    before = expected_length(trace, trace.facts(step_index - 1)) if step_index else 0
    return expected_length(trace, facts) - before


def _growth(trace: Trace, step_index: int, layer: int) -> int | None:
    now = _layer(trace.facts(step_index).cached, layer)
    if now is None:
        return None
    before = _layer(trace.facts(step_index - 1).cached, layer) if step_index else None
    return now.k_shape[APPEND_DIM] - (before.k_shape[APPEND_DIM] if before else 0)


def _layers(lane: LaneFacts | None) -> list[LayerFacts]:
    return lane.layers if lane else []


def _layer(lane: LaneFacts | None, layer: int) -> LayerFacts | None:
    layers = _layers(lane)
    return layers[layer] if layer < len(layers) else None


def _largest(trace: Trace, selection: Selection, name: str, n_layers: int) -> list[float | None]:
    """Return the largest difference of each layer, None where there is nothing to compare."""
    diff = compared(trace, selection.step, name)  # (L, B, G, T), below 0 where there is nothing to compare
    largest = [] if diff is None else diff[:n_layers, selection.batch_row].max((1, 2)).tolist()
    return [None if one < 0 else one for one in largest] + [None] * (n_layers - len(largest))


def positions(trace: Trace, selection: Selection) -> PositionsView | None:
    """Return what both lanes were told about the new tokens of the selected step; pads are left out."""
    told = [trace.tensor(selection.step, f"{lane}/position_ids") for lane in ("oracle", "cached")]
    if told[0] is None and told[1] is None:
        return None
    facts = trace.facts(selection.step)
    first = max(0, n_pads(trace, selection.step, selection.batch_row) - (facts.text_len - facts.q_len))
    oracle, cached = (() if ids is None else tuple(ids[selection.batch_row, first:].tolist()) for ids in told)
    return PositionsView(oracle, cached)
