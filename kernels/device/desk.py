"""What the referee does when it is asked: loads, checks, tests, peaks. Owns everything that must die with it."""

import dataclasses
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from kernels.device.arena import Arena, memory_available
from kernels.device.auditing import Audit
from kernels.device.check import Check
from kernels.device.contender import Contender, Launch
from kernels.device.gauge import Gauge
from kernels.device.heat import Heat
from kernels.device.memory import Memory
from kernels.device.profiled import Profiled
from kernels.device.protocol import Frame
from kernels.device.report import DeviceUnhealthy, HeadFailed
from kernels.device.station import SPARE_BYTES, Station
from kernels.device.trial import Trial
from kernels.packs.loader import PackError, load_pack
from kernels.sandbox.runner import Limits, RunnerFailed
from kernels.sandbox.starter import StarterCall
from kernels.values.kernel import Pack

Arguments = Mapping[str, Any]


class Desk:
    """One per referee. `do` is the only door."""

    def __init__(self, pack: Pack, arena: Arena, launch: Launch, memory: Memory, *, epoch_s: float, fifo: bool) -> None:
        self._pack = pack
        self._arena = arena
        self._launch = launch
        self._memory = memory
        self._epoch_s = epoch_s
        self._fifo = fifo
        self._stations: dict[str, Station] = {}
        self._gauges: dict[str, Gauge] = {}
        self._contenders: dict[str, Contender] = {}
        self._trials: dict[str, Trial] = {}
        self._heats: dict[str, Heat] = {}
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
        fifo = bool(config["realtime"])
        return cls(pack, Arena(cache), launch, memory, epoch_s=float(config["epoch_s"]), fifo=fifo)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for contender in self._contenders.values():
            contender.close()
        for gauge in self._gauges.values():
            gauge.close()
        for station in self._stations.values():
            station.close()
        self._arena.close()

    def describe(self) -> dict[str, Any]:
        return {"pid": os.getpid(), "huge_pages_denied": self._arena.why, "remembered": self._memory.problem}

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

    def _station(self, kernel: str, strict: Path | None = None) -> Station:
        if kernel not in self._stations:
            spec = self._pack.kernel(kernel)
            self._stations[kernel] = Station(self._arena, spec, self._epoch_s, self._launch, strict)
        return self._stations[kernel]

    def _gauge(self, kernel: str) -> Gauge:
        if kernel not in self._gauges:
            raise DeviceUnhealthy(f"the probes of kernel {kernel} are not loaded")
        return self._gauges[kernel]

    def _contender(self, kernel: str, key: str) -> Contender:
        contender = self._contenders.get(key)
        if contender is None or contender.spec.name != kernel:
            raise DeviceUnhealthy(f"nothing is loaded as {key!r} for kernel {kernel}")
        return contender

    def _open(self, args: Arguments) -> dict[str, Any]:
        """Load probes and empty kernel of a kernel, and the reference that is its baseline."""
        station = self._station(args["kernel"], Path(args["reference"]) if args.get("reference") else None)
        probes = {
            style: station.contender(f"probe {style}", Path(path), trusted=True)
            for style, path in args["probes"].items()
        }
        empty = station.contender("empty", Path(args["empty"]), trusted=True) if args["empty"] else None
        self._gauges[args["kernel"]] = Gauge(station, probes, empty, self._memory)
        return {"slots": station.slots}

    def _load(self, args: Arguments) -> dict[str, Any]:
        """lazy: the runner starts with its first use. fresh: in a new process with new memory, whatever there is."""
        kernel, key, artefact = args["kernel"], args["key"], Path(args["artefact"])
        station, contender = self._station(kernel), self._contenders.get(key)
        if contender is None or args.get("fresh") or (contender.artefact, contender.spec.name) != (artefact, kernel):
            self._unload({"key": key})
            contender = self._contenders[key] = station.contender(key, artefact)
        if args.get("lazy"):
            return {}
        try:
            return {"level": contender.runner.level}
        except (RunnerFailed, DeviceUnhealthy):
            self._unload({"key": key})
            raise

    def _unload(self, args: Arguments) -> None:
        contender = self._contenders.pop(args["key"], None)
        if contender is not None:
            gone = [name for name, trial in self._trials.items() if contender in (trial.head, trial.candidate)]
            for name in gone:
                del self._trials[name]
            self._leave_races(contender)
            contender.close()

    def _leave_races(self, gone: Contender) -> None:
        """A race ends with its head; without one of its variants it goes on."""
        self._heats = {name: heat for name, heat in self._heats.items() if heat.head is not gone}
        for heat in self._heats.values():
            if heat.variants.get(gone.key) is gone:
                heat.leave(gone.key)

    def _check(self, args: Arguments) -> dict[str, Any]:
        kernel = args["kernel"]
        station, contender, gauge = self._station(kernel), self._contender(kernel, args["key"]), self._gauge(kernel)
        self._make_room(station)

        def too_fast(ns: float) -> str:
            return gauge.unbelievable(ns, gauge.quick(0.0, fifo=self._fifo), fifo=self._fifo)

        audit = Audit.from_json(args["audit"]) if args.get("audit") else None
        control = self._contender(kernel, audit.control) if audit is not None and audit.control else None
        check = Check(
            station, contender, promotion=bool(args["promotion"]), too_fast=too_fast, audit=audit, control=control
        )  # fmt: skip
        return check.run().to_json()

    def _make_room(self, station: Station) -> None:
        """Let the other kernels forget their decoded weights when memory is short."""
        if station.room() > memory_available() - SPARE_BYTES:
            for other in self._stations.values():
                if other is not station:
                    other.forget()

    def _begin_test(self, args: Arguments) -> None:
        kernel = args["kernel"]
        head, candidate = (self._contender(kernel, args[side]) for side in ("head", "candidate"))
        self._trials[args["test"]] = Trial(self._station(kernel), self._gauge(kernel), head, candidate, self._fifo)

    def _trial(self, name: str) -> Trial:
        if name not in self._trials:
            raise DeviceUnhealthy(f"test {name} is unknown: it has ended, or the referee was started again since")
        return self._trials[name]

    def _pair(self, args: Arguments) -> dict[str, Any]:
        pair = self._trial(args["test"]).pair(args["first"], float(args["head_ns"]))
        return dataclasses.asdict(pair)

    def _end_test(self, args: Arguments) -> dict[str, Any]:
        trial = self._trial(args["test"])
        del self._trials[args["test"]]
        self._make_room(trial.station)
        return trial.end().to_json()

    def _begin_race(self, args: Arguments) -> None:
        kernel = args["kernel"]
        variants = {key: self._contender(kernel, key) for key in args["variants"]}
        head, station = self._contender(kernel, args["head"]), self._station(kernel)
        self._heats[args["race"]] = Heat(station, self._gauge(kernel), head, variants, self._fifo)

    def _heat(self, name: str) -> Heat:
        if name not in self._heats:
            raise DeviceUnhealthy(f"race {name} is unknown: it has ended, or the referee was started again since")
        return self._heats[name]

    def _block(self, args: Arguments) -> dict[str, Any]:
        return dataclasses.asdict(self._heat(args["race"]).block(args["order"], float(args["head_ns"])))

    def _end_race(self, args: Arguments) -> dict[str, Any]:
        heat = self._heat(args["race"])
        del self._heats[args["race"]]
        self._make_room(heat.station)
        return dataclasses.asdict(heat.end())

    def _profile(self, args: Arguments) -> dict[str, Any]:
        """sides: artefacts with marks by name. They are loaded for this request only."""
        kernel = args["kernel"]
        station, gauge = self._station(kernel), self._gauge(kernel)
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
        return dataclasses.asdict(self._gauge(args["kernel"]).peak(fifo=self._fifo))

    def _round_trip(self, args: Arguments) -> float:
        return self._gauge(args["kernel"]).round_trip(fifo=self._fifo)

    def _health(self, args: Arguments) -> dict[str, Any]:
        """A canary job: a probe on the ring of one kernel. Says what it saw."""
        gauge = self._gauge(args["kernel"])
        why = self._launch.starter.health()
        if why:
            raise DeviceUnhealthy(why)
        trip = gauge.round_trip(fifo=self._fifo)
        gbs = gauge.quick(trip, fifo=self._fifo)
        return {
            "probe_gbs": gbs,
            "mode": self._memory.modes.observe(gbs),
            "round_trip_ns": trip,
            "level": gauge.level,
            "pages": gauge.station.pages,
            "memory_available": memory_available(),
            "runners": sum(c.running for c in self._contenders.values()),
        }
