"""Our matches beside ast-grep's on three corpora: `python tests/astgrep/differential/run.py`.

For each pattern, every match's byte range must be the peer's, but for the differences in `allowed.py`. It holds with the
prefilter and without: the prefilter passes each file that has a match, and a real run counts the same either way.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import attrs

if not __package__:
    sys.path.insert(0, str(Path(__file__).parents[2]))

from astgrep.differential.allowed import ALLOWED
from astgrep.differential.comparing import Allowed, Difference, Source, differences, sorted_out
from astgrep.differential.patterns import PATTERNS
from bench import ast_grep
from bench.corpora import LANGUAGES, Corpus, NoCorpus, corpus
from toolpost import Host
from toolpost_astgrep import grammars
from toolpost_astgrep.engine import Engine
from toolpost_astgrep.matching.scan import Scanner
from toolpost_astgrep.patterns.pattern import compile_pattern
from toolpost_astgrep.profiles import profile_of
from toolpost_astgrep.search import Query
from tree_sitter import Parser

PATIENT = {"astgrep": {"deadline": 60.0}}
"""What this is about is what is found, not how fast, even on a machine that does much else."""
SHOWN = 5
"""Unexplained differences of one pattern that are printed."""


@attrs.frozen(kw_only=True)
class Compared:
    """What came of one pattern.

    Attributes:
        faults: what must not be, apart from the differences that nothing explains.
    """

    ours: int
    peers: int
    kinds: Counter[Allowed]
    unexplained: list[Difference]
    faults: list[str]

    @property
    def holds(self) -> bool:
        return not self.unexplained and not self.faults


async def compare(pattern: str, tree: Corpus, sources: Mapping[str, Source], engine: Engine) -> Compared:
    """Search with both, and in a real run with the prefilter and without."""
    grammar = grammars.load(tree.language)
    reading = compile_pattern(pattern, tree.language, grammar=grammar).meaning
    scanner = Scanner(reading, grammar, profile_of(tree.language))
    faults, ours = [], {}
    for path, source in sources.items():
        ours[path] = list(scanner.matches(source.data, source.tree))
        if ours[path] and not scanner.may_match(source.data):
            faults.append(f"the prefilter loses {path}")
    total = sum(map(len, ours.values()))
    query = Query(
        pattern=pattern, language=tree.language, root=str(tree.folder), files=tuple(sorted(tree.sizes.items()))
    )
    for prefilter in (True, False):
        found = await engine.search(query, prefilter=prefilter)
        if found.total != total:
            faults.append(f"a run counts {found.total} {'with' if prefilter else 'without'} the prefilter")
        faults += [f"{path} was not searched: {reason}" for path, reason in found.skipped.items()]
    peers = list(ast_grep.search(pattern, tree.language, tree.folder))
    kinds, unexplained = sorted_out(pattern, differences(ours, peers, sources, reading), ALLOWED)
    return Compared(ours=total, peers=len(peers), kinds=kinds, unexplained=unexplained, faults=faults)


def parsed(tree: Corpus) -> dict[str, Source]:
    parser = Parser(grammars.load(tree.language))
    sources = {}
    for path in sorted(tree.sizes):
        data = (tree.folder / path).read_bytes()
        sources[path] = Source(data, parser.parse(data))
    return sources


def report(pattern: str, compared: Compared) -> None:
    shown = " ".join(pattern.split())
    kinds = ", ".join(f"{count} {kind.name}" for kind, count in compared.kinds.items())
    print(f"{shown:<46}{compared.ours:>8}{compared.peers:>8}  {'ok' if compared.holds else 'DIFFERENT':<10}{kinds}")
    for fault in compared.faults:
        print(f"    {fault}")
    for difference in compared.unexplained[:SHOWN]:
        site, start = difference.site, difference.text[:120]
        print(f"    only {difference.side}: {site.path} {site.start}-{site.end} {start!r}")
    if len(compared.unexplained) > SHOWN:
        print(f"    … {len(compared.unexplained)} in all")
    sys.stdout.flush()


async def all_of(tree: Corpus, wanted: str) -> tuple[bool, Counter[Allowed]]:
    """Compare a corpus' patterns and print them; whether they hold, and what was explained."""
    print(f"\n{tree}\n{'pattern':<46}{'ours':>8}{'peer':>8}", flush=True)
    sources, holds, kinds = parsed(tree), True, Counter[Allowed]()
    async with Host(["astgrep"], strict=True).open(tree.folder, config=PATIENT) as run:
        for pattern in PATTERNS[tree.language]:
            if wanted in pattern:
                compared = await compare(pattern, tree, sources, run.bindings["astgrep"].handle)
                report(pattern, compared)
                holds &= compared.holds
                kinds += compared.kinds
    return holds, kinds


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", action="append", choices=LANGUAGES, help="only this one (may be repeated)")
    parser.add_argument("--pattern", default="", help="only patterns that hold this text")
    options = parser.parse_args()
    gc.freeze()
    gc.disable()  # a corpus' trees are many objects that all stay
    all_hold, kinds = True, Counter[Allowed]()
    with tempfile.TemporaryDirectory() as state:
        os.environ["TOOLPOST_STATE_HOME"] = state
        for language in options.corpus or LANGUAGES:
            try:
                tree = corpus(language)
            except NoCorpus as missing:
                print(f"\n{missing}")
                all_hold = False
                continue
            hold, explained = asyncio.run(all_of(tree, options.pattern))
            all_hold &= hold
            kinds += explained
    print()
    for kind, count in kinds.items():
        print(f"{count:>6} only {kind.side}: {kind.name}. {kind.reason}")
    print("every difference is explained" if all_hold else "some differences are not explained")
    return 0 if all_hold else 1


if __name__ == "__main__":
    sys.exit(main())
