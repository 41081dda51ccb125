"""The tour as one HTML page."""

from __future__ import annotations

import html
from collections.abc import Iterable

from toolpost.tour.play import Played
from toolpost.tour.script import Scene

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff }
pre { font: 13px/1.45 ui-monospace, monospace; padding: .75rem 1rem; border-left: 3px solid #8ab; background: #f4f6f8;
      overflow-x: auto; white-space: pre-wrap }
pre.error { border-color: #c66 } h2 { margin-top: 2.5rem }
@media (prefers-color-scheme: dark) { body { color: #ddd; background: #1b1d20 } pre { background: #25282c } }
"""


def page(played: Iterable[Played]) -> str:
    """The whole session, self-contained: no script, nothing fetched."""
    body = []
    for each in played:
        if isinstance(each.step, Scene):
            body.append(f"<h2>{html.escape(each.step.scene)}</h2>\n<p>{html.escape(each.step.say)}</p>")
        else:
            kind = "error" if each.result is not None and each.result.is_error else "step"
            body.append(f'<pre class="{kind}">{html.escape(chr(10).join(each.lines()).strip())}</pre>')
    return (
        '<!doctype html>\n<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>toolpost tour</title><style>{_STYLE}</style>\n<h1>toolpost tour</h1>\n"
        + "\n".join(body)
        + "\n</html>\n"
    )
