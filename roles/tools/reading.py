"""Tools that read: sources, the contract, heads of other kernels, memory."""

from collections.abc import Iterator, Sequence

from kernels.gates.c_words import ALLOWED_INCLUDES, FORBIDDEN_CALLS
from kernels.targets.registry import header_of
from kernels.values.kernel import Argument, KernelSpec
from kernels.values.machine import Machine
from kernels.values.params import params_text
from roles.campaign import Campaign
from roles.tools.arguments import Nothing, ReadSibling, ReadSource, Recall
from roles.tools.clipping import numbered
from roles.tools.workbench import ToolFailed, Workbench
from store import designs, memory, notebook
from store.engine import Session
from store.tables import MemoryRow

SHOWN = ("avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512vl", "avx512_bf16", "avx512_vnni", "asimd", "sve")
LINES = 60


async def read_source(bench: Workbench, asked: ReadSource) -> str:
    sources = {"own": bench.own, "head": bench.state.head.candidate, "baseline": bench.state.baseline.candidate}
    found = sources[asked.which]
    flags = f"flags: {' '.join(found.flags)}\n" if found.flags else ""
    return f"{found.main} of {asked.which}, {flags}{numbered(found.source, asked.first, asked.last)}"


async def read_contract(bench: Workbench, asked: Nothing) -> str:
    return contract_of(bench.state.spec, bench.campaign.target.machine, bench.campaign.target.name)


def contract_of(spec: KernelSpec, machine: Machine, target: str) -> str:
    """Everything that a source has to keep to, and the machine it runs on."""
    return "\n".join([*_contract(spec), *_machine(machine), *_rules(spec, target)])


def _contract(spec: KernelSpec) -> Iterator[str]:
    yield f"{spec.title}\nentry point: {spec.prototype}"
    yield from (f"  {line(argument)}" for argument in spec.arguments)
    if spec.shapes:
        yield "  shapes, at each of which it must be right; what counts is the geometric mean of the times, by weight:"
        yield from (f"    {shape.text}, weight {shape.weight:g}" for shape in spec.shapes)
    for name, t in spec.tolerances.items():
        yield f"  {name} is right when every |got - want| <= {t.atol:g} + {t.rtol:g} * |want|, and it is finite"
        if t.sampled:
            yield f"    compared are {t.sampled} elements of a call, drawn in secret afterwards, and sums of all"
    moved = " or ".join(dict.fromkeys(f"{case.bytes_moved:,}" for case in spec.cases))
    yield f"  weights: {moved} bytes a call, at other addresses and with other contents in each"
    yield f"  inputs of these kinds are checked, all drawn in secret: {', '.join(spec.regimes)}"
    yield f"  right is what the reference says: {spec.judge}"


def line(argument: Argument) -> str:
    """`W: f32[2048, 2048], weight`; `W: f32[N, K], weight` where shapes say how large."""
    extents = argument.extents or argument.shape
    shape = f"[{', '.join(str(n) for n in extents)}]" if extents else ""
    value = f" = {argument.value:g}" if argument.value is not None and argument.role == "constant" else ""
    return f"{argument.name}: {argument.dtype}{shape}, {argument.role}{value}"


def _machine(machine: Machine) -> Iterator[str]:
    has = ", ".join(flag for flag in SHOWN if machine.has(flag)) or "none of the usual"
    yield f"machine: {machine.model}, {machine.architecture}, {machine.threads} threads, vectors: {has}"
    yield f"  caches: L1 {machine.l1_bytes:,}, L2 {machine.l2_bytes:,}, last level {machine.llc_bytes:,} bytes"


def _rules(spec: KernelSpec, target: str) -> Iterator[str]:
    threads = {
        "pool": "kw_parallel_for only",
        "openmp": "kw_parallel_for, OpenMP, or threads that are joined before the return",
        "none": "one thread only",
    }
    yield f"threads: {threads[spec.threads]}"
    yield f"includes: {', '.join(sorted(ALLOWED_INCLUDES))}"
    yield f"refused by name: {' '.join(sorted(FORBIDDEN_CALLS))}"
    yield "no state from one call to the next, no assembly, nothing that depends on the values of the inputs"
    if header := header_of(target):
        yield f"kernelwright.h:\n{header}"


async def read_sibling(bench: Workbench, asked: ReadSibling) -> str:
    if not bench.campaign.policy.siblings:
        raise ToolFailed("heads of other kernels are not shown in this campaign")
    others = {name: state for name, state in bench.campaign.kernels.items() if name != bench.kernel}
    if asked.kernel not in others:
        raise ToolFailed(f"there is no other kernel {asked.kernel!r}; there are: {', '.join(others) or 'none'}")
    head = others[asked.kernel].head
    return f"head of {asked.kernel}, {head.ns / 1000:.1f} us\n{numbered(head.candidate.source)}"


async def recall(bench: Workbench, asked: Recall) -> str:
    return await recalled(bench.campaign, [bench.kernel], asked.words)


async def recalled(campaign: Campaign, kernels: Sequence[str], words: str) -> str:
    """What is known of these kernels, the lines that have all of the words."""
    wanted = words.lower().split()
    lines = await campaign.store.read(lambda s: [line for k in kernels for line in remembered(s, campaign, k)])
    found = list(dict.fromkeys(text for text in lines if all(word in text.lower() for word in wanted)))
    if not found:
        return f"nothing with all of these words; {len(lines)} notes and attempts are known"
    rest = f"\n... and {len(found) - LINES} more: use more words" if len(found) > LINES else ""
    return "\n".join(found[:LINES]) + rest


def remembered(s: Session, campaign: Campaign, kernel: str) -> Iterator[str]:
    """Wins and traps on kernels of this type, this campaign's first, then notes on this one and what was tried on it,
    newest first."""
    yield from learned(s, campaign, kernel)
    for note in reversed(notebook.notes(s, campaign.id, kernel, limit=LINES)):
        yield f"note on {kernel}: {note.text}"
    for one in reversed(designs.attempts(s, campaign.id, kernel)) if campaign.policy.leaderboard else ():
        gain = "" if one.gain is None else f" {one.gain:+.1%}"
        params = params_text(one.params)
        yield f"tried on {kernel}: {one.lever} {params} -> {one.outcome or one.state} {one.verdict}{gain}".strip()


def learned(s: Session, campaign: Campaign, kernel: str) -> Iterator[str]:
    """Wins and traps on kernels of this type, this campaign's first."""
    kind = campaign.kernels[kernel].character.type
    others = campaign.policy.lessons_of_others
    known = _conclusions(s, campaign, kind) if campaign.policy.memory.on else []
    for row in (row for row in known if others or (row.kernel, row.campaign_id) == (kernel, campaign.id)):
        gain = "" if row.gain in (None, 0.0) else f" {row.gain:+.1%}"
        yield f"{row.kind} on {row.kernel}{gain}: {row.strategy}. {row.reflection}".strip()


def _conclusions(s: Session, campaign: Campaign, kernel_type: str) -> list[MemoryRow]:
    """Of other campaigns only where nothing keeps them apart."""
    own = memory.recall(s, kernel_type, campaign_id=campaign.id)
    known = {row.id for row in own}
    others = [] if campaign.policy.isolated else memory.recall(s, kernel_type)
    return [*own, *(row for row in others if row.id not in known)]
