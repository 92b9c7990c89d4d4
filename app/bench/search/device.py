"""One device for several searches that use it in turns: each finds its own heads loaded, whatever the others loaded."""

from collections.abc import Iterable
from pathlib import Path

from typing_extensions import override

from kernels.device.client import Device
from kernels.device.place import Place
from kernels.targets.base import Target
from kernels.values.kernel import Pack
from roles.accounts import NOT_HELD, held


class SharedDevice(Device):
    """The same candidate may be a head of one search and a trial of another, which ends its runner. So a search says
    when its turn begins, and what it built is loaded again where it has gone or is another one's."""

    def __init__(
        self, target: Target, pack: Pack, cache: Path, *, epoch_s: float, realtime: bool, place: Place | None = None
    ) -> None:
        super().__init__(target, pack, cache, epoch_s=epoch_s, realtime=realtime, place=place)
        self._lane = ""
        self._built: dict[tuple[str, str], Path] = {}

    @property
    def held(self) -> float:
        """Seconds for which the machine was held by us, since the start."""
        return held(self.spent)

    @property
    def waited(self) -> float:
        """Seconds for which others held it."""
        return self.spent.get(NOT_HELD, 0.0)

    @override
    async def load(self, kernel: str, key: str, artefact: Path) -> None:
        self._built[self._lane, key] = artefact
        await super().load(kernel, key, artefact)

    async def enter(self, lane: str, kernel: str, keys: Iterable[str]) -> None:
        """The turn of a search, with these of its heads loaded. What nobody built in its name is everybody's.

        Raises: LoadFailed, DeviceUnhealthy.
        """
        self._lane = lane
        for key in keys:
            artefact = self._built.get((lane, key))
            if artefact is not None:
                await super().load(kernel, key, artefact)
