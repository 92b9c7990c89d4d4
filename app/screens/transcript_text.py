"""A conversation between an agent and its model as a page. Pure."""

from collections.abc import Sequence
from typing import Final

from app.views import Line, Tone, folded, moment, usd, wrap
from store.said_views import SaidView
from store.views import AgentView

LINES: Final = 40
"""Of one part that are shown."""
TONES: Final[dict[str, Tone]] = {"the model": "strong", "tool": "dim", "to the model": ""}


def transcript_page(agent: AgentView, said: Sequence[SaidView], width: int) -> list[Line]:
    """Oldest first, so that the newest stands at the bottom."""
    lines: list[Line] = [((agent.name, "strong"), (f"  {agent.tokens:,} tokens, {usd(agent.usd)}", "dim"))]
    lines.append((("T: its last lines", "dim"),))
    if not said:
        return [*lines, (("no model was asked by this agent", "dim"),)]
    call = 0
    for part in said:
        if part.call != call:
            call = part.call
            lines += [(("", ""),), *(((row, "dim"),) for row in wrap(_title(part), max(10, width)))]
        lines.append(((f"-- {part.who}", "accent"),))
        lines += [((row, TONES.get(part.who, "")),) for row in _rows(part.text, width)]
    return lines


def _title(part: SaidView) -> str:
    cost = "price unknown" if part.usd is None and part.state == "done" else usd(part.usd or 0.0)
    text = f"request {part.call}, {moment(part.at)}, {part.model}: {part.state}, "
    return text + f"{part.tokens_in:,} tokens in, {part.tokens_out:,} out, {cost}"


def _rows(text: str, width: int) -> list[str]:
    """Lines that fit stay as they are: they may be code."""
    rows = [row for line in text.splitlines() for row in (folded(line, max(10, width)) or [""])]
    left_out = len(rows) - LINES
    return [
        *rows[:LINES],
        *([f"... {left_out} more lines; `./run.sh calls --transcript` has all"] if left_out > 0 else []),
    ]
