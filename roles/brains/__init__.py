"""What decides for a role. Brains only propose; keep, revert, budgets and stops are plain code elsewhere.

Read first: `base.py`. `offline` needs no key and no network.
"""
