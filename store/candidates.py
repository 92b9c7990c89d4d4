"""Candidates by content: the row holds what one asks for, the artefact holds the files."""

from typing import cast

from sqlmodel import Session

from kernels.values.candidate import Candidate
from store.artefacts import SOURCE_CAP_BYTES, Artefacts
from store.clock import now
from store.errors import StoreError
from store.tables import CandidateRow


def artefacts_of(s: Session) -> Artefacts:
    """The artefacts of the store that made this session."""
    return cast(Artefacts, s.info["artefacts"])


def add_candidate(s: Session, candidate: Candidate, *, machine_code: str = "") -> str:
    """Keep it once; returns its id. machine_code: hash of its machine code, once it was compiled.

    Raises: StoreError when it is larger than 4 MiB.
    """
    row = s.get(CandidateRow, candidate.id)
    if row is None:
        row = _new_row(s, candidate)
    if machine_code:
        row.machine_code = machine_code
    s.add(row)
    s.flush()
    return row.id


def set_machine_code(s: Session, candidate_id: str, machine_code: str) -> None:
    row = _need(s, candidate_id)
    row.machine_code = machine_code
    s.add(row)


def get_candidate(s: Session, candidate_id: str) -> Candidate:
    """Raises: StoreError when it is unknown, or its artefact is gone or changed."""
    row = _need(s, candidate_id)
    return Candidate.from_json(artefacts_of(s).read_text(row.files))


def find_id(s: Session, prefix: str) -> str:
    """The one candidate whose id begins so. Raises: StoreError when none or several do."""
    from store import sql

    found = sql.rows(
        s, "SELECT id FROM candidate WHERE substr(id, 1, :n) = :prefix LIMIT 2", n=len(prefix), prefix=prefix
    )
    if len(found) != 1:
        count = "several begin so" if found else "none begins so"
        raise StoreError(f"find candidate {prefix!r}", count, "Give more of its id")
    return str(found[0]["id"])


def _new_row(s: Session, candidate: Candidate) -> CandidateRow:
    data = candidate.to_json().encode()
    if len(data) > SOURCE_CAP_BYTES:
        raise StoreError(
            f"keep a candidate for {candidate.kernel}", f"its files take {len(data)} bytes", "Keep it below 4 MiB"
        )
    ref = artefacts_of(s).put(data, cap=SOURCE_CAP_BYTES)
    return CandidateRow(
        id=candidate.id, kernel=candidate.kernel, language=candidate.language, main=candidate.main,
        flags=list(candidate.flags), launch=dict(candidate.launch), files=ref.hash, size=ref.size, created_at=now(),
    )  # fmt: skip


def _need(s: Session, candidate_id: str) -> CandidateRow:
    row = s.get(CandidateRow, candidate_id)
    if row is None:
        raise StoreError(f"find candidate {candidate_id[:12]}", "there is none", "Take its id from a tree")
    return row
