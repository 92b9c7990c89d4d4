"""Makes a pack of a C function that somebody else wrote.

`signature.py` reads the function, `shapes.py` what the author says of its arguments, `arguments.py` holds the two
against each other, `source.py` makes the baseline's text, `tolerances.py` derives what counts as right, `draft.py`
writes the files. Nothing here compiles or runs: see `app/importing`.
May import: the other modules of `kernels.packs`, `kernels.values`. Read first: `draft.py`.
"""
