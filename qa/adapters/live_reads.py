# SPDX-License-Identifier: Apache-2.0
"""What libpcp understands of the answers of a collector: what the call returns whose answer it is."""

import ctypes
import struct
from collections.abc import Callable, Sequence

from pcp import pmapi

from qa.adapters import live_octets, live_values
from qa.adapters.live_client import LABELS, NULL, UNHEARD, connect, connected, pointer, words
from qa.adapters.live_fake import DESCS, HIGHRES, PLAIN, FakeCollector, challenge
from qa.adapters.live_octets import Frame, Json
from qa.adapters.pcp_library import HIGHRES as HAS_TWO_RESULTS
from qa.adapters.pcp_library import PCP, Refusal, Skip, error_name

_IPC = (pmapi.c_api.PM_ERR_IPC, getattr(pmapi.c_api, "PM_ERR_TOOBIG", 0), getattr(pmapi.c_api, "PM_ERR_EOF", 0))
_DOWN = (-104, -32, -107)  # ECONNRESET, EPIPE, ENOTCONN: what a context says of a stream that has ended

FROM = "a client of libpcp does not tell where an answer says that it comes from"
ASKED = "a client of libpcp does not tell of what an answer says it is: it is what was asked for"
NO_JSON = "libpcp keeps no text of a set without labels"
COUNTED = "pmLookupName says how many names have a PMID, not what it was told"
GREETED = "to libpcp a code above 0 of a collector's first PDU is none"
DATUM = "libpcp keeps the features of a collector to itself"

_DEMANDS = 0x0088  # of a collector: credentials, a certificate (PDU-141)
_MOST_EVENTS = 1 << 31


class Unshown:
    """Parts of a decoded stream that no call tells: why, and where."""

    def __init__(self) -> None:
        self._at: dict[str, list[str]] = {}

    def add(self, because: str, at: str) -> None:
        self._at.setdefault(because, []).append(at)

    def to_json(self) -> list[Json]:
        return [{"at": at, "because": because} for because, at in self._at.items()]


def _checked(status: int) -> int:
    """Raises Refusal where a call says that an answer is none."""
    if status in _IPC or status in _DOWN:
        raise Refusal("pdu", error_name(status))
    if status < 0:
        raise OSError(f"libpcp says {error_name(status)} of an answer that is no error")
    return status


def _strings(pointer: ctypes.c_void_p, number: int) -> list[str]:
    if number == 0:
        return []
    texts = (ctypes.c_char_p * number).from_address(pointer.value or 0)
    return [live_octets.text_of(one or b"") for one in texts]


def _numbers(address: ctypes.c_void_p, number: int) -> Sequence[int]:
    return list((ctypes.c_int * number).from_address(address.value or 0)) if number else []


def _error(frame: Frame) -> Json:
    code = frame.signed(12)
    if frame.length == 20:
        raise Skip("libpcp takes an extended ERROR for one in the first PDU of a collector alone (PDU-051)")
    if code == 0:
        nothing = live_values.Result(0, 0, [{"pmid": "3f400000", "format": "insitu", "values": [{"instance": -1, "word": "00000000"}]}])
        status = PCP.pmStore(ctypes.c_void_p(nothing.address))
    elif code > 0 and frame.length == 16:
        status = PCP.pmFetch(1, words(["3f400000"]), ctypes.byref(pointer()))  # PDU-116
    else:
        status = PCP.pmLookupDesc(ctypes.c_uint(0x3F400000), ctypes.byref(pmapi.pmDesc()))
    if frame.length != 16 or not frame.is_whole:
        _checked(status)
    return {"code": status, "datum": None}


def _desc_json(desc: "pmapi.pmDesc") -> Json:
    units = int.from_bytes(ctypes.string_at(ctypes.addressof(desc) + 16, 4), "little")
    return {"pmid": f"{desc.pmid:08x}", "type": desc.type, "indom": f"{desc.indom:08x}", "semantics": desc.sem, "units": f"{units:08x}"}


def _desc(frame: Frame) -> Json:
    desc = pmapi.pmDesc()
    _checked(PCP.pmLookupDesc(ctypes.c_uint(frame.word(12)), ctypes.byref(desc)))
    return {"descriptor": _desc_json(desc)}


