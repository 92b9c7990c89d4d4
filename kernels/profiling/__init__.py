"""What a kernel's time goes into: measured spans of a profiled run beside what was planned for them.

Pure but for what it is handed; a timeline was written by the candidate's process and is a diagnostic, never a verdict.
May import: targets, sandbox, levers, design, packs, values. Read first: `join.py`.
"""
