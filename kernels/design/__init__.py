"""Pure values of Design Trees: idea cards, lineages, and generators (a source with open annotations and its grid).

May import: values, the standard library, numpy. May not import: asyncio, clocks, unseeded random, any other package of
`kernels`. Read first: `annotations.py`.
"""
