"""The commands of the stand-in: `tool.py STATE cargo ..` and `tool.py STATE furiosa-arena ..`; see `setup.py`."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from kernels.targets.rngd.stand_in import device, queue, schedule
from kernels.targets.rngd.stand_in.binary import Binary, signature_of

HERE: Final = Path(__file__).parent
FLAGS: Final = ("-std=gnu11", "-O2", "-march=native", "-fPIC", "-shared", "-w")
HUNG: Final = "HAL error PXI-601: Execution Timeout"


def main(words: Sequence[str]) -> int:
    state = queue.Queue(Path(words[0]))
    try:
        return {"cargo": cargo, "furiosa-arena": arena, "moa-submitter": board, "run": run}[words[1]](state, words[2:])
    except ValueError as error:
        sys.stderr.write(f"error: {error}\n")
        return 1


def option(words: Sequence[str], name: str) -> str:
    """Raises: ValueError when it is not given."""
    if name not in words[:-1]:
        raise ValueError(f"{name} is missing")
    return words[list(words).index(name) + 1]


def cargo(state: queue.Queue, words: Sequence[str]) -> int:
    """`cargo furiosa-opt build|compile|--version`."""
    if words[1] == "--version":
        print(f"cargo-furiosa-opt {state.settings['toolchain']} (stand-in)")
        return 0
    source = Path(option(words, "--manifest-path")).parent / "kernel.c"
    if words[1] == "build":
        if "--release" not in words:
            raise ValueError("driver: a build without --release would leave the old binary in its place")
        return _built(source, Path(option(words, "--target-dir")) / "release" / "test_kernels")
    return _planned(source, words[2], Path(option(words, "--dump-schedule")), option(words, "--binary"))


def _built(source: Path, binary: Path) -> int:
    """gcc's errors in rustc's form, of stage mir."""
    binary.parent.mkdir(parents=True, exist_ok=True)
    counter = binary.with_name("clusters.o")
    own = ["gcc", *FLAGS, f"-I{HERE}"]
    subprocess.run([*own[:-1], "-c", str(HERE / "clusters.c"), "-o", str(counter)], check=True)
    command = [*own, "-fsanitize-coverage=trace-pc", str(source), "-x", "none", str(counter), "-lm", "-o", str(binary)]
    env = {"LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    for line in done.stderr.splitlines():
        place, _, message = line.partition(": error: ")
        if message:
            sys.stderr.write(f"error: mir: {message}\n  --> {place}\n")
    if done.returncode and "error:" not in done.stderr:
        sys.stderr.write(f"error: driver: {done.stderr.strip().splitlines()[-1:]}\n")
    return 101 if done.returncode else 0


def _planned(source: Path, kernel: str, into: Path, binary: str) -> int:
    """Runs in a process of its own: a source that never ends has no schedule."""
    entry = kernel
    signature = signature_of(source.read_text(encoding="utf-8"), entry)
    blocks = Binary(Path(binary)).dry(entry, signature)
    text = schedule.dumped(kernel, source.name.replace(".c", ".rs"), signature.line, blocks, sum(signature.arrays))
    into.write_text(text, encoding="utf-8")
    return 0


def arena(state: queue.Queue, words: Sequence[str]) -> int:
    verb, rest = words[0], words[1:]
    if verb == "--version":
        print("furiosa-arena-cli 0.8.0, grader 09-18 (stand-in)")
        return 0
    if not state.settings["logged_in"]:
        raise ValueError("not logged in: run furiosa-arena login")
    if verb == "submit":
        return _submitted(state, rest)
    if verb == "health":
        print("1 device, healthy (stand-in)")
        return 0
    try:
        return _asked(state, verb, int(rest[0]))
    except KeyError as error:
        raise ValueError(f"no job {error}") from error


def _asked(state: queue.Queue, verb: str, number: int) -> int:
    if verb == "status":
        print(json.dumps(state.status(number)))
    elif verb == "logs":
        print(state.job(number)["log"])
    elif verb != "cancel":
        raise ValueError(f"unknown command {verb}")
    return 0


def _submitted(state: queue.Queue, words: Sequence[str]) -> int:
    """FILES.. --name --entrypoint --timeout; the job is done before its number is printed."""
    if float(option(words, "--timeout")) > queue.LIMIT_S:
        raise ValueError(f"timeout {option(words, '--timeout')} exceeds the limit of {queue.LIMIT_S} s")
    number, idle_s = state.take()
    rng = state.rng(number)
    if rng.random() < state.settings["quota"]:
        raise ValueError(f"{queue.MOST} active jobs for this account, the most that may be")
    job = (*words[:2], str(number), f"{idle_s:.3f}")
    log, code = _run(state, job, hangs=rng.random() < state.settings["hang"])
    state.put(number, option(words, "--name"), log, code)
    print(f"submitted job {number}")
    return 0


def _run(state: queue.Queue, words: Sequence[str], *, hangs: bool) -> tuple[str, int]:
    """What the job printed, and its exit code. In a process of its own: it is the candidate's."""
    if hangs:
        return f"stand-in: {HUNG}", 1
    command = [sys.executable, "-P", "-S", "-m", f"{__package__}.tool", str(state.folder), "run", *words]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=queue.LIMIT_S)
    except subprocess.TimeoutExpired:
        return f"stand-in: {HUNG}", 1
    if done.returncode:
        last = [line for line in done.stderr.splitlines() if line.strip()][-1:]
        return f"stand-in: the job ended with {done.returncode}: {' '.join(last)}", 1
    return done.stdout, 0


def run(state: queue.Queue, words: Sequence[str]) -> int:
    """BINARY JOB NUMBER IDLE_S: all launches of one job."""
    binary, job, number, idle_s = Path(words[0]), Path(words[1]), int(words[2]), float(words[3])
    manifest = json.loads((job / "manifest.json").read_text(encoding="utf-8"))
    one = Binary(binary)
    count = manifest["launches"]["untimed"] + manifest["launches"]["timed"]
    results = [one.run(job) for _ in range(min(count, 2))]  # that launches agree needs two
    blocks, outputs = results[-1]
    for name, contents in outputs.items():
        (job / "out" / f"{name}.bin").write_bytes(contents)
    kernel = str(manifest["kernel"])
    found = device.launches(state.rng(-number), kernel, queue.sha256(binary), blocks, count, idle_s)
    (job / "span.log").write_text(queue.span_log(found, blocks), encoding="utf-8")
    print(queue.graded(str(manifest["entry"]), [result for _, result in results], found))
    return 0


def board(state: queue.Queue, words: Sequence[str]) -> int:
    """submit [--source DIR], status ID, log ID: one at a time, its state one step further at each question."""
    if not state.settings["logged_in"]:
        raise ValueError("not logged in: run moa-submitter login")
    filings = queue.Filings(state.folder)
    if words[0] == "submit":
        source = Path(option(words, "--source"))
        print(f"submission {filings.add(queue.sha256(source / 'kernel.c'))} (stand-in)")
    elif words[0] == "status":
        print(f"state: {filings.step(int(words[1]))}")
    else:
        print(filings.log(int(words[1])))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
