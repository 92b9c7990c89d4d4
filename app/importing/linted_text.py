"""What `pack lint` says: lines for a person, and the same as JSON."""

from collections.abc import Iterable, Iterator
from typing import Any

from app.importing.baseline import Judged
from app.importing.linting import Linted
from kernels.packs.lint import Finding
from kernels.values.kernel import Pack


def lines(name: str, pack: Pack, target: str, found: Linted) -> Iterator[str]:
    yield from map(str, found.findings)
    yield from (f"note: {note}" for note in found.notes)
    for kernel in pack.kernels:
        yield f"{kernel.name}: {kernel.judged_by}"
    for one in found.baselines.values():
        yield f"{one.kernel}: {_baseline(one, target)}"
    if found.untried:
        yield f"baselines were not tried on {target}: {found.untried}"
    yield f"{name}: {_verdict(found)}, {len(found.findings)} findings"


def as_json(name: str, pack: Pack, target: str, found: Linted) -> dict[str, Any]:
    return {
        "pack": name, "target": target, "references": {k.name: k.judge for k in pack.kernels},
        "findings": _told(found.findings), "notes": _told(found.notes),
        "baselines": {k: {"passed": one.passed, "tolerance_used": one.used} for k, one in found.baselines.items()},
        "baselines_not_tried": found.untried,
    }  # fmt: skip


def _told(some: Iterable[Finding]) -> list[dict[str, str]]:
    return [{"kernel": one.kernel, "kind": one.kind, "text": str(one)} for one in some]


def _baseline(one: Judged, target: str) -> str:
    if not one.passed:
        return f"its baseline is refused on {target} by gate {one.report.gate}"
    used = ", ".join(f"{share:.2g} of the tolerance of {name}" for name, share in one.used.items())
    return f"its baseline passes the gates on {target}{f', off by {used}' if used else ''}"


def _verdict(found: Linted) -> str:
    if found.findings:
        return "refused"
    return "fit for a campaign but for its baselines, which were not tried" if found.untried else "fit for a campaign"
