"""The tables. Times are UTC seconds since the epoch, kernel times nanoseconds, gains shares of the head's time.

`pair`, `event`, `race_block` and `rule_check` are append-only: triggers refuse to change them. Importing this package
registers every table with `SQLModel.metadata`.
"""

from store.tables.books import BookDocumentRow, BookReleaseRow, BookSectionRow, BookUnreadRow
from store.tables.campaign import CampaignRow, HeartbeatRow, KernelStateRow, PeakRow, SettingRow, UsageRow
from store.tables.claims import CitationRow, ClaimAuditRow, ClaimRow
from store.tables.design import AuditRow, CandidateRow, FilingRow, GateReportRow, NodeRow, PromotionRow
from store.tables.experiments import ExperimentRow, TrajectoryRow
from store.tables.imported import ImportedFilingRow
from store.tables.judging import LedgerRow, PairRow, TestRow
from store.tables.racing import RaceBlockRow, RaceRow, RaceVariantRow
from store.tables.spending import LlmCallRow
from store.tables.steering import ApprovalRow, MessageRow
from store.tables.target_facts import ChipFactRow, RuleCheckRow, RuleRow
from store.tables.team import AgentLineRow, AgentRow, BriefRow, CommandRow, EventRow, MemoryRow
from store.tables.toolchain import RecheckRow, ToolchainChangeRow

__all__ = [
    "AgentLineRow",
    "AgentRow",
    "ApprovalRow",
    "AuditRow",
    "BookDocumentRow",
    "BookReleaseRow",
    "BookSectionRow",
    "BookUnreadRow",
    "BriefRow",
    "CampaignRow",
    "CandidateRow",
    "ChipFactRow",
    "CitationRow",
    "ClaimAuditRow",
    "ClaimRow",
    "CommandRow",
    "EventRow",
    "ExperimentRow",
    "FilingRow",
    "GateReportRow",
    "HeartbeatRow",
    "ImportedFilingRow",
    "KernelStateRow",
    "LedgerRow",
    "LlmCallRow",
    "MemoryRow",
    "MessageRow",
    "NodeRow",
    "PairRow",
    "PeakRow",
    "PromotionRow",
    "RaceBlockRow",
    "RaceRow",
    "RaceVariantRow",
    "RecheckRow",
    "RuleCheckRow",
    "RuleRow",
    "SettingRow",
    "TestRow",
    "ToolchainChangeRow",
    "TrajectoryRow",
    "UsageRow",
]
