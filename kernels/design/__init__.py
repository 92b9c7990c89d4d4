"""Designs as text: the syntax of C sources, tunable annotations, analyses of loops and of literal tables.

Pure: no asyncio, no clock, no unseeded random, no files. May import kernels.values and kernels.packs. Read first:
`annotations.py`, then `syntax.py`.
"""
