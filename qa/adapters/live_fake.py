# SPDX-License-Identifier: Apache-2.0
"""A collector that says what it is told to, and keeps what its clients say."""

import socket
import struct
import threading

from qa.adapters import live_octets
from qa.adapters.live_octets import Frame

PLAIN = 0x0244  # feature bits of a challenge (PDU-141): containers, labels
HIGHRES = 0x0400
DESCS = 0x0800

_SILENT = (live_octets.TYPES["CREDS"], live_octets.TYPES["PROFILE"], live_octets.TYPES["ATTR"])


def challenge(features: int) -> bytes:  # PDU-140
    return struct.pack(">iiiiI", 20, live_octets.TYPES["ERROR"], 0, 0, 0x02010000 | features)


class FakeCollector:
    """Listens on a socket of its own. Each request but the silent ones is answered by the next of `answers`; after the last
    one the stream ends, or after the greeting (`ends`). A process of its own ends it."""

    def __init__(self, greeting: bytes, answers: list[bytes], ends: bool = False) -> None:
        self._greeting, self._answers, self._ends = greeting, answers, ends
        self._heard: list[bytes] = []
        # Of a refusal on a socket of a file libpcp says that it is not there.
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.host = f"127.0.0.1:{self._listener.getsockname()[1]}".encode()
        threading.Thread(target=self._accept, daemon=True).start()

    def heard(self, name: str) -> list[Frame]:
        """The PDUs of that type, in order. What is answered was kept before."""
        frames = [live_octets.frames_of(one)[0] for one in list(self._heard)]
        return [one for one in frames if one.name == name]

    def _accept(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.sendall(self._greeting)
            if self._ends:
                connection.shutdown(socket.SHUT_WR)
            while True:
                header = exactly(connection, live_octets.HEADER)
                if header is None:
                    return
                length, kind = struct.unpack(">ii", header[:8])
                body = exactly(connection, length - live_octets.HEADER)
                if body is None:
                    return
                self._heard.append(header + body)
                if kind in _SILENT:
                    continue
                if not self._answers:
                    continue
                connection.sendall(self._answers.pop(0))
                if not self._answers:
                    connection.shutdown(socket.SHUT_WR)


def exactly(connection: socket.socket, size: int) -> bytes | None:
    """None where the stream ends before."""
    found = b""
    while len(found) < size:
        try:
            more = connection.recv(size - len(found))
        except OSError:
            return None
        if not more:
            return None
        found += more
    return found
