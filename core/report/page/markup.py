"""HTML that is built from the inside out: only what was made here is markup, every other string is text."""

from html import escape

from core.report.escape import inert

LONGEST_TEXT = 4000
_VOID = {"meta", "br", "col"}


class Html(str):
    """Markup that was built by `el`; a plain string is never taken for it."""

    __slots__ = ()


Child = str | int | None
Attribute = str | int | float | bool | None


def el(tag: str, *children: Child, **attributes: Attribute) -> Html:
    """Return an element. Children that are no Html are escaped; an attribute of None or False is left out.

    Names: class_ is class, an underscore a hyphen.
    """
    written = "".join(
        f" {_name(name)}" if value is True else f' {_name(name)}="{_text(str(value))}"'
        for name, value in attributes.items()
        if value is not None and value is not False
    )
    if tag in _VOID:
        return Html(f"<{tag}{written}>")
    return Html(f"<{tag}{written}>{join(*children)}</{tag}>")


def join(*children: Child) -> Html:
    """Return the children one after the other, each escaped unless it is markup."""
    return Html(
        "".join(one if isinstance(one, Html) else _text(str(one)) for one in children if one is not None)
    )


def _name(name: str) -> str:
    return name.rstrip("_").replace("_", "-")


def _text(text: str) -> str:
    """Strangers' text: cut to a length that a reader may want, controls and bidi marks as codes, no markup."""
    if len(text) > LONGEST_TEXT:
        text = text[:LONGEST_TEXT] + "\u2026"
    return escape(inert(text), quote=True)
