"""Where a campaign stands with each kernel: baseline, head's time, plateau counter, what happens to it now."""

from typing import Any

from sqlmodel import Session, col, select

from store.errors import StoreError
from store.tables import KernelStateRow


def get(s: Session, campaign_id: int, kernel: str) -> KernelStateRow:
    """Raises: StoreError when the campaign does not have that kernel."""
    row = s.get(KernelStateRow, (campaign_id, kernel))
    if row is None:
        names = ", ".join(state.kernel for state in of(s, campaign_id)) or "none"
        raise StoreError(f"find kernel {kernel!r}", f"campaign {campaign_id} has {names}", "Name one of these")
    return row


def of(s: Session, campaign_id: int) -> list[KernelStateRow]:
    """In the pack's order."""
    query = select(KernelStateRow).where(KernelStateRow.campaign_id == campaign_id)
    return list(s.exec(query.order_by(col(KernelStateRow.position), col(KernelStateRow.kernel))).all())


def update(s: Session, campaign_id: int, kernel: str, **changes: Any) -> None:
    """Change baseline_id, baseline_ns, head_ns, plateau, status, paused, reference, refining.

    Raises: StoreError for another name, or an unknown kernel.
    """
    row = get(s, campaign_id, kernel)
    known = {"baseline_id", "baseline_ns", "head_ns", "plateau", "status", "paused", "reference", "refining"}
    if unknown := changes.keys() - known:
        raise StoreError("change a kernel's state", f"there is no {sorted(unknown)}", f"Known are {sorted(known)}")
    for name, value in changes.items():
        setattr(row, name, value)
    s.add(row)


def set_baseline(s: Session, campaign_id: int, kernel: str, candidate_id: str, ns: float | None = None) -> None:
    """The candidate that every speedup is against; it is the head until the first promotion. ns: once measured."""
    update(s, campaign_id, kernel, baseline_id=candidate_id)
    if ns is not None:
        row = get(s, campaign_id, kernel)
        update(s, campaign_id, kernel, baseline_ns=ns, head_ns=row.head_ns or ns)
