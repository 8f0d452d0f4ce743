"""The figures behind each panel as a plain table, for spreadsheets and for numpy."""

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from core.trace.reader import Trace
from core.verdict.steps import is_bad
from core.views.attention import attention, layer_grid
from core.views.cache import kv_table
from core.views.logits import logits
from core.views.selection import Selection
from core.views.slots import slots

Cell = str | int | float | bool | None
ALL_LOGITS = 64
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class Cells:
    """Columns in English, as in the trace's own words, so that scripts can rely on them."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]

    def text(self, delimiter: str) -> str:
        """With a head line; cells are quoted where they must be, and a text that a spreadsheet would run gets an apostrophe."""
        buffer = io.StringIO(newline="")
        # quotes what its own line end has in it, so a lone \r needs the long one
        writer = csv.writer(buffer, delimiter=delimiter, lineterminator="\r\n")
        lines = []
        for row in (self.columns, *self.rows):
            writer.writerow([_written(cell) for cell in row])
            lines.append(buffer.getvalue().removesuffix("\r\n") + "\n")
            buffer.seek(0)
            buffer.truncate()
        return "".join(lines)

    def numpy(self) -> str:
        """A structured array as Python source; numbers keep all their digits."""
        kinds = ", ".join(
            f"({name!r}, {_kind(column)!r})"
            for name, column in zip(self.columns, self._by_column(), strict=True)
        )
        rows = ",\n    ".join(f"({', '.join(_literal(cell) for cell in row)},)" for row in self.rows)
        return f"import numpy as np\n\ncells = np.array([\n    {rows},\n], dtype=[{kinds}])\n"

    def _by_column(self) -> list[tuple[Cell, ...]]:
        return [tuple(row[i] for row in self.rows) for i in range(len(self.columns))]


def timeline_cells(trace: Trace, selection: Selection, tolerance: float) -> Cells:
    """One row a step."""
    rows = []
    for step in range(len(trace)):
        facts = trace.facts(step)
        rows.append((
            step, facts.kind, facts.judged_diff, is_bad(trace, step, tolerance), facts.flips, facts.kl, facts.margin,
        ))  # fmt: skip
    return Cells(("step", "kind", "max_abs_diff", "is_bad", "argmax_differs", "kl", "margin"), tuple(rows))


def layer_cells(trace: Trace, selection: Selection, tolerance: float) -> Cells | None:
    """One row a layer and head: the largest difference of its weights in the step."""
    view = layer_grid(trace, selection)
    if view is None:
        return None
    rows = tuple(
        (int(layer), int(head), float(value)) for (layer, head), value in np.ndenumerate(view.values)
    )
    return Cells(("layer", "head", "max_abs_diff_weights"), rows)


def attention_cells(trace: Trace, selection: Selection, tolerance: float) -> Cells | None:
    """One row a seen cell of the map."""
    view = attention(trace, selection)
    if view is None:
        return None
    places = np.argwhere(view.seen)
    columns = (view.oracle[view.seen], view.cached[view.seen], view.difference[view.seen])
    rows = tuple(
        (int(query), int(key), float(a), float(b), float(d))
        for (query, key), a, b, d in zip(places, *columns, strict=True)
    )
    return Cells(("query", "key", "oracle", "cached", "difference"), rows)


def logits_cells(trace: Trace, selection: Selection, tolerance: float) -> Cells | None:
    """One row a token of both lanes' tops."""
    view = logits(trace, selection, tolerance, k=ALL_LOGITS)
    if view is None:
        return None
    rows = tuple((row.token_id, row.text, row.oracle, row.cached, row.delta) for row in view.rows)
    return Cells(("token_id", "text", "oracle", "cached", "difference"), rows)


def kv_cells(trace: Trace, selection: Selection, tolerance: float) -> Cells | None:
    """One row a layer."""
    view = kv_table(trace, selection)
    if view is None:
        return None
    rows = tuple(
        (
            row.layer, _shape(row.oracle_shape), _shape(row.cached_shape), row.grew, row.kv_len, row.capacity, row.dtype,
            row.storage, row.nbytes, row.max_dk, row.max_dv,
        )
        for row in view.rows
    )  # fmt: skip
    names = (
        "layer", "oracle_shape", "cached_shape", "grew", "kv_len", "capacity", "dtype", "storage", "nbytes", "max_dk", "max_dv",
    )  # fmt: skip
    return Cells(names, rows)


def slot_cells(trace: Trace, selection: Selection, tolerance: float) -> Cells | None:
    """One row a layer and slot; None where there is nothing to compare."""
    view = slots(trace, selection)
    if view is None:
        return None
    rows = tuple(
        (int(layer), int(slot), _known(float(dk)), _known(float(view.dv[layer, slot])))
        for (layer, slot), dk in np.ndenumerate(view.dk)
    )
    return Cells(("layer", "slot", "dk", "dv"), rows)


def _known(value: float) -> float | None:
    return None if value < 0 else value


def _shape(shape: tuple[int, ...] | None) -> str | None:
    return None if shape is None else "x".join(map(str, shape))


def _written(cell: Cell) -> str:
    if isinstance(cell, str) and cell.startswith(FORMULA):
        return "'" + cell  # a spreadsheet would run it, quoted or not (OWASP, CSV injection)
    return "" if cell is None else repr(cell) if isinstance(cell, float) else str(cell)


def _literal(cell: Cell) -> str:
    if cell is None:
        return "np.nan"
    if isinstance(cell, float) and not np.isfinite(cell):
        return f"float({str(cell)!r})"
    return repr(cell)


def _kind(column: Iterable[Cell]) -> str:
    """The numpy dtype of a column; None makes whole numbers floats."""
    cells = list(column)
    if any(isinstance(cell, str) for cell in cells):
        return f"U{max(1, *(len(cell) for cell in cells if isinstance(cell, str)), 3)}"
    if cells and all(isinstance(cell, bool) for cell in cells):
        return "?"
    return "i8" if cells and all(isinstance(cell, int) for cell in cells) else "f8"
