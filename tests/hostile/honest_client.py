"""Calls LegalMoves every 20 ms until standard input ends; prints each call's seconds, or the name of its error.

usage: python3 -m tests.hostile.honest_client HOST:PORT
"""

import select
import sys
import time

import grpc

from tests.integration.caller import metadata, open_channel

_INTERVAL = 0.020
_PATIENCE = 30  # seconds for a call


def main(address):
    call = open_channel(address).unary_unary("/kibitz.v1.AnalysisService/LegalMoves")
    leaving = False
    while True:
        begun = time.monotonic()
        try:
            call(b"", timeout=_PATIENCE, metadata=metadata())
            print(time.monotonic() - begun, flush=True)
        except grpc.RpcError as error:
            print(error.code().name, flush=True)
        if leaving:
            return
        # The next call is due at its time, or at once when this one took longer. One more is made when we are to leave.
        leaving = bool(select.select([sys.stdin], [], [], max(0, begun + _INTERVAL - time.monotonic()))[0])


if __name__ == "__main__":
    main(sys.argv[1])
