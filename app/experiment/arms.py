"""The words of an arm as settings. Beside the words below an arm may name any setting."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from app.settings import Settings, UsageError

OWN: Final = frozenset({
    "pack", "target", "compiler", "kernels", "minutes", "candidates", "device_seconds", "seed", "isolated", "at_limit",
})  # fmt: skip
"""Settings that are no arm's."""


def settings_of(said: Mapping[str, Any]) -> dict[str, Any]:
    """Raises: UsageError for a word that is none, or a value that it cannot have."""
    found: dict[str, Any] = {}
    for name, value in said.items():
        if name in WORDS:
            found |= WORDS[name](value)
        elif name in Settings.model_fields:
            found[name] = value
        else:
            raise UsageError(f"{name} is no setting; an arm has {', '.join(WORDS)}, or any setting of a campaign")
    return found


def _agents(value: Any) -> dict[str, Any]:
    return {"workers": value}


def _memory(value: Any) -> dict[str, Any]:
    """none; private: of each kernel for itself; bounded N: so many wins and traps a type of kernel; unbounded."""
    kind, _, number = str(value).partition(" ")
    if kind == "bounded":
        limits = _limits(number) if number else {}
        return {"memory": True, "memory_shared": True, "memory_retention": "bounded", **limits}
    if number or kind not in MEMORY:
        raise UsageError(f"memory is none, private, bounded, bounded N or unbounded; found {value!r}")
    return MEMORY[kind]


def _limits(number: str) -> dict[str, Any]:
    if not number.isdecimal():
        raise UsageError(f"memory bounded N: N is a number of wins and traps; found {number!r}")
    return {"memory_wins": int(number), "memory_traps": int(number)}


MEMORY: Final[Mapping[str, dict[str, Any]]] = {
    "none": {"memory": False},
    "private": {"memory": True, "memory_shared": False},
    "unbounded": {"memory": True, "memory_shared": True, "memory_retention": "unbounded"},
}


def _plateau(value: Any) -> dict[str, Any]:
    """true: as by default; a number: r_draft."""
    if isinstance(value, bool):
        return {"plateau_draft": Settings.model_fields["plateau_draft"].default if value else 0}
    return {"plateau_draft": value}


def _static_gate(value: Any) -> dict[str, Any]:
    """false: plans are kept and refuse nobody."""
    if isinstance(value, bool):
        return {"static_gate": "band" if value else "record"}
    return {"static_gate": value}


WORDS: Final[Mapping[str, Callable[[Any], dict[str, Any]]]] = {
    "agents": _agents, "memory": _memory, "plateau": _plateau, "static_gate": _static_gate,
}  # fmt: skip
