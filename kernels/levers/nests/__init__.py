"""Levers for loop nests of any C kernel, and the analysis behind them.

A nest is run on a few of its iterations with its true sizes (`trace.py`): which elements does each statement read,
write or update? A reordering is offered when no two accesses of one element that must keep their order change it
(`order.py`). What a trace cannot decide is left to the gates. May import: the modules of
`kernels.levers` beside it, `kernels.values`. Read first: `trace.py`, then `interchange.py`.
"""
