"""How a provider is reached: its address, the name of the variable with the key, and how long we wait.

The key itself is read when a client is made and is kept nowhere else.
"""

import os
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from roles.brains.failure import Final

LOCAL_KEY = "none"  # servers of one's own want a key to be there, whatever it says


@dataclass(frozen=True, slots=True)
class Connection:
    """base_url: "" = the provider's own address. key_env: variable that holds the key; "" = the provider's usual one.
    stall_s: a stream that is silent for so long has stalled. total_s: the longest that one answer may take."""

    base_url: str = ""
    key_env: str = ""
    stall_s: float = 90.0
    total_s: float = 900.0

    def provider(self, name: str) -> str:
        """`anthropic`, or `openai at localhost:8000`."""
        where = urlsplit(self.base_url).netloc.rpartition("@")[2]
        return f"{name} at {where}" if where else name

    def key(self, usual: str) -> str:
        """A server of one's own gets no key unless one is named for it. Raises: Final when there is none."""
        if self.base_url and not self.key_env:
            return LOCAL_KEY
        name = self.key_env or usual
        found = os.environ.get(name, "").strip()
        if found:
            return found
        raise Final("key", f"no key: the variable {name} is not set")

    def timeout(self) -> Any:
        """The read timeout counts from chunk to chunk."""
        import httpx2

        return httpx2.Timeout(self.total_s, connect=10.0, read=self.stall_s)
