"""What a table signs, anybody believes who has its public number; nothing else."""

from __future__ import annotations

import pytest
from msgspec import json

from firmware_bridge.link.pairing import PRIME, Sealed, seal
from firmware_bridge.link.signature import sign, signed

PRIVATE = int("9" * 64, 16)
PUBLIC = pow(2, PRIVATE, PRIME)
TOPIC = "tablelight/1/game/x/seat/0/anna"
SAID = b'{"number":1}'


def payload(private: int = PRIVATE, topic: str = TOPIC, said: bytes = SAID) -> bytes:
    return seal(b"key", topic, said, sign(private, topic, said))


def test_what_is_signed_is_believed() -> None:
    assert signed(PUBLIC, TOPIC, payload()) == SAID
    assert payload() == payload()  # no chance is needed for it


def test_another_key_another_topic_and_other_words_are_not_believed() -> None:
    assert signed(PUBLIC, TOPIC, payload(PRIVATE + 1)) is None
    assert signed(PUBLIC, TOPIC.replace("/0/", "/1/"), payload()) is None
    told = json.decode(payload(), type=Sealed)
    other = json.encode({"seal": told.seal, "said": {"number": 2}, "signed": told.signed})
    assert signed(PUBLIC, TOPIC, other) is None


@pytest.mark.parametrize("mark", ["", "0" * 64 + "-0", "f" * 64 + "-" + "f" * 200, "-", "0" * 64, "x"])
def test_what_is_no_signature_is_not_believed(mark: str) -> None:
    told = json.decode(payload(), type=Sealed)
    assert signed(PUBLIC, TOPIC, json.encode({"seal": told.seal, "said": told.said, "signed": mark})) is None


def test_two_texts_share_no_fresh_number() -> None:
    one, other = (sign(PRIVATE, TOPIC, said) for said in (b"1", b"2"))
    fresh = {int(s.split("-")[1], 16) - int(s.split("-")[0], 16) * PRIVATE for s in (one, other)}
    assert len(fresh) == 2
