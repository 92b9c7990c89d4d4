"""Between calls the main thread waits where the harness waits; code that keeps the thread for itself is elsewhere."""

import os
import subprocess
import sys

import pytest

from kernels.sandbox.rest import Rest
from tests.unit.sandbox.conftest import Make
from tests.unit.sandbox.kit import HONEST, Bench

READS_TWICE = """
import os
os.write(1, b"r")
os.read(0, 1)
os.write(1, b"s")
sorted([1], key=lambda number: os.read(0, 1))
"""


def test_an_honest_runner_waits_where_it_waited(bench: Bench, make: Make) -> None:
    runner = bench.start(make(HONEST))
    rest = Rest(runner.pid)
    if not rest.seen:
        raise pytest.skip.Exception("this system does not show where a process waits")
    for _ in range(5):
        runner.arm()
        assert rest.elsewhere() == ""
        bench.call(runner)
        runner.thaw()
        assert rest.elsewhere() == ""
    rest.close()
    assert rest.elsewhere() == ""


def test_a_process_that_has_ended_is_nowhere() -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    rest = Rest(child.pid)
    assert not rest.seen
    assert rest.elsewhere() == ""


def test_another_depth_of_the_stack_is_seen() -> None:
    """A child that reads from one depth of its stack, then from another."""
    with subprocess.Popen([sys.executable, "-c", READS_TWICE], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stdout.read(1) == b"r"
        rest = Rest(child.pid)
        if not rest.seen:
            child.kill()
            raise pytest.skip.Exception("this system does not show where a process waits")
        same = rest.elsewhere()
        os.write(child.stdin.fileno(), b"x")
        assert child.stdout.read(1) == b"s"
        other = rest.elsewhere()
        rest.close()
        os.write(child.stdin.fileno(), b"x")
    assert same == ""
    assert "deeper on the stack" in other
