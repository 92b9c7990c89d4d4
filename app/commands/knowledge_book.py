"""`knowledge claims | sheet | verify`: what documentation says of a target, with the passages that say it."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app.commands.check import PackName, TargetName
from app.commands.options import Home, Json, compiler_of, print_json
from app.home import home_folder, workspace_folder
from app.onboarding.telling import echo
from app.settings import UsageError

if TYPE_CHECKING:
    from store.engine import Store

HINT = "./run.sh onboard --book DIR --target T"
STATES = ("supported", "partly", "unaudited", "stale", "dropped")


def register(knowledge: typer.Typer) -> None:
    for command in (claims, sheet, verify):
        knowledge.command(command.__name__)(command)


def claims(
    target: TargetName = None,
    state: Annotated[str, typer.Option(help=f"only this state: {', '.join(STATES)}")] = "",
    find: Annotated[str, typer.Option(help="only claims with these words")] = "",
    all_: Annotated[bool, typer.Option("--all", help="dropped ones too")] = False,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Statements drawn from books, each with its citations, script check, auditors and state."""
    from app.onboarding.claims_text import claims_json, claims_text
    from store import reads

    if state not in ("", *STATES):
        raise UsageError(f"--state {state}: there is no such state; known are {', '.join(STATES)}")
    with _with_books(home) as store:
        found = store.read_sync(lambda s: reads.book_claims(s, target))
    views = [
        view
        for view in found
        if (view.state == state if state else all_ or view.state != "dropped") and find.lower() in view.text.lower()
    ]
    if as_json:
        print_json(claims_json(views))
    else:
        echo(claims_text(views))


def sheet(
    target: TargetName = None,
    kernel: Annotated[str, typer.Option(help="kernel, or pack/kernel: what is near to it comes first")] = "",
    role: Annotated[str, typer.Option(help="who reads it: worker, architect, strategist, owner, ...")] = "worker",
    size: Annotated[int, typer.Option(help="characters at most")] = 6000,
    pack: PackName = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """What an agent is told of a target, within a number of characters."""
    from app.onboarding.claims_text import sheet_json
    from knowledge.cheatsheet import sheet as make
    from store import reads

    with _opened(home) as store:
        known = store.read_sync(reads.sheet_targets)
        of = _one_of(known, target)
        entries = store.read_sync(lambda s: reads.sheet_entries(s, of, workspace_folder()))
    try:
        made = make(of, entries, role=role, topic=_topic(kernel, pack), size=size)
    except ValueError as error:
        raise UsageError(str(error)) from error
    if as_json:
        print_json(sheet_json(made, size))
    else:
        echo(made.text)


def verify(
    target: TargetName = None,
    book: Annotated[Path | None, typer.Option(help="look every citation up in this folder too; keeps nothing")] = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Check every live claim again, and plant the rules that held under another toolchain; exit 1 when a claim no
    longer holds."""
    from app.chip.rules import counted, rechecked
    from app.onboarding.claims_text import verified_json, verified_text
    from app.onboarding.verifying import newest, verify

    say, folder = lambda line: typer.echo(line, err=as_json), home_folder(home)
    rules = rechecked(folder, target, workspace_folder(), say, compiler_of(folder, ""))
    with _opened(home) if rules else _with_books(home) as store:
        found = [verify(store, release, book) for release in newest(store, target)]
    if as_json:
        print_json({**verified_json(found), "rules": {name: dict(counts) for name, counts in rules.items()}})
    else:
        echo("\n".join([*(f"rules of {name}: {counted(c)}" for name, c in rules.items()), verified_text(found)]))
    raise typer.Exit(0 if all(one.holds for one in found) else 1)


def _topic(kernel: str, pack: str | None) -> str:
    """What the kernel is about, as words. Raises: UsageError when the pack has no such kernel."""
    if not kernel:
        return ""
    from kernels.packs.loader import load_pack
    from knowledge.cheatsheet import topic_of

    of, _, name = kernel.rpartition("/")
    wanted = pack or of
    if not wanted:
        return name
    try:
        spec = load_pack(wanted, workspace_folder()).kernel(name)
    except ValueError as error:
        raise UsageError(str(error)) from error
    return topic_of(spec)


def _one_of(known: Sequence[str], target: str | None) -> str:
    """The target that was asked for, or the only one of which anything is known. Raises: UsageError."""
    if target is not None and target in known:
        return target
    if target is None and len(known) == 1:
        return known[0]
    if target is None and known:
        raise UsageError(f"knowledge sheet: {', '.join(known)} are known; say which with --target")
    raise UsageError(f"knowledge sheet: nothing is known of {target or 'any target'}; read a book with {HINT}")


def _opened(home: Path | None) -> "Store":
    """Raises: UsageError when there is no database here yet."""
    from store.engine import DATABASE, Store

    folder = home_folder(home)
    if not (folder / DATABASE).is_file():
        raise UsageError(f"nothing is known in {folder}: read a book with {HINT}")
    return Store.open(folder)


def _with_books(home: Path | None) -> "Store":
    """Raises: UsageError when no book was ever onboarded here."""
    from store import books

    store = _opened(home)
    if not store.read_sync(books.releases):
        store.close()
        raise UsageError(f"no book is known in {store.home}: read one with {HINT}")
    return store
