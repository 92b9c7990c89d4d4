"""What the engine asks of a device for a race; `client.Device` sends it, behind the same lock as everything else."""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from kernels.device.report import RaceReport, block_from_json
from kernels.values.reading import Block


class RaceRequests(ABC):
    """The race's part of `Device`."""

    @abstractmethod
    async def request(self, op: str, holder: str, kernel: str = "", **args: Any) -> Any:
        """Raises: RunnerFailed, HeadFailed, DeviceUnhealthy."""

    async def begin_race(self, kernel: str, head: str, variants: Sequence[str]) -> str:
        """Head and variants must be loaded. Returns the name of the race. Unloading a variant takes it out of the race,
        its calls stay in the sample; unloading the head ends the race.

        Raises: DeviceUnhealthy.
        """
        race = secrets.token_hex(8)
        holder = f"testing {kernel} race {race[:8]}"
        await self.request("begin_race", holder, kernel, race=race, head=head, variants=list(variants))
        return race

    async def block(self, race: str, order: Sequence[str], head_ns: float) -> Block:
        """One reading of each key in this order, the head's among them, on the same inputs, atomic. head_ns sets the
        number of calls. A variant that fails drops out, which the block says; the others go on.

        Raises: HeadFailed when the head fails, DeviceUnhealthy.
        """
        holder = f"block of race {race[:8]}"
        return block_from_json(await self.request("block", holder, race=race, order=list(order), head_ns=head_ns))

    async def end_race(self, race: str) -> RaceReport:
        """Verify the secret sample of timed calls. Raises: HeadFailed for a wrong call of the head, DeviceUnhealthy."""
        return RaceReport.from_json(await self.request("end_race", f"verifying race {race[:8]}", race=race))
