"""A client that is to be killed: opens analyses without end, says so, and reads them.

usage: python3 -m tests.soak.victim HOST:PORT REQUEST, an AnalyzeRequest in hexadecimal digits
"""

import sys
import threading

from tests.integration.caller import open_channel

_STREAMS = 30


def main(address, request):
    method = open_channel(address).unary_stream("/kibitz.v1.AnalysisService/Analyze")
    calls = [method(bytes.fromhex(request)) for _ in range(_STREAMS)]
    for call in calls:
        next(call)
    print("ready", flush=True)
    for call in calls:
        threading.Thread(target=list, args=(call,)).start()


if __name__ == "__main__":
    main(*sys.argv[1:])
