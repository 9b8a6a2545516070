# SPDX-License-Identifier: Apache-2.0
"""`pmproof agent files` from outside: folders of agents, sound and with one fault each."""

import contextlib
import html
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from validator.testing.run import PMPROOF, pmproof

SCHEMA = json.loads(Path(os.environ["SCHEMA"]).read_text(encoding="utf-8"))
INSTALL = ". $PCP_DIR/etc/pcp.env\n. $PCP_SHARE_DIR/lib/pmdaproc.sh\niam=simple\n{more}\npmdaSetup\npmda{what}\nexit 0\n"


def can_shut_in() -> bool:
    words = ["bwrap", "--unshare-all", "--ro-bind", "/", "/", "true"]
    return shutil.which("bwrap") is not None and subprocess.run(words, check=False).returncode == 0


needs_sandbox = pytest.mark.skipif(not can_shut_in(), reason="no bubblewrap here, or no user namespaces")


def script(path: Path, text: str) -> None:
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(0o755)


def install(folder: Path, more: str = "", what: str = "Install") -> None:
    script(folder / what, INSTALL.format(more=more, what=what))


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> Path:
    """The reference agent simple, as its author would have it."""
    folder = tmp_path / "simple"
    folder.mkdir()
    for name in ("domain.h", "pmns", "root", "help"):
        (folder / name).write_text(pmproof("agent", "serve", "simple", "--print", name).stdout)
    script(folder / "pmdasimple", f"exec {Path(PMPROOF).absolute()} agent serve simple\n")
    install(folder)
    install(folder, what="Remove")
    return folder


def report_of(folder: Path, *words: str | Path) -> dict[str, Any]:
    done = pmproof("agent", "files", folder, "--format", "json", *words)
    report: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft7Validator(SCHEMA).validate(report)
    return report


def outcomes(folder: Path, *words: str | Path) -> dict[str, str]:
    return {check["id"]: check["outcome"] for check in report_of(folder, *words)["checks"]}


def failed(folder: Path, *words: str | Path) -> dict[str, str]:
    checks = report_of(folder, *words)["checks"]
    return {check["id"]: check["because"] for check in checks if check["outcome"] == "fail"}


def offences(folder: Path, *words: str | Path) -> dict[str, int]:
    checks = report_of(folder, *words)["checks"]
    return {check["id"]: check["offences"]["count"] for check in checks if check["outcome"] == "fail"}


def test_the_files_of_the_reference_agent_are_sound(folder: Path) -> None:
    found = report_of(folder, "--", PMPROOF, "agent", "serve", "simple")
    assert {check["id"]: check["because"] for check in found["checks"] if check["outcome"] == "fail"} == {}
    assert found["claim"]["claim"] == "conformant"
    assert (found["agent"]["files"], found["agent"]["domain"]) == (str(folder), 253)
    made = {check["id"] for check in found["checks"] if check["outcome"] == "pass"}
    assert {"CKA-200", "CKA-202", "CKA-203", "CKA-204", "CKA-206", "CKA-207", "CKA-220", "CKA-221", "CKA-223"} <= made


def test_without_command_the_agent_is_not_started(folder: Path) -> None:
    found = report_of(folder)
    assert found["agent"]["transport"] is None and found["agent"]["command"] == []
    assert {c["id"] for c in found["checks"] if "COMMAND" in c["because"]} == {f"CKA-22{i}" for i in range(6)}


def edit(name: str, old: str, new: str) -> Callable[[Path], object]:
    def change(folder: Path) -> None:
        text = (folder / name).read_text()
        assert old in text, (name, old)
        (folder / name).write_text(text.replace(old, new))

    return change


