"""What a target says of the machine it runs on."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Machine:
    """cpu_flags: feature names as in /proc/cpuinfo ("avx2", "avx512_bf16", ...); sizes in bytes; clock in GHz."""

    model: str
    architecture: str
    cpu_flags: frozenset[str]
    threads: int
    l1_bytes: int = 32 << 10
    l2_bytes: int = 1 << 20
    llc_bytes: int = 32 << 20
    clock_ghz: float = 0.0

    def has(self, *flags: str) -> bool:
        return all(flag in self.cpu_flags for flag in flags)
