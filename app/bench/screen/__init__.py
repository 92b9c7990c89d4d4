"""`bench tui`: what the screen costs over a big store, each figure beside its budget.

Read first: `budgets.py`, then `run.py`, `terminal.py`.
"""
