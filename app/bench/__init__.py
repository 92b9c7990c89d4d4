"""Benches: what the parts of this program are worth, each measured side by side with the alternatives in one run.

Read first: `registry.py`. May import whatever `app` may.
"""
