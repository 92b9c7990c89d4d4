"""Target `cuda`: CUDA C++ on an NVIDIA GPU, by nvcc. Native parts in `native/`, the header in `include/`.

Sources become PTX in a confined compiler, the PTX is looked through, and ptxas makes a cubin of it. A runner of its own
loads that through the driver. Where no GPU is, everything up to the cubin works.
Read first: `target.py`, then `launches.py`.
"""
