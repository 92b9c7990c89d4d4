"""Several devices of one kind as one executor, and devices on other hosts.

May import kernels.device and below; asyncio. Nothing here knows of campaigns. A device elsewhere is the same referee in
a process there; its requests and the files they name travel (`shipping.py`, `session.py`). Read first: `fleet.py`.
"""
