"""Which tests may run beside each other: those with engines go one after the other, in one process, those with a
referee of their own in another; between the two the machine's lock decides, as between two campaigns."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RIG = "tests.unit.roles.pipeline_rig"
HERE = Path(__file__).parent
ENGINES, REFEREES = "engines", "referees"
ON_THE_MACHINE = {"cheats": REFEREES, "end_to_end": ENGINES, "end_to_end/device": REFEREES}
ASIDE = 5
"""Steps of niceness of those processes that do not use the device."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Groups for `--dist loadgroup`: two on the device, which begin first, and one for each other file."""
    groups = {item: _group(item) for item in items}
    items.sort(key=lambda item: groups[item] not in (ENGINES, REFEREES))
    for item, group in groups.items():
        item.add_marker(pytest.mark.xdist_group(group))


def _group(item: pytest.Item) -> str:
    file = item.path.relative_to(HERE)
    if file.parts[0] == "terminal" and item.get_closest_marker("device") is not None:
        return ENGINES
    return next((ON_THE_MACHINE[name] for f in file.parents if (name := f.as_posix()) in ON_THE_MACHINE), str(file))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """The groups on the device are the longest: all other processes step aside for them."""
    if "PYTEST_XDIST_WORKER" in os.environ and os.nice(0) < ASIDE and _group(item) not in (ENGINES, REFEREES):
        os.nice(ASIDE)


def pytest_collection_finish() -> None:
    """Modules and tests stay to the end: the collector need not go through them again and again (an eighth of all
    processor time)."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)


@pytest.fixture(autouse=True)
def _rigs_closed() -> Iterator[None]:
    """Stores of rigs: each has threads and descriptors, and one process runs thousands of tests."""
    yield
    opened = sys.modules[RIG].OPENED if RIG in sys.modules else []
    while opened:
        opened.pop().close()
