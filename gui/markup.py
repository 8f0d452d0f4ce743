"""The little rich text that titles and figures use; colours come from the palette at the moment of writing."""

from html import escape

from gui.theme import current_theme


def bad(text: str) -> str:
    """Over the tolerance: red and bold, beside a word or a cross that says so too."""
    return f'<b style="color:{current_theme().bad.name()}">{escape(text)}</b>'


def marked(text: str) -> str:
    """A quiet highlight, for the dimension that grows."""
    theme = current_theme()
    return f'<span style="background-color:{theme.highlight.name()};color:{theme.text.name()}">&nbsp;{escape(text)}&nbsp;</span>'
