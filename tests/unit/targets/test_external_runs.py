"""Calls as jobs: the folder, what counts as time, what each failure is, what is kept."""

import json
import time
from pathlib import Path
from typing import Any

import pytest

from kernels.device.report import DeviceUnhealthy
from kernels.sandbox.runner import RunnerFailed
from kernels.targets.base import CompileFailed
from kernels.targets.external import keeping
from kernels.targets.external.commands import HEAD, TAIL, run
from kernels.targets.external.tables import Limits
from knowledge.rules.mine import Failure, mine
from tests.unit.targets.external_kit import call, calls_of, newest_job, source, toy
from tests.unit.targets.kit import spec_of

READINGS = {"reader": {"regex": r"^launch (?P<ns>\S+)$"}}
ENDLESS = "for (volatile int i = 0;; i++) y[0] = i;"


def built(cache: Path, body: str | None = None, **changes: Any) -> float:
    target = toy(cache, **changes)
    one = source() if body is None else source(body)
    return call(target, target.compile(one, spec_of(), cache / "work").path, cache / "memory")


def test_a_job_is_a_folder_with_a_manifest_and_raw_arrays(tmp_path: Path) -> None:
    assert built(tmp_path) > 0
    job = newest_job(tmp_path)
    manifest = json.loads((job / "manifest.json").read_text())
    told = {one["name"]: one for one in manifest["arguments"]}
    assert list(told) == ["W", "x", "scale", "y"]
    assert told["W"] == {
        "name": "W", "role": "weight", "dtype": "f32", "shape": [8, 64], "stored": "<f4", "bytes": 2048,
        "file": "in/W.bin",
    }  # fmt: skip
    assert told["y"]["file"] == "out/y.bin"
    assert (job / "in" / "W.bin").stat().st_size == 2048
    assert not (job / "in" / "y.bin").exists()
    assert manifest["launches"] == {"untimed": 1, "timed": 3}
    assert json.loads((job / "log" / "run.json").read_text())["exit"] == 0
    assert len(json.loads((job / "log" / "run.out").read_text())["ns"]) == 4


def test_every_call_is_a_process_of_its_own(tmp_path: Path) -> None:
    """What a kernel keeps is gone with the process: no call finds what an earlier one left."""
    body = "static int launches; y[0] = ++launches; for (int i = 1; i < 8; i++) y[i] = 0;"
    target = toy(tmp_path)
    built = target.compile(source(body), spec_of(), tmp_path / "work")
    seen = []
    with calls_of(target, built.path, tmp_path / "memory") as caller:
        for _ in range(2):
            place = caller.place(0)
            caller.bare(place)
            seen.append(caller.contender.bench.output(place.instance_out, spec_of().argument("y"))[0])
    assert seen == [4, 4]  # one that never counts and three that do


def test_the_idle_time_before_a_job_is_kept(tmp_path: Path) -> None:
    target = toy(tmp_path)
    built = target.compile(source(), spec_of(), tmp_path / "work")
    with calls_of(target, built.path, tmp_path / "memory") as caller:
        caller.bare(caller.place(0))
        time.sleep(0.2)
        caller.bare(caller.place(0))
    idle_s = json.loads((newest_job(tmp_path) / "manifest.json").read_text())["idle_s"]
    assert 0.2 <= idle_s < 2


def test_without_a_time_of_its_own_the_whole_command_counts(tmp_path: Path) -> None:
    launches = {"untimed": 0, "timed": 1}
    ns = built(tmp_path, trust="referee-timed", time=None, launches=launches)
    assert ns > 1e6  # a process takes a millisecond at least, the kernel less than a microsecond


