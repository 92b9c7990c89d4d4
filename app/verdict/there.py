"""Check, accept and calibrate by the live engine of the home, at the operator's word."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from app.settings import MissingError
from app.verdict import power, told
from app.verdict.asked import Asked
from app.verdict.follow import Follower
from app.verdict.heads import head_of
from app.verdict.here import Say, Told
from app.verdict.through_engine import Live, ask, json_or_text
from kernels.device.auditing import Audit
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec
from store import reads
from store.engine import Store
from store.views import TestView


def check(store: Store, asked: Asked, candidate: Candidate, say: Say, audit: Audit | None) -> list[Told]:
    """What the gates said, and the audit. Raises: MissingError when the engine refuses the command."""
    say("a live engine owns this home: it runs the gates")
    args = {**_source(candidate), "until": "correct", **({"audit": audit.to_json()} if audit else {})}
    gates = answer_of(*ask(store, "check", asked.spec.name, args, _nothing))
    found = [{"seconds": 0.0, "findings": [], **g} for g in gates]
    for gate in found:
        say(told.gate_text(gate))
    return found


def accept(store: Store, live: Live, asked: Asked, candidate: Candidate, say: Say) -> Told:
    """The whole way of a candidate: what is confirmed becomes the head. Raises: MissingError."""
    say("a live engine owns this home: it tests at the operator's word, and promotes what it confirms")
    figures = power.before(store, live.fingerprint, asked.pack.name, asked.spec.name)
    say(power.text(figures, asked.name))
    head, name = store.read_sync(lambda s: head_of(s, asked))
    follower = _follower(store, live, lambda t: t.candidate_id == candidate.id, say)
    state, result = ask(store, "accept", asked.spec.name, _source(candidate), follower.poll)
    answer = answer_of(state, result)
    node = store.read_sync(lambda s: reads.node_detail(s, answer["node"]))
    gates = [told.gate(g) for g in node.gates]
    for gate in gates:
        say(told.gate_text(gate))
    tests = follower.tests()
    found = told.verdict(tests)
    if found["verdict"] is None or not found["confirmed"] or answer["outcome"] != "KEEP":
        found["reason"] = answer["reason"]
    return {
        **found, "outcome": answer["outcome"], "node": answer["node"], "against": name,
        "head": tests[-1].head_id if tests else head.id,
        "power": figures, "gates": gates,
    }  # fmt: skip


def calibrate(store: Store, live: Live, asked: Asked, spec: KernelSpec, say: Say) -> Told:
    """Figures of one kernel. Raises: MissingError."""
    say(f"{asked.pack.name}/{spec.name}: a live engine owns this home: it calibrates between two attempts")
    one = replace(asked, kernels=(spec,))
    follower = _follower(store, live, lambda t: t.kind == "calibration" and t.kernel == one.spec.name, say)
    figures = answer_of(*ask(store, "calibrate", spec.name, {}, follower.poll))
    for line in figures["lines"]:
        say(f"  {line}")
    return dict(figures)


def _source(candidate: Candidate) -> dict[str, Any]:
    return {"source": candidate.source, "flags": list(candidate.flags), "reason": "sent from the command line"}


def _follower(store: Store, live: Live, wanted: Callable[[TestView], bool], say: Say) -> Follower:
    return Follower(store, live.campaign, wanted, say, flat_within=live.flat_within)


def answer_of(state: str, result: str) -> Any:
    """The JSON of a command that was done. Raises: MissingError with what the engine said instead."""
    found = json_or_text(result)
    if state != "done" or isinstance(found, str):
        raise MissingError(f"the engine answered {state}: {result}")
    return found


def _nothing() -> None:
    """Gates have no lines of their own while they run."""
