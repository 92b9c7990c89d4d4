"""Onboarding of a book: reading it step by step into the store, and what is said of it.

May import: store, knowledge. Read first: `steps.py`.
"""
