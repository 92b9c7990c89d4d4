"""Levers: rewrites of kernel sources that may make them faster, matched by syntax and never by a kernel's name.

May import kernels.design, kernels.packs and kernels.values. Must not run, compile or time anything; must not know any
pack. Read first: `base.py`, then `registry.py`.
"""
