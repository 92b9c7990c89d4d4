"""Who proposes, who decides next, who watches.

May import: store, knowledge, kernels. May not import: app, Textual, SQL. Roles do not import each other; only `main`
imports roles. Read first: `pipeline.py`.
"""
