"""Legality rules: what may not be written for a target, with the smallest form that shows it and the nearest legal one.

Rules ship as data (a folder per target) or are mined from compile failures; both hold only once they were planted under
the present toolchain. May import: kernels. Read first: `rule.py`.
"""
