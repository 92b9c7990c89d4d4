"""The main screen, its tabs ("panes") and the dialogs.

A pane says what to read (`request`, asked in a thread) and shows the answer. May import `app.widgets`, what of `app`
opens no store, the values of `store.views` and the `store.*_views`, and what `kernels.judge` and `kernels.profiling`
compute of them. Read first: `main.py`, then `pane.py`.
"""
