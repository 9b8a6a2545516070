# SPDX-License-Identifier: Apache-2.0
"""An adapter (pmproof-testee/1) to what libpcp, pmcd and agents of a PCP say to each other, by live exchanges in that PCP.

    python3 -m qa.adapters.live_program VERSION

Each request is answered by a process of its own, like those of pcp_program.py.
"""

import json
import platform
from collections.abc import Callable

from qa.adapters import live_client, live_collector, live_octets, live_reads, live_sends, live_values, pcp_program, pcp_versions
from qa.adapters.live_octets import Json
from qa.adapters.pcp_library import Skip

Tell = Callable[[str], None]

SEVERAL = "a request of its own makes libpcp read or write one PDU after the other, and these do not go together"


def _pdus(args: Json) -> list[Json]:
    if "pdus" in args:
        return list(args["pdus"])
    typed = args["typed_result"]
    unit = "microseconds" if typed["pdu"] == "RESULT" else "nanoseconds"
    sets = [live_values.set_of_typed(one) for one in typed["sets"]]
    return [{"pdu": typed["pdu"], "from": typed["from"], "seconds": typed["seconds"], unit: typed["fraction"], "sets": sets}]


def encode(request: Json, tell: Tell) -> None:
    pdus = _pdus(request["args"])
    if len(pdus) > 1:
        raise Skip(SEVERAL)
    tell(json.dumps({"bytes": _encoded(pdus[0]).hex()}))


def _encoded(told: Json) -> bytes:
    """As libpcp sends it, or else pmcd."""
    name = told["pdu"]
    why = f"{name}: no call makes libpcp send it, and pmcd hands no such PDU on"
    if name in live_sends.SENDS:
        try:
            return live_sends.encode(told)
        except Skip as skip:
            why = str(skip)
    if name in live_collector.ANSWERS:
        try:
            return live_collector.encode_answer(told)
        except Skip as skip:
            why = str(skip)
    if name in live_collector.PASSES:
        return live_collector.encode_request(told)
    raise Skip(why)


def _may_be_a_request(frame: live_octets.Frame) -> bool:
    return frame.name in live_collector.READS and not (frame.name == "PMNS_IDS" and frame.word(16) > 1)  # of one metric


def decode(request: Json, tell: Tell) -> None:
    """Requests as pmcd understands them, answers as libpcp does."""
    stream = bytes.fromhex(request["args"]["bytes"])
    frames = live_octets.frames_of(stream)
    if not frames:
        raise Skip("a stream without octets")
    if all(one.name in live_reads.READS for one in frames):
        try:
            pdus, unshown = live_reads.decode(frames, stream)
            tell(json.dumps({"pdus": pdus, "not_shown": unshown}))
            return
        except Skip:
            if not _may_be_a_request(frames[0]):
                raise
    if len(frames) > 1:
        raise Skip(SEVERAL)
    if frames[0].name and frames[0].name not in live_collector.READS:
        raise Skip(f"{frames[0].name}: neither pmcd nor libpcp tells what it has read")
    told, unshown = live_collector.decode(stream, frames[0])
    tell(json.dumps({"pdus": [told], "not_shown": unshown}))


def hello(version: str) -> str:
    dialect = pcp_versions.dialect_of(version)
    return json.dumps({
        "ok": True,
        "protocol": pcp_program.PROTOCOL,
        "implementation": {
            "name": "pcp",
            "version": version,
            "language": "C, by what is said on its connections",
            "homepage": "https://pcp.io",
            "os": platform.platform(),
        },
        "capabilities": list(OPERATIONS),
        "rules": [],
        "dialects": [dialect] if dialect else [],
        "emulates": [],
    })


OPERATIONS: dict[str, Callable[[Json, Tell], None]] = {"pdu.decode": decode, "pdu.encode": encode}


def main() -> None:
    live_client.clean()
    pcp_program.serve(OPERATIONS, hello)


if __name__ == "__main__":
    main()
