"""Where the seconds of a candidate go."""

from roles.accounts import since


def test_what_nobody_held_is_overhead() -> None:
    found = since({"pair": 1.0}, {"pair": 4.0, "build": 2.0, "checking": 0.5, "verifying": 0.5}, 10.0)
    assert found == {"readings": 3.0, "build": 2.0, "check": 1.0, "overhead": 4.0}


def test_an_unknown_holder_counts_as_loading_and_never_makes_overhead_negative() -> None:
    assert since({}, {"something": 3.0}, 2.0) == {"load": 3.0}
