"""What the commands `knowledge facts` and `knowledge rules` do: measure, plant, mine, and tell.

May import: everything. Read first: `facts.py`.
"""
