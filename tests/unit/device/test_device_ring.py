"""Arena, layout, epoch, bench and expected values, on a small kernel without a runner."""

import itertools
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from kernels.device.alter import altered, log_uniform
from kernels.device.arena import PAGE, Arena, clean_stale
from kernels.device.bench import Bench, ChangedRows, Placement
from kernels.device.contender import Launch
from kernels.device.epoch import Epoch, secret_rng
from kernels.device.expected import Done, Oracle, fault
from kernels.device.influence import changed_code, changed_input, copied_row
from kernels.device.layout import FLUSH, INPUTS, INSTANCES, OUTPUTS, WEIGHTS, Layout
from kernels.device.station import Station
from kernels.packs.loader import load_pack
from kernels.packs.reference import load_reference
from kernels.sandbox.limits import Limits
from kernels.sandbox.starter import Native
from kernels.values.formats import decode, f32_to_bf16
from kernels.values.kernel import MOST_SLOTS, KernelSpec

KERNEL = """
name = "k"
title = "k"
ring_mib = 1
argument = [
  {name = "codes", dtype = "e2m1", shape = [64, 96], role = "weight"},
  {name = "scales", dtype = "e4m3", shape = [64, 6], role = "weight", generate = ["e4m3_field_positive", 8, 10]},
  {name = "bias", dtype = "bf16", shape = [64], role = "weight"},
  {name = "x", dtype = "f32", shape = [96], role = "input"},
  {name = "row", dtype = "i32", shape = [], role = "input", generate = ["int", 0, 8]},
  {name = "y", dtype = "f32", shape = [64], role = "output"},
  {name = "cache", dtype = "bf16", shape = [8, 5], role = "inout"},
]
matrix = [{name = "M", codes = "codes", scales = "scales", round_bf16 = true}]
[tolerance]
y = {atol = 1e-3, rtol = 1e-3}
cache = {atol = 1e-2, rtol = 1e-2, rows_only = true}
"""
REFERENCE = """
from kernels.packs.matrix import Rows
def reference(a):
    y = a["M"].apply(a["x"]) + a["bias"]
    return {"y": y, "cache": Rows(a["row"], y[:, :5])}
"""


@pytest.fixture
def spec(tmp_path: Path) -> KernelSpec:
    folder = tmp_path / "p"
    (folder / "k").mkdir(parents=True)
    (folder / "pack.toml").write_text('name = "p"\ntitle = "p"\nkernels = ["k"]\n')
    (folder / "k" / "kernel.toml").write_text(KERNEL)
    (folder / "k" / "reference.py").write_text(REFERENCE)
    (folder / "k" / "baseline.c").write_text("")
    return load_pack(folder).kernel("k")


class Rig:
    """Everything of one kernel but the runner; `honest` plays the kernel."""

    def __init__(self, spec: KernelSpec, folder: Path) -> None:
        self.spec, self.arena = spec, Arena(folder)
        self.layout = Layout(spec, 3)
        self.weights = self.arena.allocate("weights", self.layout.weights_size)
        self.epoch = Epoch(self.layout, self.weights.bytes, 0, 3)
        self.bench = Bench(self.arena, self.layout)
        self.oracle = Oracle(load_reference(spec))
        self.values = self.oracle.reference.inputs(secret_rng(), "random")

    def honest(self, place: Placement) -> None:
        wide = decode(self.epoch.array(place.slot, "codes"), "e2m1")
        scales = decode(self.epoch.array(place.slot, "scales"), "e4m3")
        rounded = decode(f32_to_bf16(wide * np.repeat(scales, 16, axis=1)), "bf16")
        y = rounded @ self.values["x"] + decode(self.epoch.array(place.slot, "bias"), "bf16")
        self.output(place, "y")[:] = y
        self.output(place, "cache")[int(self.values["row"])] = f32_to_bf16(y[:5])

    def output(self, place: Placement, name: str) -> np.ndarray:
        return self.bench.output(place.instance_out, self.spec.argument(name))

    def done(self, place: Placement) -> Done:
        captured = self.bench.capture(place, self.values)
        before = {n: self.bench.before(place, self.spec.argument(n), self.values) for n in ("y", "cache")}
        return Done(place, self.epoch.state(place.slot), self.values, before, captured, 1.0, 1.0, "random")

    def fault_of(self, done: Done) -> str:
        found = fault(self.spec, done, self.oracle.answers([done])[0])
        return found.kind if found is not None else ""


@pytest.fixture
def rig(spec: KernelSpec, tmp_path: Path) -> Iterator[Rig]:
    made = Rig(spec, tmp_path / "arena")
    yield made
    made.bench.close()
    made.weights.close()
    made.arena.close()


PLACE = Placement(1, 2, 3, 0)
ALIKE = 2  # one change in a thousand swaps parts whose sums differ by less than the tolerance


def test_the_ring_is_larger_than_asked_for_and_has_three_slots(spec: KernelSpec) -> None:
    small = replace(spec, ring_bytes=100_000)
    assert small.ring_slots * small.bytes_moved >= 100_000
    assert replace(spec, ring_bytes=1).ring_slots == 3
    assert replace(spec, ring_bytes=1 << 40).ring_slots == MOST_SLOTS


