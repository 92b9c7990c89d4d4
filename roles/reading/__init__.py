"""Models that read documentation: one draws claims, two others look at each without seeing what the first thought.

What they say is held against the book by the same script check as everything else. Read first: `readers.py`.
"""
