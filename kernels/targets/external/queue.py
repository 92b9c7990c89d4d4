"""A job through a remote queue: submit, status until it is over, logs. What the queue refuses is nobody's failure."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kernels.sandbox.runner import RunnerFailed
from kernels.targets.external.commands import Ran
from kernels.targets.external.reader import Unreadable
from kernels.targets.external.recipe import Command, Queue, Sign
from kernels.targets.external.signs import failure_of, of_candidates, sign_in

Step = Callable[[Command, str, Mapping[str, str]], Ran]
"""Runs a command of the job, with its label and what its fields stand for besides."""
LONGEST_S: Final = 3600.0


def carried_out(queue: Queue, signs: Sequence[Sign], step: Step) -> Ran:
    """The logs of a job that is done. Raises: RunnerFailed; "setup" for what the queue itself refused."""
    number = _submitted(queue, signs, step)
    try:
        state = _awaited(queue, signs, step, number)
    except BaseException:
        if queue.cancel is not None:
            step(queue.cancel, "cancel", {"id": number})
        raise
    logs = step(queue.logs, "logs", {"id": number})
    failure = failure_of(logs, of_candidates(signs))
    if failure is not None:
        raise failure
    if state in queue.failed:
        raise RunnerFailed("exit", f"job {number} {state}: {logs.said[-400:] or 'its log is empty'}")
    return logs


def _submitted(queue: Queue, signs: Sequence[Sign], step: Step) -> str:
    """The job's number. A busy queue is asked again; everything else that it refuses is said at once."""
    ran = step(queue.submit, "submit-1", {})
    for attempt in range(1, queue.tries):
        sign = sign_in(ran.said, signs)
        if sign is None or sign.means != "busy":
            break
        time.sleep(queue.wait_s * attempt)
        ran = step(queue.submit, f"submit-{attempt + 1}", {})
    failure = failure_of(ran, signs)
    if failure is not None:
        raise RunnerFailed("setup", f"submit: {failure.detail}")
    try:
        return queue.id.text(ran.said)
    except Unreadable as error:
        raise RunnerFailed("setup", f"submit gave no job number: {error}") from error


def _awaited(queue: Queue, signs: Sequence[Sign], step: Step, number: str) -> str:
    """Its last state. Raises: RunnerFailed (setup) for a state that is not known, or none at all."""
    until = time.monotonic() + LONGEST_S
    while True:
        ran = step(queue.status, "status", {"id": number})
        failure = None if ran.ok else failure_of(ran, signs)
        if failure is not None:
            raise RunnerFailed("setup", f"status of job {number}: {failure.detail}")
        try:
            state = queue.state.text(ran.out)
        except Unreadable as error:
            raise RunnerFailed("setup", f"status of job {number}: {error}") from error
        if state in (*queue.done, *queue.failed):
            return state
        if state not in queue.running:
            raise RunnerFailed("setup", f"job {number} is {state!r}, a state that the target's file does not know")
        if time.monotonic() > until:
            raise RunnerFailed("setup", f"job {number} is {state} for {LONGEST_S:.0f} s")
        time.sleep(queue.poll_s)
