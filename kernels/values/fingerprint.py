"""The toolchain fingerprint: compiler path, version and hash, base flags, device model. Never a host name."""

import hashlib
import json
from dataclasses import asdict, dataclass


@dataclass(frozen=True, slots=True)
class Fingerprint:
    compiler: str
    compiler_version: str
    compiler_sha256: str
    flags: tuple[str, ...]
    device: str
    threads: int

    @property
    def id(self) -> str:
        """12 hex digits."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]
