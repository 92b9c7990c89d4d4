"""Strategy skills: Markdown files that say which changes pay on which types of kernels, and when they do not.

May import: kernels, knowledge.baselines, knowledge.book. Read first: `skill.py`, then `playbook.py` (which skills speak
for a kernel).
"""
