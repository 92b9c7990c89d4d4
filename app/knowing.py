"""What a campaign knows beforehand and what it may use of it, in words and as the policy's values."""

from app.settings import Settings
from knowledge.memory import Retention
from knowledge.skills.playbook import Playbook


def retention_of(settings: Settings) -> Retention:
    on = settings.knowledge and settings.memory
    return Retention(
        settings.memory_retention if on else "none", settings.memory_wins, settings.memory_traps,
        settings.memory_strategy, settings.memory_reflection,
    )  # fmt: skip


def switches(settings: Settings) -> dict[str, bool]:
    """What is used: each is off where all knowledge is."""
    names = ("rules", "skills", "priors")
    return {"memory": retention_of(settings).on, **{n: settings.knowledge and getattr(settings, n) for n in names}}


def described(settings: Settings, book: Playbook) -> str:
    """One line for the log of a campaign."""
    if not settings.knowledge:
        return "knowledge is off: no memory, rules, skills, priors or cheat sheets; measured peaks stay"
    used = switches(settings)
    own = f", {len(book.own)} of the workspace" if book.own else ""
    skills = f"skills on ({len(book.skills)}{own})" if used["skills"] else "skills off"
    others = ", ".join(f"{name} {'on' if used[name] else 'off'}" for name in ("rules", "priors"))
    return f"memory {retention_of(settings)}; {skills}, {others}"
