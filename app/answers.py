"""What the engine answered to a command, for people: some answers are JSON, for programs. Pure."""

import json
from collections.abc import Mapping
from typing import Any

from app.views import gain


def answer_text(result: str) -> str:
    """One sentence; text as it is."""
    if not result.startswith(("{", "[")):
        return result
    try:
        found = json.loads(result)
    except ValueError:  # cut, or a person's words
        return result
    if isinstance(found, list):
        return _gates(found)
    return _profile(found) if "artefact" in found else _outcome(found)


def _outcome(found: Mapping[str, Any]) -> str:
    """`node 7 KEEP +18.7 %: why`"""
    node = f"node {found['node']} " if found.get("node") else ""
    by = f" {gain(found['gain'])}" if found.get("gain") is not None else ""
    reason = f": {found['reason']}" if found.get("reason") else ""
    return f"{node}{found.get('outcome', '')}{by}{reason}"


def _profile(found: Mapping[str, Any]) -> str:
    if found["artefact"]:
        return "profiled: tab 5 and ./run.sh profile show it"
    return f"not profiled: {found.get('reason') or _gates(found.get('gates', []))}"


def _gates(gates: list[Mapping[str, Any]]) -> str:
    """The refusal, else that there was none."""
    refused = next((gate for gate in gates if gate.get("state") == "refused"), None)
    if refused is None:
        return "no gate refused it"
    return f"gate {refused['gate']} refused it: {refused.get('kind', '')} {refused.get('reason', '')}".rstrip()
