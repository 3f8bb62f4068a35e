"""Bytes that people, broken disks and enemies write: what is right, with a few changes that hurt."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.fuzz.target import Target, joined

HURTING = (
    b"", b"\0", b"\n", b"\r", b"\t", b" ", b"  ", b"'", b'"', b"\\", b"#", b"~", b"-", b"--", b"=", b"/", b",", b"..",
    b"{}", b"{turn}", b"%s", b"-1", b"+1", b"1_0", b"1e999", b"nan", b"-inf", b"99999999999", b"0000000011",
    b"00000000" + b"9" * 9, b"9" * 5000, b"[" * 2000, b"a." * 1000, b"x" * 3000, b"\xff", b"\xc3",
    b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1b[2J", b"\x7f", b"\x85",
    *joined("٣", "²", "\uff11", "é", "\u0130", "\u2028", "\u202e", "\x9b", "\U0001f3b2"),
)  # fmt: skip
"""NULs, controls, quotes, numbers of many digits or of other scripts, deep nesting, broken UTF-8, surrogates."""
SMALL = tuple(each for each in HURTING if len(each) < 20)
GROSS = (
    b"\0" * 20_000, b"9" * 20_000, b"[" * 20_000, b"{a=" * 6_000, b"a" + b".a" * 15_900 + b"=1", b"((((\n" * 300,
    b"x " * 10_000, b"\n" * 2_000, b"/" * 20_000, b"," * 20_000, b"'" * 19_999, b"\xff" * 20_000, b"#\n" * 500,
    b"\x91" * 20_000, b"\x81\xa1a" * 7_000, b"\xdf\xff\xff\xff\xff", b"\xdd\xff\xff\xff\xff" * 10, b"1 " * 10_000,
    b"\xed\xa0\x80" * 7_000, b".x" * 10_000, b"[a]\n" * 500,
)  # fmt: skip
"""What is too much of something."""


@st.composite
def mutated(draw: st.DrawFn, target: Target) -> bytes:
    """One of the seeds with one to four changes."""
    data = draw(st.sampled_from(target.seeds))
    put = st.sampled_from((*target.words, *HURTING)) | st.binary(max_size=4)
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(data)))
        end = min(len(data), start + draw(st.sampled_from((0, 0, 1, 1, 2, 5, 40))))
        new = draw(put) if draw(st.booleans()) else data[end : end + draw(st.integers(1, 40))]
        data = data[:start] + new + data[end:]
    return data


@st.composite
def worded(draw: st.DrawFn, target: Target) -> bytes:
    """A beginning that is right, and then words that have a meaning there in any order."""
    seed = draw(st.sampled_from(target.seeds))
    begun = seed[: draw(st.integers(0, len(seed)))]
    return begun + b"".join(draw(st.lists(st.sampled_from((*target.words, *SMALL)), max_size=12)))


def hostile(target: Target) -> st.SearchStrategy[bytes]:
    """What is tried on a target."""
    return mutated(target) | mutated(target) | worded(target) | st.binary(max_size=60)
