"""Planted faults: each changes how the cache is used around and inside a call of the model, as the bug in real code would.

core/fault_catalog tells users about them. The order of the table is the order in which they act, whatever the order in which
they are asked for: first those that change what is fed and whose cache it is, last those next to the storage.
"""

from collections.abc import Iterable

from core.targets.faults import masks, oracle, positions, rope, rows, sharing, values
from core.targets.faults.base import Fault as Fault

FAULTS: dict[str, type[Fault]] = {
    "shared-state": sharing.SharedState,
    "stale-rows": rows.StaleRows,
    "stale-zeros": rows.StaleZeros,
    "stale-draft": rows.DraftKept,
    "row-not-reordered": sharing.NotReordered,
    "kv-swapped-reorder": values.KvSwappedInReorder,
    "row-half-reordered": sharing.ValuesNotReordered,
    "slot-overwritten": rows.PreviousOverwritten,
    "slot-evicted": rows.OldestEvicted,
    "slot-clamped": rows.WritesClamped,
    "window-wide": masks.WindowWide,
    "window-short": masks.WindowShort,
    "prefix-refed": rows.PrefixRefed,
    "prefix-refed-always": rows.PrefixRefedAlways,
    "layout-growth": values.GrownInPlace,
    "healthy-growth": values.GrownWithCopy,
    "position-reset": positions.PositionReset,
    "position-off-by-one": positions.OffByOne,
    "position-double-advance": positions.DoubleAdvance,
    "position-frozen": positions.Frozen,
    "position-stale": positions.StaleOffset,
    "position-turn": positions.TurnForgetsPrompt,
    "pad-positions": positions.PadPositions,
    "pad-positions-everywhere": positions.PadPositionsEverywhere,
    "harmless-shift": positions.HarmlessShift,
    "window-decode": masks.WindowNotInDecode,
    "pad-not-masked": masks.PadNotMasked,
    "pad-not-masked-decode": masks.PadNotMaskedInDecode,
    "mask-missing": masks.MaskMissing,
    "mask-missing-chunk": masks.MaskMissingInChunk,
    "mask-top-left": masks.MaskTopLeft,
    "tail-not-finite": masks.TailNotFinite,
    "tail-unmasked": masks.TailUnmasked,
    "window-clamped": masks.WindowClamped,
    "slot-newest": rows.NewestExcluded,
    "rope-mismatch": rope.MemoByLength,
    "rope-twice": rope.RotatedTwice,
    "rope-compounding": rope.Compounding,
    "healthy-raw-keys": rope.RotatedAtRead,
    "rope-raw": rope.RawKeys,
    "rope-query": rope.QueryOffsetTooLate,
    "rope-fragments": rope.Fragments,
    "layout-scrambled": values.ReshapedForTransposed,
    "bias-missing": masks.BiasMissing,
    "bias-wrong-row": masks.BiasWrongRow,
    "harmless-bias": masks.HarmlessBias,
    "healthy-order": rows.ReversedSlots,
    "head-map-wrong": values.HeadMapWrong,
    "scale-wrong": values.ScaleWrong,
    "scale-twice": values.ScaleTwice,
    "scale-keys": values.KeysScaled,
    "kv-swapped": values.KvSwapped,
    "value-degraded": values.ValueDegraded,
    "value-float16": values.Float16Cache,
    "value-bits": values.BitsReinterpreted,
    "value-int8": values.Int8Cache,
    "value-int8-no-scale": values.Int8WithoutScale,
    "value-int8-wrong-scale": values.Int8WrongScale,
    "prefix-refed-layer": rows.LayerRefed,
    "slot-lost": rows.SlotLost,
    "layer-aliased": sharing.LayerAliased,
    "layer-aliased-pair": sharing.LayerPairAliased,
    "row-mixed": sharing.RowMixed,
    "oracle-broken": oracle.OracleWithoutMask,
    "oracle-next": oracle.OracleSeesNext,
    "oracle-positions": oracle.OracleOffset,
    "context-overflow": oracle.OracleCropped,
}


def planted(fault_ids: Iterable[str]) -> list[Fault]:
    """Return new instances, in the order in which they act; an id that is given twice counts once."""
    wanted = set(fault_ids)
    return [fault() for fault_id, fault in FAULTS.items() if fault_id in wanted]
