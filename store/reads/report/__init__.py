"""What a report says of a campaign, each figure with the event that it stands in.

Read first: `cited.py`, then `results.py`.
"""

from store.reads.report.cited import Cited, events_by_id
from store.reads.report.costs import costs
from store.reads.report.failures import audits_of, folds_of, levers, refusals
from store.reads.report.filed import filed
from store.reads.report.promised import promises
from store.reads.report.results import baselines, entries, lineages, noise_of, peaks, steps

__all__ = [
    "Cited",
    "audits_of",
    "baselines",
    "costs",
    "entries",
    "events_by_id",
    "filed",
    "folds_of",
    "levers",
    "lineages",
    "noise_of",
    "peaks",
    "promises",
    "refusals",
    "steps",
]
