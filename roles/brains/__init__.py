"""What decides for a role. Brains only propose; keep, revert, budgets and stops are plain code elsewhere.

Read first: `base.py` for brains that decide, `offline` among them, which needs no key and no network; `talk.py` and
`metered.py` for models that are asked, over the wires that `registry.py` lists.
"""
