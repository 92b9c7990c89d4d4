"""C number literals."""

import struct

from kernels.levers.abstract import Unsupported


def number(text: str) -> int | float:
    """A C literal; f32 literals are rounded to f32. Raises: Unsupported."""
    plain = text.replace("'", "").lower()
    hexadecimal = plain.startswith("0x")
    try:
        if ("p" in plain) if hexadecimal else any(c in plain for c in ".e"):
            body = plain.rstrip("l") if hexadecimal and "p" not in plain else plain.rstrip("fl")
            value = float.fromhex(body) if hexadecimal else float(body)
            return struct.unpack("f", struct.pack("f", value))[0] if plain[-1] == "f" else value
        digits = plain.rstrip("ul")
        return int(digits, 8) if len(digits) > 1 and digits.isdigit() and digits[0] == "0" else int(digits, 0)
    except (ValueError, OverflowError) as error:
        raise Unsupported(f"literal {text}") from error
