"""Who proposes, who decides next, who watches.

May import: store, knowledge, kernels. May not import: app, Textual, SQL. Roles do not import each other: `main.py`
starts them, `casting.py` says who fills one; where a model does, `model_*.py` extends the role that code fills.
Read first: `pipeline.py`.
"""
