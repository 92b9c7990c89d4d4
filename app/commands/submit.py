"""`submit`: the head of a kernel to the target's board, and its answer as a filing."""

from typing import Annotated

import typer

from app.commands.options import CampaignId, Home, Json, campaign_of, open_store, print_json
from app.home import home_folder, workspace_folder
from app.settings import UsageError


def register(app: typer.Typer) -> None:
    app.command("submit")(submit)


def submit(
    kernel: Annotated[str, typer.Argument(help="kernel, or pack/kernel")],
    campaign: CampaignId = None,
    home: Home = None,
    as_json: Json = False,
) -> None:
    """Send the promoted head of a kernel to the public board of its target; waits for the answer."""
    from kernels.packs.loader import load_pack
    from kernels.targets.base import Boarded
    from kernels.targets.registry import get_target
    from store import campaigns, designs, filings, promotions

    name = kernel.rpartition("/")[2]
    with open_store(home) as store:
        number = campaign_of(store, campaign)
        row = store.read_sync(lambda s: campaigns.get(s, number))
        promotion = store.read_sync(lambda s: promotions.head_promotion(s, number, name))
        if promotion is None:
            raise UsageError(f"submit {name}: campaign {number} has no promoted head of it; nothing is sent")
        cache = home_folder(home) / "cache"
        target = get_target(row.target, cache, workspace_folder())
        if not isinstance(target, Boarded) or not target.has_board:
            raise UsageError(f"submit {name}: target {row.target} has no board; give its file a [board]")
        if target.fingerprint.id != row.fingerprint:
            raise UsageError(f"submit {name}: it was judged under another toolchain ({row.fingerprint}); run it again")
        candidate = store.read_sync(lambda s: designs.get_candidate(s, promotion.candidate_id))
        spec = load_pack(str(row.options.get("pack", row.pack)), workspace_folder()).kernel(name)
        answer = target.submit(candidate, spec, cache / "submissions" / candidate.id)
        lever = store.read_sync(lambda s: designs.get_node(s, promotion.node_id).lever)
        filing = store.write_sync(
            lambda s: filings.file_submission(s, promotion, lever, board=row.target, answer=answer.score)
        )
    if as_json:
        print_json({"filing": filing, "kernel": name, "candidate": candidate.id, "score": answer.score})
    else:
        typer.echo(f"{name}: filed as {filing}; the board of {row.target} says {answer.score}")
