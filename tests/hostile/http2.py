"""HTTP/2 by hand: a gRPC client over a plain socket, to say what no library would and leave out what every one says."""

import base64
import contextlib
import select
import socket
import struct
import time

import hpack

from tests.integration.service import PATIENCE, StatusDetails

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PUSH_PROMISE, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = range(10)

END_STREAM = ACK = 0x1
END_HEADERS = 0x4

HEADER_TABLE_SIZE, INITIAL_WINDOW_SIZE = 0x1, 0x4  # settings
CANCEL = 0x8  # error code

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
SERVICE = "/kibitz.v1.AnalysisService/"

_DEFAULT_WINDOW = 65_535
_MAX_FRAME = 16_384  # what every peer must take
_LARGE_WINDOW = 1 << 30


def frame(kind, flags, stream, payload=b""):
    return struct.pack(">BHBBI", len(payload) >> 16, len(payload) & 0xffff, kind, flags, stream) + payload


def _integer(value, prefix_bits, pattern=0):
    """HPACK's integers: what does not fit the prefix follows by 7 bits a byte."""
    largest = (1 << prefix_bits) - 1
    if value < largest:
        return bytes([pattern | value])
    encoded, value = [pattern | largest], value - largest
    while value >= 128:
        encoded.append(value % 128 | 128)
        value //= 128
    return bytes(encoded + [value])


def _text(value):
    value = value.encode() if isinstance(value, str) else value
    return _integer(len(value), 7) + value


def literal(name, value):
    """A header that nobody is to remember."""
    return b"\x00" + _text(name) + _text(value)


def literal_start(name, length):
    """The beginning of a header whose value of `length` bytes is still to come."""
    return b"\x00" + _text(name) + _integer(length, 7)


def request_headers(path, timeout=None, metadata=()):
    """The header block of a gRPC call. `timeout` is in gRPC's own words: "500m"."""
    # The static table has POST at 3, http at 6, and the names :path at 4, :authority at 1, content-type at 31.
    block = b"\x83\x86" + b"\x04" + _text(path) + b"\x01" + _text("localhost") + b"\x0f\x10" + _text("application/grpc")
    block += literal("te", "trailers")
    if timeout is not None:
        block += literal("grpc-timeout", timeout)
    return block + b"".join(literal(name, value) for name, value in metadata)


def split_headers(number, block):
    """The HEADERS and CONTINUATION frames of a header block of any size."""
    parts = [block[place:place + _MAX_FRAME] for place in range(0, len(block), _MAX_FRAME)]
    frames = []
    for place, part in enumerate(parts):
        flags = END_HEADERS if place == len(parts) - 1 else 0
        frames.append(frame(CONTINUATION if place else HEADERS, flags, number, part))
    return b"".join(frames)


def message(content, announced=None):
    """A message with gRPC's prefix. `announced`: the length that the prefix states, if not the true one."""
    return struct.pack(">BI", 0, len(content) if announced is None else announced) + content


def connect(address, source=None):
    """A socket that is connected to HOST:PORT, from an address of our own choice if one is given."""
    host, port = address.rsplit(":", 1)
    connected = socket.create_connection((host, int(port)), timeout=PATIENCE, source_address=source and (source, 0))
    connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return connected


class Stream:
    """What the server has said in one call."""

    def __init__(self, window):
        self.window = window  # how much more we may send
        self.messages = []
        self.status = None  # gRPC's code, once the server has told it
        self.details = StatusDetails()
        self.reset = None  # the error code of the server's RST_STREAM
        self.ended = False
        self._bytes = b""

    def add_headers(self, headers):
        trailers = dict(headers)
        if b"grpc-status" in trailers:
            self.status = int(trailers[b"grpc-status"])
            # Base64 without padding, as gRPC sends what is not text.
            details = trailers.get(b"grpc-status-details-bin", b"")
            self.details = StatusDetails(base64.b64decode(details + b"=" * (-len(details) % 4)))

    def add_data(self, data):
        self._bytes += data
        while len(self._bytes) >= 5:
            end = 5 + struct.unpack(">I", self._bytes[1:5])[0]
            if len(self._bytes) < end:
                return
            self.messages.append(self._bytes[5:end])
            self._bytes = self._bytes[end:]


