"""What the engine asks of a device for a profile; `client.Device` sends it, behind the same lock as everything else."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from kernels.profiling.trace import Trace

TURNS: Final = 5
CALLS: Final = 2


class ProfileRequests(ABC):
    """The profile's part of `Device`."""

    @abstractmethod
    async def request(self, op: str, holder: str, kernel: str = "", **args: Any) -> Any:
        """Raises: RunnerFailed, HeadFailed, DeviceUnhealthy."""

    async def profile(
        self, kernel: str, sides: Mapping[str, Path], *, turns: int = TURNS, calls: int = CALLS
    ) -> dict[str, Trace]:
        """Profiled calls of builds with marks, by name: so many turns in new processes, in alternating order, with so
        many calls each. Nothing needs to be loaded, and nothing stays so. A side that fails says so in its trace.

        Raises: DeviceUnhealthy.
        """
        paths = {name: str(path.absolute()) for name, path in sides.items()}
        raw = await self.request("profile", f"profiling {kernel}", kernel, sides=paths, turns=turns, calls=calls)
        return {name: Trace.from_json(one) for name, one in raw.items()}
