"""Plain values that every package speaks: kernels, candidates, readings, verdicts.

Pure: no asyncio, no clock, no unseeded random, no files. May import numpy only. Read first: `kernel.py`.
"""
