"""Cheap ordered checks between a candidate and its acceptance test; the first refusal ends.

One small class a gate behind `base.Gate`; `sequence.py` runs them in `GATE_ORDER`. May import: device, profiling,
targets, sandbox, levers, packs, values. May not import: kernels.judge, roles, store. Read first: `base.py`.
"""
