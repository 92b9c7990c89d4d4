"""Finds plug-ins: folders here with a `plugin.py`, Python entry points, TOML files of the workspace.

An entry point of the group `kernelwright.targets` is a `Plugin` or a function without arguments that returns one.
A plug-in that cannot be read takes no other one down: it is listed with the reason.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from kernels.targets.plugin import Plugin, Unusable

GROUP: Final = "kernelwright.targets"
FOLDER: Final = "targets"
_HERE: Final = Path(__file__).parent

Found = Plugin | Unusable


def built_in() -> Iterator[Plugin]:
    """`PLUGIN` of every folder beside this file that has a `plugin.py`."""
    for path in sorted(_HERE.glob("*/plugin.py")):
        plugin = import_module(f"kernels.targets.{path.parent.name}.plugin").PLUGIN
        assert isinstance(plugin, Plugin)
        yield plugin


def installed() -> Iterator[Found]:
    """Entry points of what is installed in this environment."""
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        yield _loaded(point)


def _loaded(point: EntryPoint) -> Found:
    origin = f"entry point {point.value}"
    try:
        found = point.load()
        made = found() if callable(found) else found
    except Exception as error:  # noqa: BLE001 - foreign code: whatever it raises is why it cannot be used
        return Unusable(point.name, origin, f"target {point.name!r}: {type(error).__name__}: {error}. Mend its package")
    if not isinstance(made, Plugin):
        return Unusable(
            point.name, origin, f"target {point.name!r}: {origin} is no Plugin. See kernels/targets/plugin.py"
        )
    return made
