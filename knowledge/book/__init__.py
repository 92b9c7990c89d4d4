"""A book, folder of documentation, as sections with anchors and hashes; what was not read is listed with its reason.

May import: kernels, markdown-it, docutils, beautifulsoup. May not import: app, roles, store. Read first: `values.py`,
then `scan.py` (which files there are) and `formats.py` (how one file is read).
"""
