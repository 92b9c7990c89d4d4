"""Frames, modes, memory, readings: the parts of the referee that need no device."""

import json
import math
import os
from pathlib import Path

import pytest

from kernels.device import protocol
from kernels.device.fit import contenders_that_fit
from kernels.device.memory import Best, Memory
from kernels.device.modes import UNKNOWN, Modes
from kernels.device.reading import below_floor, calls_for, floor_ns, quantile
from kernels.device.redo import Redo
from kernels.device.report import CheckReport, pair_from_json
from kernels.packs.loader import load_pack
from kernels.values.reading import Pair, Reading


def test_frames_survive_the_pipe_in_pieces() -> None:
    reader, writer = os.pipe()
    frames = [{"id": 1, "x": math.inf, "text": "ä[0]"}, {"id": 2}]
    os.write(writer, b"".join(protocol.encode(frame) for frame in frames))
    os.close(writer)
    assert [protocol.read_frame(reader) for _ in range(3)] == [*frames, None]
    os.close(reader)


@pytest.mark.parametrize("cut", [2, 6])
def test_a_stream_that_ends_inside_a_frame_is_an_error(cut: int) -> None:
    reader, writer = os.pipe()
    os.write(writer, protocol.encode({"id": 1})[:cut])
    os.close(writer)
    with pytest.raises(protocol.ProtocolError):
        protocol.read_frame(reader)
    os.close(reader)


@pytest.mark.parametrize("body", [b"[]", b"{", b"\xff"])
def test_a_body_that_is_no_object_is_an_error(body: bytes) -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.decode(body)


def test_a_length_that_nobody_can_mean_is_an_error() -> None:
    with pytest.raises(protocol.ProtocolError):
        protocol.body_length(b"\xff\xff\xff\xff")


def test_modes_are_found_and_keep_their_names() -> None:
    modes = Modes()
    assert modes.observe(33.0) == "33 GB/s"
    assert [modes.observe(gbs) for gbs in (34, 31, 35.5)] == ["33 GB/s"] * 3
    assert modes.observe(55) == "33 GB/s"  # one probe is no mode yet
    assert [modes.observe(gbs) for gbs in (56, 54)] == ["33 GB/s", "fast 55 GB/s"]
    assert modes.observe(33) == "33 GB/s"
    assert modes.name(54) == "fast 55 GB/s"
    assert modes.name(12) == UNKNOWN


def test_a_single_outlier_makes_no_mode() -> None:
    modes = Modes()
    for gbs in (33, 10, 33, 70, 33, 10, 33):
        modes.observe(gbs)
    assert len(modes.known) == 1


def test_a_peak_never_gets_slower_and_is_remembered(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "device.json")
    memory.modes.observe(33.0)
    assert memory.offer("k", "33 GB/s", Best(100.0, 33.0, "a")).style == "a"
    assert memory.offer("k", "33 GB/s", Best(110.0, 30.0, "b")).style == "a"
    memory.save()
    again = Memory(tmp_path / "device.json")
    assert again.best("k", "33 GB/s") == Best(100.0, 33.0, "a")
    assert again.fastest_gbs("k") == 33.0
    assert again.fastest_gbs("other") == 0.0
    assert again.modes.name(33) == "33 GB/s"


@pytest.mark.parametrize("text", ["{", "{}", json.dumps({"modes": [], "best": {"k": {"x": 1}}})])
def test_a_broken_memory_is_said_and_started_afresh(tmp_path: Path, text: str) -> None:
    path = tmp_path / "device.json"
    path.write_text(text)
    memory = Memory(path)
    assert "unreadable" in memory.problem
    assert memory.fastest_gbs("k") == 0.0


@pytest.mark.parametrize(("head_ns", "calls"), [(1e3, 64), (1e6, 40), (4e6, 10), (54e6, 3), (1e9, 3)])
def test_the_head_sets_the_number_of_calls(head_ns: float, calls: int) -> None:
    assert calls_for(head_ns) == calls


@pytest.mark.parametrize("head_ns", [0.0, -1.0, math.nan, math.inf])
def test_a_head_without_a_time_is_an_error(head_ns: float) -> None:
    with pytest.raises(ValueError, match="head"):
        calls_for(head_ns)


def test_few_calls_take_the_minimum_and_many_the_lower_quartile() -> None:
    assert quantile([5, 3, 9]) == 3
    assert quantile([float(i) for i in range(1, 10)]) == 3.0


def test_the_floor_comes_with_its_arithmetic() -> None:
    assert floor_ns(1600, 100.0) == 10.0
    assert below_floor(1000.0, 160_000, 100.0) == ""
    assert "160.0 GB/s" not in below_floor(1001.0, 160_000, 100.0)
    why = below_floor(500.0, 160_000, 100.0)
    assert "320.0 GB/s" in why
    assert "1000 ns" in why
    assert "clock" in below_floor(20.0, 160_000, 0.0)


def test_reports_survive_their_json() -> None:
    report = CheckReport(False, "wrong_values", "y[3]", {"calls": 3}, ("slow load",), 0.5)
    assert CheckReport.from_json(json.loads(json.dumps(report.to_json()))) == report
    reading = {"ns": math.nan, "calls": 3, "minimum_ns": 1.0, "maximum_ns": 2.0, "own_ns": 1.0}
    pair = pair_from_json({"head": {**reading, "ns": 5.0}, "candidate": reading, "first": "head", "mode": "m"})
    assert pair.head.ns == 5.0
    assert not pair.valid


def _pair(head: float, candidate: float, before: float = 33.0, after: float = 33.0) -> Pair:
    return Pair(Reading(head, 9, head, head), Reading(candidate, 9, candidate, candidate), "head", before, after)


def test_a_pair_across_two_modes_is_redone() -> None:
    assert "mode" in Redo(True).reason(_pair(1.0, 1.0, 33.0, 55.0))
    assert Redo(True).reason(_pair(1.0, 1.0, 33.0, 36.0)) == ""
    assert Redo(False).reason(_pair(1.0, 1.0, 0.0, 0.0)) == ""


def test_a_pair_is_never_redone_for_a_large_ratio_between_its_sides() -> None:
    redo = Redo(True)
    assert [redo.reason(_pair(2.9, 1.0)) for _ in range(4)] == [""] * 4
    assert redo.reason(_pair(2.9 * 1.4, 1.0)) == ""


def test_a_pair_far_above_the_running_median_is_redone_whichever_side_is_slow() -> None:
    for head, candidate in ((3.0, 1.0), (1.0, 3.0)):
        redo = Redo(True)
        assert [redo.reason(_pair(1.0, 1.0)) for _ in range(3)] == [""] * 3
        assert "running median" in redo.reason(_pair(head, candidate))


def test_a_mode_that_both_sides_share_is_no_reason() -> None:
    redo = Redo(True)
    assert [redo.reason(_pair(1.0, 1.0)) for _ in range(3)] == [""] * 3
    assert redo.reason(_pair(0.6, 0.6, 55.0, 55.0)) == ""
    assert redo.reason(_pair(1.7, 1.7, 20.0, 20.0)) == ""


def test_how_many_contenders_fit(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = load_pack("axpy_gemv").kernel("axpy")  # its four outputs of 4 MiB, each in huge pages behind a guard page
    monkeypatch.setattr("kernels.device.fit.memory_available", lambda: (1 << 30) + (600 << 20))
    assert contenders_that_fit(spec) == 10
    monkeypatch.setattr("kernels.device.fit.memory_available", lambda: 1 << 29)
    assert contenders_that_fit(spec) == 0
