"""The figures of panels as tables."""

import csv
import io

import numpy as np
import pytest

from core.views.cells import Cells

CELLS = Cells(("id", "text", "value", "is_bad"), ((0, "a\tb", 0.1, True), (1, 'say "x"', None, False)))


def test_that_tsv_and_csv_quote_what_would_break_a_cell() -> None:
    assert CELLS.text("\t") == 'id\ttext\tvalue\tis_bad\n0\t"a\tb"\t0.1\tTrue\n1\t"say ""x"""\t\tFalse\n'
    assert CELLS.text(",").splitlines()[1] == "0,a\tb,0.1,True"


@pytest.mark.parametrize(
    "text", ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("http://x","y")']
)
@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_that_a_spreadsheet_runs_no_token_and_numbers_stay(text: str, delimiter: str) -> None:
    written = Cells(("text", "value"), ((text, -1.5),)).text(delimiter)
    assert list(csv.reader(io.StringIO(written, newline=""), delimiter=delimiter))[1] == ["'" + text, "-1.5"]


def test_that_the_numpy_text_gives_the_same_figures_to_the_last_digit() -> None:
    found: dict[str, np.ndarray] = {}
    exec(CELLS.numpy(), found)
    cells = found["cells"]
    assert cells["text"].tolist() == ["a\tb", 'say "x"']
    assert cells["value"][0] == 0.1
    assert np.isnan(cells["value"][1])
    assert cells["is_bad"].tolist() == [True, False]


def test_that_numbers_that_are_not_finite_come_back_as_they_are() -> None:
    found: dict[str, np.ndarray] = {}
    exec(Cells(("x",), ((float("inf"),), (float("nan"),))).numpy(), found)
    assert np.isinf(found["cells"]["x"][0])
    assert np.isnan(found["cells"]["x"][1])
