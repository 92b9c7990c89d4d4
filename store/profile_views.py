"""What a screen gets of the last profile of a kernel's head."""

from dataclasses import dataclass

from kernels.profiling.record import Record


@dataclass(frozen=True, slots=True)
class ProfileView:
    """at: UTC seconds. present: it is of the head that stands now, not of an earlier one."""

    kernel: str
    at: float
    record: Record
    present: bool
