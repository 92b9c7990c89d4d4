"""Target files of a workspace: every `targets/*.toml` is a plug-in."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from kernels.targets.base import TargetError
from kernels.targets.external.recipe import Recipe, read_recipe
from kernels.targets.external.target import External
from kernels.targets.external.tools import INCLUDE
from kernels.targets.plugin import HOST, Ability, Plugin, Unusable
from kernels.values.dialect import Dialect


def in_folder(folder: Path) -> Iterator[Plugin | Unusable]:
    for path in sorted(folder.glob("*.toml")):
        try:
            yield plugin_of(path.stem, read_recipe(path), path, str(path))
        except TargetError as error:
            yield Unusable(path.stem, str(path), str(error))


def plugin_of(name: str, recipe: Recipe, file: Path, origin: str) -> Plugin:
    dialect = Dialect(recipe.language, recipe.baseline, recipe.main)
    header = INCLUDE / "kernelwright.h" if recipe.language == "c" else None
    make = partial(External, name, file, recipe=recipe)
    hardware = HOST if HOST in recipe.features else recipe.device
    gaps = _gaps(recipe)
    return Plugin(name, recipe.title, make, origin, dialect, gaps, header, recipe.trust, hardware=hardware)


def _gaps(recipe: Recipe) -> dict[Ability, str]:
    """What the file itself says, and what follows from what it leaves out."""
    left: dict[Ability, str] = {"sanitize": "an external target has no sanitized build"}
    if recipe.schedule is None:
        left["schedule"] = "its file has no [schedule]"
    if recipe.profile is None:
        left["timeline"] = "its file has no [profile]"
    if not recipe.build.errors:
        left["diagnostics"] = "its file has no build.errors"
    return left | dict(recipe.gaps)