def write(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


FAULTS: dict[str, tuple[Callable[[Path], object], str]] = {
    "no domain": (write("domain.h", "/* gone */\n"), "CKA-200"),
    "a domain above all": (write("domain.h", "#define SIMPLE 511\n"), "CKA-200"),
    "garbage": (lambda folder: (folder / "pmns").write_bytes(bytes(range(256))), "CKA-202"),
    "an endless include": (write("pmns", '#include "pmns"\n'), "CKA-202"),
    "another root": (write("root", "root {\n simple 253:0:0\n}\n"), "CKA-203"),
    "a number for the symbol": (edit("pmns", "SIMPLE:0:1", "29:0:1"), "CKA-204"),
    "a PMID twice": (edit("pmns", "SIMPLE:0:1", "SIMPLE:0:0"), "CKA-205"),
    "help without the last newline": (lambda f: (f / "help").write_text((f / "help").read_text() + "x"), "CKA-206"),
    "help of an unknown name": (edit("help", "@ simple.color", "@ simple.colour"), "CKA-206"),
    "a metric without help": (edit("pmns", "color", "more SIMPLE:7:7\n color"), "CKA-207"),
    "help of what is not there": (lambda f: (f / "help").write_text("@ 253.9.9 x\n" + (f / "help").read_text()), "CKA-208"),
    "compiled help that is none": (lambda f: [(f / name).write_bytes(b"x" * 40) for name in ("help.dir", "help.pag")], "CKA-209"),
}  # fmt: skip


@pytest.mark.parametrize(("change", "check"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_found(folder: Path, change: Callable[[Path], object], check: str) -> None:
    change(folder)
    words = [f"--check=CKA-{number}" for number in range(200, 210)]
    assert check in failed(folder, *words)


def edits(*changes: tuple[str, str, str]) -> Callable[[Path], object]:
    return lambda folder: [edit(*one)(folder) for one in changes]


# Each with the number of its offences.
SEVERAL: dict[str, tuple[Callable[[Path], object], int]] = {
    "CKA-203": (write("root", "root {\n simple 253:0:0\n}\n"), 6),
    "CKA-204": (edits(("pmns", "SIMPLE:0:0", "29:0:0"), ("pmns", "SIMPLE:0:1", "29:0:1")), 2),
    "CKA-205": (edits(("pmns", "SIMPLE:0:1", "SIMPLE:0:0"), ("pmns", "SIMPLE:1:2", "SIMPLE:0:0")), 2),
    "CKA-206": (edits(("help", "@ simple.color", "@ simple.colour"), ("help", "@ simple.now", "@ simple.soon")), 2),
    "CKA-207": (edit("pmns", "color", "more SIMPLE:7:7\n most SIMPLE:7:8\n color"), 2),
    "CKA-208": (lambda f: (f / "help").write_text("@ 253.9.9 x\n@ 253.9.8 y\n" + (f / "help").read_text()), 2),
}


@pytest.mark.parametrize(("check", "change", "count"), [(name, *one) for name, one in SEVERAL.items()], ids=SEVERAL.keys())
def test_each_offence_is_counted(folder: Path, check: str, change: Callable[[Path], object], count: int) -> None:
    change(folder)
    assert offences(folder, "--check", check)[check] == count


def test_each_offence_is_counted_of_an_agent_that_runs(folder: Path) -> None:
    edit("pmns", "color", "more SIMPLE:7:7\n most SIMPLE:7:8\n color")(folder)
    text = re.sub(r"^@ (simple\.(color|now)) .*", r"@ \1 Another text", (folder / "help").read_text(), flags=re.MULTILINE)
    (folder / "help").write_text(text)
    words = ["--check", "CKA-221", "--check", "CKA-223"]
    assert offences(folder, *words, "--", PMPROOF, "agent", "serve", "simple") == {"CKA-221": 2, "CKA-223": 2}


def test_the_register_is_held_against_the_domain(folder: Path, tmp_path: Path) -> None:  # PMD-326
    register = tmp_path / "stdpmid"
    for text, passes in (("SIMPLE 253\n", True), ("#define SIMPLE 253\n", True), ("SIMPLE 252\n", False), ("OTHER 253\n", False)):
        register.write_text(text)
        assert ("CKA-201" not in failed(folder, "--stdpmid", register, "--check", "CKA-201")) is passes, text


def test_the_register_gives_the_domain_where_domain_h_is_not_there(folder: Path, tmp_path: Path) -> None:
    (folder / "domain.h").unlink()
    register = tmp_path / "stdpmid"
    register.write_text("SIMPLE 253\n")
    assert failed(folder, "--check", "CKA-200") != {}
    found = outcomes(folder, "--stdpmid", register, "--check", "CKA-200", "--check", "CKA-206", "--check", "CKA-208")
    assert [found[name] for name in ("CKA-200", "CKA-206", "CKA-208")] == ["pass"] * 3


@pytest.mark.parametrize(
    ("line", "check"),
    [
        ("simple 253 pipe binary {0}/pmdasimple -d 253", None),
        ("simple 253 pipe text {0}/pmdasimple -d 253", "CKA-210"),
        ("simple 254 pipe binary {0}/pmdasimple -d 254", "CKA-210"),
        ("simple 253 pipe binary {0}/pmdagone -d 253", "CKA-211"),
        ("simple 253 pipe binary {0}/help -d 253", "CKA-211"),
        ("simple 253 pipe binary {0}/pmdasimple -d 254", "CKA-211"),
        ("simple 253 dso simple_init {0}/pmda_simple.so", "CKA-211"),
    ],
)
def test_the_line_of_pmcd_conf(folder: Path, tmp_path: Path, line: str, check: str | None) -> None:
    (tmp_path / "conf").write_text(line.format(folder) + "\n")
    found = failed(folder, "--pmcd-conf", tmp_path / "conf", "--check", "CKA-210", "--check", "CKA-211")
    assert set(found) == ({check} if check else set())


def test_a_running_agent_that_is_not_of_these_files_is_found(folder: Path, tmp_path: Path) -> None:
    words = [f"--check=CKA-{number}" for number in (221, 223)]
    edit("pmns", "color", "more SIMPLE:7:7\n color")(folder)
    help_text = (folder / "help").read_text().splitlines()
    place = next(i for i, line in enumerate(help_text) if line.startswith("@ simple.color"))
    help_text[place] = "@ simple.color Another text"
    (folder / "help").write_text("\n".join(help_text) + "\n")
    assert set(failed(folder, *words, "--", PMPROOF, "agent", "serve", "simple")) == {"CKA-221", "CKA-223"}
    conf = tmp_path / "conf"
    conf.write_text("simple 253 pipe binary notready /x\n")
    found = failed(folder, "--check", "CKA-220", "--pmcd-conf", conf, "--", PMPROOF, "agent", "serve", "simple")
    assert "notready" in found["CKA-220"]
    assert "CKA-220" in failed(folder, "--check", "CKA-220", "--", "false")


LINKED = ("Install", "Remove", "help", "pmns", "root", "pmdasimple")


@pytest.fixture(name="packaged")
def _packaged(folder: Path) -> Path:
    """The same as Debian's packages have it: links out of the folder, and no domain.h (PMD-330)."""
    links = folder.parent / "var" / "simple"
    links.mkdir(parents=True)
    for name in LINKED:
        (links / name).symlink_to(f"../../simple/{name}")
    return links


def register(folder: Path) -> Path:
    file = folder.parent / "stdpmid"
    file.write_text("SIMPLE 253\nOTHER 29\n")
    return file


def test_names_of_numbers_say_the_domain(folder: Path) -> None:  # PMD-330
    (folder / "domain.h").unlink()
    edit("pmns", "SIMPLE:", "253:")(folder)
    found = report_of(folder, "--check", "CKA-200", "--check", "CKA-206")
    assert found["agent"]["domain"] == 253
    assert {check["id"] for check in found["checks"] if check["outcome"] == "pass"} == {"CKA-200", "CKA-206"}


def test_a_folder_without_names_has_the_domain_of_its_name(folder: Path) -> None:
    for name in ("domain.h", "pmns", "root"):
        (folder / name).unlink()
    words: list[str | Path] = ["--stdpmid", register(folder), "--check", "CKA-200", "--check", "CKA-206"]
    assert report_of(folder, *words)["agent"]["domain"] == 253
    found = outcomes(folder, *words)
    assert (found["CKA-200"], found["CKA-206"]) == ("pass", "not_checked")
    includes = folder.parent / "pmns"
    includes.mkdir()
    names = pmproof("agent", "serve", "simple", "--print", "pmns").stdout
    (includes / "root_simple").write_text("root { simple }\n" + names.replace("SIMPLE", "253"))
    found = outcomes(folder, *words, "--include", includes)
    assert (found["CKA-200"], found["CKA-206"]) == ("pass", "pass")


def test_names_may_be_entries_outside_of_all_nodes(folder: Path) -> None:  # PMD-330
    (folder / "pmns").write_text("    simple\tSIMPLE:*:*\n")
    (folder / "root").write_text('root {\n#include "./pmns"\n}\n')
    words = [f"--check=CKA-{number}" for number in (202, 203, 204)]
    assert [outcomes(folder, *words)[f"CKA-{number}"] for number in (202, 203, 204)] == ["pass"] * 3
    (folder / "pmns").write_text("simple SIMPLE:*:*\nsimple SIMPLE:*:*\n")
    assert "CKA-202" in failed(folder, *words)


def test_root_may_have_names_of_another_agent(folder: Path) -> None:
    text = (folder / "root").read_text()
    (folder / "root").write_text(text.replace("simple", "simple\n other", 1) + "\nother { one 29:0:0 }\n")
    words = ["--check", "CKA-203"]
    assert failed(folder, *words) == {}
    more = (folder / "pmns").read_text().replace("color", "gone SIMPLE:9:9 color", 1)
    (folder / "root").write_text(f"#define SIMPLE 253\nroot {{ simple }}\n{more}")
    assert "simple.gone of root" in failed(folder, *words)["CKA-203"]


ANSWER = """import os, sys
if 'PCP_PYTHON_DOMAIN' in os.environ:
    print({domain!r})
    sys.exit({status})
if 'PCP_PYTHON_PMNS' in os.environ:
    print({names!r})
    sys.exit(0)
os.execv({pmproof!r}, [{pmproof!r}, 'agent', 'serve', 'simple'])
"""


@pytest.mark.parametrize(
    ("domain", "names", "status", "because"),
    [
        ("#define SIMPLE 253", "simple\t253:*:*", 0, None),
        ("#define SIMPLE 254", "simple\t254:*:*", 0, "domain 254"),
        ("#define SIMPLE 253", "simple\t254:*:*", 0, "simple of domain 254"),
        ("#define SIMPLE 253", "simple 253", 0, None),
        ("#define SIMPLE 253", "", 0, "no name"),
        ("SIMPLE is 253", "simple\t253:*:*", 0, "domain"),
        ("#define SIMPLE 253", "simple\t253:*:*", 1, "exit status 1"),
    ],
)
def test_an_agent_in_python_says_its_domain_and_names(
    folder: Path, tmp_path: Path, domain: str, names: str, status: int, because: str | None
) -> None:  # PMD-333
    agent = tmp_path / "pmdasimple.python"
    agent.write_text(ANSWER.format(domain=domain, names=names, status=status, pmproof=str(Path(PMPROOF).absolute())))
    found = report_of(folder, "--check", "CKA-225", "--", "python3", agent)
    (check,) = (check for check in found["checks"] if check["id"] == "CKA-225")
    assert check["outcome"] == ("fail" if because else "pass"), check
    assert (because or "") in check["because"]


def test_an_agent_in_python_that_serves_in_place_of_answering_is_found(folder: Path, tmp_path: Path) -> None:
    agent = tmp_path / "agent.py"
    agent.write_text(f"import os\nos.execv({PMPROOF!r}, [{PMPROOF!r}, 'agent', 'serve', 'simple'])\n")
    words = ["--check", "CKA-225", "--timeout", "creds=1", "--timeout", "end=1"]
    assert "serves" in failed(folder, *words, "--", "python3", agent)["CKA-225"]
    assert outcomes(folder, *words, "--", PMPROOF, "agent", "serve", "simple")["CKA-225"] == "not_checked"


ALL_OF_INSTALL = [f"--check=CKA-{number}" for number in range(230, 235)]


@needs_sandbox
def test_install_and_remove_are_tried_in_a_private_root(folder: Path) -> None:  # PMD-332, 334
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    found = outcomes(folder, *ALL_OF_INSTALL, "--check", "CKA-210", "--check", "CKA-211")
    assert [found[f"CKA-{number}"] for number in (210, 211, *range(230, 235))] == ["pass"] * 7
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


@needs_sandbox
@pytest.mark.parametrize(
    ("more", "what", "check"),
    [
        ("exit 3", "Install", "CKA-230"),
        ("pmns_source=gone", "Install", "CKA-231"),
        ("ipc_prot=text", "Install", "CKA-231"),
        ("dso_opt=true", "Install", "CKA-231"),
        ("echo x >>/etc/pcp/simple.conf", "Install", "CKA-232"),
        ("mkdir -p /var/lib/pcp/config/simple", "Install", "CKA-234"),
        ("exit 0", "Remove", "CKA-233"),
        ("echo 'other 252 pipe binary x' >>$PCP_PMCDCONF_PATH", "Install", "CKA-230"),
    ],
)
def test_a_faulty_script_is_found(folder: Path, more: str, what: str, check: str) -> None:
    install(folder, more, what)
    assert check in failed(folder, *ALL_OF_INSTALL)


@needs_sandbox
def test_each_file_that_is_left_is_an_offence(folder: Path) -> None:
    install(folder, "mkdir -p /var/lib/pcp/config/simple; for file in a b; do echo x >/var/lib/pcp/config/simple/$file; done")
    assert offences(folder, "--check", "CKA-234") == {"CKA-234": 3}


@needs_sandbox
def test_an_install_of_two_agents_adds_a_line_for_each(folder: Path) -> None:
    other = "sed 's/pmproof_other 510/other 252/;1,/^$/!d' $PCP_PMCDCONF_PATH | grep 252 >/tmp/line"
    put = "sed -i '/pmproof_other/r /tmp/line' $PCP_PMCDCONF_PATH"
    install(folder, f"grep -q ' 252 ' $PCP_PMCDCONF_PATH || {{ {other}; {put}; }}")
    assert "CKA-230" not in failed(folder, *ALL_OF_INSTALL)


@needs_sandbox
def test_an_install_that_declines_is_not_checked(folder: Path) -> None:
    install(folder, "echo there is no box here; exit 0")
    (found,) = (check for check in report_of(folder, *ALL_OF_INSTALL)["checks"] if check["id"] == "CKA-230")
    assert found["outcome"] == "not_checked" and "no box here" in found["because"]
    install(folder, "exit 0")
    assert "CKA-230" in failed(folder, *ALL_OF_INSTALL)


@needs_sandbox
def test_several_names_have_a_source_each(folder: Path) -> None:  # PMD-334
    for name in ("one", "two"):
        (folder / f"pmns.{name}").write_text(f"{name} {{ a SIMPLE:0:0 }}\n")
    for what in ("Install", "Remove"):
        install(folder, 'pmns_name="one two"', what)
    assert failed(folder, *ALL_OF_INSTALL) == {}
    (folder / "pmns.two").unlink()
    assert "pmns.two" in failed(folder, *ALL_OF_INSTALL)["CKA-231"]
    install(folder, "pmns_name=one", "Remove")
    assert "CKA-233" in failed(folder, *ALL_OF_INSTALL)


@needs_sandbox
def test_a_source_that_install_makes_is_one(folder: Path) -> None:
    install(folder, "pmns_source=.made; cp pmns .made")
    assert "CKA-231" not in failed(folder, *ALL_OF_INSTALL)


@needs_sandbox
def test_links_out_of_the_folder_are_followed(packaged: Path) -> None:  # PMD-330
    words: list[str | Path] = [*ALL_OF_INSTALL, "--stdpmid", register(packaged), "--check", "CKA-211"]
    found = outcomes(packaged, *words)
    assert [found[f"CKA-{number}"] for number in (211, *range(230, 235))] == ["pass"] * 6


@needs_sandbox
def test_without_a_domain_install_is_not_tried(packaged: Path) -> None:
    found = outcomes(packaged, "--check", "CKA-202", *ALL_OF_INSTALL)
    assert [found[f"CKA-{number}"] for number in range(230, 235)] == ["not_checked"] * 5


def processes_with(mark: str) -> list[str]:
    """The command lines, of all processes, that have the word."""
    lines = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                lines.append((entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace"))
    return [line for line in lines if mark in line]


@needs_sandbox
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_during_install_nothing_is_left(folder: Path, tmp_path: Path, number: signal.Signals) -> None:
    scratch = Path(tempfile.mkdtemp(prefix="pf", dir="/tmp"))  # its path stands in bwrap's command line
    try:
        install(folder, "trap '' INT TERM HUP; echo begun >/var/tmp/begun; sleep 300 & sleep 300")
        command = [PMPROOF, "agent", "files", str(folder), "--check", "CKA-230"]
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(scratch)}
        ) as process:
            deadline = time.monotonic() + 60
            while not list(scratch.glob("*/root/var/tmp/begun")):
                assert process.poll() is None and time.monotonic() < deadline
                time.sleep(0.01)
            assert processes_with(str(scratch))
            begin = time.monotonic()
            process.send_signal(number)
            out, told = process.communicate(timeout=60)
        assert process.returncode == -number
        assert (out, told.count("agent files was interrupted")) == ("", 1)
        assert time.monotonic() - begin < 30
        assert list(scratch.iterdir()) == []
        assert processes_with(str(scratch)) == []
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


@needs_sandbox
def test_a_script_reaches_nothing_of_the_host(folder: Path, tmp_path: Path) -> None:
    bait = tmp_path / "bait"
    bait.write_text("x")
    install(folder, f"rm -f {bait}; echo x >/usr/pmproof; [ -e {bait} ] && exit 9; ls /root >/dev/null 2>&1 && exit 8")
    assert "CKA-230" not in failed(folder, "--check", "CKA-230")
    assert bait.exists() and not Path("/usr/pmproof").exists()


def test_where_nothing_can_be_shut_in_nothing_is_run(folder: Path, tmp_path: Path) -> None:
    done = pmproof("agent", "files", folder, "--format", "json", "--check", "CKA-200", *ALL_OF_INSTALL[1:], env={"PATH": str(tmp_path)})
    told = {check["id"]: check for check in json.loads(done.stdout)["checks"]}
    assert told["CKA-232"]["outcome"] == "not_checked" and "bubblewrap" in told["CKA-232"]["because"]


def test_other_formats_and_refusals(folder: Path, tmp_path: Path) -> None:
    static = [f"--check=CKA-{number}" for number in range(200, 210)]
    assert "files" in pmproof("agent", "files", folder, *static).stdout
    assert "<testsuites name=\"pmproof agent files\">" in pmproof("agent", "files", folder, "--format", "junit", *static).stdout
    assert "agent's files" in html.unescape(pmproof("agent", "files", folder, "--format", "html", *static).stdout)
    assert pmproof("agent", "files", tmp_path / "gone").returncode == 4
    assert pmproof("agent", "files").returncode == 2
    assert pmproof("agent", "files", folder, "--check", "CKA-030").returncode == 2
