"""Targets written as one TOML file: argument lists to run, how to read what they say, what counts as time.

Read first: `recipe.py` for the file, `job.py` for the folder that a command is handed, then `target.py`; `finder.py`
finds the files of a workspace.
"""
