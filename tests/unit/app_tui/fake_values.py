"""Seeded view values: what a campaign of 41 minutes looks like."""

import random
from collections.abc import Sequence
from typing import TYPE_CHECKING

from store import device_views as d
from store import filed_views as f
from store import views as v

if TYPE_CHECKING:
    from tests.unit.app_tui.fake_source import FakeSource

LEVERS = (
    "decode by table", "decode VBMI", "prefetch T1 4096", "rows per block 4 -> 1", "two accumulators", "-O3 -march",
    "threads through the pool", "unroll 4", "non-temporal loads", "scale hoisting",
)  # fmt: skip
SIGNS = {"KEEP": "+", "REJECT": "-", "REVERT": "-", "ACCEPT": "~", "SLOWER": "!", "": "."}
SOURCE = "#include <stdint.h>\n\nvoid gemv(const float *w, float *y) {\n    y[0] = w[0];\n}\n"
DIFF = """--- parent
+++ candidate
@@ -12,7 +12,8 @@ static inline void row(
     float sum = 0.0f;
-    for (int j = 0; j < n; j++)
-        sum += decode(w[j]) * x[j];
+    for (int j = 0; j < n; j += 16)
+        sum = fma16(decode16(w + j), x + j, sum);
     y[i] = sum;
 }
"""


def kernel_views(kernels: Sequence[str], text: str) -> tuple[v.KernelView, ...]:
    rows = (
        (25.8e6, 0.97e6, 0.92e6, 26.4, 25.9, 27.0, 1.06, 88, 31, 6, "decode VBMI", 0.019, "idle"),
        (13.1e6, 0.49e6, 0.47e6, 26.6, 26.0, 27.3, 1.05, 71, 28, 5, "rows per block 4 -> 1", 0.032, "building"),
        (53.9e6, 3.31e6, 3.06e6, 16.3, 15.9, 16.6, 1.08, 104, 40, 8, "prefetch T1 4096", 0.008, "testing prefetch T1"),
    )
    return tuple(
        v.KernelView(
            name, base, head, peak, speed, low, high, times, tried, tests, kept, "a1b2c3d4e5f6", text or lever, gain, 2,
            text or status,
        )
        for name, (base, head, peak, speed, low, high, times, tried, tests, kept, lever, gain, status) in zip(
            kernels, rows, strict=False
        )
    )  # fmt: skip


def placebo() -> d.PlaceboView:
    return d.PlaceboView(2, 44, 0.137, None, d.BiasView(264, 0.0002, -0.0011, 0.0015, 0.3))


def device(kernel: str, now: float) -> d.DeviceView:
    """Calibrated two hours ago; forty tests since, one every five minutes."""
    rng = random.Random(f"noise {kernel}")
    noise = tuple(
        d.NoisePoint(80 + i, "acceptance", now - 300.0 * (40 - i), 12, rng.uniform(0.012, 0.02),
                     rng.choice([33.0, 33.4, 32.7, 55.1]), "slow 33 GB/s")
        for i in range(40)
    )  # fmt: skip
    calibration = {
        "pack": "gemma_decode", "kernel": kernel, "fingerprint": "9f8e7d6c5b4a", "at": now - 7200.0, "pairs": 24,
        "pair_sd": 0.016, "mode": "slow 33 GB/s", "realtime": "yes", "lines": [
            "CV 1.90 %, sd of a pair 1.60 %", "lag-1 correlation +0.30, within a pair +0.62: pairing pays",
            "order effect +0.10 % (p = 0.4); the coin balances it",
            "trend +0.002 % a reading (-0.010 .. +0.011)",
            "this device cannot see less than 1.1 %; promotions need 1.2 %", "suggested d of FLAT: 0.005",
            "modes: 33 GB/s in 20 pairs, 55 GB/s in 4 pairs",
        ],
    }  # fmt: skip
    power = d.PowerView("calibration", 24, 0.016, 0.01104, 0.01216, 1.02, 480, 0.408, now - 7200.0)
    return d.DeviceView(
        kernel, "gemma_decode", "9f8e7d6c5b4a", power, calibration, noise, {"slow 33 GB/s": 400, "fast 55 GB/s": 80},
        redos={"head": 7, "candidate": 5},
    )  # fmt: skip


