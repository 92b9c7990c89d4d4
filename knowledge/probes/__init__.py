"""Microbenchmarks of a target, as data: a folder per target with a TOML file for each fact and the sources they name.

What they measure are chip facts (`knowledge/facts.py`). A target of one's own brings a folder `probes/<target>/` in the
workspace, without a change here. May import: kernels. Read first: `definition.py`.
"""
