"""Target `opencl`: OpenCL C on the CPUs of this machine, by PoCL. Native parts in `native/`, the header in `include/`.

Sources are compiled in a confined process of their own, and run in another one behind two system call filters.
Read first: `target.py`, then `launches.py`.
"""
