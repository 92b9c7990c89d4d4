"""The benches by name."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from app.bench import fleet, gemm, judging, peers, real, sketches
from app.bench.screen import run as screen
from app.bench.search import run as search
from app.bench.search import told


@dataclass(frozen=True, slots=True)
class Options:
    """What `bench` was told. gain: of a good candidate, as a share; None = the bench's own. kernel, tests: for those
    that run on the device. seeds, candidates: runs of a search, and what each may try. kernel_tuner: an interpreter
    that has it, "" = this one. devices: words of `run --device`, for the bench of fleets."""

    home: Path
    repetitions: int
    gain: float | None
    seed: int
    kernel: str = ""
    tests: int = 20
    pack: str = "gemma_decode"
    seeds: int = 5
    candidates: int = 30
    kernel_tuner: str = ""
    devices: tuple[str, ...] = ()
    say: Callable[[str], None] = print


@dataclass(frozen=True, slots=True)
class Bench:
    title: str
    run: Callable[[Options], dict[str, Any]]
    text: Callable[[dict[str, Any]], str]


def _judge(options: Options) -> dict[str, Any]:
    return judging.run(options.home, options.repetitions, options.gain, options.seed)


def _aa(options: Options) -> dict[str, Any]:
    return real.run_aa(options.home, options.kernel, options.tests, options.say)


def _gain(options: Options) -> dict[str, Any]:
    return real.run_gain(options.home, options.kernel, options.tests, options.gain, options.say)


def _numpy(options: Options) -> dict[str, Any]:
    return peers.run(options.home, options.pack, options.seed, options.say)


def _sketches(options: Options) -> dict[str, Any]:
    return sketches.run(options.home, options.pack, options.say)


def _search(options: Options) -> dict[str, Any]:
    return search.run(
        search.Order(
            options.home, options.kernel, options.seeds, options.candidates, options.seed, options.kernel_tuner,
            options.say,
        )
    )  # fmt: skip


def _fleet(options: Options) -> dict[str, Any]:
    return fleet.run(fleet.Order(options.home, options.kernel, options.devices, options.tests, options.say))


def _cublas(options: Options) -> dict[str, Any]:
    return gemm.run(options.home, options.kernel, options.seed)


def _tui(options: Options) -> dict[str, Any]:
    return screen.run(options.say)


BENCHES: Final = {
    "sketches": Bench("what each sketch alone gives at its default knobs, on --pack", _sketches, sketches.text),
    "numpy": Bench("the head of each kernel of --pack beside its numpy reference, in turns", _numpy, peers.text),
    "judge": Bench(
        "false accepts and power at equal device seconds: the rule, the paper's, mean, best and margin, "
        "simulated and on recorded readings of this device",
        _judge,
        judging.text,
    ),
    "aa": Bench("the head against itself on this device, --tests times: how often it is called FASTER", _aa, real.text),
    "gain": Bench(
        "a known gain, 1.5 x the smallest visible one, made by slowing the head: how often it is found",
        _gain,
        real.text,
    ),
    "tui": Bench(
        "what the screen costs over a big made-up home, in a terminal of its own, each figure beside its budget",
        _tui,
        screen.text,
    ),
    "fleet": Bench(
        "pairs a minute of the devices of --device together beside this machine's alone, --tests pairs a test",
        _fleet,
        fleet.text,
    ),
    "cublas": Bench(
        "NVIDIA's own GEMM at every shape of --kernel, a product of bf16 matrices: the number to beat on a GPU",
        _cublas,
        gemm.text,
    ),
    "search": Bench(
        "candidates and device seconds to 90 % of the best score: the offline policy, random search, Kernel Tuner",
        _search,
        told.text,
    ),
}
