"""How sources become artefacts of a device: compile, scan, probes, the runner binary.

One folder a target behind `base.Target`, each a plug-in: `plugin.py` says what that is, `discovery.py` where they are
found. May import: sandbox, levers, design, packs, values. May not import: device,
gates, judge. Read first: `base.py`, then `cpu_c/target.py`.
"""
