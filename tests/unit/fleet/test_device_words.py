"""Which words name a device, and which command stands behind them."""

import pytest

from kernels.fleet.words import command_of, known_device


@pytest.mark.parametrize("words", ["local", "dask:tcp://h:8786", "dask:tls://h:1", "command:ssh h run.sh", "slurm:"])
def test_devices_by_words(words: str) -> None:
    assert known_device(words) == words


@pytest.mark.parametrize("words", ["", "gpu", "dask:", "dask:host", "command:", "command:  "])
def test_other_words_are_told_what_there_is(words: str) -> None:
    with pytest.raises(ValueError, match=r"local, dask:tcp://HOST:8786, command:WORDS .*slurm:OPTIONS"):
        known_device(words)


def test_a_job_of_slurm_gets_its_options_and_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KERNELWRIGHT_ROOT", "/opt/kw")
    assert command_of("slurm:--gres=gpu:1 --licenses=chip") == (
        "srun", "--quiet", "--unbuffered", "--ntasks=1", "--gres=gpu:1", "--licenses=chip", "/opt/kw/run.sh",
        "device-serve",
    )  # fmt: skip
    assert command_of('command:ssh "my host" run.sh device-serve') == ("ssh", "my host", "run.sh", "device-serve")
    assert command_of("local") == command_of("dask:tcp://h:1") == ()
