"""Levers for sources in OpenCL C: mat-vecs and maps that a work-item does, found by the same syntax as in C.

Read first: `masked.py` and `work_items.py`, then `registry.py`.
"""
