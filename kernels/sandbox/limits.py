"""What a runner may use, enforced by the kernel and from outside."""

import resource
from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes and seconds. address_space comes on top of the mapped segments; start_s is the deadline of the load."""

    address_space: int = 1024 * MIB
    cpu_s: int = 3600
    file_size: int = 1 * MIB
    open_files: int = 64
    realtime_us: int = 900_000
    stack: int = 64 * MIB
    start_s: float = 10.0

    def apply(self, mapped: int) -> None:
        """In the child, before exec. mapped: bytes of the segments."""
        total = self.address_space + mapped
        for what, amount in (
            (resource.RLIMIT_AS, total),
            (resource.RLIMIT_CPU, self.cpu_s),
            (resource.RLIMIT_FSIZE, self.file_size),
            (resource.RLIMIT_NOFILE, self.open_files),
            (resource.RLIMIT_CORE, 0),
            (resource.RLIMIT_STACK, self.stack),
        ):
            _, hard = resource.getrlimit(what)
            bound = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
            resource.setrlimit(what, (bound, bound))
        if hasattr(resource, "RLIMIT_RTTIME"):
            resource.setrlimit(resource.RLIMIT_RTTIME, (self.realtime_us, self.realtime_us))
