"""A harness as an outsider would write it: it names one plugin, and knows nothing else of it."""

import asyncio
import sys
from pathlib import Path

from toolpost import Allow, Host, Tier


async def yes(call):
    return Allow()


async def main(folder):
    host = Host(["shelf"], strict=True)
    print("plugins:", *(plugin.name for plugin in host.plugins))
    async with host.open(folder, approver=yes) as run:
        read, surface = run.surface(Tier.READ), run.surface(Tier.WRITE)
        print("read:", *(tool.name for tool in read.tools))
        print("write:", *(tool.name for tool in surface.tools))
        print((await surface.call("sizes", {"paths": ["a.txt"]})).text)
        print((await surface.call("batch_rename", {"paths": ["a.txt", "b.txt"], "suffix": ".bak"})).text)
        print("files:", *sorted(path.name for path in Path(folder).iterdir()))
        print((await surface.call("resolve", {"action": "accept"})).text)
        print("files:", *sorted(path.name for path in Path(folder).iterdir()))
        print((await surface.call("resolve", {"action": "undo", "edit_id": "undo_1"})).text)
        print("files:", *sorted(path.name for path in Path(folder).iterdir()))


asyncio.run(main(sys.argv[1]))
