"""What the operator sees and presses. The only package that knows Textual, plotext and typer.

May import everything to its right: roles, store, knowledge, kernels. Read first: `cli.py`, then `wiring.py`.
"""
