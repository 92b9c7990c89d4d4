"""Starts candidates in processes of their own, confines them, times them, kills them.

May import: levers, design, packs, values. May not import: targets, device, gates, judge. Read first: `runner.py`.
"""
