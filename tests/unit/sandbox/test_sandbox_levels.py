"""Every level of the sandbox, as root and as an ordinary user: honest kernels run, attacks are stopped, all dies."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from kernels.sandbox import launch
from kernels.sandbox.launch import NOBODY, Launcher
from kernels.sandbox.processes import children_of, descendants_of
from tests.unit.sandbox import kit
from tests.unit.sandbox.conftest import Make
from tests.unit.sandbox.kit import HONEST, Bench
from tests.unit.sandbox.test_sandbox_attacks import C

LEVELS = ("bwrap+seccomp", "unshare+seccomp", "rlimits+seccomp")
ATTACKS = {
    "fork();": "forbidden_call",
    'open("/etc/passwd", O_RDONLY);': "forbidden_call",
    "((volatile float *)W)[0] = 0;": "crash",
    "_exit(0);": "exit",
}
Share = Callable[[Path], Path]


def _launchers(level: str) -> list[Launcher]:
    fallback = [Launcher("rlimits+seccomp")]
    found = [one for one in (*launch._candidates(), *fallback) if one.level == level and launch.works(one)]
    if not found:
        raise pytest.skip.Exception(f"{level} does not work on this machine")
    return found


def _honest_and_attacks(bench: Bench, launcher: Launcher, libraries: dict[str, Path]) -> None:
    runner = bench.start(libraries[HONEST], launcher=launcher)
    assert runner.level == launcher.level
    bench.call(runner)
    assert bench.right
    for body, kind in ATTACKS.items():
        failure = bench.failure(libraries[body], launcher=launcher)
        assert failure.kind == kind, (launcher, body, failure)
    assert bench.weights_intact


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_holds(bench: Bench, make: Make, level: str) -> None:
    libraries = {body: make(body, C) for body in (HONEST, *ATTACKS)}
    for launcher in _launchers(level):
        _honest_and_attacks(bench, launcher, libraries)


@pytest.fixture
def share() -> Generator[Share]:
    """Copies a file to where every user may read it."""
    folder = Path(tempfile.mkdtemp(prefix="kw-shared-"))
    folder.chmod(0o755)

    def copy(path: Path) -> Path:
        copied = Path(shutil.copy(path, folder / f"{len(list(folder.iterdir()))}-{path.name}"))
        copied.chmod(0o755)
        return copied

    yield copy
    shutil.rmtree(folder)


def _as_user(work: Callable[[], None]) -> str:
    """Run `work` in a forked child as an ordinary user; returns its error, "" when there was none."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        text = b""
        try:
            os.setgroups([])
            os.setresgid(1234, 1234, 1234)
            os.setresuid(1234, 1234, 1234)
            launch.best_launcher.cache_clear()
            work()
        except BaseException as error:  # noqa: BLE001 - whatever it is goes to the parent
            text = f"{type(error).__name__}: {error}".encode()
        os.write(write, text)
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return text.decode()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become somebody else")
@pytest.mark.parametrize("level", LEVELS)
def test_each_level_holds_for_an_ordinary_user(binary: Path, make: Make, share: Share, level: str) -> None:
    libraries = {body: share(make(body, C)) for body in (HONEST, *ATTACKS)}
    runner_binary = share(binary)

    def work() -> None:
        bench = Bench(runner_binary)
        for launcher in _launchers(level):
            _honest_and_attacks(bench, launcher, libraries)
        assert os.geteuid() == 1234
        bench.close()

    assert _as_user(work).removeprefix("Skipped: ") in ("", f"{level} does not work on this machine")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has an identity to give up")
def test_root_gives_up_its_identity(bench: Bench, make: Make) -> None:
    launcher = launch.best_launcher()
    if not launcher.as_nobody:
        raise pytest.skip.Exception("this root may not change its identity")
    runner = bench.start(make(HONEST))
    status = Path(f"/proc/{runner.pid}/status").read_text()
    assert f"Uid:\t{NOBODY}" in status
    assert "CapEff:\t0000000000000000" in status


def test_nobody_can_change_the_object_after_the_scan(tmp_path: Path) -> None:
    path = tmp_path / "object"
    path.write_bytes(b"scanned")
    copy = launch.sealed_copy(path)
    path.write_bytes(b"another")
    assert os.pread(copy, 100, 0) == b"scanned"
    with pytest.raises(PermissionError):
        os.pwrite(copy, b"forged", 0)
    os.close(copy)


def test_closing_leaves_no_process_behind(bench: Bench, make: Make) -> None:
    before = set(children_of(os.getpid()))
    runner = bench.start(make(HONEST))
    tree = [*descendants_of(os.getpid())]
    assert runner.pid in tree
    runner.close()
    assert set(children_of(os.getpid())) <= before
    assert not Path(f"/proc/{runner.pid}").exists()


ORPHAN = """
import sys, time
from pathlib import Path
from tests.unit.sandbox.kit import Bench
from kernels.sandbox.runner import RunnerFailed
bench = Bench(Path(sys.argv[1]))
runner = bench.start(Path(sys.argv[2]))
print(runner.pid, flush=True)
bench.call(runner, 60)
"""


def test_a_runner_dies_with_its_referee(binary: Path, make: Make) -> None:
    library = make("for (;;) ;")
    root = Path(kit.__file__).parents[3]
    referee = subprocess.Popen(
        [sys.executable, "-c", ORPHAN, str(binary), str(library)], stdout=subprocess.PIPE, cwd=root, text=True
    )
    assert referee.stdout is not None
    pid = int(referee.stdout.readline())
    referee.send_signal(signal.SIGKILL)
    referee.wait()
    referee.stdout.close()
    deadline = time.monotonic() + 60
    while Path(f"/proc/{pid}/task").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(f"/proc/{pid}/task").exists()
