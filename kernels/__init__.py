"""Kernel sources, and what compiles, runs and judges them.

May import: the standard library, numpy, scipy, tree-sitter, and packages of `kernels` to the right of its own in
`cheats > gates | judge > fleet > device > profiling > targets > sandbox > levers > design > packs > values`.
May not import: app, roles, store, knowledge, Textual, SQL.
Read first: `values/kernel.py`, then `device/referee.py`.
"""
