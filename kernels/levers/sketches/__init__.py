"""Sketches: generated designs that take the place of a recognised streaming mat-vec.

Each method renders tables, the preparation of the vector and the dot product of one or more rows from what the matcher
found in the source; `nest.py` renders the rest. May import: levers' own modules, design, values. Read first:
`method.py`, then `nest.py`.
"""