def _descs_of(frame: Frame) -> Json:
    if frame.word(12) == 1:
        raise Skip("libpcp asks for one descriptor by DESC_REQ")
    number = max(2, min(frame.word(12), (len(frame.octets) - 16) // 20))
    asked = [frame.word(16 + 20 * place) for place in range(number)]
    descs = (pmapi.pmDesc * number)()
    _checked(PCP.pmLookupDescs(number, (ctypes.c_uint * number)(*asked), descs))
    return {"descriptors": [_desc_json(one) for one in descs]}


def _instances(frame: Frame) -> Json:
    """By the call whose answer it is (PDU-062)."""
    numbers, names = pointer(), pointer()
    indom = ctypes.c_uint(frame.word(12))
    if indom.value == NULL:
        raise Skip("libpcp asks nobody for the instances of no domain")
    if frame.word(16) == 1 and frame.signed(20) == -1:
        name = ctypes.c_char_p()
        _checked(PCP.pmNameInDom(indom, 1, ctypes.byref(name)))
        return {"indom": f"{frame.word(12):08x}", "instances": [{"instance": -1, "name": live_octets.text_of(name.value or b"")}]}
    if frame.word(16) == 1 and frame.word(24) == 0:
        number = PCP.pmLookupInDom(indom, b"n")
        if number < 0 and number == frame.signed(20):
            raise Skip("pmLookupInDom returns a number below 0 as an error")
        return {"indom": f"{frame.word(12):08x}", "instances": [{"instance": _checked(number), "name": ""}]}
    number = _checked(PCP.pmGetInDom(indom, ctypes.byref(numbers), ctypes.byref(names)))
    found = [{"instance": one, "name": name} for one, name in zip(_numbers(numbers, number), _strings(names, number), strict=True)]
    return {"indom": f"{frame.word(12):08x}", "instances": found}


def _text_of(frame: Frame) -> Json:
    text = ctypes.c_char_p()
    _checked(PCP.pmLookupText(ctypes.c_uint(0x3F400000), 1, ctypes.byref(text)))
    return {"identifier": f"{frame.word(12):08x}", "text": live_octets.text_of(text.value or b"")}


def _ids_of(frame: Frame) -> Json:
    number = max(1, min(frame.word(16), (len(frame.octets) - 20) // 4))
    pmids = (ctypes.c_uint * number)()
    names = [f"n{place}".encode() for place in range(number)]
    status = PCP.pmLookupName(number, (ctypes.c_char_p * number)(*names), pmids)
    if number == 1 and status == pmapi.c_api.PM_ERR_NAME:
        raise Skip("pmLookupName says that there is no such name, not what was answered")
    if status < 0 and status == frame.signed(12):
        raise Skip("pmLookupName says a status below 0, and no PMIDs")
    return {"status": _checked(status), "pmids": [f"{one:08x}" for one in pmids]}


def _listed(frame: Frame, status: int) -> int:
    if status < 0 and status == frame.signed(20):  # PDU-069
        raise Refusal("pdu", f"the number of names, {status}, is returned as an error")
    return _checked(status)


def _names_of(frame: Frame) -> Json:
    names, statuses = pointer(), pointer()
    if frame.word(16) == 0:
        number = _listed(frame, PCP.pmGetChildren(b"n", ctypes.byref(names)))
        return {"names": [{"name": name, "status": None} for name in _strings(names, number)]}
    number = _listed(frame, PCP.pmGetChildrenStatus(b"n", ctypes.byref(names), ctypes.byref(statuses)))
    told = zip(_strings(names, number), _numbers(statuses, number), strict=True)
    return {"names": [{"name": name, "status": one} for name, one in told]}


def _labels_of(frame: Frame) -> Json:
    identifier, kind, sets = ctypes.c_uint(frame.word(12)), frame.word(16), ctypes.POINTER(pmapi.pmLabelSet)()
    if kind == 1:
        if identifier.value != NULL:
            raise Skip("libpcp asks for the labels of a context by ffffffff, and refuses those of another identifier (PDU-073)")
        status = PCP.pmGetContextLabels(ctypes.byref(sets))
    elif kind in LABELS:
        status = getattr(PCP, LABELS[kind])(identifier, ctypes.byref(sets))
    else:
        raise Skip("no call of libpcp asks for labels of such a type")
    found = [_label_set(sets[place]) for place in range(_checked(status))]
    return {"identifier": f"{identifier.value:08x}", "type": kind, "sets": found}


def _label_set(told: "pmapi.pmLabelSet") -> Json:
    labels = [
        {
            "name_offset": one.name & 0xFFFF,
            "name_length": one.namelen & 0xFF,
            "flags": one.flags & 0xFF,
            "value_offset": one.value & 0xFFFF,
            "value_length": one.valuelen & 0xFFFF,
        }
        for one in (told.labels[place] for place in range(max(0, told.nlabels)))
    ]
    # As many octets as it says: the text has no end of its own.
    address = ctypes.c_void_p.from_address(ctypes.addressof(told) + pmapi.pmLabelSet.json.offset).value
    text = ctypes.string_at(address, told.jsonlen & 0xFFFF) if address else b""
    instance = ctypes.c_int(told.inst).value
    return {"instance": instance, "status": min(told.nlabels, 0), "json": live_octets.text_of(text.rstrip(b"\0")), "labels": labels}


def _result(frame: Frame) -> Json:
    highres = frame.name == "HIGHRES_RESULT"
    at, first = (12, 32) if highres else (20, 24)
    if any(len(body) != live_values.SIZES.get(kind, len(body)) for kind, body in live_octets.blocks_of(frame)):
        raise Skip("libpcp turns all octets of a number round, however long its block is: they are not to be told apart then")
    number = max(1, min(frame.word(at), (len(frame.octets) - first) // 8))
    # Any that are asked for: libpcp does not hold the answer against them.
    asked = (ctypes.c_uint * number)(*range(0x3F400000, 0x3F400000 + number))
    result = pointer()
    call = PCP.pmFetchHighRes if highres and HAS_TWO_RESULTS else PCP.pmFetch
    _checked(call(number, asked, ctypes.byref(result)))
    if any(kind in (9, 10) and int.from_bytes(body[:4], "big") >= _MOST_EVENTS for kind, body in live_octets.blocks_of(frame)):
        raise Skip("libpcp turns what follows a number of events below 0 round, too (PDU-174)")
    if any(kind in (9, 10) and live_values.has_short_parameter(body, kind == 10) for kind, body in live_octets.blocks_of(frame)):
        raise Skip("libpcp turns octets behind a parameter that is shorter than its type round twice (PDU-174)")
    seconds, fraction = struct.unpack("=qq", ctypes.string_at(result.value or 0, 16))
    if highres:
        return {"seconds": seconds, "nanoseconds": fraction, "sets": live_values.sets_at(result.value or 0)}
    if not HAS_TWO_RESULTS:
        fraction = int(fraction / 1000)  # towards 0, as older versions do where it has wrapped (PDU-039)
    return {"seconds": seconds, "microseconds": fraction, "sets": live_values.sets_at(result.value or 0)}


_READERS: dict[str, Callable[[Frame], Json]] = {
    "ERROR": _error,
    "DESC": _desc,
    "DESCS": _descs_of,
    "INSTANCE": _instances,
    "TEXT": _text_of,
    "PMNS_IDS": _ids_of,
    "PMNS_NAMES": _names_of,
    "LABEL": _labels_of,
    "RESULT": _result,
    "HIGHRES_RESULT": _result,
}
READS = frozenset(_READERS)
_AS_ASKED = {"INSTANCE": "indom", "TEXT": "identifier"}


def _greeted(frame: Frame) -> Json:
    """The first PDU of a collector (PDU-140, PDU-051)."""
    if frame.signed(12) == 0 and frame.word(16) & _DEMANDS:
        raise Skip("libpcp does at once what a collector demands, and tells what came of that (PDU-141)")
    status = connect(FakeCollector(frame.octets, [UNHEARD], ends=not frame.is_whole))
    if not frame.is_whole:
        _checked(status)
    return {"code": min(status, 0), "datum": f"{frame.word(16):08x}"}


def _mark(frame: Frame, told: Json, at: str, unshown: Unshown) -> None:
    """More that is not shown of some PDUs."""
    if frame.name == "LABEL":
        for place, one in enumerate(told["sets"]):
            if not one["labels"]:
                unshown.add(NO_JSON, f"{at}/sets/{place}/json")
    elif frame.name == "PMNS_IDS":
        unshown.add(COUNTED, f"{at}/status")
    elif frame.name == "INSTANCE" and frame.word(16) == 1 and frame.signed(20) == -1:
        unshown.add(ASKED, f"{at}/instances/0/instance")
    elif frame.name == "INSTANCE" and frame.word(16) == 1 and frame.word(24) == 0:
        unshown.add(ASKED, f"{at}/instances/0/name")


def decode(frames: list[Frame], stream: bytes) -> tuple[list[Json], list[Json]]:
    """The PDUs as libpcp understands them, each by a request of its own; and what it does not show."""
    unshown = Unshown()
    if frames[0].name == "ERROR" and frames[0].length == 20 and len(frames) == 1:
        unshown.add(FROM, "/pdus/0/from")
        unshown.add(DATUM, "/pdus/0/datum")
        if frames[0].signed(12) > 0:
            unshown.add(GREETED, "/pdus/0/code")
        return [{"pdu": "ERROR", "from": 0, **_greeted(frames[0])}], unshown.to_json()
    more = b""
    if frames[-1].name == "ERROR" and frames[-1].signed(12) > 0:
        more = live_octets.pdu("RESULT", struct.pack(">iii", 0, 0, 1) + live_octets.raw("3f40000000000000"))
    highres = any(one.name == "HIGHRES_RESULT" for one in frames)
    features = PLAIN | (HIGHRES if highres else 0) | (DESCS if any(one.name == "DESCS" for one in frames) else 0)
    if highres and (more or any(one.name == "RESULT" for one in frames)):
        raise Skip("libpcp asks a collector for results of one kind or the other")
    # All at once, before the first request is answered; requests after it get nothing new.
    fake = FakeCollector(challenge(features), [stream + more])
    connected(fake)
    found: list[Json] = []
    for place, frame in enumerate(frames):
        found.append({"pdu": frame.name, "from": 0, **_READERS[frame.name](frame)})
        if any(b"\0" in text for text in live_octets.texts_of(frame)):
            raise Skip("calls of libpcp return texts up to a NUL inside")
        unshown.add(FROM, f"/pdus/{place}/from")
        if frame.name in _AS_ASKED:
            unshown.add(ASKED, f"/pdus/{place}/{_AS_ASKED[frame.name]}")
        _mark(frame, found[-1], f"/pdus/{place}", unshown)
    return found, unshown.to_json()
