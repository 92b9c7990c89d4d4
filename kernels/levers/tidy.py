"""Makes generated C readable: indentation by braces, no hint to the compiler that stands in front of no loop."""

import re
from typing import Final

_STRAY: Final = re.compile(r"^[ \t]*#pragma GCC (?:ivdep|unroll \d+)[ \t]*\n(?!\s*(?:for|while|do)\b)", re.MULTILINE)
_HINT: Final = re.compile(r"#pragma GCC (?:ivdep|unroll \d+)\s*$")
_TEXT: Final = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'|/\*.*?\*/|//.*")


def without_stray_hints(source: str) -> str:
    """The source without `#pragma GCC ivdep` and `unroll` lines that no loop follows; such lines do not compile."""
    return _STRAY.sub("", source)


def hint_start(source: bytes, start: int) -> int:
    """Where the hints begin that stand directly in front of the byte `start`; `start` itself when there are none."""
    while True:
        before = source[:start].rstrip()
        line = before.rfind(b"\n") + 1
        if not _HINT.match(before[line:].strip().decode(errors="replace")):
            return start
        start = line + len(before[line:]) - len(before[line:].lstrip())


def indented(text: str, column: int) -> str:
    """Lines indented by four blanks a brace, the first one left as it is since it stands at `column` already."""
    depth, lines, hanging = 0, list[str](), False
    for raw in text.splitlines():
        line = raw.strip()
        bare = _TEXT.sub("", line)
        level = depth - (1 if bare.startswith("}") else 0) + (1 if hanging and not bare.startswith("{") else 0)
        blank = "" if not line or line.startswith("#") else " " * (column + 4 * max(level, 0))
        lines.append(blank + line)
        depth += bare.count("{") - bare.count("}")
        if not line.startswith("#") and bare.strip():
            hanging = not bare.rstrip().endswith(("{", "}", ";"))
    return "\n".join(lines).lstrip(" ") if lines else text


def moved(text: str, column: int, to: int) -> str:
    """Lines of a node that stood at `column`, as they look at another one."""
    lines = text.splitlines()
    shifted = [line[column - to :] if line[: max(column - to, 0)].isspace() else line for line in lines[1:]]
    return "\n".join([*lines[:1], *shifted]) if column > to else text
