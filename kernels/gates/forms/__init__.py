"""Forms that a rule forbids, found by syntax: queries on the tree of a C source, with guards beyond what a query says.

May import: what gates may. Read first: `pattern.py`.
"""
