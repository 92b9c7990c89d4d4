"""Target `cpu-c`: C sources, gcc, this machine's CPU. Native parts in `native/`, the kernel header in `include/`.

Read first: `target.py`.
"""
