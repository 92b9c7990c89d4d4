"""Opens the devices that the settings name."""

from collections import Counter
from collections.abc import Sequence
from contextlib import AsyncExitStack
from pathlib import Path

from kernels.device.client import Device
from kernels.device.executor import Executor
from kernels.device.place import Here, Place
from kernels.fleet import cluster, commands
from kernels.fleet.fleet import Fleet
from kernels.fleet.words import DASK, LOCAL, command_of
from kernels.targets.base import Target
from kernels.values.kernel import Pack


async def open_devices(words: Sequence[str], target: Target, pack: Pack, cache: Path, *, epoch_s: float) -> Executor:
    """One device as it is, several as a fleet. Raises: DeviceUnhealthy, TargetError; nothing stays open then."""
    if tuple(words) in ((), (LOCAL,)):
        return await Device.start(target, pack, cache, epoch_s=epoch_s)
    async with AsyncExitStack() as stack:
        places: list[Place] = [Here(target.name)] if LOCAL in words else []
        for address in dict.fromkeys(one.removeprefix(DASK) for one in words if one.startswith(DASK)):
            client = await cluster.connect(address)
            stack.push_async_callback(client.close)
            places += await cluster.places(client, target, pack)
        known = Counter[tuple[str, ...]]()
        for command in filter(None, map(command_of, words)):
            known[command] += 1
            log = cache / "places" / "commands.log"
            places.append(await commands.place(command, target, pack, log, number=known[command]))
        devices = []
        for place in places:
            one = await Device.start(target, pack, _folder(cache, place), epoch_s=epoch_s, place=place)
            stack.push_async_callback(one.close)
            devices.append(one)
        return Fleet(devices, stack.pop_all().aclose)


def _folder(cache: Path, place: Place) -> Path:
    """Of what is built once; every device's referee keeps its log there."""
    return cache if isinstance(place, Here) else cache / "places" / place.lock.stem
