"""Experiments: arms of settings x trajectories with seeds x a budget, and what they show together.

A trajectory is an ordinary campaign of this home: it can be watched, stopped, killed, and goes on where it was. Equal
for all arms of a file: pack, target, device, budget, the list of seeds, and that no campaign is told what another one
found (setting `isolated`; what a gate refused for good and folds hold for a content everywhere). Trajectories run one
after the other, one of every arm a round, in an order that is drawn anew (`order.py`), so that drift of the device
favours none. When the last has ended, the final heads of all are measured against their start in one block
(`block.py`): endpoints of different hours are never compared as they were read then.

Read first: `plan.py`, `running.py`, `figures.py`.
"""
