"""The one SQLite file: tables, the writer, the event feed, and what others may read of it.

The only package that knows SQL. May import: knowledge, kernels, sqlmodel, alembic. May not import: app, roles.
Read first: `engine.py` (opening, writing, reading), then `designs.py` and `ledger.py` (what is written, each function
takes the session first), then `views/` (what a screen gets).
"""
