"""The target file of the documentation with changes, and calls on it."""

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kernels.device.arena import Arena
from kernels.device.bench import Bench
from kernels.device.calls import Caller
from kernels.device.contender import Contender, Launch
from kernels.device.layout import Layout
from kernels.sandbox.runner import Limits
from kernels.targets.base import TargetError, starter_of
from kernels.targets.external.recipe import Recipe, read_recipe
from kernels.targets.external.target import External
from kernels.values.candidate import Candidate
from tests.unit.targets.kit import HONEST, candidate, spec_of

TOY = Path(__file__).parents[3] / "docs" / "examples" / "targets" / "toy.toml"


def recipe(*, timeout_s: float = 20.0, run: Mapping[str, Any] | None = None, **changes: Any) -> Recipe:
    """run: changes of that table; changes: of whole tables, None leaves one out."""
    raw = read_recipe(TOY).model_dump()
    raw["run"] |= {"timeout_s": timeout_s, **(run or {})}
    return Recipe.model_validate({name: value for name, value in {**raw, **changes}.items() if value is not None})


def toy(cache: Path, **changes: Any) -> External:
    """Skips where it cannot be had."""
    try:
        return External("toy", TOY, cache, recipe(**changes))
    except TargetError as error:
        raise pytest.skip.Exception(str(error)) from error


def source(body: str = HONEST, prelude: str = "") -> Candidate:
    return candidate(body, prelude)


@contextmanager
def calls_of(target: External, artefact: Path, folder: Path) -> Generator[Caller]:
    """Calls of kernel `mv` without a referee process."""
    arena, spec = Arena(folder), spec_of()
    layout = Layout(spec, 1)
    weights = arena.allocate("weights", layout.weights_size)
    launch = Launch(starter_of(target).make(), 1, Limits())
    one = Contender("one", spec, artefact, Bench(arena, layout), weights.reader_fd, launch)
    try:
        yield Caller(one, np.random.default_rng(0), 5.0)
    finally:
        one.close()
        weights.close()
        arena.close()


def call(target: External, artefact: Path, folder: Path) -> float:
    """Nanoseconds of one call."""
    with calls_of(target, artefact, folder) as caller:
        return caller.bare(caller.place(0)).elapsed_ns


def newest_job(cache: Path) -> Path:
    return max((cache / "external-toy" / "jobs").iterdir(), key=lambda path: path.stat().st_mtime_ns)
