"""What a kernel's time goes into: measured spans of a profiled run beside what was planned, and plans of built objects.

A timeline was written by the candidate's process: a diagnostic, never a verdict. May import: targets, sandbox, levers,
design, packs, values. Read first: `join.py` for what was measured, `schedule.py` for static schedules.
"""
