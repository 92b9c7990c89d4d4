"""What a worker's model may do: read, write its own file, have it judged, remember. No shell, no other file.

Read first: `workbench.py`. Each tool checks its arguments by a model of `arguments.py`; a fault of the caller is a
`ToolFailed` with a reason, and goes back to the model.
"""
