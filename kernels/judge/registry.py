"""Rules by name, for settings, commands and replays."""

from collections.abc import Callable
from typing import Final

from kernels.judge.acceptance import Confirmation, Paired
from kernels.judge.fixed import Fixed
from kernels.judge.plain_rules import Margin, Mean, Paper
from kernels.judge.rule import Rule

RULES: Final[dict[str, Callable[..., Rule]]] = {
    "paired": Paired,
    "paper": Paper,
    "margin": Margin,
    "mean": Mean,
    "fixed": Fixed,
    "confirmation": Confirmation,
}


def get_rule(name: str, **settings: float) -> Rule:
    """The rule of this name with its settings, e.g. get_rule("paired", flat_within=0.002) or get_rule("mean", pairs=5).

    Raises: ValueError for an unknown name or setting.
    """
    if name not in RULES:
        raise ValueError(f"there is no rule {name!r}; known rules: {', '.join(RULES)}")
    try:
        return RULES[name](**settings)
    except TypeError as wrong:
        raise ValueError(f"rule {name!r} does not have the settings {', '.join(settings)}: {wrong}") from wrong
