"""An agent as a row and as a page. Pure."""

from app.messages import Target
from app.sanitise import cells, clean
from app.views import STATE_SIGNS, STATE_TONES, Line, Tone, age, columns, fit, folded, usd, wrap
from store.views import AgentView


def agent_columns(width: int) -> list[tuple[str, int]]:
    chosen = [("agent", 15), ("state", 10), ("kernel", 10)]
    if width >= 64:
        chosen.append(("for", -7))
    if width >= 110:
        chosen += [("tokens", -9), ("usd", -7)]
    used = sum(abs(size) + 1 for _, size in chosen)
    return [*chosen, ("at", max(8, width - used))]


def agent_title(width: int) -> Line:
    return columns((title, size, "dim") for title, size in agent_columns(width))


def agent_row(now: float, agent: AgentView, width: int) -> Line:
    tone: Tone = STATE_TONES.get(agent.state, "")
    state = f"{STATE_SIGNS.get(agent.state, ' ')} {agent.state}" + ("..." if agent.state == "pausing" else "")
    cells: dict[str, tuple[str, Tone]] = {
        "agent": (agent.name, "strong"),
        "state": (state, tone),
        "kernel": (agent.kernel or "-", ""),
        "for": (age(now - agent.since), "dim"),
        "tokens": (f"{agent.tokens:,}", "dim"),
        "usd": (usd(agent.usd), "dim"),
        "at": (agent.step or agent.brief or (agent.lines[-1] if agent.lines else ""), ""),
    }
    return columns((cells[title][0], size, cells[title][1]) for title, size in agent_columns(width))


def agent_card(agent: AgentView, now: float, width: int, height: int, rule: str = "-") -> list[Line]:
    """Name and time in the title, then its state, what it does, and its last lines, the newest at the bottom. rule:
    fills the title."""
    tone: Tone = STATE_TONES.get(agent.state, "")
    since = age(now - agent.since)
    room = max(4, width - len(since) - 6)
    name = fit(agent.name, min(room, cells(clean(agent.name))))
    lines: list[Line] = [
        (
            (f"{STATE_SIGNS.get(agent.state, ' ')} ", tone),
            (name, "strong"),
            (f" {rule * (room - cells(name))} {since}", "dim"),
        ),
        ((f"{agent.kernel or agent.role} ", "accent"), (agent.state, tone)),
    ]
    step = wrap(agent.step or agent.brief, width)[: max(1, height - 4)][:2]
    lines += [((row, ""),) for row in step]
    room = max(0, height - len(lines) - 1)
    said = [] if room == 0 else agent.lines[-room:]
    return [*lines, *(((clean(line), "dim"),) for line in said)]


def agent_page(agent: AgentView, now: float, width: int) -> list[Line]:
    """Who it is, what it was told, and its last lines, newest at the bottom."""
    about = f"{agent.role} on {agent.kernel}" if agent.kernel else agent.role
    lines: list[Line] = [
        ((agent.name, "strong"), (f"  {about}", "")),
        (
            (f"{STATE_SIGNS.get(agent.state, ' ')} {agent.state}", STATE_TONES.get(agent.state, "")),
            (f" for {age(now - agent.since)}", "dim"),
            (f"   {agent.tokens:,} tokens, {usd(agent.usd)}", "dim"),
        ),
    ]
    for name, text in (("brief", agent.brief), ("step", agent.step)):
        for index, row in enumerate(wrap(text, max(10, width - 7))):
            lines.append(((f"{name if index == 0 else '':6} ", "dim"), (row, "")))
    lines.append((("-- last lines ", "dim"),))
    return [*lines, *(((row, ""),) for text in agent.lines for row in folded(text, max(10, width)))]


def agent_target(agent: AgentView, now: float) -> Target:
    """What keys and the palette act on."""
    return Target("agent", agent.name, agent_about(agent, now))


def agent_about(agent: AgentView, now: float) -> str:
    """For dialogs: `worker-07 on ffn, working for 12 min: prefetch T1 4096 B`."""
    where = f" on {agent.kernel}" if agent.kernel else ""
    what = f": {agent.step or agent.brief}" if agent.step or agent.brief else ""
    return f"{agent.name}{where}, {agent.state} for {age(now - agent.since)}{what}"
