"""Widgets drawn row by row from plain values, so that text is never read as markup and only changed rows are repainted.

May import `app.views`, `app.sanitise`, `app.messages`, `app.keys` and Textual; never a store session.
Read first: `lines.py`.
"""
