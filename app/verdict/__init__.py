"""Single verdicts from the command line: what is asked, who carries it out, what is said while it runs and after.

A live engine in the home carries it out at the operator's word (`through_engine.py`); without one this process owns the
device itself (`app/device_session.py`). Read first: `asked.py`, then `steps.py`.
"""
