# SPDX-License-Identifier: Apache-2.0
"""Disagreements that the divergence ledger has: which entry each belongs to. What none of these is, is unclassified."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from qa.beside_pcp.generate.difference import Difference
from qa.dev.matrix import readers


@dataclass(frozen=True)
class Known:
    """`writer` and `reader` are how the names begin; `aspect` and `text` patterns of a difference."""

    entry: str
    writer: str
    reader: str
    aspect: str
    text: str = ""

    def holds(self, writer: str, reader: str, difference: Difference) -> bool:
        return (
            writer.startswith(self.writer)
            and reader.startswith(self.reader)
            and re.fullmatch(self.aspect, difference.aspect) is not None
            and re.search(self.text, str(difference)) is not None
        )


_DECODER = readers.DECODER
_CHECK = readers.CHECK

KNOWN: tuple[Known, ...] = (
    Known("ARC-275", "pmlogextract", _DECODER, "missed"),
    Known("ARC-275", "pmlogrewrite", _DECODER, "missed"),
    Known("ARC-278", "pmlogextract", _DECODER, "descs", r"^descs missing"),
    Known("ARC-504", "pmlogextract", _DECODER, "record", r" at 21474836(4[7-9]|[5-9])"),
    Known("ARC-511", "pmlogextract -m", _CHECK, "check", "ARC-1724"),
    Known("ARC-641", "pmlogextract", _DECODER, "labels", r"^labels (indom|instances) "),
    Known("ARC-642", "pmlogextract", _DECODER, "labels", r"^labels (context|domain|cluster|item) "),
    Known("ARC-655", "pmlogreduce", _DECODER, "label", "^label zoneinfo"),
    Known("ARC-655", "pmlogreduce", _DECODER, "labels|text"),
    Known("ARC-655-types", "pmlogreduce", _DECODER, "desc", r"'u?32', 'counter'.* got \('u?64', 'counter'"),
    Known("ARC-655-skipped", "pmlogreduce", _DECODER, "descs", r"^descs missing"),
    Known("ARC-662", "import", _DECODER, "instances|values"),
    Known("ARC-1724", "pmlogreduce", _CHECK, "check", "ARC-1724"),
    Known("ARC-1921", "pmlogreduce", _CHECK, "check", "ARC-1921"),
)


class Classifier:
    """`entries`: the IDs of the ledger. Counts what was used."""

    def __init__(self, entries: Mapping[str, object]) -> None:
        self._entries = entries
        self.used: Counter[Known] = Counter()

    def entry_of(self, writer: str, reader: str, difference: Difference) -> str | None:
        """A clause that the comparison itself names stands for the entry that is called so."""
        if difference.clause:
            return next((name for name in difference.clause.split(", ") if name in self._entries), None)
        for known in KNOWN:
            if known.holds(writer, reader, difference):
                self.used[known] += 1
                return known.entry if known.entry in self._entries else None
        return None

    def entry_named(self, name: str) -> str | None:
        """Of what qa/beside_pcp/differential calls a deviation."""
        found = re.match(r"(DEV-\d+|INT-\d+)", name)
        return found[1] if found and found[1] in self._entries else None

    def unused(self) -> list[Known]:
        return [known for known in KNOWN if not self.used[known]]
