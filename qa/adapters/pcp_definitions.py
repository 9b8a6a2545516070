# SPDX-License-Identifier: Apache-2.0
"""Definitions of derived metrics given to libpcp, and what it says of them.

With pcp_program it is run by some PCP's own Python, once in each process: registering is for the life of one.
"""

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qa.adapters.pcp_library import (
    FULL,
    NULL,
    ONE_LINE,
    PCP,
    Json,
    describe,
    error_name,
    indom_text,
    lookup,
    pmid_text,
    units_text,
)
from qa.adapters.value_text import TYPES

PCP.pmRegisterDerived.argtypes = [ctypes.c_char_p, ctypes.c_void_p]
PCP.pmRegisterDerived.restype = ctypes.c_void_p
PCP.pmDerivedErrStr.restype = ctypes.c_char_p
PCP.pmAddDerivedMetric.argtypes = [ctypes.c_char_p, ctypes.c_char_p, ctypes.POINTER(ctypes.c_char_p)]

SEMANTICS = {1: "counter", 3: "instant", 4: "discrete"}
TOLD_OF_NAMES = (
    "Duplicate global derived metric name",
    "Too many global derived metrics",
    "global PMID space exhausted",
)
DERIVED, LOGGED = 511, 2048  # domain; cluster bit of what a logger derived (DER-1301)


