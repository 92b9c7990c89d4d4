"""The main screen, its tabs ("panes") and the dialogs.

A pane says what to read (`request`, asked in a thread) and shows the answer. May import `app.widgets`, `app.views`,
`app.keys`, `app.messages`, `app.source`, `app.feed_bridge` and the values of `store.views`. Read first: `main.py`, then
`pane.py`.
"""
