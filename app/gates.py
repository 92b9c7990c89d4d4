"""The gates of a candidate in their order, each with what it asks."""

import time
from functools import partial

from app.chip.book import book_of
from app.home import workspace_folder
from kernels.device.executor import Executor
from kernels.gates.batch import BatchGate
from kernels.gates.compile import CompileGate
from kernels.gates.correct import CorrectGate
from kernels.gates.estimate import EstimateGate, Filter
from kernels.gates.legality import LegalityGate
from kernels.gates.sequence import GateSequence
from kernels.gates.source import SourceGate
from kernels.gates.trace import TraceGate
from kernels.profiling.schedulers import scheduler_of
from kernels.targets.base import Target
from store.engine import Store


def gates_for(
    target: Target, device: Executor, static_gate: Filter = "band", store: Store | None = None, *, trace: bool = True,
    rules: bool = True,
) -> GateSequence:  # fmt: skip
    """store: where rules and what is found of them are kept; without one they are planted anew."""
    estimate = EstimateGate(partial(scheduler_of, target), device, static_gate)
    return GateSequence(
        [
            SourceGate(),
            LegalityGate(book_of(target, device, store, workspace_folder()), target.name, on=rules),
            CompileGate(target, device, estimate.look_at),
            estimate,
            CorrectGate(device),
            TraceGate(target, device, on=trace),
            BatchGate(device),
        ],
        time.monotonic,
    )
