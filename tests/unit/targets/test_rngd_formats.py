"""What the RNGD grader, compiler and queue print, as values."""

import json

import pytest

from kernels.targets.rngd.arena import job, leaderboard, refusal, submitted
from kernels.targets.rngd.grader import cycles, read_grading
from kernels.targets.rngd.stages import Constraint, constraint_of, read_messages

GOOD = """\
==> sliding_attention
[label q run0] max|Δ|=0.0123 (1.5% of expected) mean|Δ|=0.0004 within tol=3% -> PASS
[label k run1] max|Δ|=0.02 (1.1% of expected) mean|Δ|=0.0005 within tol=3% -> PASS
    median cycles=91818 (of 3 runs: [100557, 91589, 91818])
==> feed_forward
[label out run0] max|Δ|=1e-3 (0.5% of expected) mean|Δ|=1e-5 within tol=3% -> PASS
    cycles=349001
all 3 tests passed
"""


def test_grader_lines_are_readings_and_accuracy() -> None:
    found = read_grading(GOOD)
    qkv, ffn = found.kernels
    assert (found.passed, qkv.kernel, qkv.runs, qkv.median) == (
        True,
        "sliding_attention",
        (100557, 91589, 91818),
        91818,
    )
    first = qkv.checks[0]
    assert (first.label, first.run, first.most, first.share, first.mean, first.tolerance) == (
        "label q", 0, 0.0123, 1.5, 0.0004, 3.0,
    )  # fmt: skip
    assert (ffn.runs, ffn.median, ffn.passed) == ((349001,), None, True)
    assert cycles(GOOD) == [100557, 91589, 91818, 349001]
    assert cycles(GOOD, "feed_forward") == [349001]
    with pytest.raises(ValueError, match="nothing of qkv; it graded sliding_attention, feed_forward"):
        cycles(GOOD, "qkv")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            "3% -> PASS\n    median",
            "3% -> FAIL\n    median",
            "sliding_attention: the grader says FAIL: 1 checks failed",
        ),
        (
            "    median cycles=91818 (of 3 runs: [100557, 91589, 91818])",
            "FAIL -- non-finite device output at 7",
            "at 7",
        ),
        ("    cycles=349001", "    cycles=none observed", "feed_forward: the grader observed no cycles"),
    ],
)
def test_a_kernel_that_failed_gives_no_reading(old: str, new: str, said: str) -> None:
    assert old in GOOD
    with pytest.raises(ValueError, match=said):
        cycles(GOOD.replace(old, new))


def test_the_last_line_says_what_failed() -> None:
    found = read_grading("==> a\n2 of 3 tests failed: sliding_attention, feed_forward\n")
    assert (found.passed, found.failed) == (False, "sliding_attention, feed_forward")
    assert read_grading("==> a\n    cycles=7\n").passed is None


COMPILER = """\
warning: unused variable
error: visa: outer contract: Lane axis size must be 1, 2, 4 or 8, got 3
  --> src/kernels/qkv.rs:41:13
   |
error[E0308]: mismatched types
  --> src/lib.rs:3:1
error: lir: Collect packet. Expected: 32 bytes, got: 48
error: internal compiler error: assertion failed
error: all operator-schedule heuristics failed: no evict target for Sram (size 65536)
"""


def test_messages_have_a_stage_a_place_and_a_constraint() -> None:
    found = read_messages(COMPILER)
    assert [one.stage for one in found] == ["visa", "rust", "lir", "internal", "scheduler"]
    assert [one.rule for one in found] == [True, False, True, False, True]
    assert (found[0].file, found[0].line, found[0].column) == ("src/kernels/qkv.rs", 41, 13)
    assert found[0].constraint == Constraint("outer contract", "Lane axis size", "1, 2, 4 or 8", "3")
    assert found[2].constraint == Constraint("", "Collect packet", "32 bytes", "48")
    assert found[0].constraint.key == "outer contract / Lane axis size / 1, 2, 4 or 8"
    assert constraint_of("something else happened") is None


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("process didn't exit successfully (signal: 6, SIGABRT)", "driver"),
        ("exit status: 101", "driver"),
        ("HAL error PXI-601 Execution Timeout", "runtime"),
    ],
)
def test_ends_without_a_message_are_of_driver_or_device(text: str, stage: str) -> None:
    (only,) = read_messages(text)
    assert only.stage == stage
    assert not only.rule


STATUS = {
    "id": 42, "owner": "me", "mine": True, "name": "v1", "status": "succeeded", "created_at": "t", "started_at": "t",
    "finished_at": "t", "duration_sec": 8.1, "exit_code": 0, "device_id": "npu3",
}  # fmt: skip


def test_a_job_has_a_state_of_the_queue() -> None:
    found = job(json.dumps(STATUS))
    assert (found.id, found.state, found.over, found.seconds, found.device) == (42, "succeeded", True, 8.1, "npu3")
    assert not job(json.dumps(STATUS | {"status": "queued"})).over
    with pytest.raises(ValueError, match="job 42: state 'melting'"):
        job(json.dumps(STATUS | {"status": "melting"}))


@pytest.mark.parametrize(
    ("said", "kind", "todo"),
    [
        ("error: not logged in", "login", "Log in yourself"),
        ("error: 2 active jobs for this account", "quota", "Two jobs"),
        ("error: timeout 90 exceeds limit 70", "timeout", "70 s"),
        ("a submission is already running", "busy", "one filing"),
        ("strange\nthe end", "other", "whole output"),
    ],
)
def test_a_refusal_is_said_with_what_to_do(said: str, kind: str, todo: str) -> None:
    found = refusal(said)
    assert found.kind == kind
    assert todo in found.todo
    with pytest.raises(ValueError, match=found.said):
        submitted(said)
    assert submitted("submitted job 17\n") == 17


def test_the_leaderboard_is_read() -> None:
    raw = {
        "baselineCycles": {"qkv": 250514, "attention": 404633, "ffn": 3703473},
        "data": [{
            "rank": 1, "teamName": "team_KK", "submissionId": 9, "submissionCode": "207bc933", "qkvCycles": 90000,
            "attentionCycles": 50000, "ffnCycles": 340000, "cycles": {}, "score": 6.9,
        }],
    }  # fmt: skip
    baseline, rows = leaderboard(json.dumps(raw))
    assert baseline["qkv"] == 250514
    assert (rows[0].team, rows[0].cycles["attn_out"], rows[0].score) == ("team_KK", 50000, 6.9)
