"""Watches kernel sources and packs: a source saved into a kernel's folder becomes the operator's candidate; a changed
pack or reference pauses the campaign with the file's name. Directories are watched, contents are hashed."""

import asyncio
import hashlib
from collections.abc import Awaitable, Callable
from pathlib import Path

from watchfiles import Change, awatch

from kernels.packs.loader import deciding_files
from roles.campaign import Campaign
from roles.latches import ALL
from store import campaigns, events
from store.engine import Session

SETTLE_MS = 400
SOURCE_SUFFIXES = frozenset({".c"})

Submit = Callable[[str, str, str], Awaitable[None]]  # kernel, file name, source


def digest(path: Path) -> str:
    """Hash of the contents; "" when there is no such file."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


class SourceWatcher:
    """submit: what happens with a saved source."""

    name = "sources"

    def __init__(self, campaign: Campaign, submit: Submit) -> None:
        self._campaign = campaign
        self._submit = submit
        self._graders: dict[Path, str] = {}
        self._seen: dict[Path, str] = {}

    async def run(self) -> None:
        campaign = self._campaign
        names = [kernel.name for kernel in campaign.pack.kernels]
        self._graders = {path: digest(path) for path in deciding_files(campaign.pack.folder, names)}
        folders = {state.spec.folder for state in campaign.kernels.values()} | {campaign.pack.folder}
        self._seen = {path: digest(path) for folder in folders for path in folder.glob("*.c")}
        async for changes in awatch(*folders, debounce=SETTLE_MS, stop_event=campaign.stop, recursive=False):
            for change, name in changes:
                await self._changed(change, Path(name))

    async def _changed(self, change: Change, path: Path) -> None:
        now = await asyncio.to_thread(digest, path)
        if path in self._graders:
            if now != self._graders[path]:
                await self._pause_for(path, "deleted" if change is Change.deleted else "changed")
            return
        if path.suffix in SOURCE_SUFFIXES and now and self._seen.get(path) != now:
            self._seen[path] = now
            await self._send(path)

    async def _pause_for(self, path: Path, what: str) -> None:
        campaign = self._campaign
        await campaign.latches.close(ALL)

        def rows(s: Session) -> None:
            campaigns.set_state(s, campaign.id, "paused")
            events.append(
                s, campaign.id, "grader_changed", campaign.pack.name,
                f"{path.name} {what} on disk: the campaign is paused. Put it back and resume, or start a new campaign",
                file=str(path),
            )  # fmt: skip

        await campaign.store.write(rows)

    async def _send(self, path: Path) -> None:
        kernel = next((k for k, s in self._campaign.kernels.items() if s.spec.folder == path.parent), None)
        if kernel is None:
            return
        source = await asyncio.to_thread(path.read_text, encoding="utf-8", errors="replace")
        await self._submit(kernel, path.name, source)
