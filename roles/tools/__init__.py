"""What a model may do. A worker: read, write its own file, have it judged, remember; no shell, no other file. The other
roles look at rows and decide on a panel, which code takes it from.

Read first: `workbench.py`. Each tool checks its arguments by a model of `arguments.py`; a fault of the caller is a
`ToolFailed` with a reason, and goes back to the model.
"""
