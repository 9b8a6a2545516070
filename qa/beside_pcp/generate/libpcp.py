# SPDX-License-Identifier: Apache-2.0
"""An archive as some PCP version's libpcp reads it, by qa.beside_pcp.libpcp in a process of its own."""

import json
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from qa.beside_pcp.generate.entries import (
    NANOSECONDS,
    Desc,
    HelpText,
    Json,
    LabelSet,
    Record,
    to_desc,
    to_help_text,
    to_instances,
    to_labels,
    to_record,
    to_time,
)
from qa.beside_pcp.libpcp import in_peer
from qa.peers.peers import Peer

# Of PCP's tools: the peers have lists of derived metrics, which would be found in every archive (OUT-101).
ENVIRONMENT = {"PCP_DERIVED_CONFIG": ""}


class LibpcpError(Exception):
    """The program did not come to its end."""


class RefusedError(LibpcpError):
    """The library did not open the archive."""

    def __init__(self, status: int) -> None:
        super().__init__(f"not opened: {status}")
        self.status = status


def _seconds(time: int | None) -> tuple[int, int] | None:
    return None if time is None else divmod(time, NANOSECONDS)


@dataclass
class Request:
    """What to ask for beside descriptors and records. Identifiers are words; no time: of the whole archive."""

    instances: list[tuple[int, int | None]] = field(default_factory=list)
    labels: list[tuple[int, int, int]] = field(default_factory=list)  # number of the class, identifier, time
    texts: list[tuple[int, int]] = field(default_factory=list)
    errors: list[int] = field(default_factory=list)  # codes whose texts are wanted

    def to_json(self, archives: Sequence[Path]) -> str:
        return json.dumps({
            "archive": ",".join(map(str, archives)),
            "instances": [(indom, _seconds(time)) for indom, time in self.instances],
            "labels": [(number, identifier, _seconds(time)) for number, identifier, time in self.labels],
            "texts": self.texts,
            "errors": self.errors,
        })


@dataclass
class Found:
    """The answer to a question about instances: an error code or 0, and what there is."""

    status: int
    instances: dict[int, bytes]


@dataclass
class Reading:
    """The answers, and the records in the order in which they came."""

    label: Json = field(default_factory=dict)
    descs: dict[str, Desc] = field(default_factory=dict)
    instances: dict[tuple[int, int | None], Found] = field(default_factory=dict)
    labels: dict[tuple[str, int, int], tuple[LabelSet, ...]] = field(default_factory=dict)
    texts: dict[tuple[int, int], tuple[int, HelpText]] = field(default_factory=dict)
    errors: dict[int, str] = field(default_factory=dict)
    records: list[Record] = field(default_factory=list)  # pmFetchArchive: as they are stored
    fetched: list[Record] = field(default_factory=list)  # pmFetch of all metrics, PM_MODE_FORW
    ends: dict[str, int] = field(default_factory=dict)  # what ended each of the two


def read(peer: Peer, archives: Sequence[Path], request: Request, timeout: float = 120) -> Reading:
    """Several archives, of one folder, are opened together (ARC-550).

    Raises LibpcpError, of which RefusedError is one, and subprocess.TimeoutExpired after `timeout` seconds.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        asked = folder / "request.json"
        asked.write_text(request.to_json(archives), encoding="ascii")
        done = peer.run(
            in_peer.command(folder, "archive", asked),
            [folder, archives[0].parent],
            timeout=timeout,
            environment=in_peer.environment(folder),
        )
    lines = done.stdout.splitlines()
    if done.returncode != 0 or not lines:
        raise LibpcpError(f"status {done.returncode}: {done.stderr.strip()[-500:]}")
    told = [json.loads(line) for line in lines]
    if told[-1]["type"] != "end":
        raise LibpcpError(f"ended with {told[-1]}")
    if told[-1]["status"] != 0:
        raise RefusedError(told[-1]["status"])
    return to_reading(told[:-1])


def to_reading(lines: Iterable[Json]) -> Reading:
    reading = Reading()
    for told in lines:
        match told["type"]:
            case "label":
                reading.label = told
            case "desc":
                if "status" not in told:
                    reading.descs[told["pmid"]] = to_desc(told)
            case "instances":
                time = None if told["time"] is None else to_time(told["time"])
                reading.instances[told["indom"], time] = Found(told["status"], to_instances(told))
            case "labels":
                labels = to_labels(told)
                reading.labels[labels.label_class, labels.identifier, labels.time] = labels.sets
            case "text":
                text = to_help_text(told)
                reading.texts[text.text_type, text.identifier] = (told["status"], text)
            case "error":
                reading.errors[told["code"]] = told["text"]
            case "mark" | "result" | "fetched":
                records = reading.records if told["reading"] == "result" else reading.fetched
                records.append(to_record(told))
            case "end_of_records":
                reading.ends[told["reading"]] = told["status"]
            case kind:
                raise LibpcpError(f"unknown line {kind!r}")
    return reading
