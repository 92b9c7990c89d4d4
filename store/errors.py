"""What the store says when it cannot do what it was asked."""

import time


class StoreError(RuntimeError):
    """asked: what was wanted; found: what stood in the way; do: what helps."""

    def __init__(self, asked: str, found: str, do: str) -> None:
        super().__init__(f"{asked}: {found}. {do}")
        self.asked = asked
        self.found = found
        self.do = do


class Owned(StoreError):
    """Another process has the engine role of this home. started_at: UTC seconds, 0 when it did not say."""

    def __init__(self, home: str, host: str, pid: int, started_at: float) -> None:
        super().__init__(
            f"own the campaigns in {home}",
            f"process {pid} on {host} owns them",
            "Attach to it, or stop it first",
        )
        self.host = host
        self.pid = pid
        self.started_at = started_at

    @property
    def since(self) -> str:
        """Its start as a UTC time for a reader; "an unknown time" when it did not say."""
        if not self.started_at:
            return "an unknown time"
        return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(self.started_at))


class WriteCancelled(StoreError):
    """The store closed before this write was taken; nothing of it was written."""

    def __init__(self) -> None:
        super().__init__("write to the store", "it is closed", "Open it again")