@pytest.mark.parametrize(
    ("body", "kind", "said"),
    [
        (ENDLESS, "hang", "no end within"),
        ("*(volatile int *)8 = 1;", "crash", "SIGSEGV"),
        ("exit(3);", "exit", "exit code 3"),
        ("exit(0);", "protocol", "no JSON"),
    ],
)
def test_a_failure_of_the_candidate_is_its_own(tmp_path: Path, body: str, kind: str, said: str) -> None:
    with pytest.raises(RunnerFailed, match=said) as caught:
        built(tmp_path, f"extern void exit(int); {body}", timeout_s=0.5 if kind == "hang" else 60.0)
    assert caught.value.kind == kind
    assert said in (newest_job(tmp_path) / keeping.FAILURE).read_text()


SIGNS = ({"regex": "PXI-601", "means": "hang"}, {"regex": "not logged in", "means": "login", "say": "Log in"})


@pytest.mark.parametrize(
    ("said", "error", "match"),
    [("error: PXI-601", RunnerFailed, "hang: error: PXI-601"), ("not logged in", DeviceUnhealthy, "Log in")],
)
def test_signs_say_whose_fault_it_was(tmp_path: Path, said: str, error: type[Exception], match: str) -> None:
    script = f"import sys; sys.stderr.write({said!r}); sys.exit(1)"
    with pytest.raises(error, match=match):
        built(tmp_path, run={"command": ["{python}", "-c", script]}, signs=SIGNS)


def test_an_output_of_another_size_breaks_the_contract(tmp_path: Path) -> None:
    script = "import sys; open(sys.argv[1] + '/out/y.bin', 'w').write('12'); print('{{\"ns\": [1, 1, 1, 1]}}')"
    with pytest.raises(RunnerFailed, match="output y: 2 bytes in place of 32"):
        built(tmp_path, run={"command": ["{python}", "-c", script, "{job}"]})


@pytest.mark.parametrize(
    "made", ["os.symlink('/etc/hostname', name)", "os.mkdir(name)", "os.mkfifo(name)"], ids=["link", "folder", "pipe"]
)
def test_an_output_that_is_no_plain_file_breaks_the_contract(tmp_path: Path, made: str) -> None:
    script = f"import os, sys; name = sys.argv[1] + '/out/y.bin'; os.remove(name); {made}; print(4 * 'launch 1\\n')"
    with pytest.raises(RunnerFailed, match=r"output y: out/y\.bin is no plain file"):
        built(tmp_path, run={"command": ["{python}", "-c", script, "{job}"]}, time=READINGS)


def printing(*parts: str) -> dict[str, Any]:
    """A [run] whose kernel ran well and whose command prints these: Python expressions."""
    lines = "; ".join(f"print({part})" for part in parts)
    return {"command": ["{python}", "-c", lines.replace("{", "{{").replace("}", "}}"), "{job}"]}


def test_readings_between_much_other_output_are_all_found(tmp_path: Path) -> None:
    noise = "'noise ' * 50000"
    run = printing("'launch 9000'", noise, "'launch 10'", noise, "'launch 20'", noise, "'launch 30'")
    assert built(tmp_path, run=run, time=READINGS) == 20


def test_a_sign_in_the_middle_of_a_long_output_is_seen(tmp_path: Path) -> None:
    noise = "'noise ' * 50000"
    with pytest.raises(RunnerFailed, match="hang: PXI-601"):
        built(tmp_path, run=printing(noise, "'PXI-601'", noise, *["'launch 10'"] * 4), time=READINGS, signs=SIGNS)


