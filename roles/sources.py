"""Watches kernel sources and packs: a source saved into a kernel's folder becomes the operator's candidate; a changed
grader pauses the campaign at once, with the names. Directories are watched, contents are hashed."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

from watchfiles import awatch

from kernels.targets.registry import dialect_of
from kernels.values.files import listed, text_of
from roles.campaign import Campaign
from roles.grader import mark_of
from roles.guard import look

SETTLE_MS = 400

Submit = Callable[[str, str, str], Awaitable[None]]  # kernel, file name, source


class SourceWatcher:
    """submit: what happens with a saved source."""

    name = "sources"

    def __init__(self, campaign: Campaign, submit: Submit) -> None:
        self._campaign = campaign
        self._submit = submit
        self._seen: dict[Path, str] = {}
        self._suffix = dialect_of(campaign.target.name).suffix

    async def run(self) -> None:
        campaign = self._campaign
        folders = {state.spec.folder for state in campaign.kernels.values()} | {campaign.pack.folder}
        self._seen = {path: mark_of(path) for folder in folders for path in listed(folder, f"*{self._suffix}")}
        watching = awatch(*folders, debounce=SETTLE_MS, stop_event=campaign.stop, recursive=False)
        while True:
            with campaign.at_rest(self.name):
                changes = await anext(watching, None)
            if changes is None:
                return
            await look(campaign)
            for _, name in changes:
                await self._changed(Path(name))

    async def _changed(self, path: Path) -> None:
        now = await asyncio.to_thread(mark_of, path)
        if path.suffix == self._suffix and now and self._seen.get(path) != now:
            self._seen[path] = now
            await self._send(path)

    async def _send(self, path: Path) -> None:
        kernel = next((k for k, s in self._campaign.kernels.items() if s.spec.folder == path.parent), None)
        if kernel is None:
            return
        source = await asyncio.to_thread(text_of, path)
        if source is None:  # an editor may put it back as it was: that is a change
            del self._seen[path]
            return
        await self._submit(kernel, path.name, source)
