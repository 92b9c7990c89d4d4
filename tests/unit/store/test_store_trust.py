"""How far verdicts can be trusted: power, placebos with their bias, noise, redone pairs, and what waits."""

import json
import math

import pytest

from kernels.values.reading import Pair, Reading
from kernels.values.verdict import GateReport, GateState, Outcome, Verdict
from store import agents, calibrations, designs, heartbeat, ledger, reads
from store.heartbeat import Due, Waiting


def pair(x: float, *, first: str = "head", redo: str = "", gbs: float = 33.0, mode: str = "slow") -> Pair:
    """A pair whose log(head / candidate) is x."""
    head, candidate = 1000.0, 1000.0 * math.exp(-x)
    side = "head" if first == "head" else "candidate"
    return Pair(
        Reading(head, 8, head, head), Reading(candidate, 8, candidate, candidate), side, gbs, gbs, mode, redo,
        {"load": "1.0"},
    )  # fmt: skip


def finished(world, ratios, kind: str = "acceptance", verdict: Verdict = Verdict.UNCLEAR, seconds: float = 0.5) -> int:
    node = world.variant(f"{kind} {ratios}")
    test = world.test_of(node, kind)
    assert isinstance(test, int)

    def rows(s) -> None:
        for x in ratios:
            ledger.add_pair(s, test, x if isinstance(x, Pair) else pair(x), seconds=seconds)
        ledger.finish_test(s, test, verdict, mode="slow")
        designs.finish_node(s, node, Outcome.REVERT, verdict)

    world.write(rows)
    return test


def calibrated(world, fingerprint: str = "print") -> None:
    figures = {
        "pack": "demo", "kernel": "ffn", "fingerprint": fingerprint, "at": 5.0, "pairs": 24, "pair_sd": 0.02,
        "pair_seconds": 2.0, "visible_gain": 0.0138, "lines": ["CV 1.4 %"],
    }  # fmt: skip
    world.write(
        lambda s: calibrations.keep(
            s, world.campaign, fingerprint=fingerprint, pack="demo", kernel="ffn", figures=figures
        )
    )


def device(world):
    return world.read(lambda s: reads.device(s, world.campaign, "ffn"))


def test_power_comes_from_the_calibration_and_the_cost_from_measured_pairs(world) -> None:
    calibrated(world)
    first = device(world).power
    assert (first.source, first.timed_pairs, first.pair_seconds) == ("calibration", 0, 2.0)
    assert first.visible_gain == pytest.approx(0.69 * 0.02)
    assert first.promotable_gain == pytest.approx(0.76 * 0.02)
    assert first.test_minutes == pytest.approx(24 * 2.0 / 60)
    finished(world, [0.01] * 6, seconds=0.5)
    then = device(world).power
    assert (then.timed_pairs, then.pair_seconds) == (6, pytest.approx(0.5))
    assert then.test_minutes == pytest.approx(0.2)


def test_without_a_calibration_placebo_pairs_tell_the_power(world) -> None:
    assert device(world).power is None
    finished(world, [0.01, -0.01, 0.02, -0.02, 0.0], "placebo")
    assert device(world).power is None  # five pairs are too few
    finished(world, [0.03], "placebo")
    power = device(world).power
    assert (power.source, power.pairs) == ("placebo pairs", 6)
    # median .005; distances .005 .005 .015 .015 .025 .025: their median .015
    assert power.pair_sd == pytest.approx(1.4826 * 0.015)


def test_another_device_is_named_and_tells_nothing(world) -> None:
    calibrated(world, "other")
    found = device(world)
    assert (found.power, found.calibration, found.calibrated_elsewhere) == (None, None, "other")


def test_noise_is_a_point_a_test_with_its_probe_and_modes(world) -> None:
    finished(world, [0.01, 0.03, 0.05, 0.07, 0.09, 0.11, pair(9.0, redo="mode")])
    finished(world, [0.0] * 5)  # too few pairs to say
    finished(world, [pair(0.001 * i, gbs=55.0, mode="fast") for i in range(8)], "placebo")
    found = device(world)
    first, second = found.noise
    assert (first.pairs, first.kind, first.gbs) == (6, "acceptance", 33.0)
    assert first.sd == pytest.approx(1.4826 * 0.03)
    assert (second.kind, second.gbs, second.sd) == ("placebo", 55.0, pytest.approx(1.4826 * 0.002))
    assert found.modes == {"slow": 11, "fast": 8}


