"""The lab beside the panels: a pane that drives the window step by step, and shows what was measured."""

from gui.lab.entry import LabEntry

__all__ = ["LabEntry"]
