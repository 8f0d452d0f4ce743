"""Widgets: they paint a view and report clicks; they know nothing of traces, engines or each other."""
