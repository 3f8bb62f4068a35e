"""How two tables come to know each other, through a broker that others may listen to; and the seal on what they say.

1. The first table makes a secret of 80 bits and tells it as *six words*, five syllables' worth of it and one to check
   them (proquints, after D. Wilkerson 2009: spoken alike in many languages). Its players tell them to the others.
2. The words give the game its identity in topics, and a key for the two *greetings*: who sits where, at which table,
   what is played, and a public number (Diffie and Hellman, in the group of RFC 3526, section 3).
3. Each table keeps to the first greeting from the other seat that it hears. From then on everything is sealed with a
   key that follows from the private numbers, too: whoever learns the words later cannot speak for a seat, nor join.
4. A seal (HMAC-SHA-256) covers the topic. It proves to both tables that one of them has said so, and to nobody else:
   the two trust each other. What a third party is to believe is signed besides (`signature`).
5. The last level of each topic is the broker's *user* who may write there, so that an access list can keep the tables
   of a club apart; where the broker has no users it is ``any``.
"""

from __future__ import annotations

import hmac
import os
import secrets
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Literal
from urllib.parse import quote, urlsplit
from uuid import UUID

from msgspec import DecodeError, Meta, Raw, Struct, ValidationError, json

from firmware_bridge.link.states import VERSION, Key, Seat, Terms
from games.rules import Reason, say
from hardware import files
from hardware.settings import plain

CONSONANTS, VOWELS = "bdfghjklmnprstvz", "aiou"
SECRET_BYTES, WORDS = 10, 6
ROOT = "tablelight"
"""Where all topics begin."""
PRIME = int(
    "FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DDEF9519B3CD3A431B"
    "302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7EDEE386BFB5A899FA5AE9F24117C4B1FE6"
    "49286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F83655D23DCA3AD961C62F356208552BB9ED529077096966D"
    "670C354E4ABC9804F1746C08CA18217C32905E462E36CE3BE39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF695581718"
    "3995497CEA956AE515D2261898FA051015728E5A8AACAA68FFFFFFFFFFFFFFFF",
    16,
)
"""The 2048-bit group of RFC 3526; its generator is 2."""
ANYBODY = "any"
"""Who writes to a topic at a broker without users."""
LONGEST_USER = 120
"""Characters of a user's name in topics at most; guessed."""
LARGEST_FILE = 1 << 16
"""Bytes of a pairing on disk at most."""
PORT, SAFE_PORT = 1883, 8883
"""The ports of MQTT, and of MQTT over TLS, as IANA has them."""


class LinkError(Exception):
    """What keeps two tables from playing together, in a sentence: English text, or a Reason in any language."""

    @property
    def reason(self) -> Reason:
        """The sentence."""
        told = self.args[0]
        return told if isinstance(told, Reason) else Reason.of("link.fault", fault=str(told))


def wrong(name: str, **values: int | str) -> LinkError:
    """The error that the sentence ``link.name`` tells."""
    return LinkError(Reason.of(f"link.{name}", **values))


# Words --------------------------------------------------------------------------------------------


def syllables(number: int) -> str:
    """A number of 16 bits as a word of five letters."""
    return (
        CONSONANTS[number >> 12 & 15] + VOWELS[number >> 10 & 3] + CONSONANTS[number >> 6 & 15]
        + VOWELS[number >> 4 & 3] + CONSONANTS[number & 15]
    )  # fmt: skip


def told(secret: bytes) -> str:
    """The six words of `secret`."""
    whole = secret + sha256(secret).digest()[:2]
    return "-".join(syllables(int.from_bytes(whole[at : at + 2], "big")) for at in range(0, len(whole), 2))


def heard(text: str) -> bytes:
    """The secret that six words tell, whatever stands between them; LinkError."""
    words = text.lower().replace("-", " ").split()
    known = {syllables(number): number for number in range(1 << 16)}
    for word in words:
        if word not in known:
            raise wrong("no-word", word=plain(word))
    if len(words) != WORDS:
        raise wrong("word-count", count=len(words), due=WORDS)
    whole = b"".join(known[word].to_bytes(2, "big") for word in words)
    if told(whole[:SECRET_BYTES]) != "-".join(words):
        raise wrong("other-words")
    return whole[:SECRET_BYTES]


# Brokers ------------------------------------------------------------------------------------------


