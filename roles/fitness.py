"""Whether a pack is fit for a campaign: the linter's word, asked once for the files as they are.

Shipped packs are linted by the tests. A kernel whose reference is its own baseline was linted when it was imported.
"""

import asyncio
import json
import os
import sys
from typing import Final

from kernels.packs.loader import SHIPPED
from kernels.values.kernel import KernelSpec
from roles.campaign import Campaign
from store import setting

TIMEOUT_S: Final = 600.0
SHOWN: Final = 5


async def unfit(campaign: Campaign, spec: KernelSpec) -> str:
    """Why no campaign can run on this kernel; "" when one can."""
    if spec.reference != "numpy" or spec.folder.is_relative_to(SHIPPED):
        return ""
    key = f"lint {campaign.pack.digest} {spec.name}"
    known = await campaign.store.read(lambda s: setting.get(s, key))
    if known is None:
        async with campaign.device.host(f"linting {spec.name}"):
            known = await _linted(spec)
        await campaign.store.write(lambda s: setting.put(s, key, known))
    if not known:
        return ""
    more = f"; and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
    return f"{'; '.join(known[:SHOWN])}{more}. `./run.sh pack lint {campaign.pack.folder}` says it all"


async def _linted(spec: KernelSpec) -> list[str]:
    """Findings. A linter that does not end or breaks is one as well."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", "kernels.packs.linting", str(spec.folder.parent), spec.name,
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(SHIPPED.parent.parent)}, start_new_session=True,
    )  # fmt: skip
    try:
        out, err = await asyncio.wait_for(process.communicate(), TIMEOUT_S)
    except TimeoutError:
        return [f"{spec.name}: the linter did not end within {TIMEOUT_S:.0f} s"]
    finally:
        if process.returncode is None:
            process.kill()
    if process.returncode != 0:
        return [f"{spec.name}: the linter failed: {err.decode(errors='replace').strip().splitlines()[-1:]}"]
    return [str(finding) for finding in json.loads(out)]
