"""What a legality rule is."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal

Kind = Literal["compile_error", "wrong_values", "hang", "performance"]
State = Literal["documented", "verified", "not_enforced", "stale", "carried_over", "retired"]
MINED: Final = "mined"
"""Origin of a rule that no file says."""
KINDS: Final[tuple[Kind, ...]] = ("compile_error", "wrong_values", "hang", "performance")


@dataclass(frozen=True, slots=True)
class Pattern:
    """query: see `kernels.gates.forms.pattern`. doubt: why a match need not be a failure, "" for an exact pattern."""

    query: str
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class Rule:
    """One class of what may not be written.

    forbidden, legal: whole sources; of rules about a run they define `void probe(uint8_t *area, int64_t bytes, int64_t
    count, uint64_t *out)`, see `run.py`. flags: of the compiler, for both. diagnostic: the class of what the compiler
    says of the forbidden one, "" when it says nothing. setup: how a run is made and what tells right from wrong.
    requires: features of the processor without which the rule cannot be tried. fingerprint: under which it holds.
    workspace: the folder that it was written for; "" for what ships and what was mined, which hold everywhere.
    """

    name: str
    target: str
    kind: Kind
    statement: str
    forbidden: str
    legal: str
    diagnostic: str = ""
    flags: tuple[str, ...] = ()
    pattern: Pattern | None = None
    setup: Mapping[str, Any] = field(default_factory=dict)
    requires: tuple[str, ...] = ()
    origin: str = "shipped"
    state: State = "documented"
    fingerprint: str = ""
    evidence: tuple[Mapping[str, Any], ...] = ()
    workspace: str = ""

    @property
    def has_forms(self) -> bool:
        """Whether it can be tried: what is only documented says no form."""
        return self.forbidden != ""

    @property
    def about_a_run(self) -> bool:
        return self.kind != "compile_error"

    @property
    def key(self) -> str:
        """Names it among all rules of its target in a home: several workspaces may have one of the same name."""
        return key_of(self.name, self.workspace)

    @property
    def digest(self) -> str:
        """Of everything that its file says."""
        query = None if self.pattern is None else (self.pattern.query, self.pattern.doubt)
        parts = (
            self.kind, self.statement, self.forbidden, self.legal, self.diagnostic, self.flags, query,
            sorted(self.setup.items()), self.requires,
        )  # fmt: skip
        return hashlib.sha256(repr(parts).encode()).hexdigest()


def key_of(name: str, workspace: str) -> str:
    return f"{name} in {workspace}" if workspace else name
