"""Commands that behave as those of RNGD over a simulated device: where none is to be had, and in tests.

They take C in place of Rust: what a source computes is computed on this host, how long it takes is simulated. Every
number of it says "stand-in". Read first: `device.py`, then `tool.py`.
"""
