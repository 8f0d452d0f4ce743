"""The window: imports core, PySide6, pyqtgraph and numpy, never torch."""
