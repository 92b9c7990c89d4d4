"""`import history`: a table of filings from elsewhere, read whole or not at all, kept as an imported campaign.

Read first: `reading.py`, then `cells.py`, `keeping.py`.
"""
