"""Panels connect the selection to a widget: a pure function of core.views in, one call of the widget out."""
