"""Decides from pairs of readings: acceptance, confirmation, ledger, placebos, races, and what surrounds a test.

Pure: no asyncio, no clock, no unseeded random; what measures is handed in. May import: kernels.values, numpy, and scipy
inside functions only (its import takes 0.7 s). May not import: kernels.gates, kernels.device, roles, store.
Read first: `acceptance.py`, then `collect.py`.
"""
