"""What a table signs, so that who is no party to the game may believe it: by the numbers that `pairing` has keys from.

The scheme is that of C. P. Schnorr (1991) in the form of Girault, Poupard and Stern (2006), whose answer is a whole
number that nothing reduces: with the private number x, the public y = 2^x and a fresh k, of r = 2^k the hash
e = H(r, y, topic, text) and s = k + e x. Whoever has y finds r = 2^s y^-e, and the same hash. `NONCE` bits of k hide x
in s: as many as e and x have, and 128 more. k follows from x and the text, as in RFC 6979, so that no bad chance tells
x to anybody.
"""

from __future__ import annotations

import hmac
from hashlib import sha256, shake_256

from msgspec import DecodeError, json

from firmware_bridge.link.pairing import PRIME, Sealed

WIDTH = (PRIME.bit_length() + 7) // 8
"""Bytes of a number of the group."""
NONCE = 256 + 256 + 128
"""Bits of the fresh number."""


def sign(private: int, topic: str, said: bytes) -> str:
    """The signature under `said` on `topic`: e and s in hexadecimal digits. Takes some milliseconds."""
    key = private.to_bytes(32, "big")
    fresh = int.from_bytes(shake_256(key + b"tablelight signs\0" + _text(topic, said)).digest(NONCE // 8), "big")
    challenge = _challenge(pow(2, fresh, PRIME), pow(2, private, PRIME), topic, said)
    return f"{challenge}-{fresh + int(challenge, 16) * private:x}"


def signed(public: int, topic: str, payload: bytes) -> bytes | None:
    """What was said on `topic`; None unless who has the private number to `public` has signed it, for this topic."""
    try:
        sealed = json.decode(payload, type=Sealed)
    except (DecodeError, RecursionError):
        return None
    challenge, _, answer = sealed.signed.partition("-")
    if not answer:
        return None
    told = bytes(sealed.said)
    point = pow(2, int(answer, 16), PRIME) * pow(public, -int(challenge, 16), PRIME) % PRIME
    return told if hmac.compare_digest(challenge, _challenge(point, public, topic, told)) else None


def _challenge(point: int, public: int, topic: str, said: bytes) -> str:
    numbers = point.to_bytes(WIDTH, "big") + public.to_bytes(WIDTH, "big")
    return sha256(numbers + _text(topic, said)).hexdigest()


def _text(topic: str, said: bytes) -> bytes:
    return topic.encode() + b"\0" + said
