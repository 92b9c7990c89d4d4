"""Checks after a toolchain change: what still holds of what was known of a target, kind by kind.

May import: what roles may. Read first: `whole.py`.
"""
