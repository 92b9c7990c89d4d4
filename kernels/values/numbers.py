"""Numbers as text."""

import math


def significant(value: float, digits: int = 4) -> str:
    """So many significant digits, all of those before the point, thousands apart, and no power of ten: "0.000123",
    "2.5", "131,072". What is not finite is said as it is."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    places = digits - 1 - math.floor(math.log10(abs(value)))
    text = f"{value:,.{max(places, 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def spread(value: float, low: float, high: float, unit: str) -> str:
    """ "57.9 GB/s (57.1 .. 58.2)"."""
    return f"{significant(value)} {unit} ({significant(low)} .. {significant(high)})"
