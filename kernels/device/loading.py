"""What is loaded on a device: a runner a key, let go by name, started afresh in one request.

What is to be loaded is written down before it is asked for, and a restart is one request, so that a cancel leaves
neither a runner that nobody knows of nor a key without one.
"""

from pathlib import Path

from kernels.device.building import detached
from kernels.device.connection import TIMEOUTS, Connection, Loaded
from kernels.device.report import DeviceUnhealthy, LoadFailed
from kernels.sandbox.runner import RunnerFailed


class Loading(Connection):
    """The runners' part of `Device`."""

    async def load(self, kernel: str, key: str, artefact: Path) -> None:
        """Start a runner for a candidate; the same key and artefact again does nothing.

        After a cancel it may be loaded nevertheless: `unload` lets it go.
        Raises: LoadFailed (a RunnerFailed) when it cannot be loaded, DeviceUnhealthy; it is not loaded then.
        """
        await self._load(key, Loaded(kernel, artefact.absolute()), f"loading {kernel} {key[:8]}", fresh=False)

    async def _load(self, key: str, loaded: Loaded, holder: str, *, fresh: bool) -> None:
        before, self._loads[key] = self._loads.get(key), loaded
        await self._under_lock(holder, lambda: self._loading(key, loaded, before, fresh=fresh))

    async def _loading(self, key: str, loaded: Loaded, before: Loaded | None, *, fresh: bool) -> None:
        try:
            reply = await self._exchange("load", loaded.kernel, {**loaded.to_json(key), "fresh": fresh})
        except RunnerFailed as failure:
            self._replace(key, loaded, None)
            raise LoadFailed(key, failure) from failure
        except DeviceUnhealthy:
            self._replace(key, loaded, before)
            if before is not None and self._link is not None:
                self._link.kill()  # it stays loaded: the next referee has it again
            raise
        self._level = reply.get("level", self._level)

    def _replace(self, key: str, mine: Loaded, by: Loaded | None) -> None:
        """Unless the key has been unloaded or loaded anew meanwhile."""
        if self._loads.get(key) is not mine:
            return
        if by is None:
            del self._loads[key]
        else:
            self._loads[key] = by

    async def unload(self, key: str) -> None:
        """End the runner of a key; nothing happens when there is none, or when the referee went and took it along.

        It is ended when its turn has come, also when the caller is cancelled meanwhile.
        Raises: DeviceUnhealthy when the referee is there and cannot.
        """
        if self._loads.pop(key, None) is None:
            return
        task = detached(self._unloading(key))
        self._unloads.add(task)
        task.add_done_callback(self._unloads.discard)
        await self._ended_or_killed(task)
        if task.done() and not task.cancelled():
            task.result()

    async def _unloading(self, key: str) -> None:
        async with self.host(f"unloading {key[:8]}"):
            link = self._living()
            if link is None:
                return
            try:
                await link.exchange("unload", {"key": key}, TIMEOUTS["unload"])
            except DeviceUnhealthy:
                if self._living() is not None:
                    raise

    async def restart(self, key: str) -> None:
        """A fresh process and fresh memory for what is loaded; nothing happens when it is not.

        Two runners of the same code can differ by per cents for as long as they live (physical pages, above all).
        One request: a cancel comes before it or after it, and the key stays loaded. Its tests end.
        Raises: LoadFailed (a RunnerFailed that names the key, which is not loaded any more), DeviceUnhealthy (the key
        stays loaded).
        """
        loaded = self._loads.get(key)
        if loaded is not None:
            await self._load(key, loaded, f"restarting {loaded.kernel} {key[:8]}", fresh=True)