def queue(text: str) -> tuple[d.QueueItem, ...]:
    return (
        d.QueueItem("measured", "ffn", text or "prefetch T1 4096", "acceptance, pair 10/24"),
        d.QueueItem("device", "", text or "checking qkv c0ffee12", "waits for the machine"),
        d.QueueItem("gates", "qkv", text or "scale hoisting", "through gate compile"),
        d.QueueItem("kernel", "ffn", text or "unroll 4", "worker-03 waits for its kernel"),
        d.QueueItem("due", "", "placebo", "after 3 more tests"),
        d.QueueItem("due", "qkv", "ledger", "due now"),
        d.QueueItem("brief", "attn_out", text or "two accumulators", "waits for a worker"),
    )


def campaign(now: float, elapsed: float, state: str, text: str) -> v.CampaignView:
    return v.CampaignView(
        id=1, pack=text or "gemma_decode", target="cpu-c", fingerprint="9f8e7d6c5b4a", toolchain="gcc 12.2",
        device="2 threads, FIFO",
        brain="offline", seed=7, state=state, started_at=now - elapsed, elapsed_s=elapsed, minutes=60.0,
        candidates_budget=0, usd=0.0, sandbox_level="bwrap+seccomp", mode="slow 33 GB/s", claimed_gain=23.1,
        ledger_speedup=22.5, ledger_low=22.0, ledger_high=23.0, tests_run=99, promotions=19, candidates=263,
        rejections={"compile": 41, "wrong_values": 12, "batch": 30, "address_cache": 2}, expected_false_promotions=0.6,
        faster_but_dropped=3, placebo=placebo(), device_busy_fraction=0.57,
        holder="reading ffn",
    )  # fmt: skip


def overview(source: "FakeSource", state: str) -> v.OverviewView:
    elapsed = 41 * 60 + 12 + source.tick()
    rng = random.Random(3)
    score, points = 1.0, []
    for step in range(19):
        score *= 1.0 + rng.random() * 0.36
        points.append(v.ScorePoint(90.0 + 120.0 * step, "", min(score, 22.5)))
    agents = source.agents()
    states: dict[str, int] = {}
    for agent in agents:
        states[agent.state] = states.get(agent.state, 0) + 1
    needs = (
        source.text or "worker-11 refused: caches by address (gate correct)",
        source.text or "rule R17 is stale since gcc changed",
    )
    recent = tuple(source.events(-1, 12))
    now = source.now + source.tick()
    engine = v.EngineView(4242, "host", now - elapsed, now - 1.0, True, 3.0)
    live = tests(source.kernels, source.now, source.text, source.tick())[0]
    return v.OverviewView(
        campaign(source.now, elapsed, state, source.text), engine,
        kernel_views(source.kernels, source.text), tuple(points), live,
        ("qkv: scale hoisting", "attn_out: unroll 4", "race of 8 variants"), needs, states, recent,
        paused=tuple(sorted(source.paused - {"all"})),
    )  # fmt: skip


def tree(kernel: str, count: int, now: float, text: str) -> tuple[v.NodeView, ...]:
    """A seeded tree; every seventh node is an idea, the head lies at depth 4."""
    rng = random.Random(f"tree {kernel}")
    base = {"qkv": 1000, "attn_out": 200_000, "ffn": 400_000}.get(kernel, 600_000)
    nodes: list[v.NodeView] = []
    head_path = {0, 1, 4, 9, 16} if count > 16 else {0}
    for index in range(count):
        parent = None if index % 7 == 0 else rng.randrange(max(0, index - 12), index)
        if index in head_path and index:
            parent = max(i for i in head_path if i < index)
        outcome = "KEEP" if index in head_path else rng.choice(["REJECT", "REVERT", "ACCEPT", "REVERT", ""])
        verdict = {"KEEP": "FASTER", "ACCEPT": "FLAT", "REVERT": rng.choice(["SLOWER", "UNCLEAR"])}.get(outcome, "")
        nodes.append(
            v.NodeView(
                base + index, None if parent is None else base + parent, kernel,
                "idea" if parent is None else "variant", text or LEVERS[index % len(LEVERS)],
                text or ("idea: stream the rows" if parent is None else f"variant {index}"), outcome, verdict,
                "!" if verdict == "SLOWER" else SIGNS[outcome], text or f"worker-{index % 9:02d}",
                None if outcome in ("REJECT", "") else rng.uniform(-0.05, 0.06), f"{index:08x}cafe",
                index == max(head_path), index in head_path, index == 5, now - 60.0 * (count - index),
            )
        )  # fmt: skip
    return tuple(nodes)


