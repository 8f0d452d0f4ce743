"""Numbers as they are shown: short, with the same width wherever that is possible."""

import math


def short(value: float, digits: int = 2) -> str:
    """Plain digits for sizes that a reader grasps, else an exponent without zeros: 0.41, 12.3, 2.1e-6."""
    if not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("\u221e" if value > 0 else "-\u221e")
    size = abs(value)
    if size == 0:
        return "0"
    if 0.01 <= size < 10_000:
        exponent = math.floor(math.log10(size))
        places = max(0, digits - exponent) if exponent >= 0 else max(digits, -exponent)
        return f"{value:.{places}f}"
    return scientific(value, 1)


def signed(value: float, digits: int = 2) -> str:
    """As `short`, with a plus sign and a true minus."""
    text = short(value, digits)
    return text.replace("-", "\u2212", 1) if value < 0 else text if value == 0 else "+" + text


def scientific(value: float, digits: int = 1) -> str:
    """5.0e-4: an exponent without padding."""
    if not math.isfinite(value):
        return short(value)
    mantissa, exponent = f"{value:.{digits}e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def percent(share: float) -> str:
    """One decimal, never rounded up to 100 %, never with a minus: a repair that harms heals nothing."""
    return f"{min(100.0, max(0.0, 1000 * share // 1 / 10)):.1f} %"


def data_size(nbytes: int) -> str:
    """Bytes with a unit, to three digits."""
    size = float(nbytes)
    for unit in ("B", "kB", "MB", "GB"):
        if size < 1000 or unit == "GB":
            return f"{size:.0f} {unit}" if unit == "B" or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    raise AssertionError("unreachable")
