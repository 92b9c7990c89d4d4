"""What is known of a target, with its source.

May import: kernels. May not import: app, roles, store. Read first: `memory.py`
(wins and traps), `claims.py` (statements with citations) and `book/values.py` (documentation).
"""
