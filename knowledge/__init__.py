"""what is known of a target, with its source. May import kernels; not app, roles, store. Read first: `memory.py`.
"""
