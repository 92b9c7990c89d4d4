"""`profile`: on a device that this process owns, or by the live engine of the home; the record is in the store then."""

from typing import Any

from app.device_session import own_device
from app.settings import MissingError
from app.verdict import told
from app.verdict.asked import Asked
from app.verdict.heads import head_of
from app.verdict.here import Say, Told, gates_of
from app.verdict.there import answer_of
from app.verdict.through_engine import ask
from kernels.profiling.record import Record
from kernels.values.candidate import Candidate
from roles.profiling import ProfileFailed, profiled
from store import profiles
from store.engine import Store


async def here(store: Store, asked: Asked, candidate: Candidate | None, say: Say) -> Told:
    """The gates up to `correct` on a candidate, then its profile beside the head's.

    Raises: MissingError when the head has no profile, DeviceUnhealthy.
    """
    head, name = await store.read(lambda s: head_of(s, asked))
    gates: list[Told] = []
    async with own_device(asked, store) as session:
        if candidate is not None and candidate.id != head.id:
            subject, gates = await gates_of(session, asked.spec, candidate, say)
            if subject.loaded:
                await session.campaign.device.unload(subject.key)
            if told.refusal(gates) is not None:
                return {"against": name, "gates": gates, "artefact": None}
        say(f"profiling {name} {head.id[:8]}{'' if candidate is None else f' and candidate {candidate.id[:8]}'}")
        try:
            digest, _ = await profiled(session.campaign, asked.spec, head, candidate)
        except ProfileFailed as failure:
            return {"against": name, "gates": gates, **_failed(failure)}
    return {"against": name, "gates": gates, "artefact": digest}


def there(store: Store, asked: Asked, candidate: Candidate | None, say: Say) -> Told:
    """Raises: MissingError when the engine refuses the command."""
    say("a live engine owns this home: it profiles between two attempts")
    _, name = store.read_sync(lambda s: head_of(s, asked))
    args: dict[str, Any] = {}
    if candidate is not None:
        args = {"source": candidate.source, "flags": list(candidate.flags), "reason": "profiled from the command line"}
    found = answer_of(*ask(store, "profile", asked.spec.name, args, lambda: None))
    gates = [{"seconds": 0.0, "findings": [], **gate} for gate in found["gates"]]
    for gate in gates:
        say(told.gate_text(gate))
    return {"against": name, "gates": gates, "artefact": found["artefact"], "reason": found.get("reason", "")}


def record(store: Store, found: Told) -> Record | None:
    """None when a gate refused, or the candidate failed. Raises: StoreError."""
    digest = found["artefact"]
    return None if digest is None else store.read_sync(lambda s: profiles.read(s, digest))


def _failed(failure: ProfileFailed) -> Told:
    """Raises: MissingError when it is the head's."""
    if failure.whose == "head":
        raise MissingError(str(failure)) from failure
    return {"artefact": None, "reason": str(failure)}
