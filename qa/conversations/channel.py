# SPDX-License-Identifier: Apache-2.0
"""A stream of octets in both directions, with a time for everything: a pair of pipes, or a socket."""

import os
import select
import socket
import time
from dataclasses import dataclass

HEADER = 12  # octets (PDU-002)
LARGEST_PDU = 16 << 20  # octets, of what is read
_PIECE = 1 << 16
_BETWEEN = 0.02  # seconds between the pieces of a PDU that is cut


@dataclass(frozen=True)
class Come:
    """What was read, and why it is not more: "" it is all that was wanted, "silent", or "ended"."""

    data: bytes
    why: str = ""


class Channel:
    """One side of a connection. A resource: close() is to be called."""

    def __init__(self, reads: int, writes: int, sock: socket.socket | None = None) -> None:
        """Both descriptors are the channel's from now on; with a socket they are its own."""
        self._reads, self._writes, self._socket = reads, writes, sock
        self._open_to_write = True
        for descriptor in (reads, writes):
            os.set_blocking(descriptor, False)

    @classmethod
    def of(cls, sock: socket.socket) -> "Channel":
        if sock.family != socket.AF_UNIX:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return cls(sock.fileno(), sock.fileno(), sock)

    def send(self, data: bytes, limit: float, cut: tuple[int, ...] = ()) -> str:
        """Why it could not be sent: "" if it was, "silent" if the other side does not read, "ended"."""
        end = time.monotonic() + limit
        edges = [0, *(at for at in cut if at < len(data)), len(data)]
        for number, (first, last) in enumerate(zip(edges, edges[1:])):
            if number:
                time.sleep(_BETWEEN)
            piece = data[first:last]
            while piece:
                left = end - time.monotonic()
                if left <= 0 or not select.select([], [self._writes], [], left)[1]:
                    return "silent"
                try:
                    piece = piece[os.write(self._writes, piece[:_PIECE]) :]
                except BlockingIOError:
                    continue
                except OSError:  # BrokenPipeError, ConnectionResetError
                    return "ended"
        return ""

    def receive(self, size: int, limit: float) -> Come:
        """So many octets."""
        end = time.monotonic() + limit
        come = bytearray()
        while len(come) < size:
            left = end - time.monotonic()
            if left <= 0 or not select.select([self._reads], [], [], left)[0]:
                return Come(bytes(come), "silent")
            try:
                more = os.read(self._reads, min(_PIECE, size - len(come)))
            except BlockingIOError:
                continue
            except OSError:
                more = b""
            if not more:
                return Come(bytes(come), "ended")
            come += more
        return Come(bytes(come))

    def pdu(self, limit: float) -> Come:
        """One whole PDU; its header alone where its length makes no sense."""
        end = time.monotonic() + limit
        header = self.receive(HEADER, limit)
        length = int.from_bytes(header.data[:4], "big", signed=True)
        if header.why or not HEADER <= length <= LARGEST_PDU:
            return header
        body = self.receive(length - HEADER, max(0.0, end - time.monotonic()))
        return Come(header.data + body.data, body.why)

    def finish(self) -> None:
        """The other side gets the end of the stream."""
        if not self._open_to_write:
            return
        self._open_to_write = False
        if self._socket is None:
            os.close(self._writes)
            return
        try:
            self._socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # the other side is gone

    def close(self) -> None:
        self.finish()
        if self._socket is None:
            os.close(self._reads)
        else:
            self._socket.close()
