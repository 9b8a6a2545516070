# SPDX-License-Identifier: Apache-2.0
"""A real pmcd holds a conversation: its agent is a player, and so is its client, who says what pmcd is to hand on."""

import socket
import subprocess
import time
from contextlib import ExitStack
from pathlib import Path

from qa.conversations.channel import Channel
from qa.conversations.conversation import AGENTS, Conversation, Step
from qa.conversations.octets import parse, written
from qa.conversations.player import Outcome, Player
from qa.conversations.sides import Place, listening
from qa.peers.peers import Peer

_LIMIT = 60.0  # seconds; nothing waits so long unless something is wrong
_PROFILE, _CREDS, _ATTR, _ERROR = 0x7002, 0x700C, 0x7011, 0x7000
_HELLO = bytes.fromhex("00000014 0000700c 00000001 00000001 01020000")  # PDU-142


class _Client:
    """Of pmcd. The PDUs of a client are those that an agent gets (section 2), so it sends them as they are."""

    def __init__(self, path: Path, pmcd: subprocess.Popen[bytes], conversation: Conversation, domain: int) -> None:
        self._path, self._pmcd, self._conversation, self._domain = path, pmcd, conversation, domain
        self._socket: socket.socket | None = None
        self._is_ahead = False  # what comes next was sent already

    def say(self, step: Step, data: bytes) -> None:
        """What makes pmcd take this step."""
        type_ = int.from_bytes(data[4:8], "big")
        if step.ends:
            self._pmcd.terminate()
        elif type_ == _ERROR:
            self.close()
        elif type_ == _PROFILE:
            # pmcd keeps it until the client fetches (PMD-010).
            steps = self._conversation.steps
            following = steps[next(place for place, one in enumerate(steps) if one is step) + 1]
            self._send(data)
            self._send(written(parse(following.alternatives[0].octets, self._domain), {})[0])
            self._is_ahead = True
        elif self._is_ahead:
            self._is_ahead = False
        elif type_ not in (_CREDS, _ATTR):
            self._send(data)

    def _send(self, data: bytes) -> None:
        if self._socket is None:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.settimeout(_LIMIT)
            end = time.monotonic() + _LIMIT
            while True:
                try:
                    self._socket.connect(str(self._path))
                    break
                except OSError:
                    assert time.monotonic() < end and self._pmcd.poll() is None, "pmcd does not listen"
                    time.sleep(0.05)
            self._socket.recv(64)  # the challenge (PDU-140)
            self._socket.sendall(_HELLO)
        self._socket.sendall(data)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def hold(peer: Peer, conversation: Conversation, folder: Path) -> Outcome:
    """What pmcd says to its one agent. `folder` has a short path."""
    domain = AGENTS[conversation.agent] or 253
    place, own = Place(folder / "agent"), folder / "pmcd"
    (folder / "pmcd.conf").write_text(f"conversation {domain} socket unix {place.path}\n")
    (folder / "pmns").write_text(f"root {{\n    conversation\n}}\nconversation {{\n    any {domain}:0:0\n}}\n")
    words: list[str | Path] = ["pmcd", "-f", "-A", "-i", "127.0.0.1", "-p", "44390", "-s", own, "-c", folder / "pmcd.conf"]
    words += ["-n", folder / "pmns", "-l", folder / "log", "-U", "root", "-t", "120", "-q", "120"]
    environment = {"PCP_USER": "root", "PCP_GROUP": "root", "PCP_DERIVED_CONFIG": "", "PMCD_RESTART_AGENTS": "0"}
    argv = peer.argv(words, writable=[folder], environment=environment)
    with ExitStack() as stack:
        listener = stack.enter_context(listening(place))
        listener.settimeout(_LIMIT)
        pmcd = subprocess.Popen(argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack.callback(pmcd.wait)
        stack.callback(pmcd.kill)
        channel = Channel.of(listener.accept()[0])
        stack.callback(channel.close)
        client = _Client(own, pmcd, conversation, domain)
        stack.callback(client.close)
        outcome = Player(conversation, "agent", channel, _LIMIT, domain=domain, prompt=client.say).play()
    return outcome
