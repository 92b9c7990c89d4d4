"""Placebos: the head itself under a new hash, sent through the whole pipeline unmarked. Pure."""

from dataclasses import replace

from kernels.values.candidate import Candidate


def placebo_of(candidate: Candidate, token: str) -> Candidate:
    """The head again under a new hash: the same code with a comment that says nothing."""
    files = {**candidate.files, candidate.main: f"{candidate.source.rstrip()}\n/* {token} */\n"}
    return replace(candidate, files=files)
