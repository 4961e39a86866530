"""The clients of a soak. Each kind is a process that does the same few things over and over, at random.

usage: python3 -m tests.soak.actors KIND HOST:PORT

Prints each second how often it did something, as "N done", and at once what it did not expect, as "! WORDS". It ends
when its standard input does.
"""

import collections
import queue
import random
import sys
import threading
import time

import grpc

from tests.integration.caller import open_channel
from tests.integration.service import KIWIPETE, PATIENCE, START, analysis_pb2, analysis_pb2_grpc, position_pb2

_FENS = (START, KIWIPETE, "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
         "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10", "4k3/P7/8/8/8/8/8/4K3 w - - 0 1")
_BAD_FENS = ("", "k", "8/8/8/8/8/8/8/8 w - - 0 1", "kk6/8/8/8/8/8/8/K7 w - - 0 1", "\0" * 50, "x" * 5000)
_PAUSE = 0.005  # seconds between two acts of a thread

_Code = grpc.StatusCode


class Unexpected(Exception):
    """Something that a client may not see, whatever others do."""


def _code_of(call):
    """The status that a call, given as a function, ends with."""
    try:
        call()
        return _Code.OK
    except grpc.RpcError as error:
        return error.code()


def _expect(call, *codes):
    code = _code_of(call)
    if code not in codes:
        raise Unexpected(f"{code.name} instead of {' or '.join(wanted.name for wanted in codes)}")


def _request(chance, **limits):
    return analysis_pb2.AnalyzeRequest(position=position_pb2.Position(fen=chance.choice(_FENS)), threads=1,
                                       multi_pv=chance.choice((1, 1, 1, 3, 10)), limits=limits)


def _limits(chance):
    return chance.choice(({"depth": chance.randint(1, 9)}, {"nodes": chance.randint(1, 50_000)},
                          {"movetime": {"nanos": 1_000_000 * chance.randint(5, 300)}}))


def analyse(stub, chance):
    *_, last = stub.Analyze(_request(chance, **_limits(chance)), timeout=PATIENCE)
    if not last.final.best_move:
        raise Unexpected("an analysis without a best move")


def cancel_analysis(stub, chance):
    call = stub.Analyze(_request(chance, infinite=True), timeout=PATIENCE)
    for _ in range(chance.randint(0, 3)):
        next(call)
    call.cancel()


def meet_deadline(stub, chance):
    _expect(lambda: list(stub.Analyze(_request(chance, infinite=True), timeout=chance.uniform(0.05, 0.5))), _Code.OK,
            _Code.DEADLINE_EXCEEDED)


def hold_session(stub, chance):
    """Some searches on one session: some end by themselves, others are stopped."""
    commands = queue.SimpleQueue()
    answers = stub.AnalyzeSession(iter(commands.get, None), timeout=PATIENCE)
    for _ in range(chance.randint(1, 8)):
        stops = chance.random() < 0.5
        limits = {"infinite": True} if stops else _limits(chance)
        commands.put(analysis_pb2.AnalyzeSessionRequest(go={"request": _request(chance, **limits)}))
        if stops:
            commands.put(analysis_pb2.AnalyzeSessionRequest(stop={}))
        while not (answer := next(answers)).analysis.HasField("final"):
            if answer.HasField("refused"):
                raise Unexpected(f"a Go was refused: {answer.refused.reason}")
    commands.put(None)
    list(answers)


def count(stub, chance):
    *_, last = stub.Perft(analysis_pb2.PerftRequest(depth=4, threads=1, hash_mb=chance.choice((0, 1, 8))),
                          timeout=PATIENCE)
    if last.total.nodes != 197_281:
        raise Unexpected(f"perft 4 is {last.total.nodes}")


def cancel_count(stub, chance):
    call = stub.Perft(analysis_pb2.PerftRequest(depth=chance.randint(7, 12), threads=1, hash_mb=4), timeout=PATIENCE)
    time.sleep(chance.uniform(0, 0.1))
    call.cancel()


def send_bad_position(stub, chance):
    position = position_pb2.Position(fen=chance.choice(_BAD_FENS[1:]))
    method = chance.choice((lambda: stub.LegalMoves(position_pb2.LegalMovesRequest(position=position), timeout=PATIENCE),
                            lambda: list(stub.Analyze(analysis_pb2.AnalyzeRequest(position=position), timeout=PATIENCE)),
                            lambda: list(stub.Perft(analysis_pb2.PerftRequest(position=position, depth=3),
                                                    timeout=PATIENCE))))
    _expect(method, _Code.INVALID_ARGUMENT)


def send_garbage(channel, chance):
    call = channel.unary_unary("/kibitz.v1.AnalysisService/LegalMoves")
    _expect(lambda: call(b"\xff" + chance.randbytes(chance.randint(1, 2000)), timeout=PATIENCE), _Code.INVALID_ARGUMENT)
    call = channel.unary_unary("/kibitz.v1.AnalysisService/" + "x" * chance.randint(1, 100))
    _expect(lambda: call(b"", timeout=PATIENCE), _Code.UNIMPLEMENTED)
    call = channel.unary_unary("/kibitz.v1.AnalysisService/Perft")
    _expect(lambda: call(bytes(200_000), timeout=PATIENCE), _Code.RESOURCE_EXHAUSTED)


def come_and_go(address, _):
    with open_channel(address) as channel:
        analysis_pb2_grpc.AnalysisServiceStub(channel).GetServerInfo(analysis_pb2.GetServerInfoRequest(),
                                                                     timeout=PATIENCE)


def ask_too_much(stub, chance):
    """As a tenant with small quotas."""
    calls = [stub.Analyze(_request(chance, nodes=20_000), timeout=PATIENCE) for _ in range(10)]
    for call in calls:
        _expect(lambda call=call: list(call), _Code.OK, _Code.RESOURCE_EXHAUSTED)


# What each kind does, in how many threads, and what it is given: the stub, the channel or the address.
_KINDS = {
    "analyses": (4, "stub", (analyse, analyse, analyse, cancel_analysis, meet_deadline)),
    "sessions": (3, "stub", (hold_session,)),
    "counts": (1, "stub", (count, count, cancel_count)),
    "bad-input": (1, "stub", (send_bad_position,)),
    "garbage": (1, "channel", (send_garbage,)),
    "visitors": (1, "address", (come_and_go,)),
    "over-quota": (1, "stub", (ask_too_much,)),
}


def _act_for_ever(given, acts, seed, done):
    chance = random.Random(seed)
    while True:
        act = chance.choice(acts)
        try:
            act(given, chance)
        except (Unexpected, grpc.RpcError, StopIteration) as fault:
            words = f"{fault.code().name}: {fault.details()}" if isinstance(fault, grpc.RpcError) else repr(fault)
            print(f"! {act.__name__}: {' '.join(words.split())}", flush=True)
        done[act] += 1
        time.sleep(_PAUSE)


def main(kind, address):
    threads, wants, acts = _KINDS[kind]
    channel = open_channel(address)
    given = {"stub": analysis_pb2_grpc.AnalysisServiceStub(channel), "channel": channel, "address": address}[wants]
    done = collections.Counter()
    for seed in range(threads):
        threading.Thread(target=_act_for_ever, args=(given, acts, seed, done), daemon=True).start()
    over = threading.Event()
    threading.Thread(target=lambda: (sys.stdin.read(), over.set()), daemon=True).start()
    before = 0
    while not over.wait(1):
        now = sum(done.values())
        print(f"{now - before} done", flush=True)
        before = now


if __name__ == "__main__":
    main(*sys.argv[1:])
