"""Packs: sets of kernels with contract, reference, baseline and value generators; and what reads and checks them.

A pack is a folder with `pack.toml` and one folder a kernel: `kernel.toml`, `reference.py`, `baseline.c`. Here ship
`gemma_decode`, `axpy_gemv` and the packs of `polybench`; a user's own lie in `packs/` of the workspace. `foreign` makes
packs of C functions that somebody else wrote.
May import: numpy, tree-sitter, `kernels.values`. May not import: anything else of kernels, asyncio.
Read first: `loader.py`, then `reference.py`, `matrix.py`.
"""
