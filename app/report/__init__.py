"""`report`: one document of a campaign that a person can send, as HTML, Markdown or JSON.

Read first: `gather.py`, then `charts.py`, `render.py`, `templates/`.
"""