def test_arguments_lie_apart_aligned_and_outputs_between_guards(spec: KernelSpec) -> None:
    layout = Layout(spec, 4)
    regions = sorted(layout.output_regions())
    assert len(regions) == INSTANCES * 2
    assert all(offset % PAGE == 0 and length % PAGE == 0 for offset, length in regions)
    assert all(b - (a + length) >= PAGE for (a, length), (b, _) in itertools.pairwise(regions))
    assert regions[0][0] >= PAGE
    assert layout.outputs_size - sum(regions[-1]) >= PAGE
    y, cache = layout.output(1, "y"), layout.output(1, "cache")
    assert y.nbytes % FLUSH == 0
    assert y.end == y.page_end
    assert cache.offset == cache.page
    starts = [layout.weight(s, n).offset for s in range(4) for n in ("codes", "scales", "bias")]
    assert all(offset % 128 == 0 for offset in starts)
    assert len(set(starts)) == len(starts)
    assert [segment for segment, _ in layout.pointers(2, 0, 1)] == [WEIGHTS] * 3 + [INPUTS] * 2 + [OUTPUTS] * 2
    assert layout.nearest(OUTPUTS, y.end) == "y"
    assert layout.nearest(WEIGHTS, layout.weight(3, "scales").offset + 1) == "scales"


def test_memory_that_is_handed_out_cannot_be_written(tmp_path: Path) -> None:
    import mmap

    arena = Arena(tmp_path)
    block = arena.allocate("w", 10_000)
    block.bytes[:3] = 7
    with pytest.raises(PermissionError):
        mmap.mmap(block.reader_fd, 4096)
    assert mmap.mmap(block.reader_fd, 4096, access=mmap.ACCESS_READ)[:3] == b"\x07\x07\x07"
    block.close()
    arena.close()
    assert list(tmp_path.iterdir()) == []


def test_what_a_dead_referee_left_is_removed_and_a_living_ones_is_not(tmp_path: Path) -> None:
    (tmp_path / "arena-4194999").mkdir()
    (tmp_path / "arena-1").mkdir()
    assert clean_stale(tmp_path) == ["arena-4194999"]
    assert [path.name for path in tmp_path.iterdir()] == ["arena-1"]


def test_memory_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(MemoryError, match="MiB"):
        Arena(tmp_path).allocate("w", 1 << 50)


def test_every_slot_holds_what_the_reference_believes(rig: Rig) -> None:
    for slot in range(3):
        for _ in range(3):
            place = Placement(slot, 0, slot, 1)
            rig.bench.prepare(place, rig.values)
            rig.honest(place)
            assert rig.fault_of(rig.done(place)) == ""
            rig.epoch.disturb(slot)


def test_slots_differ_and_a_finished_call_keeps_its_state(rig: Rig) -> None:
    assert not np.array_equal(rig.epoch.array(0, "codes"), rig.epoch.array(1, "codes"))
    rig.bench.prepare(PLACE, rig.values)
    rig.honest(PLACE)
    done = rig.done(PLACE)
    for _ in range(20):
        rig.epoch.disturb(PLACE.slot)
    assert rig.fault_of(done) == ""


def test_an_unwritten_a_wrong_and_an_infinite_output_are_told_apart(rig: Rig) -> None:
    rig.bench.prepare(PLACE, rig.values)
    assert rig.fault_of(rig.done(PLACE)) == "not_written"
    rig.honest(PLACE)
    rig.output(PLACE, "y")[5] += 1
    assert rig.fault_of(rig.done(PLACE)) == "wrong_values"
    rig.output(PLACE, "y")[5] = np.inf
    assert rig.fault_of(rig.done(PLACE)) == "non_finite"


def test_other_rows_of_a_cache_must_stay(rig: Rig) -> None:
    rig.bench.prepare(PLACE, rig.values)
    rig.honest(PLACE)
    other = (int(rig.values["row"]) + 1) % 8
    rig.output(PLACE, "cache")[other, 2] ^= 1
    assert rig.fault_of(rig.done(PLACE)) == "wrong_values"
    rig.bench.prepare(PLACE, rig.values)
    assert np.array_equal(rig.output(PLACE, "cache"), rig.values["cache"])


def test_a_captured_cache_is_whole_again(rig: Rig) -> None:
    rig.bench.prepare(PLACE, rig.values)
    rig.honest(PLACE)
    captured = rig.bench.capture(PLACE, rig.values)["cache"]
    assert isinstance(captured, ChangedRows)
    assert np.array_equal(captured.whole(), rig.output(PLACE, "cache"))
    assert list(captured.index) == [int(rig.values["row"])]


def test_an_output_must_be_final_at_return(rig: Rig) -> None:
    rig.bench.prepare(PLACE, rig.values)
    rig.honest(PLACE)
    rig.bench.capture(PLACE, rig.values)
    assert rig.bench.late(PLACE.instance_out) == ""
    rig.output(PLACE, "y")[0] += 1
    assert rig.bench.late(PLACE.instance_out) == "y"