class Aloud:
    """What the message facility and libpcp itself write meanwhile, in `lines` afterwards."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def __enter__(self) -> "Aloud":
        self._file = os.memfd_create("said")
        self._before = os.dup(2)
        os.dup2(self._file, 2)
        return self

    def __exit__(self, *_: object) -> None:
        PCP.pmflush()
        os.dup2(self._before, 2)
        os.close(self._before)
        with os.fdopen(self._file, "rb") as file:
            file.seek(0)
            self.lines = file.read().decode("utf-8", "replace").splitlines()


@dataclass
class Refused:
    stage: str
    position: int
    message: str

    def to_json(self, name: str, pmids: bool) -> Json:
        told: Json = {"name": name, "ok": False, "stage": self.stage}
        if self.stage != "bind":
            return told | {"position": self.position, "message": self.message or None}
        if pmids:
            told["pmid"] = pmid_text(lookup(name))  # which it keeps (DER-206)
        return told | {"position": None, "where": None, "message": self.message or None}


def prepare(args: Json) -> None:
    """Before any context is opened."""
    os.environ["PCP_STDERR"] = ""  # of the message facility: standard error
    if args.get("missing_is_novalue"):
        os.environ["PCP_DERIVED_CONTROL"] = "option_novalue=1"


def _load_path(config: Json) -> Json:
    """From a folder of its own: what is said names files as the path does."""
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        for name, text in config["files"].items():
            path = Path(folder) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
        os.chdir(folder)
        with Aloud() as said:
            count = PCP.pmLoadDerivedConfig(config["path"].encode())
        os.chdir(here)
    return {"registered": count, "diagnostics": said.lines}


def _load(config: str | Json) -> Json:
    if not isinstance(config, str):
        return _load_path(config)
    file = os.memfd_create("config")
    os.write(file, config.encode())
    path = f"/proc/self/fd/{file}"
    with Aloud() as said:
        count = PCP.pmLoadDerivedConfig(path.encode())
    return {"registered": count, "diagnostics": [line.replace(path, "F") for line in said.lines]}


def _added(name: str, expression: str) -> Refused | None:
    told = ctypes.c_char_p()
    if PCP.pmAddDerivedMetric(name.encode(), expression.encode(), ctypes.byref(told)) >= 0:
        return None
    message = (told.value or b"").decode("utf-8", "replace")
    head = f'Error: pmAddDerivedMetric("{name}", ...)'
    kind, found, rest = message.partition(head)
    if not found or kind not in ("", "Syntax ", "Semantic "):
        raise ValueError(f"pmAddDerivedMetric says {message!r}")
    if not kind:
        return Refused("name", 0, rest.partition("\n")[2].rstrip("\n"))
    blanks, _, words = rest.removeprefix(f"\n{expression}\n").partition("^\n")
    if kind == "Semantic ":
        return Refused("bind", 0, words.rstrip("\n"))
    # A blank too stands for the position before an empty text (DER-504).
    return Refused("syntax", len(blanks) if expression else -1, words.rstrip("\n"))


def _registered(name: str, expression: str) -> Refused | None:
    text = ctypes.create_string_buffer(expression.encode())
    refused = PCP.pmRegisterDerived(name.encode(), text)
    if not refused:
        return None
    message = (PCP.pmDerivedErrStr() or b"").decode("utf-8", "replace")
    return Refused("name" if message in TOLD_OF_NAMES else "syntax", refused - ctypes.addressof(text), message)


def take(
    config: str | Json | None, definitions: list[Json], reopen: Callable[[], object]
) -> tuple[Json | None, list[Refused | None]]:
    """What became of the configuration, and of each definition.

    What is added to a context that does not know all global definitions makes libpcp crash (DER-212): those come
    first, and the context is opened again between the two.
    """
    loaded = _load(config) if config is not None else None
    refused: dict[int, Refused | None] = {}
    with Aloud():
        for number, one in enumerate(definitions):
            if not one.get("per_context"):
                refused[number] = _registered(one["name"], one["expression"])
        if len(refused) < len(definitions):
            reopen()
        for number, one in enumerate(definitions):
            if one.get("per_context"):
                refused[number] = _added(one["name"], one["expression"])
    return loaded, [refused[number] for number in range(len(definitions))]


def descriptor_of(desc: Any) -> Json:
    return {
        "type": "nosupport" if desc.type == -1 else TYPES.get(desc.type, f"type-{desc.type}"),
        "semantics": SEMANTICS.get(desc.sem, f"semantics-{desc.sem}"),
        "indom": None if desc.indom & NULL == NULL else indom_text(desc.indom & NULL),
        "units": units_text(int.from_bytes(bytes(desc.units), sys.byteorder)),
    }


def _bound(name: str, pmids: bool) -> Json:
    """What a definition that was taken is in this context."""
    pmid = lookup(name)
    if pmid < 0:
        raise ValueError(f"{name} was taken: {error_name(pmid)}")
    with Aloud() as said:
        status, desc = describe(pmid)
    told: Json = {"pmid": pmid_text(pmid)} if pmids else {}
    if status >= 0:
        return {"name": name, "ok": True} | told | {"descriptor": descriptor_of(desc)}
    told |= {"position": None, "where": None, "message": None}
    head = f"Semantic error: derived metric {name}: "
    for line in said.lines:
        if line.startswith(head):
            where, _, message = line.removeprefix(head).rpartition(": ")
            told |= {"where": where or None, "message": message}
    return {"name": name, "ok": False, "stage": "bind"} | told


def _help(pmid: int, level: int) -> str | None:
    text = ctypes.c_char_p()
    if PCP.pmLookupText(ctypes.c_uint(pmid), level, ctypes.byref(text)) < 0:
        return None
    return (text.value or b"").decode("utf-8", "replace")


def _known(name: str, pmids: bool) -> Json:
    """What a name is in this context, whoever defined it."""
    pmid = lookup(name)
    if pmid < 0:
        return {"name": name, "status": pmid, "error": error_name(pmid)}
    with Aloud():
        status, desc = describe(pmid)
    told: Json = {"pmid": pmid_text(pmid)} if pmids else {}
    if status < 0:
        return {"name": name, "status": status, "error": error_name(status)} | told
    told = {"name": name, "status": 0} | told | {"descriptor": descriptor_of(desc)}
    if pmid >> 22 & 0x1FF == DERIVED and not pmid >> 10 & LOGGED:
        told |= {"oneline": _help(pmid, ONE_LINE), "helptext": _help(pmid, FULL)}
    return told


def parse(args: Json, reopen: Callable[[], object] | None) -> Json:
    """The result of derive.parse; `reopen` opens the archive, if there is one."""
    definitions, pmids = args.get("definitions", []), bool(args.get("pmids"))
    has_archive = reopen is not None
    if not has_archive and ("metrics" in args or any(one.get("per_context") for one in definitions)):
        raise ValueError("metrics and definitions per context need an archive")
    loaded, refused = take(args.get("config"), definitions, reopen or (lambda: None))
    told: Json = {"config": loaded} if loaded is not None else {}
    if definitions:
        told["definitions"] = [
            (
                why.to_json(one["name"], pmids)
                if why
                else _bound(one["name"], pmids) if has_archive else {"name": one["name"], "ok": True}
            )
            for one, why in zip(definitions, refused, strict=True)
        ]
    if "metrics" in args:
        told["metrics"] = [_known(name, pmids) for name in args["metrics"]]
    return told
