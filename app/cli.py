"""The command line: parses, calls a command, catches every error once and shows it.

Exit codes: 0 done, 1 the answer is no, 2 usage, 3 environment.
"""

import os
import sys
import traceback
from pathlib import Path

import typer
from typer.exceptions import TyperException

from app.commands import (
    accept,
    bench,
    calls,
    check,
    device_cluster,
    doctor,
    experiment,
    history,
    info,
    judge,
    knowledge,
    onboard,
    packs,
    profile,
    report,
    run,
    show,
    steer,
    submit,
    take_home,
    task,
)
from app.environment import unread
from app.settings import MissingError, Settings, UsageError

DONE, NO, USAGE, ENVIRONMENT = 0, 1, 2, 3

app = typer.Typer(
    name="kernelwright",
    help="Makes kernels fast on this machine's accelerator, with verdicts that hold under noise.",
    no_args_is_help=False,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for module in (
    run,
    show,
    steer,
    submit,
    take_home,
    task,
    check,
    accept,
    profile,
    judge,
    bench,
    packs,
    onboard,
    knowledge,
    doctor,
    info,
    device_cluster,
    history,
    report,
    calls,
    experiment,
):
    module.register(app)


def as_run(arguments: list[str]) -> list[str]:
    """The bare `./run.sh` takes the options of `run`."""
    own = ("--version", "-h", "--help")
    bare = bool(arguments) and arguments[0].startswith("-") and arguments[0] not in own
    return ["run", *arguments] if bare else arguments


def run_command(arguments: list[str]) -> int:
    """Raises what the command raises; returns its exit code."""
    result = app(args=as_run(arguments), prog_name="./run.sh", standalone_mode=False)
    return result if isinstance(result, int) else DONE


def run(arguments: list[str]) -> int:
    """The exit code; whatever went wrong was shown on stderr."""
    for line in unread(Settings.model_fields):
        _say(line, DONE)
    try:
        return run_command(arguments)
    except typer.Exit as done:
        return done.exit_code
    except typer.Abort:
        return _say("stopped at the keyboard", NO)
    except TyperException as error:
        return _say(f"{error.format_message()}; `./run.sh --help` lists commands and options", USAGE)
    except UsageError as error:
        return _say(str(error), USAGE)
    except MissingError as error:
        return _say(str(error), ENVIRONMENT)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return DONE
    except Exception as error:  # noqa: BLE001 - the one place that catches all; it is shown and kept
        return _unexpected(error)


def _say(text: str, code: int) -> int:
    print(f"kernelwright: {text}", file=sys.stderr)
    return code


def _unexpected(error: Exception) -> int:
    from app.errors import person_error

    said = person_error(error)
    if said is not None:
        return _say(said.text, said.code)
    trace = "".join(traceback.format_exception(error))
    path = Path.cwd() / "kernelwright-crash.txt"
    try:
        path.write_text(trace, encoding="utf-8")
        kept = f"the trace is in {path}"
    except OSError:
        kept = trace
    return _say(f"a fault of ours: {type(error).__name__}: {error}; {kept}", NO)