def test_a_write_beside_an_output_is_seen(rig: Rig) -> None:
    rig.bench.prepare(PLACE, rig.values)
    assert rig.bench.overrun(3) == ""
    span = rig.layout.output(3, "cache")
    rig.bench.outputs.bytes[span.end] ^= 1
    assert "cache" in rig.bench.overrun(3)
    assert rig.bench.overrun(3) == ""
    rig.bench.outputs.bytes[rig.layout.output(3, "y").offset - 1] ^= 1
    assert "before output y" in rig.bench.overrun(3)


def test_poisons_come_in_pairs_that_differ_in_every_bit(rig: Rig) -> None:
    y = rig.spec.argument("y")
    one, other = (rig.bench.before(Placement(0, 0, 0, p), y, rig.values).view(np.uint32) for p in (2, 3))
    assert np.array_equal(one, ~other)


@pytest.mark.parametrize("change", ["code", "row"])
def test_a_change_of_the_weights_changes_the_expected_values_and_is_undone(rig: Rig, change: str) -> None:
    matrix, rng = rig.spec.matrices[0], secret_rng()
    kept = rig.weights.bytes.copy()
    stale = []
    for column in range(8):
        context = (
            changed_code(rig.epoch, 1, matrix, column, rng)
            if change == "code"
            else copied_row(rig.epoch, 1, matrix, rng)
        )
        rig.bench.prepare(PLACE, rig.values)
        with context as patch:
            rig.honest(PLACE)
            done = rig.done(PLACE)
        assert np.any(patch.delta != 0)
        stale.append(rig.fault_of(done))
        done.patches = (patch,)
        assert rig.fault_of(done) == ""
    assert stale.count("wrong_values") >= 8 - ALIKE
    assert np.array_equal(rig.weights.bytes, kept)


def test_a_changed_input_differs_in_one_element(rig: Rig) -> None:
    for name in ("x", "row"):
        stored = rig.values[name]
        for _ in range(20):
            changed, _ = changed_input(rig.spec.argument(name), stored, secret_rng())
            assert np.count_nonzero(changed != stored) <= 1


def test_altered_weights_are_what_a_timed_call_has_to_read_and_are_put_back(rig: Rig) -> None:
    rng, before = secret_rng(), rig.weights.bytes.copy()
    for _ in range(20):
        rig.bench.prepare(PLACE, rig.values)
        with altered(rig.epoch, PLACE.slot, rng, stays=True) as note:
            assert not np.array_equal(rig.weights.bytes, before)
            rig.honest(PLACE)
            done = note(rig.done(PLACE))
        assert rig.fault_of(done) == ""
        assert np.array_equal(rig.weights.bytes, before)


def test_an_answer_from_a_copy_of_the_weights_is_wrong_in_an_altered_call(rig: Rig) -> None:
    rng, faults = secret_rng(), []
    for _ in range(20):
        rig.bench.prepare(PLACE, rig.values)
        rig.honest(PLACE)
        with altered(rig.epoch, PLACE.slot, rng, stays=True) as note:
            done = note(rig.done(PLACE))
        faults.append(rig.fault_of(done))
    assert faults.count("wrong_values") >= 20 - ALIKE


def test_other_timed_calls_get_as_many_writes_and_the_weights_as_they_were(rig: Rig) -> None:
    rng, before = secret_rng(), rig.weights.bytes.copy()
    rig.bench.prepare(PLACE, rig.values)
    with altered(rig.epoch, PLACE.slot, rng, stays=False) as note:
        assert np.array_equal(rig.weights.bytes, before)
        rig.honest(PLACE)
        done = rig.done(PLACE)
        assert note(done) is done
    assert rig.fault_of(done) == ""
    assert np.array_equal(rig.weights.bytes, before)


def test_pieces_are_of_every_size(rig: Rig) -> None:
    rng = secret_rng()
    drawn = [log_uniform(rng, 32) for _ in range(8000)]  # the largest comes up once in some hundred times
    assert (min(drawn), max(drawn)) == (1, 32)
    assert 0.1 < sum(n == 1 for n in drawn) / len(drawn) < 0.4


@pytest.mark.parametrize(("ring", "apart"), [(3, 3), (8, 6), (12, 8)])
def test_the_next_slot_is_not_known_and_not_one_of_the_last(
    spec: KernelSpec, tmp_path: Path, ring: int, apart: int
) -> None:
    arena = Arena(tmp_path / "arena")
    one = replace(spec, ring_bytes=ring * spec.bytes_moved)
    station = Station(arena, one, 60.0, Launch(Native("/nowhere"), 1, Limits()))
    path = station.path(400)
    last: dict[int, int] = {}
    for at, slot in enumerate(path):
        assert at - last.get(slot, -apart) >= apart
        last[slot] = at
    following = {slot: {b for a, b in itertools.pairwise(path) if a == slot} for slot in range(ring)}
    assert all(len(after) > 1 for after in following.values()) is (ring > 3)
