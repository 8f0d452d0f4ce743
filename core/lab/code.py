"""Lines of the small model's own source, read from its files: what is shown is what runs."""

import ast
from dataclasses import dataclass
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from textwrap import dedent


@dataclass(frozen=True)
class Excerpt:
    """Consecutive lines of a file; `line` is the number of the first one, from 1."""

    file: str
    line: int
    text: str


@dataclass(frozen=True)
class CodeRef:
    """A function of a module of tinylm, `Class.method` for a method.

    `first` and `last` are how the first and the last line of interest begin; the whole function where both are empty.
    """

    module: str
    function: str
    first: str = ""
    last: str = ""


UNCACHED = CodeRef("generate", "generate_uncached")
READ_PAST = CodeRef("model", "Block.read_past", "present: LayerKV", "attended = attend")
APPEND = CodeRef("cache", "ConcatKV.append")
DECODE_STEP = CodeRef("generate", "decode_step")


def excerpt(ref: CodeRef) -> Excerpt | None:
    """Return the lines; None where the package came without its source or the function is not in it any more."""
    source = _source(ref.module)
    if source is None:
        return None
    name, text = source
    node = _find(ast.parse(text), ref.function.split("."))
    if node is None or node.end_lineno is None:
        return None
    lines = text.splitlines()[node.lineno - 1 : node.end_lineno]
    start = _at(lines, ref.first, 0)
    end = _at(lines, ref.last, len(lines) - 1)
    shown = dedent("\n".join(lines[start : end + 1]))
    return Excerpt(f"{_PACKAGE}/{name}", node.lineno + start, shown)


_PACKAGE = "tinylm"


@lru_cache(maxsize=8)
def _source(module: str) -> tuple[str, str] | None:
    """The package is found without importing its modules: they load torch."""
    package = find_spec(_PACKAGE)
    if package is None or not package.submodule_search_locations:
        return None
    path = Path(next(iter(package.submodule_search_locations))) / f"{module}.py"
    try:
        return path.name, path.read_text(encoding="utf-8")
    except OSError:
        return None


def _find(tree: ast.AST, names: list[str]) -> ast.FunctionDef | None:
    found: ast.AST = tree
    for name in names:
        inside = ast.iter_child_nodes(found)
        kinds = (ast.FunctionDef, ast.ClassDef)
        match = next((node for node in inside if isinstance(node, kinds) and node.name == name), None)
        if match is None:
            return None
        found = match
    return found if isinstance(found, ast.FunctionDef) else None


def _at(lines: list[str], beginning: str, otherwise: int) -> int:
    places = (i for i, line in enumerate(lines) if beginning and line.strip().startswith(beginning))
    return next(places, otherwise)
