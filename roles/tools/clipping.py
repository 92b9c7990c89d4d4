"""Long texts for a model: head and tail, with what was left out between. Pure."""

from typing import Final

LIMIT: Final = 12_000
HEAD_SHARE: Final = 0.7


def clip(text: str, limit: int = LIMIT) -> str:
    """The text; above `limit` characters its first and last lines, and how much is missing."""
    if len(text) <= limit:
        return text
    head = int(limit * HEAD_SHARE)
    start, end = text[:head], text[len(text) - (limit - head) :]
    start = start[: start.rfind("\n") + 1] or start
    end = end[end.find("\n") + 1 :] or end
    missing = len(text) - len(start) - len(end)
    return f"{start}[... {missing:,} of {len(text):,} characters left out ...]\n{end}"


def numbered(text: str, first: int = 1, last: int = 0) -> str:
    """Lines with their numbers, from `first` to `last`; 0 = to the end."""
    lines = text.splitlines()
    last = min(last or len(lines), len(lines))
    first = max(first, 1)
    body = "\n".join(f"{number:5d}  {lines[number - 1]}" for number in range(first, last + 1))
    return f"lines {first} to {last} of {len(lines)}\n{body}" if body else f"no such lines; there are {len(lines)}"
