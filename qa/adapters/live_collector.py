# SPDX-License-Identifier: Apache-2.0
"""A real pmcd between a client and agents that are both played here: what it gets it reads, and writes again.

    client -- request --> pmcd -- request --> agent
    client <-- answer --- pmcd <-- answer --- agent

So a request that arrives is what pmcd has understood, and as pmcd writes it; an answer likewise.
"""

import os
import select
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from pathlib import Path

from qa.adapters import live_octets, live_wire
from qa.adapters.live_fake import exactly
from qa.adapters.live_octets import Frame, Json
from qa.adapters.pcp_library import ERRORS, Refusal, Skip, error_name

LIMIT = 20.0  # seconds; nothing waits so long unless something is wrong
_HELLO = live_octets.pdu("CREDS", bytes.fromhex("0000000101020000"), 7)  # PDU-130, PDU-142
_IPC, _PMID = ERRORS["PM_ERR_IPC"], ERRORS["PM_ERR_PMID"]
_LAST_DOMAIN = 510
_SPARE_DOMAIN = 253
_TOP = "live"  # of the name space where no other is asked for

Answer = Callable[[Frame], bytes | None]


class Broken(Exception):
    """pmcd has ended a connection."""


def domain_of(word: int) -> int:
    return word >> 22 & 0x1FF


class Collector:
    """A pmcd that has agents for `domains`; names below `top` are those of the first of them. `hello`: what agents say first;
    `ends`: and then nothing more. A resource."""

    def __init__(self, domains: Iterable[int], top: str = _TOP, hello: bytes = _HELLO, ends: bool = False) -> None:
        self.domains = sorted(set(domains) or {_SPARE_DOMAIN})
        if not all(0 < one <= _LAST_DOMAIN for one in self.domains):
            raise Skip("pmcd has no agents for such a domain")
        if not (top.isascii() and top.isalnum() and top[0].isalpha()):
            raise Skip("pmcd has no name space with such a name")
        self._stack = ExitStack()
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="live-", dir="/tmp")))
        try:
            self._start(folder, top, hello, ends)
        except BaseException:
            self._stack.close()
            raise

    def _start(self, folder: Path, top: str, hello: bytes, ends: bool) -> None:
        own = self.domains[0]
        (folder / "conf").write_text("".join(f"d{one} {one} socket unix {folder}/agents\n" for one in self.domains))
        (folder / "names").write_text(f"root {{\n    {top} {own}:*:*\n}}\n")
        listener = self._stack.enter_context(socket.socket(socket.AF_UNIX))
        listener.bind(str(folder / "agents"))
        listener.listen(len(self.domains))
        listener.settimeout(LIMIT)
        words: list[str | Path] = ["pmcd", "-f", "-A", "-i", "127.0.0.1", "-p", "44390", "-s", folder / "s", "-c", folder / "conf", "-n", folder / "names"]
        words += ["-l", folder / "log", "-U", "root", "-t", "20", "-q", "20"]
        environment = {**os.environ, "PCP_USER": "root", "PCP_GROUP": "root", "PMCD_RESTART_AGENTS": "0"}
        null = subprocess.DEVNULL
        pmcd = subprocess.Popen(words, env=environment, stdin=null, stdout=null, stderr=null)
        self._stack.callback(pmcd.wait)
        self._stack.callback(pmcd.kill)
        self.agents: dict[socket.socket, int] = {}
        for domain in self.domains:  # pmcd connects to one after the other
            agent = self._stack.enter_context(listener.accept()[0])
            agent.sendall(hello)
            if ends:  # or pmcd waits for the rest
                agent.shutdown(socket.SHUT_WR)
            if hello is _HELLO:
                exactly(agent, 20)
            self.agents[agent] = domain
        self.client = self._stack.enter_context(socket.socket(socket.AF_UNIX))
        self.client.settimeout(LIMIT)
        end = time.monotonic() + LIMIT
        while True:
            try:
                self.client.connect(str(folder / "s"))
                break
            except OSError:
                if time.monotonic() > end or pmcd.poll() is not None:
                    raise
                time.sleep(0.005)
        exactly(self.client, 20)

    def __enter__(self) -> "Collector":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def greet(self) -> None:
        self.client.sendall(_HELLO)

    def exchange(self, request: bytes, answer: Answer, ends: bool = False) -> tuple[list[Frame], Frame]:
        """What agents get until pmcd answers the client, and that answer. `answer`: what an agent says to a request, if
        anything. `ends`: the client says nothing more. Raises Broken."""
        self.client.sendall(request)
        if ends:
            self.client.shutdown(socket.SHUT_WR)
        heard: list[Frame] = []
        while True:
            ready, _, _ = select.select([self.client, *self.agents], [], [], LIMIT)
            if not ready:
                raise OSError("pmcd says nothing")
            for one in ready:
                frame = _next(one)
                if frame is None and one is self.client:
                    raise Broken
                if frame is None:
                    del self.agents[one]
                    continue
                if one is self.client:
                    if frame.name == "ERROR" and frame.signed(12) > 0:
                        continue  # PDU-116
                    return heard, frame
                heard.append(frame)
                if (told := answer(frame)) is not None:
                    one.sendall(told)


