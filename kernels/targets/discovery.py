"""Finds plug-ins: folders here with a `plugin.py`, Python entry points, TOML files of the workspace.

An entry point of the group `kernelwright.targets` is a `Plugin` or a function without arguments that returns one.
A plug-in that cannot be read takes no other one down: it is listed with the reason.
"""

from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, Final

from kernels.targets.plugin import Plugin, Unusable

GROUP: Final = "kernelwright.targets"
FOLDER: Final = "targets"
_HERE: Final = Path(__file__).parent

Found = Plugin | Unusable


def built_in() -> Iterator[Found]:
    """`PLUGIN` of every folder beside this file that has a `plugin.py`."""
    for path in sorted(_HERE.glob("*/plugin.py")):
        folder = path.parent.name
        module = f"kernels.targets.{folder}.plugin"
        yield _made(folder.replace("_", "-"), "built in", lambda module=module: import_module(module).PLUGIN)


def installed() -> Iterator[Found]:
    """Entry points of what is installed in this environment."""
    for point in sorted(entry_points(group=GROUP), key=lambda one: one.name):
        yield _made(point.name, f"entry point {point.value}", point.load)


def _made(name: str, origin: str, load: Callable[[], Any]) -> Found:
    try:
        found = load()
        made = found() if callable(found) else found
    except Exception as error:  # noqa: BLE001 - foreign code: whatever it raises is why it cannot be used
        return Unusable(name, origin, f"target {name!r}: {type(error).__name__}: {error}. Mend its package")
    if isinstance(made, Plugin):
        return made
    return Unusable(name, origin, f"target {name!r}: {origin} is no Plugin. See kernels/targets/plugin.py")