class Broker(Struct, frozen=True):
    """Where the broker is. `safe`: by TLS, which `ca`, a file of certificates, vouches for; empty: those of the system.

    `password_file`: its first line is the password of `user`.
    """

    host: str
    port: int = PORT
    safe: bool = False
    ca: str = ""
    user: str = ""
    password_file: str = ""

    @property
    def url(self) -> str:
        """As it is typed."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{'mqtts' if self.safe else 'mqtt'}://{host}:{self.port}"

    @property
    def writer(self) -> str:
        """Who writes, as topics name it."""
        return written_by(self.user)


def written_by(user: str) -> str:
    """The last level of topics to which this user of a broker may write."""
    return quote(user, safe="")[:LONGEST_USER] or ANYBODY


def broker_of(text: str, ca: str = "", user: str = "", password_file: str = "") -> tuple[Broker, str]:
    """The broker at the address `text`, and the words after its ``#``, if any; LinkError."""
    fault = wrong("no-address", address=plain(text))
    try:
        parts = urlsplit(text if "://" in text else f"mqtt://{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        raise fault from None
    if parts.scheme not in ("mqtt", "mqtts") or not host or parts.path.strip("/") or parts.query or len(host) > 253:
        raise fault
    safe = parts.scheme == "mqtts"
    broker = Broker(host, port or (SAFE_PORT if safe else PORT), safe, ca, user or parts.username or "", password_file)
    return broker, parts.fragment


# Greetings and seals ------------------------------------------------------------------------------


class Greeting(Struct, frozen=True, kw_only=True):
    """Who sits at a seat; sealed with the key that the words give."""

    v: int = VERSION
    seat: Seat
    table: Key
    terms: Terms
    public: Annotated[str, Meta(pattern="^[0-9a-f]{1,512}$")]
    """The table's public number, in hexadecimal digits."""
    partner: Key = ""
    """The other table, once there is one."""
    user: Annotated[str, Meta(max_length=LONGEST_USER)] = ANYBODY
    """Who writes for this seat: the last level of its topics."""


class Sealed(Struct, frozen=True):
    """What goes over the line: JSON, and the seal on its bytes; a state is signed, too (`signature`)."""

    seal: Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]
    said: Raw
    signed: Annotated[str, Meta(pattern="^([0-9a-f]{64}-[0-9a-f]{1,200})?$")] = ""


def seal(key: bytes, topic: str, said: bytes, signed: str = "") -> bytes:
    """`said`, JSON, sealed for `topic`."""
    mac = hmac.digest(key, topic.encode() + b"\0" + said, "sha256").hex()
    return json.encode(Sealed(mac, Raw(said), signed))


def unseal(key: bytes, topic: str, payload: bytes) -> bytes | None:
    """What was said on `topic`; None if it does not bear the seal of this key."""
    try:
        sealed = json.decode(payload, type=Sealed)
    except (DecodeError, RecursionError):
        return None
    said = bytes(sealed.said)
    mac = hmac.digest(key, topic.encode() + b"\0" + said, "sha256").hex()
    return said if hmac.compare_digest(mac, sealed.seal) else None


class Pairing(Struct, frozen=True, kw_only=True):
    """What a table keeps of it, on its disk: this seat, and the greeting of the other one, once it was heard."""

    v: int = VERSION
    broker: Broker
    secret: Annotated[str, Meta(pattern="^[0-9a-f]{20}$")]
    private: Annotated[str, Meta(pattern="^[0-9a-f]{1,64}$")]
    table: Key
    seat: Seat
    terms: Terms
    partner: Greeting | None = None

    @property
    def words(self) -> str:
        """The six words."""
        return told(bytes.fromhex(self.secret))

    @property
    def game(self) -> str:
        """What names the game in topics."""
        return str(UUID(bytes=self._derived("game")[:16], version=4))

    @property
    def greeting(self) -> Greeting:
        """What this table says of itself."""
        public = f"{pow(2, int(self.private, 16), PRIME):x}"
        partner = self.partner.table if self.partner else ""
        return Greeting(
            seat=self.seat, table=self.table, terms=self.terms, public=public, partner=partner, user=self.broker.writer
        )

    @property
    def word_key(self) -> bytes:
        """The key for greetings."""
        return self._derived("greeting")

    def pair_key(self) -> bytes:
        """The key for all else, which only both tables have; there is a partner."""
        assert self.partner
        shared = pow(int(self.partner.public, 16), int(self.private, 16), PRIME)
        return hmac.digest(self._derived("pair"), shared.to_bytes(256, "big"), "sha256")

    def _derived(self, purpose: str) -> bytes:
        return hmac.digest(bytes.fromhex(self.secret), f"{ROOT}/{VERSION}/{purpose}".encode(), "sha256")

    # Topics -----------------------------------------------------------------------------------------

    def greets(self, seat: int) -> str:
        """The topic of the greeting of a seat; as long as nobody has the other one, that of whoever greets from it."""
        return game_topic(self.game, "greeting", seat, self._user(seat))

    def states(self, seat: int) -> str:
        """The topic of the states of a seat, likewise."""
        return game_topic(self.game, "seat", seat, self._user(seat))

    @property
    def status(self) -> str:
        """The topic of the status of this table."""
        return status_topic(self.table, self.broker.writer)

    def _user(self, seat: int) -> str:
        """Who writes for a seat; ``+`` for anybody."""
        if seat == self.seat:
            return self.broker.writer
        return self.partner.user if self.partner else "+"