def test_redone_pairs_are_counted_by_the_side_that_was_long(world) -> None:
    finished(world, [0.1, 0.1, pair(0.5, redo="mode"), pair(0.0, redo="mode"), pair(0.4, redo="work")])
    assert device(world).redos == {"head": 2, "candidate": 1}


def test_placebo_pairs_are_pooled_without_those_that_run(world) -> None:
    finished(world, [0.02, 0.01, 0.03, 0.02, 0.01, 0.02], "placebo", Verdict.FASTER)
    finished(world, [pair(0.02), pair(0.5, redo="mode")], "placebo")
    running = world.test_of(world.variant("secret"), "placebo")
    world.write(lambda s: ledger.add_pair(s, running, pair(-0.9)))
    placebo = world.read(lambda s: reads.campaign_view(s, world.campaign)).placebo
    assert (placebo.faster, placebo.tests, placebo.known, placebo.alarm_at) == (1, 2, False, None)
    assert placebo.bias.pairs == 7
    assert placebo.bias.gain == pytest.approx(1 - math.exp(-0.02), abs=1e-3)
    assert (placebo.bias.clean, placebo.bias.alarming) == (False, False)


def test_the_alarm_says_at_how_many_tests(world) -> None:
    for i in range(21):
        finished(world, [0.0], "placebo", Verdict.FASTER if i < 4 else Verdict.FLAT)
    view = world.read(lambda s: reads.campaign_view(s, world.campaign))
    assert (view.placebo.alarm_at, view.placebo.faster, view.placebo.tests) == (20, 4, 21)
    assert world.read(lambda s: reads.placebos_here(s, world.campaign)).tests == 21


def test_what_waits_comes_from_rows_and_the_last_heartbeat(world) -> None:
    in_gates, tested_node = world.variant("a", "prefetch"), world.variant("b", "unroll")
    world.write(lambda s: designs.set_node(s, in_gates, state="gates"))
    world.write(lambda s: designs.add_gate_report(s, in_gates, GateReport("compile", GateState.PASSED)))
    world.write(lambda s: designs.set_node(s, tested_node, state="testing"))
    world.test_of(tested_node, "placebo")
    world.write(lambda s: agents.add_brief(s, world.campaign, "qkv", lever="fuse"))
    world.write(lambda s: agents.add_brief(s, world.campaign, "ffn", lever="blocked"))
    world.write(lambda s: agents.take_brief(s, world.campaign, "worker-02"))
    waiting = Waiting(("checking ffn 1234", "pair of test 9"), (Due("placebo", "", 1), Due("ledger", "ffn", 0)))
    world.write(lambda s: heartbeat.beat(s, world.campaign, started_at=0.0, holder="build qkv", waiting=waiting))
    found = [(q.state, q.kernel, q.what, q.note) for q in world.read(lambda s: reads.queue(s, world.campaign))]
    assert found == [
        ("holds", "", "build qkv", "has the machine now"),
        ("measured", "ffn", "unroll", "acceptance, pair 0/24"),
        ("device", "", "checking ffn 1234", "waits for the machine"),
        ("gates", "ffn", "prefetch", "through gate compile"),
        ("kernel", "qkv", "fuse", "worker-02 waits for its kernel"),
        ("due", "", "placebo", "after 1 more test"),
        ("due", "ffn", "ledger", "due now"),
        ("brief", "ffn", "blocked", "waits for a worker"),
    ]


def test_the_json_of_the_command_line_has_it_all(world) -> None:
    calibrated(world)
    finished(world, [0.01, -0.01, 0.02, -0.02, 0.0, 0.01], "placebo")
    found = json.loads(json.dumps(world.read(lambda s: reads.trust(s, world.campaign)), allow_nan=False))
    assert set(found) == {"placebo", "bias", "meter", "device", "queue"}
    assert (found["placebo"]["tests"], found["placebo"]["known"]) == (1, False)
    assert found["placebo"]["this_device"]["tests"] == 1
    assert (found["bias"]["pairs"], found["bias"]["clean"]) == (6, True)
    assert found["meter"] == {
        "tests": 0, "promotions": 0, "expected_false_promotions": 0.0, "faster_but_dropped": 0,
    }  # fmt: skip
    ffn = found["device"]["ffn"]
    assert (ffn["power"]["source"], ffn["calibration"]["pair_sd"], len(ffn["noise"])) == ("calibration", 0.02, 1)
    assert found["device"]["qkv"]["power"] is None
