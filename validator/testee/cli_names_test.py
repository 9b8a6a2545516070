# SPDX-License-Identifier: Apache-2.0
"""Operations of `pmproof testee` on names, help texts and configurations. What they answer is in golden/pmda; here is
what a request may be, and what a hostile file comes to."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from validator.testee.testing.session import Json, Session, open_session


@pytest.fixture(name="session")
def _session() -> Iterator[Session]:
    with open_session() as session:
        yield session


def source(folder: Path, text: str | bytes, name: str = "pmns") -> Json:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return {"file": str(path)}


def test_a_name_space_is_its_names(session: Session, tmp_path: Path) -> None:  # PMD-300, 303
    asked = source(tmp_path, "root { a 1:2:3 b 29:*:* }\n")
    assert session.answer("names.parse", asked)["result"] == {
        "names": [{"name": "a", "pmid": "1.2.3"}, {"name": "b", "pmid": "511.29.0"}]
    }


def test_an_error_has_a_class_and_a_place(session: Session, tmp_path: Path) -> None:
    (tmp_path / "more").write_text("\n a 1:2\n")
    asked = source(tmp_path, 'root {\n#include "more"\n}\n')
    rejected = session.answer("names.parse", asked)["reject"]
    assert (rejected["class"], rejected["line"]) == ("names.pmid", 2)
    assert rejected["file"].endswith("more")


def test_the_domain_of_an_agents_names_is_that_of_domain_h(session: Session, tmp_path: Path) -> None:  # PMD-332
    asked = source(tmp_path, "box { a BOX:0:1 }\n")
    unknown = session.answer("names.parse", asked, agent=True)["result"]
    assert unknown == {"names": [{"name": "box.a", "pmid": "0.0.1"}], "symbol": "BOX"}
    (tmp_path / "domain.h").write_text("#define BOX 77\n")
    known = session.answer("names.parse", asked, agent=True)["result"]
    assert known == {"names": [{"name": "box.a", "pmid": "77.0.1"}]}
    other = session.answer("names.parse", asked, agent=True, domain=9)["result"]
    assert other == {"names": [{"name": "box.a", "pmid": "9.0.1"}]}


def test_help_texts_are_looked_up_in_names(session: Session, tmp_path: Path) -> None:  # PMD-310, 314
    names = source(tmp_path, "root { a 1:2:3 }\n")["file"]
    asked = source(tmp_path, "@ a one\nfull\n@ 1.0 domain\n", "help")
    assert session.answer("help.parse", asked)["result"]["status"] == 2
    told = session.answer("help.parse", {**asked, "names": names}, compile="big")["result"]
    assert told["status"] == 0
    assert told["entries"] == [
        {"pmid": "1.2.3", "oneline": "one", "help": "full"},
        {"indom": "1.0", "oneline": "domain", "help": ""},
    ]
    assert told["dir"].startswith("50635068" "31320000" "00000002")
    assert bytes.fromhex(told["pag"]).startswith(b"PcPh22\n")


def test_a_configuration_goes_on_after_an_error(session: Session, tmp_path: Path) -> None:  # PMD-321
    asked = source(tmp_path, "a 1 pipe binary /bin/x -d 1\nb 511 pipe binary y\nc 2 dso c_init /c.so\n", "conf")
    assert session.answer("configuration.parse", asked, form="pmcd.conf")["result"] == {
        "agents": [
            {"line": 1, "label": "a", "domain": 1, "kind": "pipe", "notready": False, "command": ["/bin/x", "-d", "1"]},
            {"line": 3, "label": "c", "domain": 2, "kind": "dso", "init": "c_init", "path": "/c.so"},
        ],
        "access": None,
        "refused_lines": [2],
    }


def test_the_register_and_a_header(session: Session, tmp_path: Path) -> None:  # PMD-326, 330
    packaged = source(tmp_path, "A 1\nB 1\n", "packaged")
    local = source(tmp_path, "C 400\nA 401\n", "local")["file"]
    assert session.answer("configuration.parse", {**packaged, "local": local}, form="register")["result"] == {
        "domains": [{"name": "A", "domain": 1}, {"name": "C", "domain": 400}],
        "refused_lines": [2],
        "refused_local_lines": [2],
    }
    header = source(tmp_path, "#define BOX 77\n", "domain.h")
    told = session.answer("configuration.parse", header, form="domain.h")
    assert told["result"] == {"domains": [{"name": "BOX", "domain": 77}]}
    refused = session.answer("configuration.parse", source(tmp_path, "", "empty.h"), form="domain.h")
    assert refused["reject"]["class"] == "domain.header"


HOSTILE: dict[str, tuple[str | bytes, str]] = {
    "endless include": ('#include "pmns"\n', "names.preprocessor"),
    "garbage": (bytes(range(256)) * 40, "names."),
    "huge": (b"root { a 1:2:3 }\n" + b"\n" * (3 << 20), "files.unreadable"),
    "a long line": (b"root {" + b" " * 100_000 + b"}\n", "names.name"),
    "an open comment": ("/*" * 100_000, "names."),
}


@pytest.mark.parametrize(("text", "error"), HOSTILE.values(), ids=HOSTILE.keys())
def test_hostile_files_are_refused(session: Session, tmp_path: Path, text: str | bytes, error: str) -> None:
    asked = source(tmp_path, text)
    assert session.answer("names.parse", asked)["reject"]["class"].startswith(error)
    assert {"result", "reject"} & set(session.answer("help.parse", asked))
    assert {"result", "reject"} & set(session.answer("configuration.parse", asked, form="pmcd.conf"))


def test_what_is_no_file_is_refused(session: Session, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "gone", tmp_path / "pipe"):
        assert session.answer("names.parse", {"file": str(path)})["reject"]["class"] == "files.unreadable"


@pytest.mark.parametrize(
    ("operation", "asked", "args"),
    [
        ("names.parse", {}, {}),
        ("names.parse", {"file": "x"}, {"agent": 1}),
        ("names.parse", {"file": "x"}, {"domain": 3}),
        ("names.parse", {"file": "x"}, {"agent": True, "domain": 511}),
        ("help.parse", {"file": 1}, {}),
        ("help.parse", {"file": "x"}, {"compile": "middle"}),
        ("configuration.parse", {"file": "x"}, {}),
        ("configuration.parse", {"file": "x"}, {"form": "text"}),
    ],
)
def test_what_makes_no_sense_is_an_error(session: Session, operation: str, asked: Json, args: Json) -> None:
    assert "error" in session.nonsense(operation, asked, **args)