def _next(connection: socket.socket) -> Frame | None:
    header = exactly(connection, live_octets.HEADER)
    if header is None:
        return None
    body = exactly(connection, int.from_bytes(header[:4], "big") - live_octets.HEADER)
    return None if body is None else live_octets.frames_of(header + body)[0]


# Requests: what arrives at agents.

_DIRECT = 16
_SILENT = ("PROFILE", "CREDS", "ATTR")
_DEFAULT_PROFILE = {"context": 0, "state": 0, "entries": []}
UNUSED = "who reads the request does not tell of it"
SLOT = "pmcd does not look at it: what it hands on comes from the number of the client"
SUBTYPE = "pmcd traverses whatever the subtype, and hands 0 on"


def _refuse(frame: Frame) -> bytes | None:
    """What agents say here: nothing that pmcd could stumble over."""
    if frame.name in _SILENT or frame.name == "ERROR":
        return None
    if frame.name == "FETCH":
        pmids = live_wire.read(frame)["pmids"]
        sets = b"".join(bytes.fromhex(one) + bytes(4) for one in pmids)
        return live_octets.pdu("RESULT", bytes(8) + len(pmids).to_bytes(4, "big") + sets)
    return live_octets.error(_PMID)


def _domains(frame: Frame) -> list[int]:
    """Of the agents that a request is for."""
    if frame.name in ("DESC_REQ", "INSTANCE_REQ", "TEXT_REQ"):
        return [domain_of(frame.word(12))]
    if frame.name == "LABEL_REQ":
        return [frame.word(12) if frame.word(16) == 2 else domain_of(frame.word(12))]
    if frame.name == "DESC_IDS":
        return [domain_of(frame.word(at)) for at in range(20, len(frame.octets) - 3, 4)]
    if frame.name == "PMNS_IDS" and len(frame.octets) >= 24:
        return [domain_of(frame.word(20))]
    return []


def _top(frame: Frame) -> str:
    at = {"PMNS_NAMES": 28, "PMNS_CHILD": 20, "PMNS_TRAVERSE": 20}.get(frame.name)
    name = frame.octets[at:].split(b"~")[0].split(b".")[0].split(b"\0")[0] if at else b""
    return name.decode("latin-1") if name.isalnum() and name[:1].isalpha() else _TOP


def _possible(domains: list[int]) -> list[int]:
    return [one for one in domains if 0 < one <= _LAST_DOMAIN]


def passed(request: bytes, ends: bool = False) -> tuple[list[Frame], Frame]:
    """What agents and the client get of one request. Raises Refusal where pmcd refuses it as a PDU."""
    frame = live_octets.frames_of(request)[0]
    with Collector(_possible(_domains(frame)), _top(frame)) as collector:
        collector.greet()
        sent = request
        if frame.name in ("FETCH", "HIGHRES_FETCH", "LABEL_REQ"):
            context = frame.signed(12) if "FETCH" in frame.name else 0
            sent = live_wire.written({"pdu": "PROFILE", **_DEFAULT_PROFILE, "context": max(0, context)}) + request
        elif frame.name == "PROFILE" and frame.is_whole and not ends:
            fetch = {"pdu": "FETCH", "context": frame.signed(12), "pmids": [f"{_SPARE_DOMAIN << 22:08x}"]}
            sent = request + live_wire.written(fetch)
        try:
            heard, answer = collector.exchange(sent, _refuse, ends)
        except Broken:
            raise Refusal("pdu", "pmcd ends the connection") from None
    code = answer.signed(12)
    if answer.name == "ERROR" and (code == _IPC or (frame.name == "PMNS_NAMES" and code < 0 and code == frame.signed(20))):
        raise Refusal("pdu", error_name(code))
    return heard, answer


# Those whose content pmcd tells its agents, and by what it answers.
READS = frozenset("PROFILE FETCH HIGHRES_FETCH DESC_REQ DESC_IDS INSTANCE_REQ TEXT_REQ LABEL_REQ PMNS_IDS PMNS_NAMES PMNS_CHILD PMNS_TRAVERSE CREDS".split())
PASSES = frozenset("PROFILE DESC_REQ INSTANCE_REQ TEXT_REQ LABEL_REQ PMNS_IDS PMNS_NAMES PMNS_CHILD PMNS_TRAVERSE".split())


