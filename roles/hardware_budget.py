"""What the machine allows a kernel, as text: bytes at the measured rate for each argument, and where time goes now.

microseconds of an argument = bytes / (bytes of a call / peak)
"""

from collections.abc import Iterator

from kernels.profiling.profile import Profile
from kernels.values.kernel import KernelSpec
from roles.campaign import Campaign
from store import profiles


async def budget_of(campaign: Campaign, kernel: str) -> str:
    state = campaign.kernels[kernel]
    found = await campaign.store.read(lambda s: profiles.latest(s, campaign.id, kernel))
    lines = [*_moved(state.spec, state.peak_ns), *_spans(found.record.head if found and found.present else None)]
    return "\n".join(lines)


def _moved(spec: KernelSpec, peak_ns: float | None) -> Iterator[str]:
    yield f"A call moves at least {spec.bytes_moved:,} bytes."
    if peak_ns is None:
        yield "The peak was not measured yet."
        return
    rate = spec.bytes_moved / peak_ns
    yield f"Measured peak: {peak_ns / 1e3:.1f} us, {rate:.1f} GB/s. Nothing gets below it."
    for one in spec.arguments:
        if one.shape:
            yield f"- {one.name} ({one.role}): {one.nbytes:,} bytes, {one.nbytes / rate / 1e3:.2f} us"


def _spans(profile: Profile | None) -> Iterator[str]:
    if profile is None:
        yield "The head was not profiled yet."
        return
    yield f"Profile of the head, {profile.elapsed_ns / 1e3:.1f} us a call:"
    for line in profile.lines:
        planned = "" if line.planned_ns is None else f", planned {line.planned_ns / 1e3:.1f} us"
        yield f"- {line.label} ({line.kind}): {line.wall_ns / 1e3:.1f} us{planned}, bound by {line.bound}"
