"""The brain without a model: a seeded search policy over levers. Read first: `policy.py`."""
