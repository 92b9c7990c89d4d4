"""Diagnostics of furiosa-opt by stage, and what a message says as (operation, what, constraint, value).

rustc's form, `error: ..` and `--> file:line:column`, the message beginning with its stage: `mir:`, `visa:`, `lir:`.
"internal compiler error" is a bug of the compiler and no rule. The scheduler says that all heuristics failed, or that
there is no target to evict for a buffer. Templates of the checks: "<op>: <what> must be <constraint>, got <value>" and
"… Expected: X, got: Y".
"""

import re
from dataclasses import dataclass
from typing import Final, Literal

Stage = Literal["mir", "visa", "lir", "scheduler", "driver", "runtime", "rust", "internal"]
_ERROR: Final = re.compile(
    r"^(?P<severity>error|warning)(?:\[(?P<code>E\d+)\])?: (?P<message>.+?)\n"
    r"(?:\s*--> (?P<file>[^\n:]+):(?P<line>\d+):(?P<column>\d+))?",
    re.MULTILINE,
)
_STAGE: Final = re.compile(r"^(?P<stage>mir|visa|lir):\s*(?P<rest>.*)$", re.DOTALL)
_MUST: Final = re.compile(
    r"^(?P<operation>[\w :/-]+?): (?P<what>.+?) must be (?P<constraint>.+?)(?:, (?:but )?got (?P<value>.+?))?\.?$"
)
_EXPECTED: Final = re.compile(
    r"^(?:(?P<operation>[\w /-]+?): )?(?P<what>.*?)\.?\s*Expected: (?P<constraint>.+?),? got: (?P<value>.+?)\.?$"
)
_SCHEDULER: Final = (
    re.compile(r"operator[- ]schedule heuristics failed"),
    re.compile(r"no evict target for .*\(size (?P<size>\d+)\)"),
    re.compile(r"synchroni[sz]ation checker"),
)


@dataclass(frozen=True, slots=True)
class Constraint:
    """operation, what and constraint are the class of a rule; value is what this source had."""

    operation: str
    what: str
    constraint: str
    value: str = ""

    @property
    def key(self) -> str:
        return " / ".join(part for part in (self.operation, self.what, self.constraint) if part)


@dataclass(frozen=True, slots=True)
class Said:
    """One message. rule: whether something may be learned of the language from it."""

    stage: Stage
    message: str
    file: str = ""
    line: int = 0
    column: int = 0
    constraint: Constraint | None = None

    @property
    def rule(self) -> bool:
        return self.stage in ("mir", "visa", "lir", "scheduler")


def read_messages(text: str) -> list[Said]:
    """Errors in order; the root cause is the first. An end without a message is one of the driver."""
    found = [_said(match) for match in _ERROR.finditer(f"{text}\n") if match["severity"] == "error"]
    if re.search(r"SIGABRT|signal: 6", text):
        found.append(Said("driver", "the compiler was aborted (SIGABRT)"))
    elif not found and "101" in text and re.search(r"exit (?:code|status):? 101", text):
        found.append(Said("driver", "the compiler driver ended with exit code 101"))
    if "PXI-601" in text:
        found.append(Said("runtime", "HAL error PXI-601: Execution Timeout: the kernel hangs on the device"))
    return found


def _said(match: "re.Match[str]") -> Said:
    message = match["message"].strip()
    place = (match["file"] or "", int(match["line"] or 0), int(match["column"] or 0))
    stage, rest = stage_of(message, match["code"] or "")
    return Said(stage, message, *place, constraint_of(rest))


def stage_of(message: str, code: str = "") -> tuple[Stage, str]:
    """With what is left of the message. code: of rustc itself."""
    if "internal compiler error" in message:
        return "internal", message
    if any(pattern.search(message) for pattern in _SCHEDULER):
        return "scheduler", message
    staged = _STAGE.match(message)
    if staged is None:
        return ("rust" if code else "driver"), message
    known: dict[str, Stage] = {"mir": "mir", "visa": "visa", "lir": "lir"}
    return known[str(staged["stage"])], str(staged["rest"])


def constraint_of(message: str) -> Constraint | None:
    """None for a message of another form."""
    for pattern in (_MUST, _EXPECTED):
        found = pattern.match(message.strip())
        if found is not None:
            parts = {name: (value or "").strip() for name, value in found.groupdict().items()}
            return Constraint(**parts)
    return None
