"""Levers: named source changes, found and applied through the syntax tree, never by the name of a kernel.

A lever lists where it fits (`applications`), what it may be set to and what it should move; applying one gives a new
candidate that parses and differs, or raises LeverDoesNotApply. Whether the result is right and faster is for the gates
and the judge to say. May import: design, packs, values, tree-sitter, numpy. May not import: targets, device, gates,
judge. Read first: `base.py`, then `registry.py`; the matcher behind the sketches is `matvec.py`, the levers for loop
nests and what they know of dependences are in `nests/`.
"""
