"""The channel of a client program of ours to a server, opened as two variables say, which never stand in a process list.

CALLER_CA: the file of the authority that has signed the server's certificate; without it calls are in plaintext.
CALLER_KEY: the API key.
"""

import os

import grpc


def open_channel(address):
    """A channel with a connection of its own."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    if "CALLER_CA" not in os.environ:
        return grpc.insecure_channel(address, options=options)
    with open(os.environ["CALLER_CA"], "rb") as file:
        credentials = grpc.ssl_channel_credentials(file.read())
    if "CALLER_KEY" in os.environ:
        key = grpc.access_token_call_credentials(os.environ["CALLER_KEY"])
        credentials = grpc.composite_channel_credentials(credentials, key)
    return grpc.secure_channel(address, credentials, options=options)


def metadata():
    """What a call must say itself: over TLS the channel shows the key."""
    if "CALLER_KEY" not in os.environ or "CALLER_CA" in os.environ:
        return ()
    return (("authorization", "Bearer " + os.environ["CALLER_KEY"]),)
