"""A job through a remote queue: submit, status until it is over, logs. What the queue refuses is nobody's failure."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kernels.sandbox.runner import RunnerFailed
from kernels.targets.external.commands import Ran
from kernels.targets.external.reader import Unreadable
from kernels.targets.external.signs import failure_of, last_line, of_candidates, sign_in
from kernels.targets.external.tables import Command, Queue, Sign

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
    return _logs(queue, signs, step, number, state)


def _logs(queue: Queue, signs: Sequence[Sign], step: Step, number: str, state: str) -> Ran:
    """What a job that is over wrote: its state says how it went, not the exit of the command that fetches its log; a
    log that cannot be had is asked for again, and at last nobody's failure.

    Raises: RunnerFailed.
    """
    logs = _asked(queue, lambda: step(queue.logs, "logs", {"id": number}), lambda ran: ran.ok or state in queue.failed)
    sign = sign_in(logs.heard, of_candidates(signs))
    failure = failure_of(logs, of_candidates(signs))
    if failure is not None and sign is not None:
        raise failure
    if state in queue.failed:
        raise RunnerFailed("exit", f"job {number} {state}: {logs.said[-400:] or 'its log is empty'}")
    if failure is not None:
        raise RunnerFailed("setup", f"logs of job {number}, which is {state}: {failure.detail}")
    return logs


def _asked(queue: Queue, ask: Callable[[], Ran], enough: Callable[[Ran], bool]) -> Ran:
    """As often as the queue allows, until the answer is enough; the last one."""
    ran = ask()
    for _ in range(1, queue.tries):
        if enough(ran):
            break
        time.sleep(queue.poll_s)
        ran = ask()
    return ran


def _submitted(queue: Queue, signs: Sequence[Sign], step: Step) -> str:
    """The job's number. A busy queue is asked again; everything else that it refuses is said at once."""
    ran = step(queue.submit, "submit-1", {})
    for attempt in range(1, queue.tries):
        sign = sign_in(ran.heard, signs)
        if sign is None or sign.means != "busy":
            break
        time.sleep(queue.wait_s * attempt)
        ran = step(queue.submit, f"submit-{attempt + 1}", {})
    failure = failure_of(ran, signs)
    if failure is not None:
        raise RunnerFailed("setup", f"submit: {failure.detail}")
    try:
        return queue.id.text(ran.heard)
    except Unreadable as error:
        raise RunnerFailed("setup", f"submit gave no job number: {error}; it said: {last_line(ran)}") from error


def _awaited(queue: Queue, signs: Sequence[Sign], step: Step, number: str) -> str:
    """Its last state. Raises: RunnerFailed (setup) for a state that is not known, or none at all."""
    until = time.monotonic() + LONGEST_S
    while True:
        state = _state(queue, signs, step, number)
        if state in (*queue.done, *queue.failed):
            return state
        if state not in queue.running:
            raise RunnerFailed("setup", f"job {number} is {state!r}, a state that the target's file does not know")
        if time.monotonic() > until:
            raise RunnerFailed("setup", f"job {number} is {state} for {LONGEST_S:.0f} s")
        time.sleep(queue.poll_s)


def _state(queue: Queue, signs: Sequence[Sign], step: Step, number: str) -> str:
    """One state. A command that fails is asked again, as its job goes on meanwhile; a login that is gone is said.

    Raises: RunnerFailed (setup).
    """

    def enough(ran: Ran) -> bool:
        sign = None if ran.ok else sign_in(ran.heard, signs)
        return ran.ok or (sign is not None and sign.means == "login")

    ran = _asked(queue, lambda: step(queue.status, "status", {"id": number}), enough)
    failure = None if ran.ok else failure_of(ran, signs)
    if failure is not None:
        raise RunnerFailed("setup", f"status of job {number}: {failure.detail}")
    try:
        return queue.state.text(ran.whole_out)
    except Unreadable as error:
        raise RunnerFailed("setup", f"status of job {number}: {error}; it said: {last_line(ran)}") from error