def test_an_output_too_long_to_read_is_nobodys_failure(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kernels.targets.external.commands.READ", 1000)
    noise = "'noise ' * 1000"
    with pytest.raises(DeviceUnhealthy, match="bytes of its output were not read: let it write less"):
        built(tmp_path, run=printing("'launch 9'", noise, *["'launch 10'"] * 2, noise, "'launch 10'"), time=READINGS)


@pytest.mark.parametrize("reading", ["nan", "inf", "-3", "0.0", "1,5"])
def test_a_reading_that_is_no_time_is_nobodys_failure(tmp_path: Path, reading: str) -> None:
    run = printing("'launch 9'", *[f"'launch {reading}'"] * 3)
    with pytest.raises(DeviceUnhealthy, match=r"see \[time\] of the target's file"):
        built(tmp_path, run=run, time=READINGS)


def test_what_a_command_said_in_place_of_a_time_is_told(tmp_path: Path) -> None:
    with pytest.raises(RunnerFailed, match=r"protocol: .*the last line of its output: DMA fault, results are stale"):
        built(tmp_path, run=printing("'DMA fault, results are stale'"), time=READINGS)


def test_a_binary_that_the_build_did_not_make_is_not_run(tmp_path: Path) -> None:
    target = toy(tmp_path)
    artefact = target.compile(source(), spec_of(), tmp_path / "work").path
    assert call(target, artefact, tmp_path / "memory") > 0
    other = target.compile(source("y[0] = 1;"), spec_of(), tmp_path / "other").path
    artefact.write_bytes(other.read_bytes())
    with pytest.raises(RunnerFailed, match=r"kernel\.so is not what the build wrote"):
        call(target, artefact, tmp_path / "memory")


def test_sources_that_changed_since_the_build_are_not_run(tmp_path: Path) -> None:
    target = toy(tmp_path)
    artefact = target.compile(source(), spec_of(), tmp_path / "work").path
    (artefact.parent / "src" / "kernel.c").write_text("int main;")
    with pytest.raises(RunnerFailed, match=r"source kernel\.c changed since the build"):
        call(target, artefact, tmp_path / "memory")


def test_a_build_that_leaves_nothing_is_a_failure(tmp_path: Path) -> None:
    (tmp_path / "work" / "build").mkdir(parents=True)
    (tmp_path / "work" / "build" / "kernel.so").write_text("an old one")
    target = toy(tmp_path, build={"command": ["{python}", "-c", ""], "artefact": "kernel.so"})
    with pytest.raises(CompileFailed, match=r"wrote no kernel\.so"):
        target.compile(source(), spec_of(), tmp_path / "work")


def test_head_and_tail_of_a_long_output_are_kept(tmp_path: Path) -> None:
    ran = run(["python3", "-c", "print('a' * 400000 + 'end')"], tmp_path, 10, Limits(), {})
    assert ran.out.startswith("aaa")
    assert ran.out.endswith("end\n")
    assert "characters left out" in ran.out
    assert len(ran.out) < HEAD + TAIL + 100


def test_limits_hold_for_a_command(tmp_path: Path) -> None:
    big = ["python3", "-c", "b = bytearray(300 << 20)"]
    assert run(big, tmp_path, 10, Limits(), {}).ok
    assert "MemoryError" in run(big, tmp_path, 10, Limits(memory_mib=200), {}).err


def test_logs_that_a_command_names_are_collected(tmp_path: Path) -> None:
    script = "import sys, pathlib; pathlib.Path(sys.argv[1], 'device.log').write_text('hello'); sys.exit(1)"
    with pytest.raises(RunnerFailed):
        built(tmp_path, run={"command": ["{python}", "-c", script, "{job}"], "logs": ["*.log"]})
    assert (newest_job(tmp_path) / "log" / "device.log").read_text() == "hello"


def test_old_jobs_go_and_failed_ones_stay_longer(tmp_path: Path) -> None:
    for number in range(12):
        folder = tmp_path / f"job-{number:02}"
        folder.mkdir()
        if number < 2:
            keeping.failed(folder, "hang")
    keeping.tidy(tmp_path, newest=3, broken=2)
    assert {path.name for path in tmp_path.iterdir()} == {"job-00", "job-01", "job-09", "job-10", "job-11"}


def test_what_its_compiler_refuses_becomes_a_rule(tmp_path: Path) -> None:
    failure = Failure("a try", "float f(float x) {\n  return x & 1;\n}\n")
    found = mine([failure], toy(tmp_path), "toy", tries=2)
    (rule,) = found.rules
    assert rule.diagnostic == "invalid operands to binary & (have '_' and '_')"
    assert rule.evidence[0]["line"] == 2