def greet_as_agent(creds: bytes, ends: bool) -> None:
    """`ends`: in the PDU. Raises Refusal where pmcd has no agent that says this first (PDU-132), Skip where it has one."""
    with Collector([_SPARE_DOMAIN], hello=creds, ends=ends) as collector:
        collector.greet()
        asked = live_wire.written({"pdu": "DESC_REQ", "pmid": f"{_SPARE_DOMAIN << 22:08x}"})
        try:
            heard, _ = collector.exchange(asked, _refuse)
        except Broken:
            raise OSError("pmcd ends the connection of a client") from None
    if not _arrived(heard, "DESC_REQ"):
        raise Refusal("pdu", "pmcd does not start an agent that says this first")
    raise Skip("pmcd takes it, and does not tell what it says")


def _arrived(heard: list[Frame], name: str) -> list[Frame]:
    return [one for one in heard if one.name == name]


def decode(stream: bytes, frame: Frame) -> tuple[Json, list[Json]]:
    """One request as pmcd understands it, and what is not shown. The stream ends where its PDU does not."""
    ends = not (frame.is_header_sound and frame.is_whole)
    if frame.name == "CREDS":
        greet_as_agent(stream, ends)
    heard, answer = passed(stream, ends)
    told: Json = {"pdu": frame.name, "from": 0}
    unshown = [{"at": ["/pdus/0/from"], "because": SLOT}]
    if frame.name in ("FETCH", "HIGHRES_FETCH"):
        if answer.name not in ("RESULT", "HIGHRES_RESULT"):
            raise Skip(f"pmcd answers {_said(answer)} to the fetch, whatever it asks for")
        unshown.append({"at": ["/pdus/0/context"], "because": UNUSED})
        return told | {"context": frame.signed(12), "pmids": [one["pmid"] for one in live_wire.sets_of(answer)]}, unshown
    if frame.name == "DESC_IDS":
        asked = _arrived(heard, "DESC_REQ")
        if len(asked) != frame.word(16):
            raise Skip("pmcd asks nobody for descriptors of metrics that have no agent")
        return told | {"pmids": [f"{one.word(12):08x}" for one in asked]}, unshown
    arrived = _arrived(heard, frame.name)
    if not arrived:
        raise Skip(f"{frame.name}: pmcd answers {_said(answer)}, and hands nothing on")
    _all_handed_on(live_wire.read(frame))
    if len(arrived) > 1:
        return told | _joined(frame.name, [live_wire.read(one) for one in arrived]), unshown
    told |= live_wire.read(arrived[0]) | {"from": 0}
    if frame.name == "PMNS_TRAVERSE" and frame.word(16) == 0:
        raise Skip("pmcd asks agents for their parts of the root")
    if frame.name == "PMNS_TRAVERSE":
        unshown.append({"at": ["/pdus/0/subtype"], "because": SUBTYPE})
    return told, unshown


def _all_handed_on(told: Json) -> None:
    """Raises Skip for what pmcd takes out of a request that it hands on."""
    if told["pdu"] == "PMNS_IDS" and told["status"] != 0:
        raise Skip("pmcd says itself which status a request for names has")
    if any(b"\0" in live_octets.octets_of(text) for text in (told.get("name", ""), *(one["name"] for one in told.get("names", [])))):
        raise Skip("pmcd hands names on up to a NUL inside")
    if told["pdu"] == "TEXT_REQ" and told["type"] & _DIRECT:
        raise Skip("pmcd takes the bit of a type away that is for libraries alone (PDU-065)")


def _joined(name: str, parts: list[Json]) -> Json:
    """What pmcd asks for one after the other."""
    key = {"PMNS_NAMES": "names"}.get(name)
    if key is None:
        raise Skip(f"{name}: pmcd makes several of it")
    return {key: [item for part in parts for item in part[key]]}


def _said(answer: Frame) -> str:
    return f"ERROR {error_name(answer.signed(12))}" if answer.name == "ERROR" and answer.signed(12) else answer.name


def encode_request(told: Json) -> bytes:
    """A request as pmcd writes it to its agent."""
    if told["from"] != 0:
        raise Skip("pmcd's first client has the number 0")
    _all_handed_on(told)
    if told["pdu"] == "PMNS_TRAVERSE" and (told["subtype"] != 0 or not told["name"]):
        raise Skip(f"{SUBTYPE}; of the root it asks agents for their parts")
    try:
        heard, answer = passed(live_wire.written(told))
    except Refusal as refusal:
        raise Skip(f"pmcd refuses it ({refusal}), so that it writes nothing") from None
    arrived = _arrived(heard, told["pdu"])
    if len(arrived) != 1:
        raise Skip(f"{told['pdu']}: pmcd answers {_said(answer)}, and hands " + ("nothing" if not arrived else "several") + " on")
    return arrived[0].octets


