"""What a device remembers of itself between campaigns: its modes, and the best probe of each kernel in each mode.

One JSON file per fingerprint in the cache folder. A peak never gets slower within a fingerprint and mode.
"""

import json
import os
from dataclasses import asdict, dataclass
from pathlib import Path

from kernels.device.modes import Modes


@dataclass(frozen=True, slots=True)
class Best:
    """The fastest probe of one kernel in one mode."""

    ns: float
    gbs: float
    style: str


class Memory:
    """Reads the file on construction; `save` writes it whole, by rename."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.modes = Modes()
        self._best: dict[str, Best] = {}
        self.problem = ""
        if path.exists():
            self._read()

    def _read(self) -> None:
        try:
            raw = json.loads(self._path.read_text(encoding="utf-8"))
            self.modes = Modes.from_json(raw["modes"])
            self._best = {key: Best(**value) for key, value in raw["best"].items()}
        except (OSError, ValueError, KeyError, TypeError) as error:
            self.problem = f"{self._path.name} was unreadable and starts afresh: {error}"

    def best(self, kernel: str, mode: str) -> Best | None:
        """kernel: a name that is unique over packs, e.g. "pack/kernel"."""
        return self._best.get(f"{kernel} | {mode}")

    def fastest_gbs(self, kernel: str) -> float:
        """GB/s of the best probe of this kernel in any mode; 0 when none was measured."""
        return max((best.gbs for key, best in self._best.items() if key.startswith(f"{kernel} | ")), default=0.0)

    def offer(self, kernel: str, mode: str, best: Best) -> Best:
        """Keep the faster of the remembered and this one, and return it."""
        known = self.best(kernel, mode)
        if known is not None and known.gbs >= best.gbs:
            return known
        self._best[f"{kernel} | {mode}"] = best
        return best

    def save(self) -> None:
        """Raises: OSError when the cache folder cannot be written."""
        raw = {"modes": self.modes.to_json(), "best": {key: asdict(best) for key, best in self._best.items()}}
        self._path.parent.mkdir(parents=True, exist_ok=True)
        partial = self._path.with_suffix(f".{os.getpid()}")
        partial.write_text(json.dumps(raw, indent=1), encoding="utf-8")
        partial.replace(self._path)
