"""The campaign with its agents and candidates; the rest is filled in by the other modules."""

from sqlmodel import Session

from kernels.values.candidate import Candidate
from store import agents, campaigns, designs, kernel_states, modes
from store.clock import now
from store.sample import results, tests, trees
from store.sample.size import KERNELS, Made, Size


def fill(s: Session, size: Size) -> int:
    """One running campaign of this size in the caller's transaction; returns its id."""
    number = campaigns.create(
        s, pack="made_up", pack_digest="made up", target="cpu-c", fingerprint="made-up", kernels=KERNELS,
        toolchain="gcc 12.2", device="made up", seed=1, minutes=600.0, sandbox_level="bwrap+seccomp",
    )  # fmt: skip
    modes.put(s, number, "slow 33 GB/s")
    _candidates(s, number)
    for name in _agents(size):
        agents.upsert_agent(s, number, name, name.partition("-")[0], kernel=KERNELS[len(name) % 3], brief="one lever")
        for line in range(20):
            agents.add_line(s, number, name, f"line {line}: reading pairs of a made-up test")
    made = Made(number, now() - 86_400.0)
    trees.nodes(s, size, made)
    tests.pairs(s, size, made)
    results.filings(s, size, made)
    results.events(s, made)
    return number


def _agents(size: Size) -> list[str]:
    return [f"worker-{i + 1:02d}" for i in range(size.agents)]


def _candidates(s: Session, number: int) -> None:
    """The baseline of each kernel."""
    for kernel in KERNELS:
        body = "".join(f"    y[{line}] = x[{line}] * {line}.0f;\n" for line in range(60))
        source = f"void {kernel}(const float *x, float *y) {{\n{body}}}\n"
        made = designs.add_candidate(s, Candidate(kernel, {"kernel.c": source}))
        kernel_states.set_baseline(s, number, kernel, made, 25e6)
        kernel_states.update(s, number, kernel, head_ns=1.1e6, status="testing")
