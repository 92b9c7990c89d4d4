"""What the tables share: constraint names that a migration can rely on."""

from typing import Final

from sqlmodel import SQLModel

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}

CAMPAIGN: Final = "campaign.id"
CANDIDATE: Final = "candidate.id"
NODE: Final = "node.id"
TEST: Final = "test.id"
RACE: Final = "race.id"
RULE: Final = "legality_rule.id"
BOOK_RELEASE: Final = "book_release.id"
BOOK_DOCUMENT: Final = "book_document.id"
CLAIM: Final = "claim.id"
EXPERIMENT: Final = "experiment.id"
TOOLCHAIN_CHANGE: Final = "toolchain_change.id"

CAMPAIGN_STATES: Final = ("running", "pausing", "paused", "stopping", "finished", "interrupted")
EXPERIMENT_STATES: Final = ("running", "done")
NODE_KINDS: Final = ("idea", "design", "variant")
NODE_STATES: Final = ("queued", "gates", "testing", "done", "interrupted")
OUTCOMES: Final = ("", "REJECT", "REVERT", "ACCEPT", "KEEP", "INVALID")
VERDICTS: Final = ("", "FASTER", "SLOWER", "FLAT", "UNCLEAR", "INVALID")
TEST_KINDS: Final = ("acceptance", "confirmation", "ledger", "batch", "placebo", "calibration")
TEST_STATES: Final = ("running", "done", "interrupted")
RACE_STATES: Final = ("entered", "refused", "caught", "ranked")
AGENT_STATES: Final = ("working", "waiting", "pausing", "paused", "killed", "crashed", "done", "interrupted")
BRIEF_STATES: Final = ("queued", "taken", "done", "dropped", "interrupted")
CALL_STATES: Final = ("open", "done", "failed", "cancelled", "cut")
PRICES: Final = ("listed", "own", "free", "unknown")
MESSAGE_STATES: Final = ("waiting", "read", "answered", "closed")
APPROVAL_STATES: Final = ("pending", "approved", "vetoed", "expired")
COMMAND_STATES: Final = ("queued", "taken", "done", "refused", "interrupted")
BOOK_STATES: Final = ("reading", "done")
DOCUMENT_STATES: Final = ("queued", "read", "claimed", "not_read")
CLAIM_STATES: Final = ("unaudited", "supported", "partly", "dropped", "stale")
CITATION_CHANGES: Final = ("", "unchanged", "moved", "changed", "gone")
SCRIPT_CHECKS: Final = ("passed", "failed")
AUDIT_VERDICTS: Final = ("supported", "partly", "unsupported", "contradicted")
MEMORY_STATES: Final = ("current", "stale", "retired")
FILING_KINDS: Final = ("promotion", "submission", "imported", "rejudged")
CHANGE_STATES: Final = ("rechecking", "done", "superseded")
RECHECK_KINDS: Final = ("claim", "fact", "rule", "head", "filing", "memory")
RECHECK_OUTCOMES: Final = ("", "re_verified", "rewritten", "retired", "carried_over")
FACT_STATES: Final = ("current", "stale")
RULE_KINDS: Final = ("compile_error", "wrong_values", "hang", "performance")
RULE_STATES: Final = ("documented", "verified", "not_enforced", "stale", "carried_over", "retired")
RULE_OUTCOMES: Final = (
    "verified", "not_enforced", "unverified", "re_verified", "rewritten", "retired", "carried_over",
)  # fmt: skip