def detail(node: v.NodeView, now: float, text: str) -> v.NodeDetail:
    gates = (
        v.GateView("source", "passed", "", "", 0.004, {}, ()),
        v.GateView("legality", "skipped", "", text or "no legality rule of this target is known yet", 0.0, {}, ()),
        v.GateView("compile", "passed", "", "", 0.31, {}, (text or "uses immintrin.h",)),
        v.GateView("correct", "passed", "", "8 regimes, 96 outputs", 1.9, {}, ()),
    )
    return v.NodeDetail(
        node, text or "The table decode is bound by loads; permutes keep it in registers.",
        text or "rows: 3.4 -> 3.1 ms",
        (text or "-funroll-loops",), text or ("SLOWER under parent 1f3c9a22" if node.verdict == "SLOWER" else ""),
        text or SOURCE, text or DIFF, gates, tests((node.kernel,), now, text, 0.0)[:2],
    )  # fmt: skip


def tests(kernels: Sequence[str], now: float, text: str, tick: float) -> tuple[v.TestView, ...]:
    done = int(10 + tick) % 24 if tick else 10
    running = v.TestView(
        120, "acceptance", kernels[-1], text or "prefetch T1 4096", text or "worker-07", 1004, "c0ffee12",
        "f00dfeed", "running", "",
        done, 24, 1.97, 0.008, -0.001, 0.017, 12, 21.5, now - 40.0, text,
    )  # fmt: skip
    rng = random.Random(5)
    old = [
        v.TestView(
            119 - i, rng.choice(["acceptance", "confirmation", "ledger"]), kernels[i % len(kernels)],
            text or LEVERS[i % len(LEVERS)], f"worker-{i % 9:02d}", 1000 + i, f"{i:08x}", "f00dfeed", "done",
            rng.choice(["FASTER", "SLOWER", "FLAT", "UNCLEAR"]), rng.choice([6, 8, 12, 24]), 24, rng.uniform(-2, 2.2),
            rng.uniform(-0.02, 0.03), -0.03, 0.04, None, 12.0, now - 100.0 * i, text or "score at or above +2.15",
        )
        for i in range(40)
    ]  # fmt: skip
    return (running, *old)


def with_pairs(test: v.TestView, now: float) -> v.TestView:
    from dataclasses import replace

    rng = random.Random(test.id)
    pairs, trail = [], []
    for n in range(1, max(1, test.pairs_done) + 1):
        ratio = rng.gauss(0.008, 0.01)
        pairs.append(
            v.PairView(
                n - 1, rng.choice(["head", "candidate"]), 3.31e6, 3.31e6 * (1 - ratio), ratio, 33.1, "slow 33 GB/s",
                "probe disagrees on the mode" if n == 3 else "", now - 30 + n, 33.0,
                {"calls": 64, "minimum_ns": 3.2e6, "maximum_ns": 3.9e6, "own_ns": 3.29e6}, {},
                {"load": "1.97", "realtime": "yes", "level": "bwrap+seccomp", "clock_mhz": "2599.998"},
            )
        )  # fmt: skip
        looked = n in (6, 8, 10, 12, 16, 20, 24)
        trail.append(
            v.TrailPoint(n, test.score * n / test.pairs_done, 2.15 if looked else None, -1.85 if looked else None,
                         0.3 + 1.2 * (n - 6) / 18 if looked and n > 6 else None)
        )  # fmt: skip
    looks = tuple(
        v.TrailPoint(n, 0.0, 2.15, -1.85, None if n == 24 else 0.3 + 1.2 * (n - 6) / 18)
        for n in (6, 8, 10, 12, 16, 20, 24)
    )
    why = v.WhyView(
        ("look 6: score +1.20: on to 8 pairs (row 7)", "look 8: score +1.50: on to 10 pairs (row 7)"),
        "look 12: ends at +2.15 or more, at -1.85 or less, below +0.70" if test.state == "running" else "",
        ("pair 3 redone, long on the head's side: probe disagrees on the mode",),
    )
    return replace(test, pairs=tuple(pairs), trail=tuple(trail), looks=looks, why=why)


