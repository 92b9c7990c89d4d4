"""What a runner may use: applied by the runner to itself before the candidate is loaded, and watched from outside."""

from dataclasses import dataclass

MIB = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Bytes, seconds, microseconds. address_space comes on top of the mapped segments and the pool's threads.

    realtime_us: longest stretch without a blocking call under SCHED_FIFO. start_s: deadline of the load.
    own_threads: the kernel's contract lets it start threads (`threads = "openmp"`); the pool is then one thread.
    """

    address_space: int = 1024 * MIB
    cpu_s: int = 3600
    file_size: int = 1 * MIB
    realtime_us: int = 3_000_000
    stack: int = 64 * MIB
    start_s: float = 10.0
    own_threads: bool = False

    @property
    def word(self) -> str:
        """As the runner reads it; see `kernels/targets/cpu_c/native/limits.c`."""
        return f"{self.address_space},{self.cpu_s},{self.file_size},{self.realtime_us},{self.stack}"
