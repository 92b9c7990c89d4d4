"""The levers for CUDA C++: threads of a block, tunables, flags. Structure is left to whoever writes the source.

Read first: `registry.py`.
"""