def game_topic(game: str, what: Literal["greeting", "seat"], seat: int, user: str) -> str:
    """The topic on which `user` greets from a seat of a game, or tells its state."""
    return f"{ROOT}/{VERSION}/game/{game}/{what}/{seat}/{user}"


def status_topic(table: str, user: str) -> str:
    """The topic on which a table says that it is there, and the broker that it is not."""
    return f"{ROOT}/{VERSION}/table/{table}/status/{user}"


def listened(pattern: str, topic: str) -> bool:
    """Whether who listens to `pattern`, a topic that may end with ``+``, hears what is said on `topic`."""
    start, user = pattern.rsplit("/", 1)
    return pattern == topic or (user == "+" and topic.rpartition("/")[0] == start)


def new_secret() -> bytes:
    """What six words can tell."""
    return secrets.token_bytes(SECRET_BYTES)


def new_pairing(broker: Broker, secret: bytes, seat: Seat, terms: Terms, partner: Greeting | None = None) -> Pairing:
    """A pairing with keys of its own."""
    return Pairing(
        broker=broker, secret=secret.hex(), private=secrets.token_hex(32), table=secrets.token_hex(8), seat=seat,
        terms=terms, partner=partner,
    )  # fmt: skip


def read_greeting(key: bytes, topic: str, payload: bytes) -> Greeting | None:
    """The greeting on `topic`; None if there is none that the words have sealed, or its number is of no use.

    Nor is there one whose user is another than that of the topic.
    """
    said = unseal(key, topic, payload)
    try:
        greeting = json.decode(said, type=Greeting) if said else None
    except (ValidationError, DecodeError):
        return None
    if not greeting or greeting.user != topic.rpartition("/")[2]:
        return None
    return greeting if 2 <= int(greeting.public, 16) <= PRIME - 2 else None


# On disk ------------------------------------------------------------------------------------------


def pairing_path(records: Path) -> Path:
    """Where the pairing of a table is kept: beside its records."""
    return records / "link" / "pairing.json"


def read_pairing(path: Path) -> Pairing:
    """The pairing on disk; LinkError."""
    try:
        return json.decode(files.read(path, LARGEST_FILE), type=Pairing)
    except FileNotFoundError:
        raise wrong("unpaired", new="tablelight link new GAME", join="tablelight link join WORDS") from None
    except OSError as error:
        raise wrong("unread", path=str(path), fault=error.strerror or str(error)) from None
    except DecodeError as error:
        raise wrong("no-pairing", path=str(path), fault=str(error), command="tablelight link end") from None


def end_pairing(path: Path) -> None:
    """Forget the pairing, and what was kept of its game; OSError."""
    for kept in path.parent.glob("*.json"):
        kept.unlink()


def write_pairing(path: Path, pairing: Pairing) -> None:
    """Keep `pairing`; OSError."""
    keep(path, json.encode(pairing))


def renew_pairing(path: Path, pairing: Pairing) -> None:
    """Keep `pairing`, and forget what was kept of the game of another one; OSError."""
    write_pairing(path, pairing)
    for kept in path.parent.glob("*.json"):
        if kept.name not in (path.name, f"{pairing.game}.json"):
            kept.unlink()


def keep(path: Path, data: bytes) -> None:
    """Put `data` on disk, where nobody else may read them, and are there even if the power goes now; OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    with files.replacing(path) as draft:
        draft.chmod(0o600)
        draft.write_bytes(data)
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


say(
    "link",
    fault="{fault}",
    no_word="{word} is none of the six words: each has five letters, such as lusab.",
    word_count="There are {count} words: the other table shows {due}.",
    other_words="One of the words is another word, or they stand in another order: compare them once more.",
    no_address="{address} is no address of a broker: it reads HOST, HOST:PORT, mqtt://HOST:PORT, or with TLS "
    "mqtts://HOST:PORT.",
    no_broker="No broker is named at which the tables could meet: type its address, or name it under [link] of the "
    'configuration (broker = "mqtt://HOST").',
    unusable="The broker {broker} cannot be used ({fault}): compare its address, and ask who keeps it. Nothing was "
    "changed.",
    untold="The broker {broker} does not keep what it is told: see to its access list. Nothing was changed.",
    nobody="Nobody has paired with these words at this broker: compare words and broker, and let the other table "
    "invite anew. Nothing was changed.",
    joined="Another table has joined with these words: pair anew, with other words. Nothing was changed.",
    version="The other table speaks version {version} of the link, this one {own}: bring both up to date. Nothing was "
    "changed.",
    no_game="The other table plays what there is not at this one: {fault}. Nothing was changed.",
    unpaired="This table is paired with no other: {new} shows six words, and {join} takes them at the other table.",
    unread="{path}: {fault}.",
    no_pairing="{path}: this is no pairing ({fault}). {command} takes it away.",
)
