"""Check, accept, calibrate, profile: each goes to the live engine of the home, or owns the device itself."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import typer

from app.settings import UsageError
from app.verdict import here, profiles, there, told
from app.verdict.asked import Asked
from app.verdict.here import Say, Told
from app.verdict.through_engine import live_engine, refuse_other
from kernels.device.auditing import Audit
from kernels.profiling.record import Record
from kernels.values.candidate import Candidate
from store.engine import Store

T = TypeVar("T")


def run_check(asked: Asked, candidate: Candidate, say: Say, audit: Audit | None = None) -> Told:
    """The gates up to `correct`, reported as they come, and an audit of what passed them.

    Raises: UsageError, MissingError.
    """
    with Store.open(asked.home) as store:
        live = live_engine(store)
        if live is None:
            gates = _blocking(here.check(store, asked, candidate, say, audit))
        else:
            refuse_other(live, asked)
            gates = there.check(store, asked, candidate, say, audit)
    refused = told.refusal(gates)
    return {
        "pack": asked.pack.name, "kernel": asked.spec.name, "candidate": candidate.id, "passed": refused is None,
        "refused_by": refused["gate"] if refused is not None else None, "gates": gates,
    }  # fmt: skip


def run_accept(asked: Asked, candidate: Candidate, say: Say, *, against: str = "head", again: bool = False) -> Told:
    """One acceptance test, a line a pair. Raises: UsageError, MissingError."""
    with Store.open(asked.home) as store:
        live = live_engine(store)
        if live is None:
            found = _blocking(here.accept(store, asked, candidate, say, against=against, again=again))
        else:
            refuse_other(live, asked)
            if against != "head" or again:
                raise UsageError("--against and --again: a live engine decides on both; stop it with ./run.sh stop")
            found = there.accept(store, live, asked, candidate, say)
    return {"pack": asked.pack.name, "kernel": asked.spec.name, "candidate": candidate.id, **found}


def run_calibrate(asked: Asked, say: Say) -> list[Told]:
    """Every kernel asked for, one after the other. Raises: UsageError, MissingError."""
    with Store.open(asked.home) as store:
        live = live_engine(store)
        if live is None:
            return _blocking(here.calibrate(store, asked, say))
        refuse_other(live, asked)
        return [there.calibrate(store, live, asked, spec, say) for spec in asked.kernels]


def run_profile(asked: Asked, candidate: Candidate | None, say: Say) -> tuple[Told, Record | None]:
    """The head's profile, or a candidate's beside it; no record when a gate refused the candidate or it failed.

    Raises: UsageError, MissingError.
    """
    with Store.open(asked.home) as store:
        live = live_engine(store)
        if live is None:
            found = _blocking(profiles.here(store, asked, candidate, say))
        else:
            refuse_other(live, asked)
            found = profiles.there(store, asked, candidate, say)
        record = profiles.record(store, found)
    refused = told.refusal(found["gates"])
    whose = {"head": None, "candidate": None} if record is None else record.to_json()
    named = {
        "pack": asked.pack.name,
        "kernel": asked.spec.name,
        "refused_by": refused["gate"] if refused is not None else None,
    }
    return {**named, **found, "changes": [], **whose}, record


def _blocking(work: Coroutine[Any, Any, T]) -> T:
    """Run to the end. Raises: typer.Abort when interrupted; the device is ended and its test closed by then."""
    try:
        return asyncio.run(work)
    except KeyboardInterrupt as stop:
        raise typer.Abort from stop
