"""`pack import`: reads a foreign C function, writes it as a kernel of a pack, and tries the pack before it is kept.

Read first: `steps.py`, then `reading.py`, `trying.py`.
"""
