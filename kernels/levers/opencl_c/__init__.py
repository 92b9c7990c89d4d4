"""Levers for sources in OpenCL C: the same loops and mat-vecs, found by the same syntax, spread over work-items.

Read first: `masked.py`, then `registry.py`.
"""
