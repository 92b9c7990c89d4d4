"""who proposes, who decides next, who watches. May import store, knowledge, kernels; not app, Textual, SQL. Roles do not import each other; only `main` imports roles. Read first: `pipeline.py`.
"""
