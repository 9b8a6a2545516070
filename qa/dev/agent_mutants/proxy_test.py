# SPDX-License-Identifier: Apache-2.0
import os
import subprocess
from pathlib import Path

import pytest

from qa.dev.agent_mutants import agents
from qa.dev.agent_mutants.conversation import answers, every_request, frames
from qa.dev.agent_mutants.judge import Change
from qa.dev.agent_mutants.pdus import fields_of, kind_of, pdu_of
from qa.dev.agent_mutants.sound_changes import CHANGES, SoundChanges

_PMPROOF = Path(os.environ["PMPROOF"]).resolve()
_ASKED = every_request(77)


def _behind_proxy(folder: Path, changes: str, agent: list[str] | None = None) -> bytes:
    for file in ("starts", "changes"):
        (folder / file).touch()
    proxy = [*agents.python(folder, "proxy_main.py"), str(folder), changes]
    return answers([*proxy, *(agent or agents.command(agents.EVERY, _PMPROOF, folder))], _ASKED)


def _without(folder: Path) -> list[bytes]:
    return frames(answers(agents.command(agents.EVERY, _PMPROOF, folder), _ASKED))


def _told(folder: Path) -> list[Change]:
    return [Change.parsed(line) for line in (folder / "changes").read_text(encoding="ascii").splitlines()]


def _but_the_process(pdus: list[bytes]) -> list[bytes]:
    """Without `from` of the CREDS, which is another process each time."""
    return [pdus[0][:8] + bytes(4) + pdus[0][12:], *pdus[1:]]


def test_without_changes_what_the_agent_says_stays_as_it_is(tmp_path: Path) -> None:
    behind = frames(_behind_proxy(tmp_path, "-"))
    assert _but_the_process(behind) == _but_the_process(_without(tmp_path))
    assert not _told(tmp_path)


def test_one_field_of_one_kind_is_changed_and_told(tmp_path: Path) -> None:
    before = _without(tmp_path)
    after = frames(_behind_proxy(tmp_path, "every:DESC.sem/other-2/each/first"))
    assert [one for one in after[1:] if kind_of(one) != "DESC"] == [one for one in before[1:] if kind_of(one) != "DESC"]
    changed = [(a, b) for a, b in zip(before[1:], after[1:]) if a != b]
    assert changed
    for old, new in changed:
        assert kind_of(old) == "DESC"
        assert old[:24] + old[28:] == new[:24] + new[28:]
    told = _told(tmp_path)
    assert {(one.field, one.at) for one in told} == {("sem", 24)}
    assert (told[0].pdu, told[0].sent) == changed[0]


def test_every_third_is_changed_and_another_one_in_the_next_process(tmp_path: Path) -> None:
    def dropped() -> list[int]:
        before = [one for one in _without(tmp_path) if kind_of(one) == "DESC"]
        after = [one for one in frames(_behind_proxy(tmp_path, "every:DESC.pdu/drop/every-3/first")) if kind_of(one) == "DESC"]
        return [number for number, one in enumerate(before) if one not in after]

    assert dropped() == [0, 3, 6, 9, 12]
    assert dropped() == [2, 5, 8, 11]


def test_the_last_of_several_fields_is_changed_or_all_are(tmp_path: Path) -> None:
    for where, wanted in (("last", 1), ("all", 3)):
        folder = tmp_path / where
        folder.mkdir()
        before = _without(folder)
        after = frames(_behind_proxy(folder, f"every:INSTANCE.inst/flip-20/from-1/{where}"))
        numbers = [number for number, one in enumerate(before) if kind_of(one) == "INSTANCE"]
        old, new = before[numbers[0]], after[numbers[0]]
        fields = [at for name, at, _ in fields_of(old) if name == "inst"]
        assert sum(old[at : at + 4] != new[at : at + 4] for at in fields) == wanted


def test_it_ends_as_the_agent_ends(tmp_path: Path) -> None:
    for command, status in (("exit 7", 7), ("kill -9 $$", -9), ("exec cat >/dev/null", 0)):
        proxy = [*agents.python(tmp_path, "proxy_main.py"), str(tmp_path), "-", "/bin/sh", "-c", command]
        assert subprocess.run(proxy, stdin=subprocess.DEVNULL, timeout=30).returncode == status


def test_what_is_no_pdu_passes(tmp_path: Path) -> None:
    assert _behind_proxy(tmp_path, "-", ["/bin/echo", "hello, I am no agent"]) == b"hello, I am no agent\n"


def test_a_broken_reply_channel_is_broken_for_the_agent_too(tmp_path: Path) -> None:
    script = f"trap '' PIPE; while echo more 2>/dev/null; do :; done; echo broken >{tmp_path}/said"
    proxy = [*agents.python(tmp_path, "proxy_main.py"), str(tmp_path), "-", "/bin/sh", "-c", script]
    with subprocess.Popen(proxy, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        assert process.stdout
        process.stdout.read(4)
        process.stdout.close()
        assert process.wait(30) == 0
    assert (tmp_path / "said").read_text() == "broken\n"


_ARGUMENTS = {"pieces": "pieces-3", "slow": "slow-1", "pad": "pad-255"}


@pytest.mark.parametrize("change", CHANGES)
def test_a_sound_change_changes_what_it_says_and_the_pdus_stay_whole(change: str, tmp_path: Path) -> None:
    before = _without(tmp_path)
    make = SoundChanges([_ARGUMENTS.get(change, change)])
    pieces = [make(pdu) for pdu in before]
    after = [b"".join(some) for some in pieces]
    if change == "pieces":
        assert all(len(some) >= 3 for some in pieces)
    if change in ("pieces", "slow"):
        assert after == before
        return
    assert after != before
    kept = [sorted((name, size) for name, _, size in fields_of(pdu) if not name.endswith("pad")) for pdu in before]
    assert [sorted((name, size) for name, _, size in fields_of(pdu) if not name.endswith("pad")) for pdu in after] == kept


def test_value_blocks_in_reverse_order_are_found_by_their_offsets() -> None:
    sets = bytes.fromhex("00000001 00000002 00000001 00000000 0000000d 00000001 0000000f")
    blocks = bytes.fromhex("06000006 61007e7e 06000008 62626200")
    pdu = pdu_of("RESULT", bytes(8) + (1).to_bytes(4, "big") + sets + blocks)
    sent = SoundChanges(["blocks"])(pdu)[0]
    assert sent[52:] == blocks[8:] + blocks[:8]
    assert [int.from_bytes(sent[at : at + 4], "big") for at in (40, 48)] == [15, 13]