# Answers: what arrives at the client.


def _word(hexadecimal: str) -> int:
    return int(hexadecimal, 16)


def _question(told: Json) -> tuple[Json, list[int], str]:
    """The request that an answer is one to, for the agents of which domains, and the top of the name space."""
    match told["pdu"]:
        case "ERROR" | "DESC":
            pmid = told["descriptor"]["pmid"] if told["pdu"] == "DESC" else f"{_SPARE_DOMAIN << 22:08x}"
            return {"pdu": "DESC_REQ", "pmid": pmid}, [domain_of(_word(pmid))], _TOP
        case "INSTANCE":
            first = told["instances"][0] if len(told["instances"]) == 1 else {"instance": 0, "name": "n"}
            by_number, by_name = first["instance"] == -1, first["name"] == ""
            asked = {"indom": told["indom"], "instance": 1 if by_number else -1, "name": "n" if by_name and not by_number else ""}
            return {"pdu": "INSTANCE_REQ", **asked}, [domain_of(_word(told["indom"]))], _TOP
        case "TEXT":
            return {"pdu": "TEXT_REQ", "identifier": f"{_SPARE_DOMAIN << 22:08x}", "type": 5}, [_SPARE_DOMAIN], _TOP
        case "LABEL":
            identifier = _word(told["identifier"])
            domain = identifier if told["type"] == 2 else domain_of(identifier)
            return {"pdu": "LABEL_REQ", "identifier": told["identifier"], "type": told["type"]}, [domain], _TOP
        case "PMNS_NAMES":
            subtype = int(any(one["status"] is not None for one in told["names"]))
            return {"pdu": "PMNS_CHILD", "subtype": subtype, "name": _TOP}, [_SPARE_DOMAIN], _TOP
        case _:
            return {"pdu": "PMNS_NAMES", "names": [{"name": f"{_TOP}.n", "status": None}]}, [_SPARE_DOMAIN], _TOP


ANSWERS = frozenset(("ERROR", "DESC", "INSTANCE", "TEXT", "LABEL", "PMNS_NAMES", "PMNS_IDS"))


def encode_answer(told: Json) -> bytes:
    """An answer as pmcd writes it to its client."""
    name = told["pdu"]
    if told["from"] != 0:
        raise Skip("pmcd's answers come from 0")
    if name == "ERROR" and (told["datum"] is not None or told["code"] > 0):
        raise Skip("pmcd hands on errors in the short form that are codes")
    if name == "LABEL" and any(one["status"] > 0 or (one["status"] < 0 and one["labels"]) for one in told["sets"]):
        raise Skip("a set of labels has labels or an error")
    if name == "LABEL" and told["type"] != 32 and len(told["sets"]) > 1:
        raise Skip("pmcd hands one set on of all but instances (PDU-078)")
    if name == "PMNS_IDS" and len(told["pmids"]) != 1:
        raise Skip("an agent is asked for one name at a time")
    if name == "PMNS_IDS" and (told["status"] != 1 or told["pmids"] == ["ffffffff"]):
        raise Skip("pmcd says itself how many names have a PMID")
    if name == "LABEL" and any(one["json"] and not one["labels"] for one in told["sets"]):
        raise Skip("pmcd hands no text on of a set without labels")
    question, domains, top = _question(told)
    answered = live_wire.written({**told, "status": 0} if name == "PMNS_IDS" else told)
    if name == "ERROR" and told["code"] == 0:
        request = live_octets.pdu("RESULT", bytes.fromhex("000000000000000000000001 3f400000 00000001 00000000 ffffffff 00000000"))
    else:
        request = live_wire.written(question)
    if name == "LABEL":
        request = live_wire.written({"pdu": "PROFILE", **_DEFAULT_PROFILE}) + request
    said: list[Frame] = []

    def answer(frame: Frame) -> bytes | None:
        if frame.name in _SILENT or frame.name == "ERROR":
            return None
        said.append(frame)
        return answered

    with Collector(domains, top) as collector:
        collector.greet()
        try:
            _, arrived = collector.exchange(request, answer)
        except Broken:
            raise Skip(f"{name}: pmcd ends the connection of who asks for it") from None
        is_dropped = not collector.agents
    if not said:
        raise Skip(f"{name}: pmcd answers {_said(arrived)} itself")
    # What pmcd has in place of names that it does not take: the error as their number (PDU-069).
    no_names = arrived.name == "PMNS_NAMES" and arrived.signed(20) < 0
    if is_dropped or no_names or (arrived.name == "ERROR" and name != "ERROR"):
        raise Skip(f"{name}: pmcd takes it for no answer ({_said(arrived)}), so that it writes nothing")
    return arrived.octets
