"""A made-up home of any size, written by plain SQL: for benches and tests of what reads a big store. Every row passes
the constraints of the tables; the figures mean nothing.

Read first: `campaign.py`.
"""

from store.sample.campaign import fill
from store.sample.size import Size

__all__ = ["Size", "fill"]
