"""Makes a profile of what a device measured, of the contract, and of the source."""

from typing import Final

from kernels.profiling.gantt import thinned
from kernels.profiling.join import Compute, join
from kernels.profiling.planned import flow_in, planned_rows, whole_call
from kernels.profiling.profile import Profile
from kernels.profiling.trace import Trace
from kernels.values.candidate import Candidate
from kernels.values.kernel import KernelSpec

UNSEEN: Final = "threads of OpenMP leave no marks: what they do together is told as one thread's work"


def profile_of(trace: Trace, spec: KernelSpec, candidate: Candidate, *, compute: Compute | None = None) -> Profile:
    """compute: of a static schedule, where there is one. It is of the whole object, and says nothing of one loop among
    several: then it is left out. Raises: ValueError when no call left marks that can be used."""
    call = trace.median
    times = [one.elapsed_ns for one in trace.calls]
    shape, nbytes = call.shape, whole_call(spec)
    findings = (*trace.findings, *((UNSEEN,) if spec.threads == "openmp" else ()))
    alone = sum(row.kind == "parallel" for row in shape.rows) == 1
    planned = planned_rows(shape, spec, flow_in(candidate, spec))
    lines = join(shape, planned, probe_gbs=trace.probe_gbs, compute=compute if alone else None)
    return Profile(
        spec.pack, spec.name, candidate.id, shape.threads, len(times), call.elapsed_ns, min(times), max(times),
        shape.total_ns, trace.probe_gbs, trace.mode, lines, thinned(shape.pieces, shape.total_ns, shape.threads),
        nbytes, nbytes / trace.probe_gbs if nbytes and trace.probe_gbs > 0 else None, shape.lost, findings,
    )  # fmt: skip
