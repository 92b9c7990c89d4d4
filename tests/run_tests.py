"""Everything that `./run.sh test` checks: style, types, import contracts, then pytest. `--all` adds the long tests.

Test files run side by side; those that use the machine's device are one group, see `conftest.py`, and begin first.
"""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BIN = Path(sys.executable).parent
CHECKS = (
    ("style", [BIN / "ruff", "check", "."]),
    ("format", [BIN / "ruff", "format", "--check", "."]),
    ("types", [BIN / "ty", "check"]),
    ("import contracts", [BIN / "lint-imports", "--no-cache"]),
)

MOST_PROCESSES = 4
WAITING = 1
"""More of them: tests of devices, engines, terminals and the screen wait for these most of their time."""


def check(name: str, command: list[Path | str]) -> bool:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    print(f"{name}: {'ok' if done.returncode == 0 else 'FAILED'}", flush=True)
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n", flush=True)
    return done.returncode == 0


def checked() -> list[bool]:
    """Beside them one process collects the tests, so that their bytecode is written once and not by every process."""
    with subprocess.Popen([BIN / "pytest", "--collect-only", "-qq"], cwd=ROOT, stdout=subprocess.DEVNULL):
        return [check(name, list(command)) for name, command in CHECKS]


def main(arguments: list[str]) -> int:
    everything = "--all" in arguments
    rest = [a for a in arguments if a != "--all"]
    clean = checked() if not rest else [True]
    marks = [] if everything else ["-m", "not long"]
    processes = str(min(os.cpu_count() or 1, MOST_PROCESSES) + WAITING)
    spread = [] if rest else ["-n", processes, "--dist", "loadgroup", "--no-loadscope-reorder"]
    tests = subprocess.run([BIN / "pytest", *marks, *spread, *rest], cwd=ROOT, check=False)
    return tests.returncode or (0 if all(clean) else 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
