# SPDX-License-Identifier: Apache-2.0
"""What libpcp sends: that which a call makes it send to a collector of the adapter."""

import ctypes
from collections.abc import Callable

from pcp import pmapi

from qa.adapters import live_octets, live_values
from qa.adapters.live_client import LABELS, NULL, UNHEARD, connected, pointer, words
from qa.adapters.live_fake import DESCS, HIGHRES, PLAIN, FakeCollector, challenge
from qa.adapters.live_octets import Json
from qa.adapters.pcp_library import HIGHRES as HAS_TWO_RESULTS
from qa.adapters.pcp_library import PCP, Refusal, Skip, error_name

_TOO_SMALL = pmapi.c_api.PM_ERR_TOOSMALL


def _word(text: str) -> ctypes.c_uint:
    return ctypes.c_uint(int(text, 16))


def _name(text: str) -> bytes:
    octets = live_octets.octets_of(text)
    if b"\0" in octets:
        raise Skip("no call of libpcp takes a text with a NUL inside")
    return octets


def _instance(told: Json) -> None:
    indom, instance, name = _word(told["indom"]), told["instance"], told["name"]
    if name and instance != -1:
        raise Skip("no call of libpcp asks for a number and a name at once")
    if name:
        PCP.pmLookupInDom(indom, _name(name))
    elif instance == -1:
        PCP.pmGetInDom(indom, ctypes.byref(pointer()), ctypes.byref(pointer()))
    else:
        PCP.pmNameInDom(indom, instance, ctypes.byref(pointer()))


def _text(told: Json) -> None:
    level = told["type"] & 3
    if told["type"] not in (5, 6, 9, 10):
        raise Skip("calls of libpcp ask for one kind of text of one kind of thing")
    call = PCP.pmLookupText if told["type"] & 4 else PCP.pmLookupInDomText
    call(_word(told["identifier"]), level, ctypes.byref(pointer()))


def _labels(told: Json) -> None:
    identifier, kind = _word(told["identifier"]), told["type"]
    if kind == 1 and identifier.value == NULL:
        PCP.pmGetContextLabels(ctypes.byref(pointer()))
    elif kind in LABELS:
        getattr(PCP, LABELS[kind])(identifier, ctypes.byref(pointer()))
    else:
        raise Skip("no call of libpcp asks for labels of such a type")


def _profile(told: Json) -> None:
    entries = told["entries"]
    if told["state"] not in (0, 1) or any(one["state"] not in (0, 1) for one in entries):
        raise Skip("calls of libpcp include and exclude, there is no third state")
    if len({one["indom"] for one in entries}) < len(entries):
        raise Skip("libpcp has one entry for an instance domain")
    if any(_word(one["indom"]).value == NULL for one in entries):
        raise Skip("to libpcp no instance domain is all of them")
    (PCP.pmDelProfile if told["state"] else PCP.pmAddProfile)(ctypes.c_uint(NULL), 0, None)
    for one in entries:
        numbers = (ctypes.c_int * max(1, len(one["instances"])))(*one["instances"])
        whole, some = (PCP.pmDelProfile, PCP.pmAddProfile) if one["state"] else (PCP.pmAddProfile, PCP.pmDelProfile)
        whole(_word(one["indom"]), 0, None)
        if one["instances"]:
            some(_word(one["indom"]), len(one["instances"]), numbers)
    PCP.pmFetch(1, words(["3f400000"]), ctypes.byref(pointer()))


def _fetch(told: Json) -> None:
    highres = told["pdu"] == "HIGHRES_FETCH"
    call = PCP.pmFetchHighRes if highres and HAS_TWO_RESULTS else PCP.pmFetch
    _refused(call(len(told["pmids"]), words(told["pmids"]), ctypes.byref(pointer())))


def _desc(told: Json) -> None:
    PCP.pmLookupDesc(_word(told["pmid"]), ctypes.byref(pmapi.pmDesc()))


def _descs(told: Json) -> None:
    _refused(PCP.pmLookupDescs(len(told["pmids"]), words(told["pmids"]), (pmapi.pmDesc * max(1, len(told["pmids"])))()))


def _refused(status: int) -> None:
    """What libpcp does not send at all."""
    if status == _TOO_SMALL:
        raise Refusal("pdu", error_name(status))


def _ids(told: Json) -> None:
    if told["status"] != 0 or len(told["pmids"]) != 1:
        raise Skip("a client asks for the names of one metric, with a status of 0")
    PCP.pmNameAll(_word(told["pmids"][0]), ctypes.byref(pointer()))


def _names(told: Json) -> None:
    names = [_name(one["name"]) for one in told["names"]]
    if not names or any(one["status"] is not None for one in told["names"]):
        raise Skip("a client asks for one name at least, and says no status")
    PCP.pmLookupName(len(names), (ctypes.c_char_p * len(names))(*names), (ctypes.c_uint * len(names))())


def _children(told: Json) -> None:
    if told["subtype"] == 0:
        PCP.pmGetChildren(_name(told["name"]), ctypes.byref(pointer()))
    elif told["subtype"] == 1:
        PCP.pmGetChildrenStatus(_name(told["name"]), ctypes.byref(pointer()), ctypes.byref(pointer()))
    else:
        raise Skip("no call of libpcp asks for children of such a subtype")


_Callback = ctypes.CFUNCTYPE(None, ctypes.c_char_p)


def _traverse(told: Json) -> None:
    if told["subtype"] != 0:
        raise Skip("no call of libpcp traverses with such a subtype")
    PCP.pmTraversePMNS(_name(told["name"]), _Callback(lambda _: None))


def _store(told: Json) -> None:
    if not told["sets"] or any(not one.get("values") for one in told["sets"]):
        raise Skip("pmStore takes metrics with values alone")
    fraction = told["microseconds"] * (1 if HAS_TWO_RESULTS else 1000)
    result = live_values.Result(told["seconds"], fraction, told["sets"])
    status = PCP.pmStore(ctypes.c_void_p(result.address))
    if status < 0 and status != pmapi.c_api.PM_ERR_GENERIC:
        raise Refusal("pdu", error_name(status))


_SENDERS: dict[str, Callable[[Json], None]] = {
    "PROFILE": _profile,
    "FETCH": _fetch,
    "HIGHRES_FETCH": _fetch,
    "DESC_REQ": _desc,
    "DESC_IDS": _descs,
    "INSTANCE_REQ": _instance,
    "TEXT_REQ": _text,
    "LABEL_REQ": _labels,
    "PMNS_IDS": _ids,
    "PMNS_NAMES": _names,
    "PMNS_CHILD": _children,
    "PMNS_TRAVERSE": _traverse,
    "RESULT": _store,
}
SENDS = frozenset(_SENDERS)


def encode(told: Json) -> bytes:
    """The octets of one PDU that libpcp sends. Raises Skip for one that it cannot be made to send."""
    name = told["pdu"]
    context = told.get("context", 0)
    # The context of a fetch is where it comes from; all else comes from 0.
    if told["from"] != context:
        raise Skip("libpcp says itself where its PDUs come from: 0, or the context that fetches")
    features = {"HIGHRES_FETCH": PLAIN | HIGHRES, "DESC_IDS": PLAIN | DESCS}.get(name, PLAIN)
    fake = FakeCollector(challenge(features), [UNHEARD] * 8)
    connected(fake, context)
    _SENDERS[name](told)
    heard = fake.heard(name)
    if not heard:
        raise Skip(f"the call of libpcp sends no {name}")
    return heard[0].octets
