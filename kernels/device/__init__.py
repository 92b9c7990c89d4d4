"""The referee of one device and the client that the engine uses to speak to it.

The referee is one plain blocking process per device: it alone owns the secrets, the weights, the clock, the expected
values and the sandboxed runners of the candidates. May import: profiling, targets, sandbox, packs, values.
May not import: kernels.gates, kernels.judge, roles, store. Read first: `client.py` for the engine's side, then
`referee.py`, `desk.py`, `floor.py`, `calls.py` and `check.py` for the referee's.
"""
