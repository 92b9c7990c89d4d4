"""The JSON that others script against. Pure: views in, plain values out."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from store.views import AgentView, EventView, FilingView, GateView, NodeView, RaceView


def filings(views: Sequence[FilingView]) -> dict[str, Any]:
    """{"filings": [...]}; interval is [low, high] or null, filed_at of an imported one without any day null."""
    return {"filings": [_filing(view) for view in views]}


def _filing(view: FilingView) -> dict[str, Any]:
    interval = list(view.interval) if view.interval else None
    return {**asdict(view), "interval": interval, "filed_at": view.filed_at if view.dated else None}


def agents(views: Sequence[AgentView]) -> dict[str, Any]:
    """{"agents": [...]}."""
    keys = ("name", "role", "kernel", "state", "brief", "step", "since", "tokens", "usd")
    return {"agents": [{key: getattr(view, key) for key in keys} for view in views]}


def tree(
    kernel: str, nodes: Sequence[NodeView], gates: Mapping[int, Sequence[GateView]], races: Sequence[RaceView] = ()
) -> dict[str, Any]:
    """{"kernel", "head", "nodes": [...], "races": [...]}; head: the candidate id of the head, "" when unknown. A node's
    "race" is the id of the race that picked its candidate, or null."""
    head = next((node.candidate_id for node in nodes if node.is_head), "")
    return {
        "kernel": kernel, "head": head, "nodes": [_node(node, gates.get(node.id, ())) for node in nodes],
        "races": [asdict(race) for race in races],
    }  # fmt: skip


def event(view: EventView) -> dict[str, Any]:
    """One line of `events --json`. What an event has beside its text never hides id, at, kind, subject or text."""
    own = {"id": view.id, "at": view.at, "kind": view.kind, "subject": view.subject, "text": view.text}
    return {**own, **{key: value for key, value in view.data.items() if key not in own}}


def _node(node: NodeView, gates: Sequence[GateView]) -> dict[str, Any]:
    keys = (
        "id", "parent", "kind", "lever", "title", "outcome", "verdict", "gain", "agent", "tainted", "taint", "is_head",
        "race",
    )  # fmt: skip
    return {
        **{key: getattr(node, key) for key in keys},
        "candidate": node.candidate_id,
        "gates": [{**asdict(gate), "findings": list(gate.findings)} for gate in gates],
    }