def agents(count: int, kernels: Sequence[str], now: float, text: str, tick: float) -> list[v.AgentView]:
    rng = random.Random(11)
    fixed = [
        ("main", "main", ""),
        ("strategist", "strategist", ""),
        *((f"architect-{k}", "architect", k) for k in kernels),
    ]
    named = [
        *fixed,
        *((f"worker-{i:02d}", "worker", kernels[i % len(kernels)]) for i in range(max(0, count - len(fixed)))),
    ]
    return [
        v.AgentView(
            name, role, kernel, rng.choice(["working", "working", "working", "waiting"]),
            text or f"one lever: {LEVERS[i % len(LEVERS)]}",
            text or rng.choice(["building", "reading pairs", "waiting for the device", "writing the diff"]),
            now - rng.uniform(1, 900), rng.randrange(5000), 0.0,
            tuple(text or f"{LEVERS[(i + j) % len(LEVERS)]}: try {j + int(tick)}" for j in range(8)),
        )
        for i, (name, role, kernel) in enumerate(named)
    ]  # fmt: skip


def filings(count: int, kernels: Sequence[str], now: float, text: str) -> list[v.FilingView]:
    rng = random.Random(17)
    return [
        v.FilingView(
            i + 1, "submission" if i % 9 == 8 else "promotion", kernels[i % len(kernels)], 1000 + i,
            text or LEVERS[i % len(LEVERS)], now - 300.0 * (count - i), rng.uniform(0.005, 0.2),
            (0.001, 0.21), 1.0 + 0.05 * i, 1.0 + 5.0 / (i + 1), "2 threads, FIFO", "9f8e7d6c5b4a", i == 7,
        )
        for i in range(count)
    ]  # fmt: skip


def compared(first: v.FilingView, second: v.FilingView, text: str) -> f.ComparedView:
    reading = f.FiledReading("acceptance", "FASTER", 8, 0.02, 0.01, 0.03, 2e6, 1.9e6, "slow")
    diff = text or "--- parent/kernel.c\n+++ candidate/kernel.c\n-slow();\n+fast();"
    return f.ComparedView(first, second, (reading,), (), diff, "")


def series(campaign: int, kernel: str, filed: Sequence[v.FilingView]) -> f.SeriesView:
    of = [one for one in filed if one.kernel == kernel]
    score = tuple((one.filed_at, one.ledger_speedup) for one in of if one.ledger_speedup is not None)
    peak = tuple((one.filed_at, one.times_peak) for one in of if one.times_peak is not None)
    return f.SeriesView(
        campaign, kernel, False, f.FiledCurve("ledger speedup against the baseline", score, True),
        f.FiledCurve("time over peak", peak, False),
    )  # fmt: skip


def events(count: int, now: float, text: str) -> list[v.EventView]:
    kinds = ("candidate", "gate", "refused", "test", "promotion", "command")
    return [
        v.EventView(
            i + 1, now - 5.0 * (count - i), kinds[i % len(kinds)], f"worker-{i % 9:02d}",
            text or f"{LEVERS[i % len(LEVERS)]} event {i}", {"seconds": 0.5 * i, "note": text or "ok"},
        )
        for i in range(count)
    ]  # fmt: skip
