"""The brains without a model: a seeded policy over levers, and random search beside it. Read first: `policy.py`."""
