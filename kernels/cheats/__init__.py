"""Hostile and honest candidates on which the harness is tried: each with the gate that must refuse it, or none.

`cases.toml` lists them, `sources/` holds their C, `self_test/` the small kernels that they pretend to compute. May
import: gates, judge, device and what these may import. May not import: knowledge, store, roles, app. Read first:
`registry.py`.
"""
