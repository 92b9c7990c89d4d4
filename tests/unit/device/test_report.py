"""What crosses the pipe as JSON comes out as what it was."""

import json

import pytest

from kernels.device.report import CheckReport, HeadFailed, LoadFailed
from kernels.sandbox.runner import RunnerFailed


def test_a_failed_head_is_found_in_a_reply_with_its_kind_and_detail() -> None:
    found = HeadFailed.in_reply(json.loads(json.dumps(HeadFailed("hang", "no answer in 2 s").to_json())))
    assert found is not None
    assert (found.kind, found.detail) == ("hang", "no answer in 2 s")


@pytest.mark.parametrize("result", [None, 1.5, {}, {"head": {"ns": 1.0}}, CheckReport(False, "crash").to_json()])
def test_other_replies_hold_no_failed_head(result: object) -> None:
    assert HeadFailed.in_reply(result) is None


def test_a_failed_load_names_its_key_and_is_a_failure_of_the_runner() -> None:
    failed = LoadFailed("abc", RunnerFailed("load", "undefined symbol"))
    assert isinstance(failed, RunnerFailed)
    assert (failed.key, failed.kind, failed.detail) == ("abc", "load", "undefined symbol")
