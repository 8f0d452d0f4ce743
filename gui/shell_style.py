"""The look of what only the window's frame has: labelled fields, the fault pill, the bars. Lengths come from the font."""

from string import Template

from gui.theme import Theme

_TEMPLATE = Template("""
QFrame#runBar { background: $panel; border: none; border-bottom: 1px solid $line; }
QFrame#tokenBar { background: $panel; border: none; border-bottom: 1px solid $line; }
QFrame#tokenBar[spotlit="true"] { border: 1px solid $accent; }
QFrame#labPane { background: $panel; border: none; border-left: 1px solid $line; }
QWidget#labBody { background: $panel; }
QLabel#labCode { background: $background; border: 1px solid $line; border-radius: ${radius}px; padding: ${tiny}px; }
QFrame#field { background: $background; border: 1px solid $line; border-radius: ${radius}px; }
QFrame#field[focused="true"] { border: 1px solid $accent; }
QFrame#field[wrong="true"] { border: 1px solid $bad; background: $bad_background; }
QFrame#field QComboBox, QFrame#field QLineEdit, QFrame#field QSpinBox {
    background: transparent; border: none; padding: 0; min-height: 0; }
QFrame#field QComboBox::drop-down { width: ${arrow}px; }
QFrame#field QSpinBox::up-button, QFrame#field QSpinBox::down-button { width: ${arrow}px; }
QFrame#field QLabel { color: $muted; }
QToolButton#planted { border-right: none; border-top-right-radius: 0; border-bottom-right-radius: 0; }
QToolButton#unplant { border-left: none; border-top-left-radius: 0; border-bottom-left-radius: 0; }
QFrame#notice { background: $highlight; border: none; border-bottom: 1px solid $line; }
QFrame#notice[tone="bad"] { background: $bad_background; border-bottom: 1px solid $bad; }
QFrame#notice[tone="bad"] QLabel { color: $bad; }
QPushButton#startRow { text-align: left; background: $background; border: 1px solid $line; }
QPushButton#startRow:hover { border: 1px solid $accent; }
QPushButton#startRow:focus { border: 1px solid $accent; background: $highlight; }
QFrame#promptBar { background: $panel; border: 1px solid $line; border-radius: ${radius}px; }
QFrame#overlayCard { background: $panel; border: 1px solid $line; border-radius: ${radius_large}px; }
QLineEdit#paletteEdit { background: transparent; border: none; border-bottom: 1px solid $line; border-radius: 0;
    padding: ${gap}px ${wide}px; min-height: ${tall}px; }
QListWidget#paletteList { background: transparent; border: none; padding: ${tiny}px 0; }
QListWidget#paletteList::item { background: transparent; border: none; }
QLabel#overlayFoot { border-top: 1px solid $line; }
QStatusBar QLabel { padding: 0 ${gap}px; }
QStatusBar QLabel#verdict[tone="bad"] { color: $bad; font-weight: 600; }
QStatusBar QLabel#verdict[tone="good"] { color: $good; font-weight: 600; }
QStatusBar QToolButton { min-height: 0; padding: 0 ${gap}px; }
""")


def shell_stylesheet(theme: Theme, line_height: int) -> str:
    """For one palette and one height of a text line."""
    lengths = {"radius": line_height * 6 // 15, "arrow": line_height, "gap": line_height // 2}
    lengths |= {
        "radius_large": line_height * 9 // 15,
        "wide": line_height,
        "tall": line_height * 2,
        "tiny": line_height // 4,
    }
    names = ("panel", "background", "line", "accent", "bad", "bad_background", "highlight", "muted", "good")
    return _TEMPLATE.substitute({**lengths, **{name: getattr(theme, name).name() for name in names}})
