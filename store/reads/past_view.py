"""What campaigns of this home took, for a plan of the next ones."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmodel import Session

from store import campaigns, kernel_states
from store.reads.campaign_views import spent_usd


@dataclass(frozen=True, slots=True)
class Past:
    """One campaign that an engine ran."""

    campaign: int
    brain: str
    positions: int
    elapsed_s: float
    device_s: float
    usd: float


def past(s: Session, pack: str, fingerprint: str, kernels: Sequence[str]) -> tuple[Past, ...]:
    """On these kernels of this pack, on this device with this toolchain."""
    found = []
    for row in campaigns.listing(s):
        if (row.pack, row.fingerprint) != (pack, fingerprint) or row.brain in campaigns.NOT_RUN:
            continue
        if {state.kernel for state in kernel_states.of(s, row.id)} == set(kernels):
            found.append(
                Past(
                    row.id, row.brain, campaigns.finished_attempts(s, row.id), row.elapsed_s,
                    campaigns.device_seconds(s, row.id), spent_usd(s, row.id),
                )
            )  # fmt: skip
    return tuple(found)
