"""What others may read of the store: each function takes a session and gives frozen values of `store.views`.

Read first: `overview_view.py`.
"""

from store.reads.branch_views import branches, ends_below, lineage, matching
from store.reads.campaign_views import campaign_view, campaigns
from store.reads.device_view import brief_seconds, device, pair_seconds, power
from store.reads.feed_views import command, commands, events, events_of, last_event
from store.reads.filed_series import filing_series
from store.reads.filing_compare import compare_filings
from store.reads.filing_views import FILING_SORTS, filing, filings, filings_page
from store.reads.kernel_views import kernels
from store.reads.knowledge_views import book_claims, book_releases
from store.reads.money_view import money
from store.reads.node_views import gates_of, node_detail
from store.reads.overview_view import overview
from store.reads.passage_view import passages
from store.reads.placebo_view import placebos_here
from store.reads.queue_view import queue
from store.reads.race_views import race_of_node, races
from store.reads.run_summary import summary
from store.reads.score_views import score
from store.reads.search_view import find_nodes
from store.reads.sheet_view import sheet_entries, sheet_targets, target_sheet
from store.reads.team_views import agent, agents
from store.reads.test_views import flat_within, live_test, test, tests
from store.reads.toolchain_view import toolchain_changes
from store.reads.tree_views import tree
from store.reads.trust_summary import trust

__all__ = [
    "FILING_SORTS",
    "agent",
    "agents",
    "book_claims",
    "book_releases",
    "branches",
    "brief_seconds",
    "campaign_view",
    "campaigns",
    "command",
    "commands",
    "compare_filings",
    "device",
    "ends_below",
    "events",
    "events_of",
    "filing",
    "filing_series",
    "filings",
    "filings_page",
    "find_nodes",
    "flat_within",
    "gates_of",
    "kernels",
    "last_event",
    "lineage",
    "live_test",
    "matching",
    "money",
    "node_detail",
    "overview",
    "pair_seconds",
    "passages",
    "placebos_here",
    "power",
    "queue",
    "race_of_node",
    "races",
    "score",
    "sheet_entries",
    "sheet_targets",
    "summary",
    "target_sheet",
    "test",
    "tests",
    "toolchain_changes",
    "tree",
    "trust",
]
