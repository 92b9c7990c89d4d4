"""What a kernel does before anybody optimises it: its type, loops, bytes and operations, and what bounds it.

May import: kernels. Read first: `values.py`, then `survey.py` (by syntax) and `analysis.py` (with the machine).
"""
