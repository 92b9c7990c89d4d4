"""What the referee does when it is asked: one request, its arguments as JSON values, and the result as such."""

import dataclasses
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kernels.device.arena import Arena, memory_available
from kernels.device.auditing import Audit
from kernels.device.check import Check
from kernels.device.checks import audit_at, checked, peak_at_all
from kernels.device.contender import Launch
from kernels.device.contests import Contests
from kernels.device.floor import Floor
from kernels.device.gauge import Gauge
from kernels.device.memory import Memory
from kernels.device.profiled import Profiled
from kernels.device.protocol import Frame
from kernels.device.report import DeviceUnhealthy, HeadFailed
from kernels.packs.loader import PackError, load_pack
from kernels.sandbox.runner import Limits, RunnerFailed
from kernels.sandbox.starter import StarterCall

Arguments = Mapping[str, Any]


class Desk:
    """One per referee. `do` is the only door."""

    def __init__(self, floor: Floor, *, fifo: bool) -> None:
        self._floor = floor
        self._fifo = fifo
        self._contests = Contests(floor, fifo=fifo)
        self._doors: dict[str, Callable[[Arguments], Any]] = {
            "open": self._open, "load": self._load, "unload": self._unload, "check": self._check,
            "begin_test": self._begin_test, "pair": self._pair, "end_test": self._end_test, "peak": self._peak,
            "round_trip": self._round_trip, "health": self._health, "begin_race": self._begin_race,
            "block": self._block, "end_race": self._end_race, "profile": self._profile,
        }  # fmt: skip

    @classmethod
    def open(cls, config: Frame) -> Self:
        """config: pack (folder), cache, starter, threads, fingerprint, epoch_s, realtime.

        Raises: PackError, OSError, KeyError.
        """
        cache = Path(config["cache"])
        launch = Launch(StarterCall.from_json(config["starter"]).make(), int(config["threads"]), Limits())
        memory = Memory(cache / f"device-{config['fingerprint']}.json")
        pack = load_pack(config["pack"])
        if pack.digest != config.get("digest", pack.digest):
            raise PackError(f"pack {pack.name}", "its files are not those of the start", "Put them back")
        floor = Floor(pack, Arena(cache), launch, memory, float(config["epoch_s"]))
        return cls(floor, fifo=bool(config["realtime"]))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._floor.close()

    def describe(self) -> dict[str, Any]:
        floor = self._floor
        return {"pid": os.getpid(), "huge_pages_denied": floor.arena.why, "remembered": floor.memory.problem}

    def do(self, op: str, args: Arguments) -> Any:
        """The result as JSON values; that the head failed in a test is a result.

        Raises: RunnerFailed, DeviceUnhealthy, PackError, OSError, ValueError, KeyError.
        """
        if op not in self._doors:
            raise ValueError(f"unknown request {op!r}")
        try:
            return self._doors[op](args)
        except HeadFailed as failure:
            return failure.to_json()

    def _open(self, args: Arguments) -> dict[str, Any]:
        """Load probes and empty kernel of a kernel, and the reference that is its baseline."""
        stations = self._floor.stations(args["kernel"], Path(args["reference"]) if args.get("reference") else None)
        self._floor.equip(args["kernel"], args.get("shapes") or [args["probes"]], args["empty"] or "")
        return {"slots": stations[0].slots}

    def _load(self, args: Arguments) -> dict[str, Any]:
        """lazy: the runner starts with its first use. fresh: in a new process with new memory, whatever there is."""
        kernel, key, artefact = args["kernel"], args["key"], Path(args["artefact"])
        _ = self._floor.stations(kernel)
        contenders = () if args.get("fresh") else self._floor.holds(kernel, key, artefact)
        if not contenders:
            self._unload({"key": key})
            contenders = self._floor.add(kernel, key, artefact)
        if args.get("lazy"):
            return {}
        try:
            return {"level": contenders[0].runner.level}
        except (RunnerFailed, DeviceUnhealthy):
            self._unload({"key": key})
            raise

    def _unload(self, args: Arguments) -> None:
        for contender in self._floor.take_out(args["key"]):
            self._contests.leave(contender)
            contender.close()

    def _check(self, args: Arguments) -> dict[str, Any]:
        kernel, floor = args["kernel"], self._floor
        stations, contenders, gauges = (
            floor.stations(kernel),
            floor.contenders(kernel, args["key"]),
            floor.gauges(kernel),
        )
        floor.make_room(stations)
        audit = Audit.from_json(args["audit"]) if args.get("audit") else None
        controls = floor.contenders(kernel, audit.control) if audit is not None and audit.control else None
        checks = [
            Check(
                station, contenders[i], promotion=bool(args["promotion"]), too_fast=self._too_fast(gauges[i]),
                audit=audit_at(audit, i), control=None if controls is None else controls[i],
            )
            for i, station in enumerate(stations)
        ]  # fmt: skip
        return checked(checks).to_json()

    def _too_fast(self, gauge: Gauge) -> Callable[[float], str]:
        return lambda ns: gauge.unbelievable(ns, gauge.quick(0.0, fifo=self._fifo), fifo=self._fifo)

    def _begin_test(self, args: Arguments) -> None:
        self._contests.begin_test(args["test"], args["kernel"], args["head"], args["candidate"])

    def _pair(self, args: Arguments) -> dict[str, Any]:
        return dataclasses.asdict(self._contests.pair(args["test"], args["first"], float(args["head_ns"])))

    def _end_test(self, args: Arguments) -> dict[str, Any]:
        return self._contests.end_test(args["test"]).to_json()

    def _begin_race(self, args: Arguments) -> None:
        self._contests.begin_race(args["race"], args["kernel"], args["head"], args["variants"])

    def _block(self, args: Arguments) -> dict[str, Any]:
        return dataclasses.asdict(self._contests.block(args["race"], args["order"], float(args["head_ns"])))

    def _end_race(self, args: Arguments) -> dict[str, Any]:
        return dataclasses.asdict(self._contests.end_race(args["race"]))

    def _profile(self, args: Arguments) -> dict[str, Any]:
        """sides: artefacts with marks by name. They are loaded for this request only, at the first shape."""
        kernel = args["kernel"]
        station, gauge = self._floor.stations(kernel)[0], self._floor.gauges(kernel)[0]
        sides = {
            name: station.contender(f"{name}, profiled", Path(path), profile=True)
            for name, path in args["sides"].items()
        }
        try:
            return Profiled(station, gauge, sides, int(args["turns"]), int(args["calls"]), self._fifo).run()
        finally:
            for side in sides.values():
                side.close()

    def _peak(self, args: Arguments) -> dict[str, Any]:
        return dataclasses.asdict(peak_at_all(self._floor.gauges(args["kernel"]), fifo=self._fifo))

    def _round_trip(self, args: Arguments) -> float:
        return self._floor.gauges(args["kernel"])[0].round_trip(fifo=self._fifo)

    def _health(self, args: Arguments) -> dict[str, Any]:
        """A canary job: a probe on the ring of one kernel. Says what it saw."""
        floor = self._floor
        gauge = floor.gauges(args["kernel"])[0]
        why = floor.launch.starter.health()
        if why:
            raise DeviceUnhealthy(why)
        trip = gauge.round_trip(fifo=self._fifo)
        gbs = gauge.quick(trip, fifo=self._fifo)
        return {
            "probe_gbs": gbs,
            "mode": floor.memory.modes.observe(gbs),
            "round_trip_ns": trip,
            "level": gauge.level,
            "pages": gauge.station.pages,
            "memory_available": memory_available(),
            "runners": floor.running,
        }
