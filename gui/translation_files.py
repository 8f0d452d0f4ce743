"""Renew the translation files from the source, with Qt's own tools (they come with PySide6)."""

import subprocess
import sys
import tempfile
from pathlib import Path
from xml.etree import ElementTree

from gui.i18n import FOLDER

ROOT = FOLDER.parent.parent
TS_FILE = FOLDER / "kvscope_zh_CN.ts"
QM_FILE = TS_FILE.with_suffix(".qm")


def sources() -> list[Path]:
    """The files that hold visible texts."""
    return sorted((ROOT / "gui").rglob("*.py")) + sorted((ROOT / "core").rglob("*.py"))


def renew(ts_file: Path = TS_FILE) -> None:
    """Collect the texts, keep the translations that are there, and compile."""
    _run("pyside6-lupdate", "-no-obsolete", "-locations", "none", *map(str, sources()), "-ts", str(ts_file))
    _run("pyside6-lrelease", "-silent", str(ts_file), "-qm", str(ts_file.with_suffix(".qm")))


def untranslated(ts_file: Path = TS_FILE) -> list[str]:
    """The texts of the file that have no translation, as "context: text"."""
    missing = []
    for context in ElementTree.parse(ts_file).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            if (
                translation is None
                or translation.get("type") is not None
                or not (translation.text or "").strip()
            ):
                missing.append(f"{context.findtext('name')}: {message.findtext('source')}")
    return missing


def missing_from_file() -> list[str]:
    """The texts of the source that the file does not have or does not translate; the file stays as it is."""
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / TS_FILE.name
        fresh.write_bytes(TS_FILE.read_bytes())
        renew(fresh)
        return untranslated(fresh)


def _run(tool: str, *arguments: str) -> None:
    program = Path(sys.executable).parent / tool
    subprocess.run([str(program), *arguments], check=True, capture_output=True, cwd=ROOT)
