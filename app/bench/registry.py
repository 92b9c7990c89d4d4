"""The benches by name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.bench import judging


@dataclass(frozen=True, slots=True)
class Options:
    """What `bench` was told. gain: of a good candidate, as a share; None = the bench's own."""

    home: Path
    repetitions: int
    gain: float | None
    seed: int


@dataclass(frozen=True, slots=True)
class Bench:
    title: str
    run: Callable[[Options], dict[str, Any]]
    text: Callable[[dict[str, Any]], str]


def _judge(options: Options) -> dict[str, Any]:
    return judging.run(options.home, options.repetitions, options.gain, options.seed)


BENCHES: Final = {
    "judge": Bench(
        "false accepts and power at equal device seconds: the rule, the paper's, mean, best and margin, "
        "simulated and on recorded readings of this device",
        _judge,
        judging.text,
    ),
}
