"""Profiles of heads and candidates: an artefact and an event each; the last one of every kernel is found by name."""

import json
from functools import lru_cache
from typing import Any, Final

from sqlmodel import Session

from kernels.profiling.record import Record
from store import campaigns, events, promotions, setting
from store.artefacts import SOURCE_CAP_BYTES
from store.candidates import artefacts_of
from store.clock import now
from store.errors import StoreError
from store.kernel_states import get as kernel_state
from store.profile_views import ProfileView

PREFIX: Final = "profile/"


def keep(s: Session, campaign_id: int, record: Record) -> str:
    """Artefact, event and pointer in one transaction; returns the artefact's hash."""
    head, shown = record.head, record.shown
    text = json.dumps(record.to_json(), separators=(",", ":"))
    digest = artefacts_of(s).put_text(text, cap=SOURCE_CAP_BYTES).hash
    row = campaigns.get(s, campaign_id)
    known = {"artefact": digest, "head": head.candidate, "head_ns": head.elapsed_ns, "at": now()}
    setting.put(s, _name(row.fingerprint, head.pack, head.kernel), known)
    beside = "" if record.candidate is None else f", the head {head.elapsed_ns / 1e3:.1f} us"
    events.append(
        s, campaign_id, "profile", head.kernel,
        f"{shown.candidate[:8]}: {shown.elapsed_ns / 1e3:.1f} us{beside}; {bounds_text(shown.shares)}",
        artefact=digest, head=head.candidate, candidate=shown.candidate, ns=shown.elapsed_ns, head_ns=head.elapsed_ns,
        bounds=shown.shares,
    )  # fmt: skip
    return digest


def bounds_text(shares: dict[str, float]) -> str:
    """What bounds a call, the largest share first: "memory wall 91 %, serial 9 %"."""
    return ", ".join(f"{bound} {100 * share:.0f} %" for bound, share in shares.items() if share >= 0.005)


def read(s: Session, digest: str) -> Record:
    """Raises: StoreError when the artefact is gone, or is no profile that this program reads."""
    try:
        return _record(artefacts_of(s).read_text(digest))
    except ValueError as error:
        raise StoreError(f"read profile {digest[:12]}", str(error), "Profile the kernel again") from error


@lru_cache(maxsize=32)
def _record(text: str) -> Record:
    return Record.from_json(json.loads(text))


def latest(s: Session, campaign_id: int, kernel: str) -> ProfileView | None:
    """The last profile of this kernel's head on this campaign's device; None when there is none that can be read."""
    row = campaigns.get(s, campaign_id)
    known: dict[str, Any] | None = setting.get(s, _name(row.fingerprint, row.pack, kernel))
    if known is None:
        return None
    try:
        record = read(s, known["artefact"])
    except StoreError:
        return None
    return ProfileView(kernel, known["at"], record, _head_id(s, campaign_id, kernel) in (None, known["head"]))


def _head_id(s: Session, campaign_id: int, kernel: str) -> str | None:
    """None in a campaign that has no heads: the tests of the command line."""
    found = promotions.head_promotion(s, campaign_id, kernel)
    return found.candidate_id if found is not None else kernel_state(s, campaign_id, kernel).baseline_id


def _name(fingerprint: str, pack: str, kernel: str) -> str:
    return f"{PREFIX}{fingerprint}/{pack}/{kernel}"
