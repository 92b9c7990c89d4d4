"""Which tests may run beside each other: those that use the machine's device go one after the other, in one process."""

import gc
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RIG = "tests.unit.roles.pipeline_rig"
HERE = Path(__file__).parent
MACHINE = "machine"
ON_THE_MACHINE = ("end_to_end", "cheats")
ASIDE = 5
"""Steps of niceness of those processes that do not use the device."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Groups for `--dist loadgroup`: one for the device, and one for each other file."""
    for item in items:
        file = item.path.relative_to(HERE)
        engine = file.parts[0] == "terminal" and item.get_closest_marker("device") is not None
        group = MACHINE if file.parts[0] in ON_THE_MACHINE or engine else file.as_posix()
        item.add_marker(pytest.mark.xdist_group(group))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """The group on the device is the longest and waits for nobody: all other processes step aside."""
    group = item.get_closest_marker("xdist_group")
    if "PYTEST_XDIST_WORKER" in os.environ and os.nice(0) < ASIDE and group is not None and group.args != (MACHINE,):
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