class Connection:
    """A connection to a server. It reads only within `wait`, `write` and those that say so.

    acknowledge: whether it acknowledges the server's SETTINGS, before all else, or never does.
    window: what the server may send on a stream before it is told more; it is told so as long as `reads` is true.
    source: the address to come from, if not the one that the system chooses.
    """

    def __init__(self, address, acknowledge=True, window=_LARGE_WINDOW, reads=True, source=None):
        self.socket = connect(address, source)
        self.streams = {}
        self.closed = False  # the server has closed, or is about to
        self.goaway = None  # the error code of the server's GOAWAY
        self._acknowledge = acknowledge
        self._acknowledged = False
        self._reads = reads
        self._next_stream = 1
        self._window = self._stream_window = _DEFAULT_WINDOW
        self._input = bytearray()
        self._headers = hpack.Decoder(max_header_list_size=1 << 20)
        self._block = b""
        settings = struct.pack(">HIHI", HEADER_TABLE_SIZE, 0, INITIAL_WINDOW_SIZE, window)
        more = frame(WINDOW_UPDATE, 0, 0, struct.pack(">I", _LARGE_WINDOW)) if reads else b""
        self.send(PREFACE + frame(SETTINGS, 0, 0, settings) + more)
        if acknowledge:
            self.wait(lambda: self._acknowledged)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # Saying something.

    def send(self, data, patience=PATIENCE):
        """Sends bytes as they are; false if the server has closed, or did not take all of them in time."""
        try:
            self.socket.settimeout(max(patience, 0.001))
            self.socket.sendall(data)
        except TimeoutError:
            return False
        except ConnectionError:
            self.closed = True
        return not self.closed

    def take_streams(self, count):
        """The next ids of streams, for frames made in bulk."""
        first = self._next_stream
        self._next_stream += 2 * count
        return range(first, self._next_stream, 2)

    def open(self, path, body=b"", end=False, **headers):
        """Begins a call and sends `body` with it, which must fit the first window. Returns its number."""
        (number,) = self.take_streams(1)
        self.streams[number] = stream = Stream(self._stream_window)
        ends = END_STREAM if end else 0
        data = frame(DATA, ends, number, body) if body or end else b""
        stream.window -= len(body)
        self._window -= len(body)
        self.send(split_headers(number, request_headers(path, **headers)) + data)
        return number

    def write(self, number, data, end=False, patience=PATIENCE):
        """Sends data as far as the server gives room, reading meanwhile. False if not all could be sent."""
        stream = self.streams[number]
        deadline = time.monotonic() + patience
        while data or end:
            room = min(self._window, stream.window, _MAX_FRAME, len(data))
            if data and room <= 0:
                more = lambda: min(self._window, stream.window) > 0 or stream.ended
                if not self.wait(more, deadline - time.monotonic()) or stream.ended:
                    return False
                continue
            last = end and room == len(data)
            if not self.send(frame(DATA, END_STREAM if last else 0, number, data[:room])):
                return False
            self._window -= room
            stream.window -= room
            data = data[room:]
            end = end and not last
        return True

    def reset(self, number, code=CANCEL):
        self.send(frame(RST_STREAM, 0, number, struct.pack(">I", code)))

    def say_goodbye(self):
        """Sends GOAWAY and closes our side."""
        self.send(frame(GOAWAY, 0, 0, struct.pack(">II", 0, 0)))
        self.socket.shutdown(socket.SHUT_WR)

    def close(self):
        self.socket.close()

    def shut_down(self):
        """Closes both directions, so that whoever reads in another thread hears of it."""
        with contextlib.suppress(OSError):  # the server may have been first
            self.socket.shutdown(socket.SHUT_RDWR)

    def abort(self):
        """Closes without a goodbye: the server's next write fails."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    # Hearing something.

    def discard_input(self):
        """Reads and forgets until the connection ends. For a thread of its own, beside `send` only."""
        with contextlib.suppress(OSError):
            while select.select([self.socket], [], [])[0] and self.socket.recv(1 << 20):
                pass

    def wait(self, condition, patience=PATIENCE):
        """Reads until the condition holds, the server closes, or patience ends. Returns whether it holds."""
        deadline = time.monotonic() + patience
        while not condition():
            if not self._take_frame() and not self._read(deadline - time.monotonic()):
                return bool(condition())
        return True

    def wait_for_status(self, number, patience=PATIENCE):
        """Reads until the call has ended in some way; returns gRPC's status code or None."""
        stream = self.streams[number]
        self.wait(lambda: stream.ended, patience)
        return stream.status

    def _read(self, patience):
        if self.closed or patience <= 0:
            return False
        self.socket.settimeout(patience)
        try:
            data = self.socket.recv(1 << 18)
        except TimeoutError:
            return False
        except ConnectionError:
            data = b""
        self._input += data
        self.closed = not data
        return not self.closed

    def _take_frame(self):
        if len(self._input) < 9:
            return False
        high, low, kind, flags, number = struct.unpack(">BHBBI", self._input[:9])
        end = 9 + (high << 16 | low)
        if len(self._input) < end:
            return False
        payload = bytes(self._input[9:end])
        del self._input[:end]
        self._hear(kind, flags, number, payload)
        return True

    def _hear(self, kind, flags, number, payload):
        stream = self.streams.get(number, None)
        if kind == SETTINGS and not flags & ACK:
            self._hear_settings(payload)
        elif kind == PING and not flags & ACK:
            self.send(frame(PING, ACK, 0, payload))
        elif kind == GOAWAY:
            self.goaway = struct.unpack(">I", payload[4:8])[0]
        elif kind == WINDOW_UPDATE:
            self._hear_window(stream, number, struct.unpack(">I", payload)[0])
        elif kind in (HEADERS, CONTINUATION):
            self._hear_headers(stream, flags, payload)
        elif kind == DATA:
            self._hear_data(stream, number, payload)
        elif kind == RST_STREAM and stream is not None:
            stream.reset, stream.ended = struct.unpack(">I", payload)[0], True
        if kind in (DATA, HEADERS) and flags & END_STREAM and stream is not None:
            stream.ended = True

    def _hear_settings(self, payload):
        for place in range(0, len(payload), 6):
            name, value = struct.unpack(">HI", payload[place:place + 6])
            if name == INITIAL_WINDOW_SIZE:
                for stream in self.streams.values():
                    stream.window += value - self._stream_window
                self._stream_window = value
        if self._acknowledge:
            self._acknowledged = self.send(frame(SETTINGS, ACK, 0))

    def _hear_window(self, stream, number, more):
        if number == 0:
            self._window += more
        elif stream is not None:
            stream.window += more

    def _hear_headers(self, stream, flags, payload):
        self._block += payload
        if flags & END_HEADERS:
            headers = self._headers.decode(self._block, raw=True)  # for every stream, because the decoder learns
            self._block = b""
            if stream is not None:
                stream.add_headers(headers)

    def _hear_data(self, stream, number, payload):
        if stream is not None:
            stream.add_data(payload)
        if self._reads and payload:
            more = struct.pack(">I", len(payload))
            self.send(frame(WINDOW_UPDATE, 0, 0, more) + frame(WINDOW_UPDATE, 0, number, more))
